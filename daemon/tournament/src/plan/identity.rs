//! Starting numbers stay with their players: results, penalties and exports of earlier rounds go by
//! the number, and would go to another person with it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::numbers::line_of;
use super::oddity::folded;
use crate::load::{Sheet, Unreadable};
use crate::model::{Pairing, Player, Tournament};
use crate::what;

/// How alike two spellings of one name are at the least, of 1.
const ALIKE: f64 = 0.6;

/// Refuses numbers that go to other persons once something hangs on them.
///
/// # Errors
/// With the line of each, and who is meant.
pub(super) fn keeps(
    tournament: &Tournament,
    sheet: &Sheet,
    numbers: &[u16],
    round: u16,
) -> Result<(), Unreadable> {
    let mut wrong = Unreadable(Vec::new());
    let known = Known::of(tournament, round);
    let moved = moved(tournament, numbered(sheet, numbers));
    let mut said: HashMap<u16, &Player> = HashMap::new();
    said.extend(numbered(sheet, numbers));
    // Whom a file does not number, it cannot number otherwise.
    for (place, (player, number)) in sheet.players.iter().zip(numbers).enumerate() {
        let stood = tournament.players.get(number);
        if player.number == 0
            || player.name.is_empty()
            || stood.is_some_and(|stood| is_same(player, stood))
        {
            continue;
        }
        let is_bound = known.is_bound(*number);
        let other = known.other(player, *number).filter(|other| {
            let keeps = said.get(&other.number);
            let keeps = keeps.is_some_and(|keeps| is_same(keeps, other));
            // Else two players would have one number at FIDE.
            let stays = player.fide_id.is_some()
                && player.fide_id == other.fide_id
                && !said.contains_key(&other.number);
            !keeps && (is_bound || stays || known.is_bound(other.number))
        });
        let name = &player.name;
        let what = match (other, stood) {
            (Some(other), Some(stood)) => what!(
                "other-number-there",
                "number {number} is `{name}` here, who is number {other} in this event, where \
                 {number} is `{there}`: players keep their numbers",
                number = number,
                name = name,
                other = other.number,
                there = stood.name
            ),
            (Some(other), None) => what!(
                "other-number",
                "number {number} is `{name}` here, who is number {other} in this event: players \
                 keep their numbers",
                number = number,
                name = name,
                other = other.number
            ),
            (None, Some(stood)) if is_bound && !may_be_same(player, stood) => what!(
                "number-bound",
                "number {number} is `{there}`, who is drawn in another round or has played: \
                 `{name}` is somebody else, and needs a number of his own",
                number = number,
                there = stood.name,
                name = name
            ),
            (None, Some(stood)) if moved.contains_key(number) || !may_be_same(player, stood) => {
                let Some((slug, kept)) = known.kept_of(*number, &moved) else {
                    continue;
                };
                what!(
                    "number-kept",
                    "number {number} is `{there}`, of whom there is {kept} in this event: `{name}` \
                     is somebody else, and needs another number",
                    number = number,
                    there = stood.name,
                    kept = kept,
                    name = name
                )
                .with(&[("kept", slug.to_owned())])
            }
            _ => continue,
        };
        wrong.add(line_of(sheet, place), 1, what);
    }
    wrong.unless(())
}

/// The players of a sheet, each behind the starting number that he gets.
pub(super) fn numbered<'s>(
    sheet: &'s Sheet,
    numbers: &[u16],
) -> impl Iterator<Item = (u16, &'s Player)> {
    numbers.iter().copied().zip(&sheet.players)
}

/// Under which number each player who is drawn stood before; newcomers under none. Another spelling
/// is no other person, and neither is he who gets another number: whose old one goes to somebody
/// else, or is paired nowhere any more.
pub fn stood(
    before: &Tournament,
    round: u16,
    players: &[Player],
    pairings: &[Pairing],
) -> BTreeMap<u16, u16> {
    let moved = moved(before, players.iter().map(|player| (player.number, player)));
    let came: HashMap<u16, u16> = moved.iter().map(|(old, new)| (*new, *old)).collect();
    let drawn: BTreeSet<u16> = players.iter().map(|player| player.number).collect();
    let paired: BTreeSet<u16> = pairings.iter().flat_map(Pairing::players).collect();
    let known = Known::of(before, round);
    let is_left = |stood: &&&Player| {
        let number = stood.number;
        !drawn.contains(&number) && !paired.contains(&number) && !known.is_bound(number)
    };
    let stood = |player: &Player| {
        if let Some(old) = came.get(&player.number) {
            return Some(*old);
        }
        let stood = before.players.get(&player.number);
        let stays = |stood: &&Player| is_same(player, stood) || may_be_same(player, stood);
        let stood = stood.filter(|stood| !moved.contains_key(&stood.number) && stays(stood));
        let left = || {
            let named = known.by_name.get(&folded(&player.name))?.iter();
            named
                .filter(is_left)
                .find(|stood| is_same(player, stood))
                .copied()
        };
        stood.or_else(left).map(|stood| stood.number)
    };
    let all = players.iter();
    all.filter_map(|player| Some((player.number, stood(player)?)))
        .collect()
}

/// Whose number goes to somebody else, each with his other one. By the name alone nobody is found
/// whose name others have too.
pub(super) fn moved<'s>(
    tournament: &Tournament,
    players: impl Iterator<Item = (u16, &'s Player)>,
) -> BTreeMap<u16, u16> {
    let mut said: HashMap<u16, &Player> = HashMap::new();
    let (mut by_id, mut by_name) = (HashMap::new(), HashMap::<_, Vec<u16>>::new());
    for (number, player) in players {
        said.insert(number, player);
        by_id.extend(player.fide_id.map(|id| (id, number)));
        by_name
            .entry(folded(&player.name))
            .or_default()
            .push(number);
    }
    let other = |stood: &Player| {
        let new = said.get(&stood.number)?;
        (!new.name.is_empty() && !is_same(new, stood)).then_some(())?;
        let by_id = stood.fide_id.and_then(|id| by_id.get(&id)).copied();
        let by_name = || match by_name.get(&folded(&stood.name)).map(Vec::as_slice) {
            Some([one]) => said.get(one).filter(|p| is_same(p, stood)).map(|_| *one),
            _ => None,
        };
        by_id.or_else(by_name).map(|new| (stood.number, new))
    };
    tournament.players.values().filter_map(other).collect()
}

/// What is known of a player whom a sheet gives a number: nothing of whoever had it before, where
/// that is somebody else.
pub(super) fn known_before<'t>(
    tournament: &'t Tournament,
    moved: &BTreeMap<u16, u16>,
    said: &Player,
    number: u16,
) -> Option<&'t Player> {
    let mut came = moved.iter().filter(|(_, new)| **new == number);
    if let Some((old, _)) = came.next() {
        return tournament.players.get(old);
    }
    let stood = tournament.players.get(&number)?;
    let is_he = !moved.contains_key(&number) && may_be_same(said, stood);
    (said.name.is_empty() || is_same(said, stood) || is_he).then_some(stood)
}

/// Something that is kept of a number, by a name that stays and in words.
type Kept = (&'static str, &'static str);

/// Who is known, by what.
struct Known<'t> {
    tournament: &'t Tournament,
    round: u16,
    by_id: HashMap<u64, &'t Player>,
    by_name: HashMap<String, Vec<&'t Player>>,
}

impl<'t> Known<'t> {
    fn of(tournament: &'t Tournament, round: u16) -> Known<'t> {
        let (mut by_id, mut by_name) = (HashMap::new(), HashMap::<_, Vec<_>>::new());
        for player in tournament.players.values() {
            by_id.extend(player.fide_id.map(|id| (id, player)));
            by_name
                .entry(folded(&player.name))
                .or_default()
                .push(player);
        }
        Known {
            tournament,
            round,
            by_id,
            by_name,
        }
    }

    /// The player of another number who is meant.
    fn other(&self, player: &Player, number: u16) -> Option<&'t Player> {
        let by_id = player.fide_id.and_then(|id| self.by_id.get(&id)).copied();
        let by_name = || {
            let named = self.by_name.get(&folded(&player.name))?;
            named.iter().find(|known| is_same(player, known)).copied()
        };
        by_id
            .or_else(by_name)
            .filter(|other| other.number != number)
    }

    /// What an event has kept of a number that does not go with the player to another one.
    fn kept_of(&self, number: u16, moved: &BTreeMap<u16, u16>) -> Option<Kept> {
        let event = self.tournament;
        let is_marked = event.shortened.contains_key(&number) && !moved.contains_key(&number);
        let mut drawn = event.rounds.values().flat_map(|round| &round.pairings);
        // It would be postponed for whoever has the two numbers then.
        let is_postponed = drawn.any(|p| p.is_postponed() && p.players().any(|n| n == number));
        let is_penalised = event.penalties.iter().any(|p| p.player == number);
        let is_noted = event.notes.iter().any(|n| n.about.contains(&number));
        let was_out = event.breaks.iter().any(|b| b.player == number);
        let all = [
            (is_penalised, ("penalty", "a penalty")),
            (is_noted, ("note", "a note")),
            (was_out, ("break", "a break")),
            (is_postponed, ("postponed", "a postponed game")),
            (is_marked, ("mark", "a mark whether the name is shortened")),
        ];
        all.into_iter().find(|(is, _)| *is).map(|(_, what)| what)
    }

    /// Whether something hangs on a number that the round which is drawn does not replace.
    fn is_bound(&self, number: u16) -> bool {
        let mut rounds = self.tournament.rounds.iter();
        rounds.any(|(round, drawn)| {
            let mut his = drawn.pairings.iter();
            his.any(|pairing| {
                let is_his = pairing.white == number || pairing.black == Some(number);
                is_his && (*round != self.round || pairing.has_begun())
            })
        })
    }
}

/// The same number at FIDE; where one has none, the same name but for case, blanks and signs.
fn is_same(said: &Player, known: &Player) -> bool {
    match said.fide_id.zip(known.fide_id) {
        Some((said, known)) => said == known,
        None => folded(&said.name) == folded(&known.name),
    }
}

/// Whether a name is another spelling of one, or a part of it stayed, as in a marriage. Where both
/// have other numbers at FIDE, the name must have stayed.
fn may_be_same(said: &Player, known: &Player) -> bool {
    let names = [&said.name, &known.name].map(|name| folded(name));
    if said.fide_id.is_some() && known.fide_id.is_some() {
        return names[0] == names[1];
    }
    let is_part = |c: char| !c.is_alphanumeric();
    let parts = |name: &str| -> Vec<String> {
        let parts = name.split(is_part).filter(|part| part.chars().count() > 1);
        parts.map(str::to_lowercase).collect()
    };
    let stayed = parts(&known.name);
    let [said_name, known_name] = &names;
    parts(&said.name).iter().any(|part| stayed.contains(part))
        || strsim::normalized_damerau_levenshtein(said_name, known_name) >= ALIKE
}
