//! A table: a wooden board, the game that is meant to be played on it, hands, and a sensor that may
//! miss something.

use arbiter_core::input::{Edition, NextGame, Setup, StartFen, TimeClass};
use arbiter_core::settings::{CastlingHalfmove, PromotionOrder, Settings};
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{
    Board, CastlingMode, CastlingSide, Chess, Color, Move, Piece, Position, Role, Square,
};
use arbiter_core::{Event, Input, Reading, SensorClass, Symbol, Time};

use super::bytes::Bytes;

/// Between two events: around every window of the arbiter's, and far beyond.
const PAUSES: [u64; 20] = [
    400, 250, 150, 600, 0, 1, 30, 59, 61, 119, 121, 299, 301, 399, 401, 1_001, 2_001, 2_600,
    10_001, 90_000,
];

const STARTS: [&str; 16] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "unknown",
    // Castling, en passant and promotion near at hand.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n1k3/PPP5/8/8/8/8/5ppp/3K2N1 b - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "4k3/8/8/1pP1pP2/8/8/8/4K2R w K e6 0 2",
    // Ends of games: mate, stalemate, dead, seventy-five moves.
    "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1",
    "8/8/8/3k4/3K4/8/8/7N w - - 0 1",
    "4k3/P6P/8/8/8/8/p6p/4K3 b - - 148 90",
    "8/8/1k1p1p2/1p1P1P2/1P4K1/8/8/8 w - - 3 40",
    // Not from legal play.
    "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    "QQQQQQQQ/QQ4QQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/k6K w - - 0 1",
    "P3k3/8/8/8/8/8/8/p3K2p w - - 0 1",
    // Chess960.
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
];

/// What stands on the table.
pub(crate) struct Table {
    pub(crate) script: Vec<Event>,
    pub(crate) now: u64,
    setup: Setup,
    /// Where the pieces stand.
    wood: Board,
    /// What is in somebody's hand or beside the board.
    held: Vec<Piece>,
    /// The game as the players mean it.
    pub(crate) game: Chess,
}

impl Table {
    /// A game is set up.
    pub(crate) fn set_up(bytes: &mut Bytes<'_>) -> Table {
        let (setup, game) = any_setup(bytes);
        let mut table = Table {
            script: Vec::new(),
            now: 0,
            setup,
            wood: game.board().clone(),
            held: Vec::new(),
            game,
        };
        table.tell(Input::Setup(table.setup.clone().into()));
        table
    }

    /// The next game.
    fn set_up_again(&mut self, bytes: &mut Bytes<'_>) {
        let from_nothing = bytes.flip();
        let now = if from_nothing { 0 } else { self.now };
        let script = std::mem::take(&mut self.script);
        let (setup, game) = any_setup(bytes);
        *self = Table {
            script,
            now,
            setup,
            wood: game.board().clone(),
            held: Vec::new(),
            game,
        };
        self.tell(Input::Setup(self.setup.clone().into()));
    }

    pub(crate) fn tell(&mut self, input: Input) {
        self.script.push(Event {
            at: Time(self.now),
            input,
        });
    }

    fn pause(&mut self, bytes: &mut Bytes<'_>) {
        self.now += bytes.pick(&PAUSES);
    }

    /// Whatever the bytes say.
    pub(crate) fn something_happens(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.next() {
            0..=79 => self.play(bytes),
            80..=119 => self.lift(bytes),
            120..=159 => self.place(bytes),
            160..=179 => self.press(bytes),
            180..=189 => self.put_right(bytes),
            190..=199 => self.reads_wrong(bytes),
            200..=207 => self.snapshot(bytes),
            208..=219 => {
                self.pause(bytes);
                self.tell(Input::Tick);
            }
            220..=251 => {
                self.pause(bytes);
                let word = super::words::any(&self.game, bytes);
                self.tell(word);
            }
            252..=253 => self.game = self.as_it_stands().unwrap_or_else(|| self.game.clone()),
            254..=255 => self.set_up_again(bytes),
        }
    }

    /// A legal move, or the beginning of one, grip by grip.
    fn play(&mut self, bytes: &mut Bytes<'_>) {
        let legal = self.game.legal_moves();
        if legal.is_empty() {
            return;
        }
        let mv = bytes.pick(&legal);
        let manner = bytes.next();
        let mut grips = grips(&self.game, mv);
        let by = self.game.turn();
        // Usually as everybody does it; else in another order, not to the end, within one scan.
        if manner & 0x03 == 3 {
            let first = bytes.below(4) % grips.len();
            grips.rotate_left(first);
        }
        if manner & 0x0c == 0x0c {
            grips.truncate(bytes.below(grips.len()));
        }
        let at_once = manner & 0x30 == 0x30;
        let pause = bytes.pick(&PAUSES);
        for (square, piece) in grips {
            self.now += if at_once { 0 } else { pause };
            self.turn_to(square, piece, bytes.once_in(40));
        }
        if manner & 0x0c != 0x0c {
            self.game.play_unchecked(mv);
        }
        if manner & 0xc0 != 0xc0 {
            self.now += 300;
            self.tell(Input::Press {
                by,
                white_ms: None,
                black_ms: None,
            });
        }
    }

    /// Makes a square hold `piece`; the sensor tells it, unless it is blind.
    fn turn_to(&mut self, square: Square, piece: Option<Piece>, blind: bool) {
        let before = self.wood.piece_at(square);
        if before == piece {
            return;
        }
        self.held.extend(before);
        match piece {
            Some(piece) => {
                if let Some(n) = self.held.iter().position(|held| *held == piece) {
                    self.held.swap_remove(n);
                }
                self.wood.set_piece_at(square, piece);
            }
            None => {
                self.wood.discard_piece_at(square);
            }
        }
        if !blind {
            self.read(square);
        }
    }

    /// The sensor tells what a square holds.
    fn read(&mut self, square: Square) {
        let input = match self.setup.sensor.sees(self.wood.piece_at(square)) {
            Symbol::Empty => Input::Lift { square },
            seen => Input::Place { square, seen },
        };
        self.tell(input);
    }

    fn lift(&mut self, bytes: &mut Bytes<'_>) {
        let all = self.wood.occupied();
        let near = if bytes.flip() {
            all & self.game.us()
        } else {
            all
        };
        let squares: Vec<Square> = if near.is_empty() { all } else { near }
            .into_iter()
            .collect();
        if squares.is_empty() {
            return;
        }
        self.pause(bytes);
        let square = bytes.pick(&squares);
        self.turn_to(square, None, bytes.once_in(30));
    }

    fn place(&mut self, bytes: &mut Bytes<'_>) {
        let piece = match self.held.len() {
            0 => Piece {
                color: bytes.pick(&Color::ALL),
                role: bytes.pick(&Role::ALL),
            },
            _ if bytes.once_in(8) => self.game.turn().knight(),
            n => self.held[bytes.below(n)],
        };
        self.pause(bytes);
        // Mostly where the piece may go, or where it came from.
        let reach = |m: &Move| m.role() == piece.role && self.game.turn() == piece.color;
        let mut squares: Vec<Square> = self
            .game
            .legal_moves()
            .iter()
            .filter(|m| reach(m))
            .map(|m| m.to())
            .collect();
        squares.extend(self.game.board().by_piece(piece) & !self.wood.occupied());
        let square = match bytes.once_in(4) || squares.is_empty() {
            true => Square::ALL[bytes.below(64)],
            false => bytes.pick(&squares),
        };
        self.turn_to(square, Some(piece), bytes.once_in(30));
    }

    fn press(&mut self, bytes: &mut Bytes<'_>) {
        self.pause(bytes);
        let turn = self.game.turn();
        let by = if bytes.once_in(4) { turn } else { !turn };
        let ms = bytes.once_in(4).then(|| u64::from(bytes.next()) * 1_000);
        self.tell(Input::Press {
            by,
            white_ms: ms,
            black_ms: ms,
        });
    }

    /// Everything is put back to where the game says, or nearly everything.
    fn put_right(&mut self, bytes: &mut Bytes<'_>) {
        let wrong: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|sq| self.wood.piece_at(*sq) != self.game.board().piece_at(*sq))
            .collect();
        for square in wrong {
            self.pause(bytes);
            let piece = self.game.board().piece_at(square);
            self.turn_to(square, piece, bytes.once_in(30));
        }
    }

    /// The sensor tells what is not so, or tells again what is.
    fn reads_wrong(&mut self, bytes: &mut Bytes<'_>) {
        self.pause(bytes);
        let square = Square::ALL[bytes.below(64)];
        match bytes.below(4) {
            0 => self.tell(Input::Lift { square }),
            1 => {
                let piece = Piece {
                    color: bytes.pick(&Color::ALL),
                    role: bytes.pick(&Role::ALL),
                };
                self.tell(Input::Place {
                    square,
                    seen: self.setup.sensor.sees(Some(piece)),
                });
            }
            _ => self.read(square),
        }
    }

    fn snapshot(&mut self, bytes: &mut Bytes<'_>) {
        self.pause(bytes);
        let mut board: Reading = self.setup.sensor.reads(&self.wood);
        for _ in 0..bytes.below(4) {
            board.set(Square::ALL[bytes.below(64)], Symbol::Empty);
        }
        self.tell(Input::Snapshot {
            board: board.into(),
        });
    }

    /// The players agree to go on from what stands, the other side to move.
    fn as_it_stands(&self) -> Option<Chess> {
        let fen = format!(
            "{} {} - - 0 1",
            self.wood.board_fen(),
            self.game.turn().other().char()
        );
        fen.parse::<Fen>()
            .ok()?
            .into_position(CastlingMode::Standard)
            .ok()
    }
}

fn any_setup(bytes: &mut Bytes<'_>) -> (Setup, Chess) {
    let start = bytes.pick(&STARTS);
    let fen = StartFen::parse(start).expect("a start");
    let manner = bytes.next();
    let chess960 = (manner & 1 == 1) || STARTS[14..].contains(&start);
    let mode = if chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    let game = match &fen {
        StartFen::Known(fen) => fen.clone().into_position(mode).unwrap_or_default(),
        StartFen::Unknown => Chess::default(),
    };
    let setup = Setup {
        game: "any".to_owned(),
        laws: bytes.pick(&Edition::ALL),
        class: bytes.pick(&[TimeClass::Standard, TimeClass::Rapid, TimeClass::Blitz]),
        supervised: manner & 2 == 0,
        clock: manner & 12 != 12,
        polled: manner & 48 == 48,
        fen: (manner & 64 == 0 || start != STARTS[0]).then_some(fen),
        chess960,
        options: any_settings(bytes),
        // A game that begins by itself is another one: here each is set up.
        next_game: NextGame::Asked,
        ..Setup::new(bytes.pick(&[
            SensorClass::Piece,
            SensorClass::Colour,
            SensorClass::Occupancy,
        ]))
    };
    (setup, game)
}

fn any_settings(bytes: &mut Bytes<'_>) -> Settings {
    let usual = Settings::default();
    let manner = bytes.next();
    Settings {
        castling_halfmove: if manner & 1 == 1 {
            CastlingHalfmove::Complete
        } else {
            CastlingHalfmove::Restore
        },
        promotion_order: if manner & 2 == 2 {
            PromotionOrder::Strict
        } else {
            PromotionOrder::Tolerate
        },
        adjust_grace_ms: if manner & 12 == 12 { 700 } else { 0 },
        skew_ms: if manner & 48 == 48 { 0 } else { usual.skew_ms },
        brush_ms: if manner & 192 == 192 {
            0
        } else {
            usual.brush_ms
        },
        ..usual
    }
}

/// What becomes of which square when `mv` is played, in the usual order.
fn grips(game: &Chess, mv: Move) -> Vec<(Square, Option<Piece>)> {
    let us = game.turn();
    match mv {
        Move::Castle { king, rook } => {
            let side = if rook > king {
                CastlingSide::KingSide
            } else {
                CastlingSide::QueenSide
            };
            let [king_to, rook_to] = [side.king_to(us), side.rook_to(us)];
            vec![
                (king, None),
                (rook, None),
                (king_to, Some(us.king())),
                (rook_to, Some(us.rook())),
            ]
        }
        Move::EnPassant { from, to } => {
            let victim = Square::from_coords(to.file(), from.rank());
            vec![(from, None), (to, Some(us.pawn())), (victim, None)]
        }
        Move::Normal {
            role,
            from,
            capture,
            to,
            promotion,
        } => {
            let mut grips: Vec<_> = capture.map(|_| (to, None)).into_iter().collect();
            grips.extend([(from, None), (to, Some(promotion.unwrap_or(role).of(us)))]);
            grips
        }
        Move::Put { .. } => Vec::new(),
    }
}
