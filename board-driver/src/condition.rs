//! How well a board's sensors work, in words an arbiter can act on. A fault of the hardware, never
//! a player's.

use arbiter_core::shakmaty::{Bitboard, File, Rank};
use board_wire::{Trouble, TroubleCode};

use crate::fault::Fault;

/// How well a board's sensors work, as the board itself says (`docs/wire.md`, Condition).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// Squares whose sensor cannot be read, or reads what it cannot.
    pub stuck: Bitboard,
    /// Squares that flicker.
    pub unsteady: Bitboard,
    /// Scans that failed since the board was started.
    pub failed_scans: u32,
    /// What is wrong with the wiring.
    pub trouble: Trouble,
}

impl Default for Condition {
    fn default() -> Condition {
        Condition {
            stuck: Bitboard::EMPTY,
            unsteady: Bitboard::EMPTY,
            failed_scans: 0,
            trouble: Trouble::NONE,
        }
    }
}

impl Condition {
    /// The squares that are not to be trusted: those that are named, or all of them where trouble
    /// names none.
    pub fn doubtful(&self) -> Bitboard {
        let named = self.stuck | self.unsteady;
        if named.is_empty() && self.trouble != Trouble::NONE {
            Bitboard::FULL
        } else {
            named
        }
    }

    /// What is wrong and what to do, each in a sentence without a stop; empty when every square can
    /// be trusted.
    pub fn words(&self) -> Vec<String> {
        self.faults().into_iter().map(|fault| fault.text).collect()
    }

    /// The same, so that it can be said in any language.
    pub fn faults(&self) -> Vec<Fault> {
        let counts = |set: Bitboard| {
            if set.count() == 1 {
                "counts as it last stood"
            } else {
                "count as they last stood"
            }
        };
        let of = |kind, set: Bitboard, text: String| {
            Fault::new(kind, text)
                .with("squares", short(set))
                .with("n", set.count())
        };
        let mut faults = Vec::new();
        if !self.stuck.is_empty() {
            let (squares, counts) = (squares(self.stuck), counts(self.stuck));
            let text = format!("{squares} cannot be read and {counts}");
            faults.push(of("stuck", self.stuck, text));
        }
        if !self.unsteady.is_empty() {
            let flicker = if self.unsteady.count() == 1 {
                "flickers"
            } else {
                "flicker"
            };
            let (squares, counts) = (squares(self.unsteady), counts(self.unsteady));
            let text = format!("{squares} {flicker} and {counts}: clean or replace the sensor");
            faults.push(of("unsteady", self.unsteady, text));
        }
        faults.extend(trouble(self.trouble));
        faults
    }
}

/// What is wrong with the wiring, and what to do about it; `None` where nothing is.
fn trouble(Trouble { code, part }: Trouble) -> Option<Fault> {
    let address = format!("0x{part:02x}");
    Some(match code {
        TroubleCode::NONE => return None,
        TroubleCode::BUS => Fault::new(
            "bus",
            "a transfer on the sensors' bus failed: check its cable and its length",
        ),
        TroubleCode::NO_ANSWER => Fault::new(
            "chip-silent",
            format!(
                "the chip at address {address} does not answer: check its power, its wires and \
                 its address pins"
            ),
        )
        .with("address", address),
        TroubleCode::WRONG_DEVICE => Fault::new(
            "chip-other",
            format!(
                "another chip than the expected one answers at address {address}: check which \
                 chips are on the bus"
            ),
        )
        .with("address", address),
        TroubleCode::BROKEN_CHAIN => Fault::new(
            "chain",
            format!(
                "the chain of shift registers is broken ({address} came instead of its tail): \
                 check its wires and chips"
            ),
        )
        .with("address", address),
        TroubleCode::PIN => Fault::new(
            "pin",
            "a pin of the board's processor cannot be used: check how it is configured",
        ),
        TroubleCode::SHORTED => shorted(part),
        TroubleCode::CONVERTER => Fault::new(
            "converter",
            format!("the analogue converter fails at channel {part}: check its wires"),
        )
        .with("part", part),
        TroubleCode::NOT_CALIBRATED => Fault::new(
            "not-calibrated",
            "the zero levels of the sensors are not known: take all pieces off and run `arbiterd \
             doctor PORT --calibrate`",
        ),
        TroubleCode::MISSING => Fault::new(
            "sensors-missing",
            "the sensors are missing or send nothing: check that they are connected",
        ),
        TroubleCode(code) => Fault::new(
            "trouble",
            format!(
                "the board tells of trouble {code} (part {part}), which this program does not know"
            ),
        )
        .with("code", code)
        .with("part", part),
    })
}

fn shorted(part: u8) -> Fault {
    let files = File::ALL.into_iter();
    let files = files.filter(|file| part & 1 << u32::from(*file) != 0);
    let files: Vec<String> = files.map(|file| file.to_string()).collect();
    let text = format!(
        "lines of file {} are shorted: look for solder bridges and diodes the wrong way round",
        and(&files)
    );
    Fault::new("shorted", text).with("files", files.join(", "))
}

/// Squares in words: whole ranks and files by their names, the others one by one.
pub fn squares(squares: Bitboard) -> String {
    let (ranks, files, rest) = parts(squares);
    if ranks.len() == Rank::ALL.len() {
        return "all squares".to_owned();
    }
    let mut names: Vec<String> = ranks.iter().map(|rank| format!("rank {rank}")).collect();
    names.extend(files.iter().map(|file| format!("file {file}")));
    names.extend(rest.into_iter().map(|square| square.to_string()));
    and(&names)
}

/// The same without words, as [`Fault::with`] has it.
fn short(squares: Bitboard) -> String {
    let (ranks, files, rest) = parts(squares);
    if ranks.len() == Rank::ALL.len() {
        return "*".to_owned();
    }
    let mut names: Vec<String> = ranks.iter().map(Rank::to_string).collect();
    names.extend(files.iter().map(File::to_string));
    names.extend(rest.into_iter().map(|square| square.to_string()));
    names.join(" ")
}

/// Whole ranks, whole files, and the squares besides.
fn parts(squares: Bitboard) -> (Vec<Rank>, Vec<File>, Bitboard) {
    let ranks: Vec<Rank> = Rank::ALL
        .into_iter()
        .filter(|rank| Bitboard::from(*rank).is_subset(squares))
        .collect();
    let rest = ranks
        .iter()
        .fold(squares, |rest, rank| rest & !Bitboard::from(*rank));
    let in_file = |file: &File| {
        !(Bitboard::from(*file) & rest).is_empty() && Bitboard::from(*file).is_subset(squares)
    };
    let files: Vec<File> = File::ALL.into_iter().filter(in_file).collect();
    let rest = files
        .iter()
        .fold(rest, |rest, file| rest & !Bitboard::from(*file));
    (ranks, files, rest)
}

/// `a`, `a and b`, `a, b and c`.
fn and(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use arbiter_core::shakmaty::Square;

    use super::*;

    #[test]
    fn squares_by_their_shortest_names() {
        let one = Bitboard::from(Square::E4);
        assert_eq!(squares(one), "e4");
        assert_eq!(squares(one | Square::A1), "a1 and e4");
        assert_eq!(
            squares(Bitboard::from(Rank::Fifth) | Rank::Sixth),
            "rank 5 and rank 6"
        );
        assert_eq!(
            squares(Bitboard::from(File::A) | Rank::First | Square::C3),
            "rank 1, file a and c3"
        );
        assert_eq!(squares(Bitboard::FULL), "all squares");
        assert_eq!(squares(Bitboard::EMPTY), "none");
        assert_eq!(
            short(Bitboard::from(File::A) | Rank::First | Square::C3),
            "1 a c3"
        );
        assert_eq!(short(Bitboard::FULL), "*");
    }

    #[test]
    fn every_trouble_says_what_to_do() {
        assert!(Condition::default().words().is_empty());
        let of = |code, part| {
            let words = Condition {
                trouble: Trouble::new(code, part),
                ..Condition::default()
            }
            .words();
            assert_eq!(words.len(), 1, "{words:?}");
            words.concat()
        };
        assert!(of(TroubleCode::NO_ANSWER, 0x22).contains("0x22 does not answer: check"));
        assert!(of(TroubleCode::SHORTED, 0b1000_0001).contains("file a and h are shorted"));
        assert!(of(TroubleCode::NOT_CALIBRATED, 0).contains("--calibrate"));
        assert!(of(TroubleCode(77), 3).contains("trouble 77 (part 3)"));
        for code in 1..=9 {
            assert!(of(TroubleCode(code), 1).contains(": "), "{code}");
        }
    }
}
