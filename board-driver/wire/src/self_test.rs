//! What a board found that has tried its own parts.

use crate::body::{Reader, Writer};

/// One part, tried.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tested {
    /// Which one of the report this is, from 0 on.
    pub number: u8,
    /// How many there are in it.
    pub count: u8,
    /// What was tried.
    pub part: Part,
    /// What came of it.
    pub verdict: Verdict,
    /// What was found; what it means depends on the part.
    pub found: [u32; 2],
}

/// Parts of a board. Later versions may know more of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Part(pub u8);

impl Part {
    /// The supply. Found: its millivolts.
    pub const SUPPLY: Part = Part(1);
    /// The analogue converter, by the thermometer in the chip. Found: tenths of a degree Celsius,
    /// as a signed number.
    pub const CONVERTER: Part = Part(2);
    /// The chain of shift registers. Found: how often a pattern was sent through it, and how often
    /// it came back as another one.
    pub const CHAIN: Part = Part(3);
    /// The lines of a matrix, one bit each. Found: ranks whose line cannot be set, files that read
    /// closed with no rank selected; bit 0 is the first.
    pub const LINES: Part = Part(4);
    /// Analogue sensors, one bit a square. Found: those that read what none does, squares of ranks
    /// 1 to 4 in the first number, of 5 to 8 in the second; bit 0 is a1, a5.
    pub const SENSORS: Part = Part(5);
    /// What is kept in flash. Found: bit 0 the number of this run, bit 1 a calibration, bit 2 a map
    /// of the squares; and how many pages are damaged.
    pub const FLASH: Part = Part(6);
    /// The lever of the clock. Found: the lines that are closed, bit 0 White's end, bit 1 Black's.
    pub const LEVER: Part = Part(7);
    /// A clock that tells its times. Found: 1 if it is heard.
    pub const CLOCK: Part = Part(8);
    /// The adjust buttons. Found: those that are pressed, bit 0 White's, bit 1 Black's.
    pub const BUTTONS: Part = Part(9);
}

/// What came of a test. Later versions may know more.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Verdict(pub u8);

impl Verdict {
    /// The part does what it has to.
    pub const PASSED: Verdict = Verdict(0);
    /// It does not.
    pub const FAILED: Verdict = Verdict(1);
    /// A board cannot tell by itself: a lever that is not connected looks like one in its middle.
    pub const UNTRIED: Verdict = Verdict(2);

    /// Passed if so, else failed.
    pub const fn of(is_well: bool) -> Verdict {
        if is_well {
            Verdict::PASSED
        } else {
            Verdict::FAILED
        }
    }
}

impl Tested {
    /// A part's test; its place in the report is given when it is told.
    pub const fn new(part: Part, verdict: Verdict, found: [u32; 2]) -> Tested {
        Tested {
            number: 0,
            count: 0,
            part,
            verdict,
            found,
        }
    }

    pub(crate) fn write(&self, body: &mut Writer) {
        body.bytes(&[self.number, self.count, self.part.0, self.verdict.0]);
        self.found.iter().for_each(|found| body.u32(*found));
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<Tested> {
        let (number, count) = (reader.u8()?, reader.u8()?);
        (number < count).then_some(())?;
        Some(Tested {
            number,
            count,
            part: Part(reader.u8()?),
            verdict: Verdict(reader.u8()?),
            found: [reader.u32()?, reader.u32()?],
        })
    }
}
