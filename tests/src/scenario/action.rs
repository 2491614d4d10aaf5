//! What can happen: hands on the board, the clock, what players declare, what the human arbiter
//! rules.

use arbiter_core::input::{ArbiterAction, ClaimKind, DrawStep, FindingRef, StartFen};
use arbiter_core::irregularity::Code;
use arbiter_core::orientation::Orientation as BoardLies;
use arbiter_core::ruling::GameResult;
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::shakmaty::{Color, Piece, Role, Square};

/// One act of a line.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// A piece is lifted.
    Lift(Square),
    /// A piece is put on an empty square.
    Place(Square, Piece),
    /// A piece is put on a square whose piece is pushed off in the same moment: the square never
    /// reads empty.
    Push(Square, Piece),
    /// A finger touches a piece; nothing reads it.
    Touch(Square),
    /// The sensors miss this act.
    Unseen(Box<Act>),
    /// The square reads empty although its piece stands there.
    Lost(Square),
    /// The square reads a piece that does not stand there.
    Ghost(Square, Piece),
    /// The square reads the truth again.
    Reread(Square),
    /// The board reports all squares.
    Snapshot,
    /// A whole move: lifts, places and, with a clock, the press.
    Plays(UciMove),
    /// The board trusts all its squares but these.
    Suspect(Vec<Square>),
    /// The clock is pressed.
    Press(Color),
    /// "I adjust."
    Adjust(Color),
    /// A flag falls.
    FlagFall(Color),
    /// Both clocks are stopped.
    Stop(Color),
    /// A claim.
    Claim {
        by: Color,
        kind: ClaimKind,
        intended: Option<UciMove>,
        square: Option<Square>,
    },
    /// A draw offer or its answer.
    Draw(Color, DrawStep),
    /// Resignation.
    Resign(Color),
    /// The human arbiter rules.
    Arbiter(ArbiterAction),
    /// Something that a person orders or declares under a name.
    As(Box<Act>, String),
    /// Nothing happens for so many milliseconds.
    Wait(u64),
}

impl Act {
    /// Reads one act, such as `place e4 P`. `lift e1+h1` and `plays e2e4 e7e5` are several.
    pub(crate) fn parse(text: &str) -> Result<Vec<Act>, String> {
        let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        if let [.., "as", name] = words.as_slice() {
            let unnamed = text.trim_end().trim_end_matches(name).trim_end();
            let acts = Act::parse(unnamed.trim_end_matches("as").trim_end())?;
            let named = |act| Act::As(Box::new(act), (*name).to_owned());
            return Ok(acts.into_iter().map(named).collect());
        }
        let one = match (verb, words.as_slice()) {
            ("lift", [squares]) => {
                return squares
                    .split('+')
                    .map(|s| Ok(Act::Lift(square(s)?)))
                    .collect();
            }
            ("plays", [_, ..]) => return words.iter().map(|w| Ok(Act::Plays(uci(w)?))).collect(),
            ("place", [s, p]) => Act::Place(square(s)?, piece(p)?),
            ("push", [s, p]) => Act::Push(square(s)?, piece(p)?),
            ("touch", [s]) => Act::Touch(square(s)?),
            ("unseen", [_, ..]) => {
                let hidden = Act::parse(rest)?;
                return Ok(hidden
                    .into_iter()
                    .map(|a| Act::Unseen(Box::new(a)))
                    .collect());
            }
            ("lost", [s]) => Act::Lost(square(s)?),
            ("ghost", [s, p]) => Act::Ghost(square(s)?, piece(p)?),
            ("reread", [s]) => Act::Reread(square(s)?),
            ("snapshot", []) => Act::Snapshot,
            ("suspect", list) => {
                Act::Suspect(list.iter().map(|s| square(s)).collect::<Result<_, _>>()?)
            }
            ("press", [c]) => Act::Press(colour(c)?),
            ("adjust", [c]) => Act::Adjust(colour(c)?),
            ("flag-fall", [c]) => Act::FlagFall(colour(c)?),
            ("stop", [c]) => Act::Stop(colour(c)?),
            ("resign", [c]) => Act::Resign(colour(c)?),
            ("draw", [c, step]) => Act::Draw(colour(c)?, draw_step(step)?),
            ("claim", [c, kind, about @ ..]) => claim(colour(c)?, kind, about)?,
            ("arbiter", [action, about @ ..]) => Act::Arbiter(ruling(action, about)?),
            ("wait", [ms]) => Act::Wait(
                ms.parse()
                    .map_err(|_| format!("`{ms}` is not a number of milliseconds"))?,
            ),
            _ => {
                return Err(format!(
                    "`{text}` is not an action; tests/README.md lists them"
                ));
            }
        };
        Ok(vec![one])
    }

    /// The usual pause before it, in milliseconds: a press follows the hand quickly, a human ruling
    /// slowly.
    pub(crate) fn usual_gap(&self) -> u64 {
        match self {
            Act::Press(_) => 300,
            Act::Arbiter(_) => 1_000,
            Act::As(act, _) => act.usual_gap(),
            Act::Wait(ms) => *ms,
            _ => 400,
        }
    }
}

fn claim(by: Color, kind: &str, about: &[&str]) -> Result<Act, String> {
    let kind = match kind {
        "threefold" => ClaimKind::Threefold,
        "fifty-moves" => ClaimKind::FiftyMoves,
        "touch-move" => ClaimKind::TouchMove,
        "illegal-move" => ClaimKind::IllegalMove,
        "flag-fall" => ClaimKind::FlagFall,
        _ => {
            let kinds = "threefold, fifty-moves, touch-move, illegal-move, flag-fall";
            return Err(format!("`{kind}` is not a claim ({kinds})"));
        }
    };
    let (intended, on) = match about {
        [] => (None, None),
        ["move", m] => (Some(uci(m)?), None),
        ["square", s] => (None, Some(square(s)?)),
        _ => return Err("after a claim comes nothing, `move UCI` or `square SQUARE`".to_owned()),
    };
    Ok(Act::Claim {
        by,
        kind,
        intended,
        square: on,
    })
}

fn ruling(action: &str, about: &[&str]) -> Result<ArbiterAction, String> {
    Ok(match (action, about) {
        ("uphold", [id]) => ArbiterAction::Uphold(number(id)?.into()),
        ("uphold", [id, "for-record"]) => ArbiterAction::Uphold(FindingRef {
            for_record: true,
            ..number(id)?.into()
        }),
        ("dismiss", [id]) => ArbiterAction::Dismiss(number(id)?.into()),
        ("promotion", [s, p]) => {
            let role = p
                .chars()
                .next()
                .and_then(Role::from_char)
                .ok_or_else(|| format!("`{p}` is not q, r, b or n"))?;
            ArbiterAction::Promotion {
                square: square(s)?,
                piece: role,
            }
        }
        ("reading", [ply, m]) => ArbiterAction::Reading {
            ply: number(ply)?,
            uci: uci(m)?,
        },
        ("played", [ply, m]) => ArbiterAction::Played {
            ply: number(ply)?,
            uci: uci(m)?,
        },
        ("take-back", [name]) => ArbiterAction::TakeBack {
            order: (*name).into(),
        },
        ("set-position", fen) => ArbiterAction::SetPosition {
            fen: StartFen::parse(&fen.join(" "))?,
        },
        ("let-stand", []) => ArbiterAction::LetStand,
        ("annul", []) => ArbiterAction::Annul { game: None },
        ("annul", ["of", game]) => ArbiterAction::Annul {
            game: Some((*game).into()),
        },
        ("board-turned", [degrees]) => ArbiterAction::BoardTurned {
            turned: lies(degrees)?,
        },
        ("pause", []) => ArbiterAction::Pause,
        ("resume", []) => ArbiterAction::Resume,
        ("result", [result]) => ArbiterAction::Result {
            result: game_result(result)?,
            game: None,
        },
        ("result", [result, "of", game]) => ArbiterAction::Result {
            result: game_result(result)?,
            game: Some((*game).into()),
        },
        ("goes-on", [game]) => ArbiterAction::GoesOn {
            game: Some((*game).into()),
        },
        ("report", [code, about @ ..]) => report(code, about)?,
        _ => {
            return Err(format!(
                "`arbiter {action}` is not a ruling; tests/README.md lists them"
            ));
        }
    })
}

fn report(code: &str, about: &[&str]) -> Result<ArbiterAction, String> {
    let found = Code::ALL.into_iter().find(|c| c.name() == code);
    let code = found.ok_or_else(|| format!("`{code}` is not a code of an irregularity"))?;
    let (by, on) = match about {
        [] => (None, None),
        [by] => (Some(colour(by)?), None),
        [by, s] => (Some(colour(by)?), Some(square(s)?)),
        _ => {
            return Err(
                "after a code comes nothing, the offender, or the offender and a square".to_owned(),
            );
        }
    };
    Ok(ArbiterAction::Report {
        code,
        by,
        square: on,
    })
}

fn lies(degrees: &str) -> Result<BoardLies, String> {
    let known = degrees.parse().ok().and_then(BoardLies::from_degrees);
    known.ok_or_else(|| format!("`{degrees}` is not 0, 90, 180 or 270"))
}

fn number(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not a finding's number"))
}

fn square(text: &str) -> Result<Square, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not a square"))
}

fn uci(text: &str) -> Result<UciMove, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not a move in UCI"))
}

fn piece(text: &str) -> Result<Piece, String> {
    let mut chars = text.chars();
    let found = chars
        .next()
        .and_then(Piece::from_char)
        .filter(|_| chars.next().is_none());
    found.ok_or_else(|| format!("`{text}` is not a piece (PNBRQK, pnbrqk)"))
}

fn colour(text: &str) -> Result<Color, String> {
    match text {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        _ => Err(format!("`{text}` is not a colour (white, black)")),
    }
}

fn draw_step(text: &str) -> Result<DrawStep, String> {
    match text {
        "offer" => Ok(DrawStep::Offer),
        "accept" => Ok(DrawStep::Accept),
        "decline" => Ok(DrawStep::Decline),
        _ => Err(format!(
            "`{text}` is not a step of a draw (offer, accept, decline)"
        )),
    }
}

fn game_result(text: &str) -> Result<GameResult, String> {
    let all = [
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::Open,
    ];
    let found = all.into_iter().find(|r| r.as_str() == text);
    found.ok_or_else(|| format!("`{text}` is not a result (1-0, 0-1, 1/2-1/2, *)"))
}
