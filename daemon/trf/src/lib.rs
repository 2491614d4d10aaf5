//! FIDE's tournament report files: TRF16, and TRF26, which keeps its columns and adds lines.
//!
//! A [`Document`] is the file as it is, line by line. Reading looks at its columns; writing changes
//! the characters that were asked for. Whatever else is in it, lines that nobody knows among them,
//! comes out as it went in: [`Document::parse`] and [`Document::to_bytes`] together give the same
//! bytes for every file.
//!
//! ```
//! use chess_trf::{Code, Document};
//!
//! let mut file = Document::parse(include_bytes!("../tests/open.trf"))?;
//! let players = file.players()?;
//! assert_eq!(players[0].name, "Berg, Anna");
//! let round = chess_trf::current_round(&players).expect("a round to be played");
//! let pairs = chess_trf::pairings(&players, round)?;
//! assert_eq!((pairs[0].white, pairs[0].black), (1, 4));
//! file.set_result(1, round, Code::Win)?;
//! file.set_result(4, round, Code::Loss)?;
//! assert_eq!(file.players()?[3].round(round).code, Some(Code::Loss));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing is guessed: what cannot be understood is a [`Complaint`] that names line and column.
//!
//! Sources: FIDE Handbook C.04 Annex "Tournament Report File" (TRF16, 2016), and its successor of
//! 2025 (TRF26). Where programs differ from the text, the item says what was seen.

mod code;
mod complaint;
mod document;
mod event;
mod order;
mod pairing;
mod player;
mod points;
mod team;
mod text;

pub use code::Code;
pub use complaint::{Complaint, Complaints, Problem};
pub use document::Document;
pub use event::{Event, is_known_tag};
pub use order::in_table_order;
pub use pairing::{Pair, current_round, pairings, sound_pairings};
pub use player::{Cell, Colour, NAME, NewPlayer, Player};
pub use points::{MatchScoring, Scoring, Tenths};
pub use team::{Byes, ForfeitedMatch, LineUp, Team, TeamByes};
pub use text::{Encoding, UnreadableText};

/// The example of the README is compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
