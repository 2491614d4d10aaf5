use std::cell::Cell;
use std::time::{Duration, Instant};

use arbiter_core::Reading;

use super::frame::{Message, decode, encode};
use super::*;
use crate::event::Report;
use crate::orientation::{Orientation, of_starting_position};
use crate::protocol::Learning;

/// A host that has greeted a board, and what it has said since it was last asked.
struct Host {
    host: ChessLink,
    now: Instant,
    out: Outbox,
}

impl Host {
    fn new() -> Host {
        let now = Instant::now();
        let (mut host, mut out) = (ChessLink::new(&Start::new(now)), Outbox::default());
        host.open(now, &mut out);
        Host { host, now, out }
    }

    fn greeted() -> Host {
        let mut host = Host::new();
        host.hears(&encode(&FromBoard::Version { major: 1, minor: 4 }));
        let (address, value) = (SCAN_TIME, USUAL_SCAN);
        host.hears(&encode(&FromBoard::Setting { address, value }));
        host
    }

    fn hears(&mut self, bytes: &[u8]) {
        self.host.receive(self.now, bytes, &mut self.out);
    }

    /// What the squares read when the board last told them all.
    fn snapshot(&self) -> Option<Reading> {
        let reading = |report: &Report| match report {
            Report::Snapshot(reading) => Some(*reading),
            _ => None,
        };
        let mut reports = self.out.reports.iter().map(|told| &told.event.report);
        reports.find_map(reading)
    }

    /// Lets time pass before a board that answers like this; what the host asked.
    fn runs(&mut self, time: Duration, answer: impl Fn(&ToBoard) -> Option<FromBoard>) -> Asked {
        let (end, mut asked) = (self.now + time, Asked::default());
        while self.now < end {
            while let Some(order) = self.next_order() {
                let answer = answer(&order);
                asked.push(order);
                answer.iter().for_each(|answer| self.hears(&encode(answer)));
            }
            asked.told.extend(self.out.learning.take());
            assert_eq!(self.out.fault, None);
            self.now += Duration::from_millis(1);
            if self.host.next_wake().is_some_and(|wake| wake <= self.now) {
                self.host.wake(self.now, &mut self.out);
            }
        }
        asked
    }

    fn next_order(&mut self) -> Option<ToBoard> {
        let letter = *self.out.send.first()?;
        let length = ToBoard::length(letter & 0x7f).expect("an order");
        let line: Vec<u8> = self.out.send.drain(..length).collect();
        Some(decode(&line).expect("a whole order"))
    }
}

#[derive(Default)]
struct Asked {
    writes: usize,
    states: usize,
    told: Vec<Learning>,
}

impl Asked {
    fn push(&mut self, order: ToBoard) {
        self.writes += usize::from(matches!(order, ToBoard::Write { .. }));
        self.states += usize::from(order == ToBoard::AskState);
    }
}

/// What a board answers whose setting 02 reads like this.
fn answer(setting: Option<u8>, order: &ToBoard) -> Option<FromBoard> {
    let start = FromBoard::State(std::array::from_fn(|_| None));
    Some(match *order {
        ToBoard::AskState => start,
        ToBoard::Read { address } => FromBoard::Setting {
            address,
            value: setting?,
        },
        ToBoard::Write { address, value } => FromBoard::Written { address, value },
        _ => return None,
    })
}

/// The starting position with its block check, byte by byte as another program's tests have it
/// (`MillenniumAdapterTests.swift`, fixture 5, public on GitHub): the king of the first rank told
/// is in its fifth place, which is e8. The same from the other end is what BearChess and picochess
/// take for White's side at the board's lower end.
#[test]
fn the_starting_position_as_others_know_it() {
    let mut line = b"\x73\xf2\x6e\x62\xf1\x6b\x62\x6e\xf2".to_vec();
    line.extend([0x70; 8]);
    line.extend([0xae; 32]);
    line.extend([0xd0; 8]);
    line.extend(b"\x52\xce\xc2\x51\xcb\xc2\xce\x52\x37\xb3");
    let lies = |line: &[u8]| {
        let mut host = Host::greeted();
        host.hears(line);
        of_starting_position(&host.snapshot().expect("what stands there"))
    };
    assert_eq!(lies(&line), Some(Orientation::Half));
    line[1..65].reverse();
    assert_eq!(lies(&line), Some(Orientation::Upright));
    // King and queen have changed places: that is no way to lie.
    line[1..65].chunks_mut(8).for_each(<[u8]>::reverse);
    assert_eq!(lies(&line), None);
}

#[test]
fn a_setting_that_the_board_does_not_take_is_written_three_times() {
    let quarter_minute = Duration::from_secs(15);
    // It answers and keeps what it has; or it does not even say what that is.
    for (setting, writes) in [(Some(0), 3), (Some(1), 3), (None, 0)] {
        let mut host = Host::greeted();
        let asked = host.runs(quarter_minute, |order| answer(setting, order));
        assert_eq!(asked.writes, writes, "{setting:?}");
        let [Learning::Wanted(wanted)] = &asked.told[..] else {
            panic!("{setting:?}: {:?}", asked.told);
        };
        assert!(wanted.text.contains("setting 02"), "{wanted:?}");
        // It is read as it can be: scan by scan, 41 ms.
        assert!(asked.states > 250, "{setting:?}: {}", asked.states);
    }
}

/// What a disturbed line swallows says nothing of what the board takes.
#[test]
fn answers_that_do_not_arrive_are_asked_for_again() {
    let (mut host, orders, written) = (Host::greeted(), Cell::new(0), Cell::new(false));
    let asked = host.runs(Duration::from_secs(15), |order| {
        orders.set(orders.get() + usize::from(matches!(order, ToBoard::Read { .. })));
        written.set(written.get() || matches!(order, ToBoard::Write { .. }));
        // Seven questions are not heard, and then one answer in four.
        let is_heard = orders.get() > 7 && orders.get() % 4 == 0;
        let setting = is_heard.then_some(if written.get() { 3 } else { 0 });
        answer(setting, order)
    });
    assert_eq!((asked.writes, &asked.told[..]), (1, &[][..]));
    // Once it tells its changes it is asked rarely, whatever was done before.
    let asked = host.runs(Duration::from_secs(15), |order| answer(Some(3), order));
    assert!((14..=16).contains(&asked.states), "{}", asked.states);
}

#[test]
fn a_setting_that_the_board_has_is_not_written() {
    let mut host = Host::greeted();
    let asked = host.runs(Duration::from_secs(15), |order| answer(Some(3), order));
    assert_eq!((asked.writes, &asked.told[..]), (0, &[][..]));
    assert!((14..=16).contains(&asked.states), "{}", asked.states);
}

/// What passes for a ChessLink: it has a version, says how it stands, and knows no settings.
#[test]
fn a_board_that_tells_no_settings_is_known_in_a_second() {
    let mut host = Host::new();
    let asked = host.runs(Duration::from_millis(900), |order| match order {
        ToBoard::AskVersion => Some(FromBoard::Version {
            major: 12,
            minor: 34,
        }),
        ToBoard::Read { .. } => None,
        order => answer(None, order),
    });
    assert!(asked.states > 0 && host.snapshot().is_some());
    let hellos = host.out.reports.iter();
    let hellos = hellos.filter(|told| matches!(told.event.report, Report::Hello(_)));
    assert_eq!(hellos.count(), 1);
}

/// A board that waits for the rest of somebody's order takes what comes for that.
#[test]
fn a_board_that_does_not_answer_is_brought_to_the_end_of_what_it_hears() {
    let mut host = Host::new();
    assert_eq!(host.out.send, [0xd6, 0xb5, 0xb6], "the version");
    host.out.send.clear();
    host.now += ASK_AGAIN;
    host.host.wake(host.now, &mut host.out);
    let (nothing, question) = host.out.send.split_at(frame::LONGEST_ORDER);
    assert!(
        nothing
            .iter()
            .all(|byte| *byte == NOTHING && byte.count_ones() == 1)
    );
    assert_eq!(question, [0xd6, 0xb5, 0xb6]);
    // Another kind of board would take that for its own orders.
    let mut host = Host::new();
    host.hears(b":0 0 0 0 0\r\n");
    host.out.send.clear();
    host.now += ASK_AGAIN;
    host.host.wake(host.now, &mut host.out);
    assert_eq!(host.out.send, [0xd6, 0xb5, 0xb6]);
}
