//! Who plays whom at a table, as JSON.

use schemars::JsonSchema;
use serde::Serialize;
use tournament::{How, Pairing, Player, ResultCode, Tournament, Typed};

use crate::hub::InHall;

/// Who plays whom at a table, and how that stands.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Pairing")]
pub(super) struct Seats {
    /// The table; byes have none.
    pub(super) table: Option<u16>,
    /// The board on it; `null` where results are typed.
    pub(super) board: Option<String>,
    /// White; with a bye the player.
    pub(super) white: Seated,
    /// Black; `null` is a bye.
    pub(super) black: Option<Seated>,
    /// The game.
    pub(super) game: Option<String>,
    /// Its games that were annulled, in their order.
    pub(super) annulled_games: Vec<String>,
    /// At a hub: where it is played, or its game was annulled. Left out where it has begun in no
    /// hall.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) in_hall: Option<InHall>,
    /// The result for people: `1-0`, `½-½`, `+/-` ...
    pub(super) result: Option<String>,
    /// How it ended for White and for Black, as report files have it.
    pub(super) codes: Option<[ResultCode; 2]>,
    /// How that came.
    pub(super) how: Option<How>,
    /// Who has given it, where he has a name and whoever asks is shown it; empty else, and where a
    /// board shows it.
    pub(super) by: String,
    /// A person has said so; else it is only proposed.
    pub(super) confirmed: bool,
    /// Moves that were typed.
    pub(super) typed: Option<Typed>,
    /// Its result comes later than its round.
    pub(super) postponed: bool,
    /// What stands here: whoever decides something upon it says so with it.
    pub(super) upon: String,
}

/// A player at a table.
#[derive(Serialize, JsonSchema)]
pub(super) struct Seated {
    /// The starting number.
    number: u16,
    /// The name.
    name: String,
    /// The title.
    title: String,
    /// The rating.
    rating: Option<u16>,
    /// The federation.
    federation: String,
    /// FIDE's number of the player.
    fide_id: Option<u64>,
}

impl Seated {
    fn of(event: &Tournament, number: u16) -> Seated {
        let unknown = || Player {
            number,
            ..Player::default()
        };
        let player = event.players.get(&number).cloned().unwrap_or_else(unknown);
        Seated {
            number,
            name: player.name,
            title: player.title,
            rating: player.rating,
            federation: player.federation,
            fide_id: player.fide_id,
        }
    }
}

impl Seats {
    /// A pairing of an event in which boards stand where they do.
    pub(super) fn of(event: &Tournament, pairing: &Pairing) -> Seats {
        let outcome = pairing.outcome.as_ref();
        let board = pairing.table.and_then(|table| event.boards.get(&table));
        Seats {
            table: pairing.table,
            board: board.cloned(),
            white: Seated::of(event, pairing.white),
            black: pairing.black.map(|black| Seated::of(event, black)),
            game: pairing.game.clone(),
            annulled_games: pairing.annulled_games.clone(),
            in_hall: None,
            result: pairing.written(),
            codes: outcome.map(|outcome| outcome.codes),
            how: outcome.map(|outcome| outcome.how),
            by: String::new(),
            confirmed: outcome.is_some_and(|outcome| outcome.confirmed),
            typed: pairing.typed.clone(),
            postponed: pairing.is_postponed(),
            upon: String::new(),
        }
    }
}
