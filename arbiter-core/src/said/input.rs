//! What goes in: evidence from a board and a clock, and what players and the arbiter declare.
//!
//! The serde form of [`Event`] is one line of an event script.

use alloc::{boxed::Box, string::String};

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, CastlingMode, Color, Role, Square, uci::UciMove};

use crate::listed::listed;
use crate::said::mating::Mating;
pub use crate::said::order::{FindingRef, LONGEST_AUTHOR, LONGEST_ORDER, Signed};
use crate::said::orientation::Orientation;
use crate::said::symbol::{Reading, SensorClass, Symbol};
use crate::said::text;
use crate::said::time::Time;

/// One line of an event script: something that happened, and when.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Event {
    /// When, on the board's clock.
    #[serde(default)]
    pub at: Time,
    /// What.
    #[serde(flatten)]
    pub input: Input,
}

/// Everything the arbiter can be told. Tagged `event` in scripts. What is long is boxed: most
/// events are squares, and many are kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = super::schema::signed))]
#[serde(tag = "event", rename_all = "kebab-case", remote = "Self")]
pub enum Input {
    /// A game begins; the one before it ends.
    Setup(Box<Setup>),
    /// The square now reads empty.
    Lift {
        /// Which square.
        #[serde(with = "text::Square")]
        square: Square,
    },
    /// The square now reads occupied, or reads another piece than before.
    Place {
        /// Which square.
        #[serde(with = "text::Square")]
        square: Square,
        /// What it reads; `?` on occupancy boards, where scripts leave it out.
        #[serde(default = "something", skip_serializing_if = "is_something")]
        seen: Symbol,
    },
    /// What every square reads now.
    Snapshot {
        /// All 64 squares.
        board: Box<Reading>,
    },
    /// A player pressed the clock.
    Press {
        /// Who pressed.
        #[serde(with = "text::Colour")]
        by: Color,
        /// White's remaining time in milliseconds, where the clock tells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        white_ms: Option<u64>,
        /// Black's remaining time in milliseconds, where the clock tells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        black_ms: Option<u64>,
    },
    /// A player announced that he adjusts pieces ("j'adoube").
    Adjust {
        /// Who announced.
        #[serde(with = "text::Colour")]
        by: Color,
    },
    /// A flag fell.
    FlagFall {
        /// Whose flag.
        #[serde(with = "text::Colour")]
        by: Color,
    },
    /// A player stopped both clocks.
    Stop {
        /// Who stopped them.
        #[serde(with = "text::Colour")]
        by: Color,
    },
    /// A player claims something.
    Claim {
        /// Who claims.
        #[serde(with = "text::Colour")]
        by: Color,
        /// What is claimed.
        kind: ClaimKind,
        /// The intended move, for draw claims.
        #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<text::Move>"))]
        intended: Option<UciMove>,
        /// The square the claim is about.
        #[serde(
            with = "text::OptionalSquare",
            default,
            skip_serializing_if = "Option::is_none"
        )]
        square: Option<Square>,
    },
    /// A draw offer or its answer.
    Draw {
        /// Who speaks.
        #[serde(with = "text::Colour")]
        by: Color,
        /// Offer, accept or decline.
        step: DrawStep,
    },
    /// A player resigns.
    Resign {
        /// Who resigns.
        #[serde(with = "text::Colour")]
        by: Color,
    },
    /// The human arbiter rules.
    Arbiter(ArbiterAction),
    /// Who can mate by some series of legal moves: the answer to a question of the arbiter's, found
    /// beside the game.
    Mating {
        /// The position. Its counters of moves mean nothing.
        #[serde(with = "text::Fen")]
        fen: Box<shakmaty::fen::Fen>,
        /// Whether White can.
        white: Mating,
        /// Whether Black can.
        black: Mating,
        /// Only a quick look was taken: what is unknown may be found by a longer search.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        quick: bool,
    },
    /// The board does not trust the sensors of these squares, and of no others; none means that all
    /// are well. What it says of them meanwhile may be late or missing, and nothing found is
    /// certain.
    Suspect {
        /// Which squares.
        #[serde(with = "text::SquareSet")]
        squares: Bitboard,
    },
    /// Time passes and nothing happens.
    Tick,
    /// One of these that a person ordered or declared under a name. It is written as what it is,
    /// with `order` and `author` beside the other fields.
    #[serde(skip)]
    Signed(Box<Signed>),
}

impl Input {
    /// What a board said, in the game's squares. What people say is about the game's squares
    /// already.
    pub(crate) fn turned(&self, lies: Orientation) -> Input {
        match self {
            Input::Lift { square } => Input::Lift {
                square: lies.square(*square),
            },
            Input::Place { square, seen } => Input::Place {
                square: lies.square(*square),
                seen: *seen,
            },
            Input::Snapshot { board } => Input::Snapshot {
                board: Box::new(lies.reading(board)),
            },
            Input::Suspect { squares } => Input::Suspect {
                squares: lies.squares(*squares),
            },
            other => other.clone(),
        }
    }
}

fn something() -> Symbol {
    Symbol::Something
}

fn is_something(s: &Symbol) -> bool {
    *s == Symbol::Something
}

/// What a game starts from and what its evidence is worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Setup {
    /// The game's name, unique within a daemon.
    #[serde(default)]
    pub game: String,
    /// What the board's sensors can tell.
    pub sensor: SensorClass,
    /// The edition of the Laws.
    #[serde(default)]
    pub laws: Edition,
    /// The class of play.
    #[serde(default)]
    pub class: TimeClass,
    /// Whether play is adequately supervised (Appendix A.4 / B.2).
    #[serde(default = "yes")]
    pub supervised: bool,
    /// Whether a clock is connected.
    #[serde(default = "yes")]
    pub clock: bool,
    /// Whether the board is read by whole states, so that short events may be missing. Changes
    /// between two states have no order: `options.skew_ms` is at least the time from one to the
    /// next.
    #[serde(default)]
    pub polled: bool,
    /// The starting position; `None` is the initial one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<StartFen>,
    /// Chess960 castling (Guideline II). Without a FEN the game starts from the array of orthodox
    /// chess.
    #[serde(default)]
    pub chess960: bool,
    /// How the board lies, where it is known to lie turned.
    #[serde(default, skip_serializing_if = "Orientation::is_upright")]
    pub turned: Orientation,
    /// Who answers what the arbiter asks ([`Input::Mating`]).
    #[serde(default, skip_serializing_if = "Answers::is_default")]
    pub answers: Answers,
    /// What becomes of a game without a result on whose board the starting position is set up
    /// again.
    #[serde(default, skip_serializing_if = "NextGame::is_default")]
    pub next_game: NextGame,
    /// Settings of the event that differ from the default.
    #[serde(default)]
    pub options: crate::said::settings::Settings,
}

impl Setup {
    /// A game from the initial position under the current Laws on a board of `sensor` class, clock
    /// connected.
    pub fn new(sensor: SensorClass) -> Setup {
        Setup {
            game: String::new(),
            sensor,
            laws: Edition::default(),
            class: TimeClass::default(),
            supervised: true,
            clock: true,
            polled: false,
            fen: None,
            chess960: false,
            turned: Orientation::default(),
            answers: Answers::default(),
            next_game: NextGame::default(),
            options: crate::said::settings::Settings::default(),
        }
    }

    /// How castling is done and written.
    pub(crate) fn castling_mode(&self) -> CastlingMode {
        CastlingMode::from_chess960(self.chess960)
    }
}

/// What becomes of a game without a result on whose board the starting position is set up again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NextGame {
    /// It is asked whether the game has ended, and the next one begins at once.
    #[default]
    Begins,
    /// It is asked whether the game has ended. Whoever feeds the arbiter begins the next one.
    Asked,
    /// The game goes on.
    GoesOn,
}

impl NextGame {
    fn is_default(&self) -> bool {
        *self == NextGame::default()
    }
}

/// Where the answers to the arbiter's questions come from. The core takes what comes; this is for
/// whoever feeds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Answers {
    /// Whoever reads the events answers at once.
    #[default]
    Reader,
    /// They are among the events.
    Recorded,
}

impl Answers {
    fn is_default(&self) -> bool {
        *self == Answers::default()
    }
}

fn yes() -> bool {
    true
}

/// A starting position in FEN, checked to parse and to hold one king a side, or `unknown`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartFen {
    /// The position.
    Known(Box<shakmaty::fen::Fen>),
    /// Nothing is known, and nothing is ruled on until a position is set.
    Unknown,
}

impl Serialize for StartFen {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            StartFen::Known(fen) => s.collect_str(fen),
            StartFen::Unknown => s.serialize_str("unknown"),
        }
    }
}

impl<'de> Deserialize<'de> for StartFen {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<StartFen, D::Error> {
        StartFen::parse(&String::deserialize(d)?).map_err(serde::de::Error::custom)
    }
}

impl StartFen {
    /// Reads `unknown` or a FEN; `Err` says what is wrong with it.
    pub fn parse(text: &str) -> Result<StartFen, String> {
        if text == "unknown" {
            return Ok(StartFen::Unknown);
        }
        let fen: shakmaty::fen::Fen = text
            .parse()
            .map_err(|e| alloc::format!("`{text}` is not a FEN: {e}"))?;
        for colour in Color::ALL {
            let kings =
                (fen.as_setup().board.kings() & fen.as_setup().board.by_color(colour)).count();
            if kings != 1 {
                let name = text::Colour::name(colour);
                return Err(alloc::format!(
                    "`{text}` holds {kings} {name} kings; a position holds one a side"
                ));
            }
        }
        Ok(StartFen::Known(Box::new(fen)))
    }
}

listed! {
    /// The editions of the FIDE Laws of Chess, oldest first, by the year they came into force.
    #[derive(
        Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
    )]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Edition {
        /// The middle of the 1970s.
        #[serde(rename = "fide-1974")]
        Fide1974,
        /// 1 July 1997.
        #[serde(rename = "fide-1997")]
        Fide1997,
        /// 1 July 2001.
        #[serde(rename = "fide-2001")]
        Fide2001,
        /// 1 July 2005.
        #[serde(rename = "fide-2005")]
        Fide2005,
        /// 1 July 2009.
        #[serde(rename = "fide-2009")]
        Fide2009,
        /// 1 July 2014.
        #[serde(rename = "fide-2014")]
        Fide2014,
        /// 1 July 2017.
        #[serde(rename = "fide-2017")]
        Fide2017,
        /// 1 January 2018.
        #[serde(rename = "fide-2018")]
        Fide2018,
        /// 1 January 2023.
        #[default]
        #[serde(rename = "fide-2023")]
        Fide2023,
    }
}

/// The class of play (Laws, Article 6 and Appendices A and B).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum TimeClass {
    /// 60 minutes or more a player.
    #[default]
    Standard,
    /// More than 10 and less than 60 minutes a player (Appendix A).
    Rapid,
    /// 10 minutes or less a player (Appendix B).
    Blitz,
}

/// What a player may claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ClaimKind {
    /// The same position for the third time (9.2).
    Threefold,
    /// Fifty moves without a capture or a pawn move (9.3).
    FiftyMoves,
    /// A breach of Article 4 (4.8).
    TouchMove,
    /// An illegal move (7.5).
    IllegalMove,
    /// The opponent's flag has fallen (6.8), where the players must see to it themselves.
    FlagFall,
}

/// The steps of a draw by agreement (9.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DrawStep {
    /// A draw is offered.
    Offer,
    /// The offer is accepted.
    Accept,
    /// The offer is declined.
    Decline,
}

/// What the human arbiter can order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = super::schema::takes_back))]
#[serde(tag = "action", rename_all = "kebab-case")]
pub enum ArbiterAction {
    /// The finding is right: apply what it requires.
    Uphold(FindingRef),
    /// The finding is dismissed.
    Dismiss(FindingRef),
    /// The piece that stands on a promotion square.
    Promotion {
        /// The promotion square.
        #[serde(with = "text::Square")]
        square: Square,
        /// The piece.
        #[serde(with = "text::Promotion")]
        piece: Role,
    },
    /// Which move was played, of those that a doubt leaves open.
    Reading {
        /// The ply in doubt.
        ply: u32,
        /// The move that was played.
        #[serde(rename = "move")]
        #[cfg_attr(feature = "schema", schemars(with = "text::Move"))]
        uci: UciMove,
    },
    /// This is what was played at a ply, legal or not: the evidence from there on is heard again
    /// under it.
    Played {
        /// The ply, counted from 1.
        ply: u32,
        /// What was played; from-to where it is no legal move.
        #[serde(rename = "move")]
        #[cfg_attr(feature = "schema", schemars(with = "text::Move"))]
        uci: UciMove,
    },
    /// The game is from now on as if that order had not been given, everything the board saw since
    /// included.
    TakeBack {
        /// The order's name.
        // Read together with the names of orders: see `Written` in `order.rs`.
        #[serde(default)]
        order: Box<str>,
    },
    /// The game goes on from this position; the board is to be put so.
    SetPosition {
        /// The position.
        fen: StartFen,
    },
    /// What stands on the board is the game's position from now on.
    LetStand,
    /// The game is annulled: it ends without a result, and a new one is played (7.2.1; 9.1, 9.2
    /// and 9.4 of 1974).
    Annul {
        /// Which game, where it is not the one at hand: as for a result.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<Box<str>>,
    },
    /// How the board lies: from now on its squares are read so. The record stays as it is.
    BoardTurned {
        /// The whole turn, not one more on top of another.
        turned: Orientation,
    },
    /// The arbiter paused the game.
    Pause,
    /// The game goes on.
    Resume,
    /// The arbiter declares the result.
    Result {
        /// The result.
        result: crate::said::result::GameResult,
        /// Of which game, where it is not the one at hand: the game before, of which it was asked
        /// whether it has ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<Box<str>>,
    },
    /// The game before has not ended: what was taken for the next one belongs to it.
    GoesOn {
        /// Which game; left out where it is the one at hand.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<Box<str>>,
    },
    /// The arbiter saw a breach of the Laws himself: it enters the record and is upheld.
    Report {
        /// Which.
        code: crate::said::irregularity::Code,
        /// The offender; left out where both answer for it, as for a wrong set-up.
        #[serde(
            with = "text::OptionalColour",
            default,
            skip_serializing_if = "Option::is_none"
        )]
        by: Option<Color>,
        /// The square it is about, such as that of the piece touched.
        #[serde(
            with = "text::OptionalSquare",
            default,
            skip_serializing_if = "Option::is_none"
        )]
        square: Option<Square>,
    },
}

impl ArbiterAction {
    /// The game that it names.
    pub fn game(&self) -> Option<&str> {
        match self {
            ArbiterAction::Result { game, .. }
            | ArbiterAction::Annul { game }
            | ArbiterAction::GoesOn { game } => game.as_deref(),
            _ => None,
        }
    }
}
