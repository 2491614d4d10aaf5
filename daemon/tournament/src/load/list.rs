//! What pairing engines print: how many pairs there are, then the starting numbers of two players a
//! line, in the order of the tables. A 0 is a bye.

use super::{Format, Game, Sheet, Unreadable};
use crate::code::ResultCode;
use crate::model::{Details, Player};

pub(super) fn read(text: &str) -> Result<Sheet, Unreadable> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let mut wrong = Unreadable(Vec::new());
    let (mut players, mut games) = (Vec::new(), Vec::new());
    let count: usize = match lines.next().and_then(|(_, line)| line.trim().parse().ok()) {
        Some(count) => count,
        None => return Err(Unreadable::one(1, 1, "the number of pairs is missing")),
    };
    let mut last = 1;
    for (line, pair) in lines {
        last = line;
        match two_numbers(pair) {
            Some((white, black)) if white != 0 && white != black => {
                let place = players.len();
                let numbered = |number| Player {
                    number,
                    ..Player::default()
                };
                players.push(numbered(white));
                let has_opponent = black != 0;
                players.extend(has_opponent.then(|| numbered(black)));
                games.push(Game {
                    line,
                    table: None,
                    white: place,
                    black: has_opponent.then_some(place + 1),
                    codes: (!has_opponent).then_some([ResultCode(chess_trf::Code::PairingBye); 2]),
                });
            }
            _ => wrong.add(line, 1, format!("`{}` is no pair of players", pair.trim())),
        }
    }
    if games.len() != count && wrong.0.is_empty() {
        let text = format!("{count} pairs are said to follow, and {} do", games.len());
        wrong.add(last, 1, text);
    }
    wrong.unless(Sheet {
        format: Format::List,
        details: Details::default(),
        players,
        round: None,
        date: String::new(),
        games,
        is_ordered_here: false,
    })
}

fn two_numbers(line: &str) -> Option<(u16, u16)> {
    let mut words = line.split_whitespace();
    let pair = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    words.next().is_none().then_some(pair)
}
