//! From lines to events: who does what becomes what the sensors see, in milliseconds.

use arbiter_core::input::{ArbiterAction, StartFen};
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::shakmaty::{Board, Color, Square};
use arbiter_core::{Event, Input, Setup, Time};

use super::action::Act;
use super::board::{Handling, TrueBoard};
use super::file::Scenario;
use super::line::{Kind, Line};
use super::orient::Orientation;
use super::variant::Variant;

/// Silence after the last act, in milliseconds: long enough for everything that rest alone can say.
const LAST_REST: u64 = 3_000;
/// The pause between two steps of a hand, in milliseconds.
const HAND: u64 = 400;
/// When the first act happens.
const START: u64 = 600;

/// What is fed to the arbiter.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    /// The events, the setup first.
    pub(crate) events: Vec<Event>,
    /// For each event, the line it comes from; 0 for the setup.
    pub(crate) lines: Vec<usize>,
}

/// Plays the lines on a true board. `Err` names the line that cannot happen.
pub(crate) fn compile(
    scenario: &Scenario,
    lines: &[Line],
    variant: Variant,
) -> Result<Script, String> {
    let orientation = variant.orientation;
    let mut hand = Hand {
        variant,
        board: TrueBoard::new(standing(scenario, orientation)?, variant.sensor),
        now: START,
        line: 0,
        script: Script {
            events: Vec::new(),
            lines: Vec::new(),
        },
    };
    hand.script.events.push(Event {
        at: Time::ZERO,
        input: Input::Setup(setup(scenario, variant)?.into()),
    });
    hand.script.lines.push(0);
    for line in lines {
        let Kind::Act { gap, acts } = &line.kind else {
            continue;
        };
        if line.guard.admits(variant) {
            hand.line = line.number;
            hand.moment(*gap, acts)
                .map_err(|e| format!("play, line {}: {e}", line.number))?;
        }
    }
    hand.now += LAST_REST;
    hand.tell(Input::Tick);
    Ok(hand.script)
}

fn setup(scenario: &Scenario, variant: Variant) -> Result<Setup, String> {
    let written = scenario.fen.as_deref();
    let fen = match (variant.orientation, written) {
        (Orientation::AsWritten, None) => None,
        (_, Some("unknown")) => Some(StartFen::Unknown),
        (o, fen) => Some(StartFen::parse(&o.fen(fen.unwrap_or(INITIAL)))?),
    };
    Ok(Setup {
        game: "scenario".to_owned(),
        laws: variant.laws,
        class: variant.class,
        supervised: variant.supervised,
        chess960: scenario.chess960,
        clock: variant.clock,
        polled: scenario.polled,
        fen,
        options: scenario.options,
        ..Setup::new(variant.sensor)
    })
}

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn standing(scenario: &Scenario, orientation: Orientation) -> Result<Board, String> {
    let fen = scenario
        .stands
        .as_deref()
        .or(scenario.fen.as_deref())
        .unwrap_or(INITIAL);
    if fen == "unknown" {
        return Err("with `fen = \"unknown\"` the file must say what `stands`".to_owned());
    }
    let fen: Fen = orientation
        .fen(fen)
        .parse()
        .map_err(|e| format!("`{fen}` is not a FEN: {e}"))?;
    Ok(fen.as_setup().board.clone())
}

/// The hands at the board, in one orientation.
struct Hand {
    variant: Variant,
    board: TrueBoard,
    now: u64,
    line: usize,
    script: Script,
}

impl Hand {
    fn moment(&mut self, gap: Option<u64>, acts: &[Act]) -> Result<(), String> {
        let one_moment = !matches!(acts, [Act::Plays(_), ..]);
        for (index, act) in acts.iter().enumerate() {
            if index == 0 {
                self.now += gap.unwrap_or(act.usual_gap());
            } else if !one_moment {
                self.now += act.usual_gap();
            }
            self.act(act)?;
        }
        Ok(())
    }

    fn act(&mut self, act: &Act) -> Result<(), String> {
        if let Some(square) = self.handle(act)? {
            if let Some(input) = self.board.sense(square) {
                self.tell(input);
            }
            return Ok(());
        }
        let o = self.variant.orientation;
        match act {
            Act::Unseen(hidden) => {
                self.handle(hidden)?
                    .ok_or("only `lift`, `place` and `push` can go unseen")?;
            }
            Act::Touch(s) => {
                let s = o.square(*s);
                self.board
                    .at(s)
                    .ok_or_else(|| format!("{s} is empty: nothing to touch"))?;
            }
            Act::Lost(s) => {
                if let Some(input) = self.board.lose(o.square(*s))? {
                    self.tell(input);
                }
            }
            Act::Ghost(s, p) => {
                if let Some(input) = self.board.haunt(o.square(*s), o.piece(*p))? {
                    self.tell(input);
                }
            }
            Act::Reread(s) => {
                let input = self
                    .board
                    .sense(o.square(*s))
                    .ok_or("the square already reads the truth")?;
                self.tell(input);
            }
            Act::Snapshot => {
                let input = self.board.snapshot();
                self.tell(input);
            }
            Act::Plays(uci) => self.plays(uci)?,
            Act::Press(by) => self.press(o.colour(*by)),
            declared => self.tell(declaration(declared, o)?),
        }
        Ok(())
    }

    /// Moves a piece if `act` does; the square whose reading may change.
    fn handle(&mut self, act: &Act) -> Result<Option<Square>, String> {
        let o = self.variant.orientation;
        Ok(match act {
            Act::Lift(s) => {
                self.board.lift(o.square(*s))?;
                Some(o.square(*s))
            }
            Act::Place(s, p) => {
                self.board.place(o.square(*s), o.piece(*p))?;
                Some(o.square(*s))
            }
            Act::Push(s, p) => {
                self.board.lift(o.square(*s))?;
                self.board.place(o.square(*s), o.piece(*p))?;
                Some(o.square(*s))
            }
            _ => None,
        })
    }

    fn plays(&mut self, uci: &UciMove) -> Result<(), String> {
        let UciMove::Normal {
            from,
            to,
            promotion,
        } = uci
        else {
            return Err(format!("`{uci}` cannot be played"));
        };
        let o = self.variant.orientation;
        let (by, steps) = self
            .board
            .handling(o.square(*from), o.square(*to), *promotion)?;
        for (index, step) in steps.into_iter().enumerate() {
            if index > 0 {
                self.now += HAND;
            }
            let square = match step {
                Handling::Lift(sq) => self.board.lift(sq).map(|()| sq)?,
                Handling::Place(sq, piece) => self.board.place(sq, piece).map(|()| sq)?,
            };
            if let Some(input) = self.board.sense(square) {
                self.tell(input);
            }
        }
        self.now += Act::Press(by).usual_gap();
        self.press(by);
        Ok(())
    }

    /// Without a clock there is nothing to press, and only time passes.
    fn press(&mut self, by: Color) {
        if self.variant.clock {
            self.tell(Input::Press {
                by,
                white_ms: None,
                black_ms: None,
            });
        } else {
            self.tell(Input::Tick);
        }
    }

    fn tell(&mut self, input: Input) {
        self.script.events.push(Event {
            at: Time(self.now),
            input,
        });
        self.script.lines.push(self.line);
    }
}

fn declaration(act: &Act, o: Orientation) -> Result<Input, String> {
    Ok(match act {
        Act::Suspect(list) => Input::Suspect {
            squares: list.iter().map(|s| o.square(*s)).collect(),
        },
        Act::Adjust(by) => Input::Adjust { by: o.colour(*by) },
        Act::FlagFall(by) => Input::FlagFall { by: o.colour(*by) },
        Act::Stop(by) => Input::Stop { by: o.colour(*by) },
        Act::Resign(by) => Input::Resign { by: o.colour(*by) },
        Act::Draw(by, step) => Input::Draw {
            by: o.colour(*by),
            step: *step,
        },
        Act::Claim {
            by,
            kind,
            intended,
            square,
        } => Input::Claim {
            by: o.colour(*by),
            kind: *kind,
            intended: intended.as_ref().map(|m| image(m, o)).transpose()?,
            square: square.map(|s| o.square(s)),
        },
        Act::Arbiter(action) => Input::Arbiter(order(action, o)?),
        Act::As(act, name) => declaration(act, o)?.signed(Some(name.as_str().into()), None),
        Act::Wait(_) => Input::Tick,
        other => return Err(format!("`{other:?}` is not a declaration")),
    })
}

fn image(uci: &UciMove, o: Orientation) -> Result<UciMove, String> {
    o.squares_in(&uci.to_string())
        .parse()
        .map_err(|_| format!("`{uci}` has no mirror image"))
}

fn order(action: &ArbiterAction, o: Orientation) -> Result<ArbiterAction, String> {
    Ok(match action {
        ArbiterAction::Reading { ply, uci } => {
            let uci = o.squares_in(&uci.to_string()).parse().unwrap_or(*uci);
            ArbiterAction::Reading { ply: *ply, uci }
        }
        ArbiterAction::Played { ply, uci } => ArbiterAction::Played {
            ply: *ply,
            uci: image(uci, o)?,
        },
        ArbiterAction::Promotion { square, piece } => ArbiterAction::Promotion {
            square: o.square(*square),
            piece: *piece,
        },
        ArbiterAction::SetPosition {
            fen: StartFen::Known(fen),
        } => ArbiterAction::SetPosition {
            fen: StartFen::parse(&o.fen(&fen.to_string()))?,
        },
        // A turn to the right is one to the left in the image.
        ArbiterAction::BoardTurned { turned } if o != Orientation::AsWritten => {
            ArbiterAction::BoardTurned {
                turned: turned.back(),
            }
        }
        ArbiterAction::Result { result, game } => {
            let image = o.result(result.as_str());
            let all = [
                arbiter_core::ruling::GameResult::WhiteWins,
                arbiter_core::ruling::GameResult::BlackWins,
            ];
            ArbiterAction::Result {
                result: all
                    .into_iter()
                    .find(|r| r.as_str() == image)
                    .unwrap_or(*result),
                game: game.clone(),
            }
        }
        ArbiterAction::Report { code, by, square } => ArbiterAction::Report {
            code: *code,
            by: by.map(|c| o.colour(c)),
            square: square.map(|s| o.square(s)),
        },
        same => same.clone(),
    })
}
