//! Lines that were exchanged when a board was wired: somebody touches the squares in order, and the
//! board is told which line reads which.

use arbiter_core::shakmaty::{Bitboard, Square};
use board_driver::{BenchOrder, SquareMap, condition};
use daemon::doctor::Examination;

/// So many exchanged lines are named; of more it is told how many.
const NAMED: usize = 8;

/// How far it is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Mending {
    /// Nobody wants it.
    None,
    /// As soon as the board's map is known and every square reads empty.
    Wanted,
    /// The squares are touched.
    Touching(Box<Touching>),
    /// The board was told this map.
    Asked(Box<SquareMap>),
    /// Nothing is left to be done, and this was.
    Done(String),
}

/// Squares that were touched.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Touching {
    /// The map by which the board reads meanwhile.
    map: SquareMap,
    /// For each square that the board has read, the one that was touched.
    touched: [Option<Square>; 64],
    /// The next one to be touched.
    next: Square,
    /// What the board reads now.
    held: Option<Square>,
    /// More than one square was read since the board was empty.
    confused: bool,
    /// Why the last touch did not count.
    refused: Option<String>,
}

impl Mending {
    /// Somebody wants it, from the beginning.
    pub(super) fn begin(&mut self, board: &Examination) {
        *self = if has_map(board) == Some(true) {
            Mending::Wanted
        } else {
            Mending::None
        };
    }

    /// Something was heard of the board; what it is to be told.
    pub(super) fn hear(&mut self, board: &Examination) -> Option<BenchOrder> {
        match self {
            Mending::Wanted if has_map(board) == Some(true) => {
                let is_empty = board.squares.reading.is_some() && occupied(board).is_empty();
                if let Some(map) = board.map.known().filter(|_| is_empty) {
                    *self = Mending::Touching(Box::new(Touching::new(map)));
                }
            }
            Mending::Touching(touching) => {
                let done = touching.hear(occupied(board))?;
                let map = touching.map.then(&done);
                if done == SquareMap::IDENTITY {
                    *self = Mending::Done("every line reads its own square".to_owned());
                    return None;
                }
                *self = Mending::Asked(Box::new(map));
                return Some(BenchOrder::SetMap(map));
            }
            Mending::Asked(map) if board.map.known() == Some(**map) => {
                *self = Mending::Done(mended(map));
            }
            _ => {}
        }
        None
    }

    /// What the board is to be asked now and then.
    pub(super) fn tick(&self, board: &Examination) -> Option<BenchOrder> {
        let waits = matches!(self, Mending::Wanted | Mending::Asked(_));
        let is_missing = board.map.known().is_none() || matches!(self, Mending::Asked(_));
        (waits && is_missing && has_map(board) == Some(true)).then_some(BenchOrder::RequestMap)
    }

    /// The square to be touched, for a board that has lamps.
    pub(super) fn square(&self) -> Option<Square> {
        match self {
            Mending::Touching(touching) => Some(touching.next),
            _ => None,
        }
    }

    /// What is missing, in words.
    pub(super) fn missing(&self, board: &Examination) -> Option<String> {
        Some(match self {
            Mending::Done(_) => return None,
            _ if has_map(board) == Some(false) => {
                "the board has no map of its squares: lines that were exchanged have to be \
                 soldered anew"
                    .to_owned()
            }
            Mending::Touching(touching) => {
                format!(
                    "the squares were not all touched: {} was next",
                    touching.next
                )
            }
            Mending::Asked(_) => "the board has not taken the map of its squares".to_owned(),
            Mending::Wanted if !occupied(board).is_empty() => format!(
                "no square was touched: {} read occupied; take all pieces off",
                condition::squares(occupied(board))
            ),
            _ => "no square was touched: the board has not told its map".to_owned(),
        })
    }

    /// What is to be done now, in words.
    pub(super) fn words(&self, board: &Examination) -> Option<String> {
        match self {
            Mending::None => None,
            Mending::Done(words) => Some(words.clone()),
            Mending::Touching(touching) => Some(touching.words()),
            _ => self.missing(board),
        }
    }
}

impl Touching {
    fn new(map: SquareMap) -> Touching {
        Touching {
            map,
            touched: [None; 64],
            next: Square::A1,
            held: None,
            confused: false,
            refused: None,
        }
    }

    /// These squares are read now. When all were touched: for each square that was read, the one
    /// that was touched.
    fn hear(&mut self, occupied: Bitboard) -> Option<SquareMap> {
        match (self.held, occupied.first()) {
            (Some(square), None) => {
                self.held = None;
                if !std::mem::take(&mut self.confused) {
                    return self.touch(square);
                }
                self.refused = Some("more than one square was read at once".to_owned());
            }
            (held, Some(square)) => {
                self.held = held.or(Some(square));
                self.confused |= occupied.count() > 1 || self.held != Some(square);
            }
            (None, None) => {}
        }
        None
    }

    fn touch(&mut self, read: Square) -> Option<SquareMap> {
        let place = &mut self.touched[usize::from(read)];
        if let Some(before) = *place {
            self.refused = Some(format!("{read} is read, as it was for {before}"));
            return None;
        }
        (*place, self.refused) = (Some(self.next), None);
        match self.next.offset(1) {
            Some(next) => {
                self.next = next;
                None
            }
            None => {
                let squares = self.touched.map(|square| square.map_or(64, |s| s as u8));
                SquareMap::new(squares)
            }
        }
    }

    fn words(&self) -> String {
        let again = self
            .refused
            .as_ref()
            .map_or(String::new(), |why| format!("{why}: once more. "));
        format!(
            "{again}put one piece on {} and lift it ({} of 64)",
            self.next,
            u32::from(self.next) + 1
        )
    }
}

/// Whether the board has a map, once it has said what it is.
fn has_map(board: &Examination) -> Option<bool> {
    board.board.as_ref().map(|(_, info)| info.map)
}

fn occupied(board: &Examination) -> Bitboard {
    board.squares.occupied()
}

/// What a map mends.
fn mended(map: &SquareMap) -> String {
    let others: Vec<String> = Square::ALL
        .into_iter()
        .zip(map.squares())
        .filter(|(line, square)| *line as u8 != **square)
        .map(|(line, square)| format!("{} on the line of {line}", Square::new((*square).into())))
        .collect();
    match others.len() {
        0 => "mended: every line reads its own square".to_owned(),
        count if count > NAMED => format!("mended: {count} lines read another square"),
        _ => format!("mended: {}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Touches every square of a board that reads `wiring` in place of each.
    fn touch_all(touching: &mut Touching, wiring: &SquareMap) -> Option<SquareMap> {
        wiring.squares().iter().fold(None, |_, read| {
            let read = Square::new((*read).into());
            assert_eq!(touching.hear(read.into()), None);
            touching.hear(Bitboard::EMPTY)
        })
    }

    #[test]
    fn what_is_touched_mends_what_is_read() {
        let wiring = SquareMap::new(core::array::from_fn(|n| (n * 29 + 3) as u8 % 64)).unwrap();
        let mut touching = Touching::new(SquareMap::IDENTITY);
        let mends = touch_all(&mut touching, &wiring).expect("all were touched");
        assert_eq!(wiring.then(&mends), SquareMap::IDENTITY);
    }

    #[test]
    fn a_touch_that_cannot_be_is_asked_for_again() {
        let mut touching = Touching::new(SquareMap::IDENTITY);
        let mut hear = |squares: Bitboard| {
            assert_eq!(touching.hear(squares), None);
            touching.words()
        };
        hear(Square::A1.into());
        assert_eq!(
            hear(Bitboard::EMPTY),
            "put one piece on b1 and lift it (2 of 64)"
        );
        hear(Square::A1.into());
        let words = hear(Bitboard::EMPTY);
        assert!(words.starts_with("a1 is read, as it was for a1: once more. put one piece on b1"));
        hear(Square::C1.into());
        hear(Bitboard::from(Square::C1) | Bitboard::from(Square::D1));
        hear(Square::D1.into());
        let words = hear(Bitboard::EMPTY);
        assert!(words.starts_with("more than one square was read at once: once more."));
        hear(Square::D1.into());
        assert!(hear(Bitboard::EMPTY).starts_with("put one piece on c1"));
    }
}
