//! Who plays whom in a round.

use std::collections::BTreeMap;

use crate::code::Code;
use crate::complaint::{Complaints, Problem};
use crate::player::{Cell, Colour, Player};

/// Two players of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// White's starting number.
    pub white: u16,
    /// Black's starting number.
    pub black: u16,
    /// Whether the file tells the colours. Of games that were not played it may not: then `white`
    /// is whoever has the smaller number.
    pub coloured: bool,
    /// How it ended for White, and how for Black.
    pub codes: [Option<Code>; 2],
}

impl Pair {
    /// Whether it is still to be played or under way.
    pub fn is_open(&self) -> bool {
        let open = |code| matches!(code, None | Some(Code::ZeroPointBye));
        self.coloured && self.codes.into_iter().all(open)
    }
}

/// The pairs of a round, in the order of the file.
///
/// # Errors
/// Where opponents are not each other's, where both have one colour, where one is not in the file,
/// or where the two have results that cannot both be.
pub fn pairings(players: &[Player], round: usize) -> Result<Vec<Pair>, Complaints> {
    let (pairs, wrong) = sound_pairings(players, round);
    wrong.unless(pairs)
}

/// The pairs of a round with whom nothing is wrong, and what is wrong with the others.
pub fn sound_pairings(players: &[Player], round: usize) -> (Vec<Pair>, Complaints) {
    let by_number: BTreeMap<u16, &Player> = players.iter().map(|p| (p.number, p)).collect();
    let (mut pairs, mut wrong) = (Vec::new(), Complaints(Vec::new()));
    for player in players {
        let cell = player.round(round);
        let Some(other) = cell.opponent else { continue };
        let opponent = by_number.get(&other).copied();
        let column = crate::player::code_column(round);
        match pair(player, opponent, round) {
            Ok(pair) => {
                let both = [player.number, other].map(|number| result(number, &pair));
                let is_sound = both.iter().all(Result::is_ok);
                if let [Err((before, problem)), _] = both {
                    wrong.add(player.line, column - before, problem);
                } else if player.number < other && is_sound {
                    pairs.push(pair);
                }
            }
            Err(problem) => wrong.add(player.line, column - 7, problem),
        }
    }
    (pairs, wrong)
}

fn pair(player: &Player, opponent: Option<&Player>, round: usize) -> Result<Pair, Problem> {
    let (one, cell) = (player.number, player.round(round));
    let number = cell.opponent.unwrap_or_default();
    let opponent = opponent.ok_or(Problem::NoSuchPlayer(number))?;
    let (other, theirs) = (opponent.number, opponent.round(round));
    if one == other {
        return Err(Problem::Himself(one));
    }
    if theirs.opponent != Some(one) {
        let found = theirs.opponent.unwrap_or(0);
        return Err(Problem::NotMutual { one, other, found });
    }
    let is_white = match (cell.colour, theirs.colour) {
        (Some(mine), Some(his)) if mine == his => {
            return Err(Problem::SameColour { one, other });
        }
        (Some(colour), _) => colour == Colour::White,
        (None, Some(colour)) => colour == Colour::Black,
        (None, None) => one < other,
    };
    let coloured = cell.colour.or(theirs.colour).is_some();
    let (white, black, codes) = if is_white {
        (one, other, [cell.code, theirs.code])
    } else {
        (other, one, [theirs.code, cell.code])
    };
    Ok(Pair {
        white,
        black,
        coloured,
        codes,
    })
}

/// What is wrong with a player's result beside the opponent's, and how many columns before it.
fn result(number: u16, pair: &Pair) -> Result<(), (usize, Problem)> {
    let Pair { white, black, .. } = *pair;
    let ([mine, theirs], other) = match number == white {
        true => (pair.codes, black),
        false => ([pair.codes[1], pair.codes[0]], white),
    };
    let unfinished = |code| matches!(code, None | Some(Code::ZeroPointBye));
    match (mine, theirs) {
        (None, None) if !pair.coloured => Err((2, Problem::NoColour)),
        (Some(code), _) if code.is_bye() && !unfinished(mine) => {
            Err((0, Problem::NoGameCode(code.char())))
        }
        (_, Some(code)) if unfinished(mine) && !unfinished(theirs) && !code.is_bye() => {
            let (one, code) = (number, code.char());
            Err((0, Problem::OneResult { one, other, code }))
        }
        (Some(mine), Some(theirs)) if mine.half_points() + theirs.half_points() > 2 => {
            let [mine, theirs] = [mine, theirs].map(Code::char);
            Err((0, Problem::TooMuch { mine, theirs }))
        }
        (Some(code), Some(other)) if !unfinished(mine) && !other.is_bye() => {
            let [mine, theirs] = [code, other].map(Code::char);
            let problem = Problem::OtherKind { mine, theirs };
            code.may_face(other).then_some(()).ok_or((0, problem))
        }
        _ => Ok(()),
    }
}

/// The last round with a game that is still to be played or under way: the one that somebody who
/// loads the file wants to play.
pub fn current_round(players: &[Player]) -> Option<usize> {
    let open = |player: &Player| player.rounds.iter().rposition(Cell::is_open);
    players.iter().filter_map(open).max().map(|n| n + 1)
}
