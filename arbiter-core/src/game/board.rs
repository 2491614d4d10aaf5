//! The board: what its sensors show, how it lies, and what its word is worth.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Color, Square};

use crate::said::input::Event;
use crate::said::orientation::Orientation;
use crate::said::symbol::{Reading, SensorClass, Symbol};
use crate::said::time::{Millis, Time};
use crate::sense::contacts::Contacts;
use crate::sense::planes::Planes;

/// How many recent inputs are kept as evidence for findings.
const EVIDENCE_LIMIT: usize = 256;
/// Room kept for the inputs of a turn that is not out of the ordinary.
const EVIDENCE_USUAL: usize = 32;

/// Changes reported of one scan. Beyond that only the last one of each square counts.
const MOST_IN_SCAN: usize = 256;

/// The silences that mean something, in their order after the last change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Silence {
    /// A touch was meant.
    Touch,
    /// A made move is at rest.
    Rest,
    /// A piece was let go: the game may be over.
    LongRest,
    /// A turn without a press is over.
    ClocklessRest,
}

impl Silence {
    const ALL: [Silence; 4] = [
        Silence::Touch,
        Silence::Rest,
        Silence::LongRest,
        Silence::ClocklessRest,
    ];
}

/// Pictures of the whole board further apart than this do not come by themselves, in milliseconds.
const REGULAR_PICTURES: Millis = 15_000;

/// Squares that were empty at a press, and nothing tells where their pieces went.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unread {
    pub(crate) squares: Bitboard,
    /// Whose press it was.
    pub(crate) by: Color,
    /// The ply that it completed.
    pub(crate) ply: usize,
    /// When a piece that was put down before it will have been read.
    pub(crate) due: Time,
    /// The same, once the whole board has been told after the press.
    pub(crate) due_when_pictured: Time,
}

/// What happened while the board was out of sight.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Gap {
    /// Nothing, or what did is explained.
    None,
    /// The array did not stand when it was first seen: plies may have been played before.
    Start,
    /// Squares have changed in the game: as much as one ply may have been missed, or more.
    Changes,
    /// More was played than one ply.
    Plies,
}

/// What the sensors of one board show.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    contacts: Contacts,
    /// Changes of the scan that is being reported.
    scan: Vec<(Square, Symbol)>,
    scan_at: Time,
    /// When the board last told what all its squares read at once.
    pictured: Option<Time>,
    /// What it read then.
    picture: Reading,
    /// The squares that changed with that, and not since.
    shown: Bitboard,
    /// The longest time so far between one such picture and the next, of those that come by
    /// themselves.
    between_pictures: Millis,
    orientation: Orientation,
    start_read: bool,
    gap: Gap,
    misreads: bool,
    /// Squares on which the arbiter has contradicted what the board shows.
    contradicted: Bitboard,
    /// Squares that were found empty when the whole board was looked at, and when.
    found: Vec<(Square, Time)>,
    /// Squares whose men may have changed places while nobody followed them.
    mixed: Bitboard,
    /// Squares that were empty at a press and may be read again.
    unread: Option<Unread>,
    /// Whether the scan that is being reported is a look at the whole board.
    whole: bool,
    suspected: Option<usize>,
    /// How many of the silences have been ruled on since the last change.
    silences: usize,
    evidence: VecDeque<Event>,
}

impl Board {
    /// A board that lies so, and is taken to read `reading` until it says otherwise.
    pub(crate) fn new(
        class: SensorClass,
        reading: &Reading,
        orientation: Orientation,
        at: Time,
        minimum_contact: Millis,
    ) -> Board {
        Board {
            contacts: Contacts::new(class, reading, at, minimum_contact),
            scan: Vec::new(),
            scan_at: at,
            pictured: None,
            picture: Reading::EMPTY,
            shown: Bitboard::EMPTY,
            between_pictures: 0,
            orientation,
            start_read: false,
            gap: Gap::None,
            misreads: false,
            contradicted: Bitboard::EMPTY,
            found: Vec::new(),
            mixed: Bitboard::EMPTY,
            unread: None,
            whole: false,
            suspected: None,
            silences: Silence::ALL.len(),
            evidence: VecDeque::new(),
        }
    }

    /// What the squares read, on a human scale.
    pub(crate) fn contacts(&self) -> &Contacts {
        &self.contacts
    }

    /// What the squares read now.
    pub(crate) fn planes(&self) -> &Planes {
        self.contacts.planes()
    }

    /// How the board lies.
    pub(crate) fn orientation(&self) -> Orientation {
        self.orientation
    }

    /// The last change of `square` was none of the game.
    pub(crate) fn forget_last(&mut self, square: Square) {
        self.contacts.forget_last(square);
    }

    /// No hypothesis needs what was up to `start` any more.
    pub(crate) fn forget_before(&mut self, start: Time) {
        self.found.retain(|(_, at)| *at > start);
        self.contacts.prune(start);
    }

    /// The evidence was replayed: what the squares read is what came of it.
    pub(crate) fn reread(&mut self, contacts: Contacts) {
        self.contacts = contacts;
    }

    /// The board is found to lie otherwise: its squares are read anew, and what was seen of the
    /// wrong ones is forgotten.
    pub(crate) fn turn(&mut self, orientation: Orientation, at: Time, minimum_contact: Millis) {
        let back = self.orientation.back();
        let reading = orientation.reading(&back.reading(self.planes().reading()));
        let suspect = orientation.squares(back.squares(self.suspect()));
        self.picture = orientation.reading(&back.reading(&self.picture));
        self.orientation = orientation;
        self.contacts = Contacts::new(self.planes().class(), &reading, at, minimum_contact);
        self.contacts.set_suspect(suspect);
        self.silences = 0;
    }
}

/// One scan: its changes have no order among themselves.
impl Board {
    /// `square` reads `symbol`, in a scan of its own or with others of the same time.
    pub(crate) fn sense(&mut self, at: Time, square: Square, symbol: Symbol) {
        self.scan_at = at;
        if self.scan.len() >= MOST_IN_SCAN {
            self.scan.retain(|(other, _)| *other != square);
        }
        self.scan.push((square, symbol));
    }

    /// The whole board reads so.
    pub(crate) fn sense_all(&mut self, at: Time, reading: &Reading) {
        self.scan_at = at;
        let between = self.pictured.map_or(0, |before| at.since(before));
        if between <= REGULAR_PICTURES {
            self.between_pictures = self.between_pictures.max(between);
        }
        self.pictured = Some(at);
        self.picture = *reading;
        if let Some(unread) = &mut self.unread {
            unread.due = unread.due.min(unread.due_when_pictured.max(at));
        }
        self.whole = true;
        self.scan = Square::ALL
            .into_iter()
            .map(|square| (square, reading.at(square)))
            .collect();
    }

    /// Whether the board tells what all its squares read at once: what it did not report may be in
    /// the next picture.
    pub(crate) fn tells_pictures(&self) -> bool {
        self.pictured.is_some()
    }

    /// When the board will have told it again, where it does now and then and has not done so since
    /// `start`.
    pub(crate) fn next_picture(&self, start: Time) -> Option<Time> {
        let last = self.pictured.filter(|at| *at <= start)?;
        (self.between_pictures > 0).then_some(last + self.between_pictures)
    }

    /// Whether it has told that since `start`: what was not reported then is not there.
    pub(crate) fn was_pictured_since(&self, start: Time) -> bool {
        self.pictured.is_some_and(|at| at > start)
    }

    /// Whether it told that before `at`.
    pub(crate) fn was_pictured_before(&self, at: Time) -> bool {
        self.pictured.is_some_and(|pictured| pictured < at)
    }

    /// What the whole board read when it was told last, where it has changed since.
    pub(crate) fn last_picture(&self) -> Option<Planes> {
        let changed = self.was_pictured_before(self.contacts.last_change());
        changed.then(|| Planes::new(self.planes().class(), &self.picture))
    }

    /// Whether the last change was one that a picture showed.
    pub(crate) fn ends_with_picture(&self) -> bool {
        self.pictured == Some(self.contacts.last_change())
    }

    /// Whether `square` was found to read so in the last picture: when it came to is not known.
    pub(crate) fn is_found(&self, square: Square) -> bool {
        self.shown.contains(square) && self.pictured == Some(self.contacts.since(square))
    }

    /// When the scan that is being reported was, if there is one.
    pub(crate) fn open_scan(&self) -> Option<Time> {
        (!self.scan.is_empty()).then_some(self.scan_at)
    }

    /// What the squares read, the scan that is being reported included.
    pub(crate) fn reading(&self) -> Reading {
        let mut reading = *self.planes().reading();
        for (square, symbol) in &self.scan {
            reading.set(*square, symbol.coarsened(self.planes().class()));
        }
        reading
    }

    /// When the last scan was.
    pub(crate) fn scan_at(&self) -> Time {
        self.scan_at
    }

    /// Applies the changes of the scan; `each` hears of every one, with what it ended.
    pub(crate) fn apply_scan(
        &mut self,
        mut each: impl FnMut(&Contacts, Square, Symbol, crate::sense::contacts::Stay),
    ) -> Bitboard {
        let mut scan = core::mem::take(&mut self.scan);
        let mut changed = Bitboard::EMPTY;
        let whole = core::mem::take(&mut self.whole);
        for (square, symbol) in scan.drain(..) {
            if let Some(ended) = self.contacts.change(self.scan_at, square, symbol) {
                changed.add(square);
                if whole && symbol == Symbol::Empty {
                    self.found.retain(|(other, _)| *other != square);
                    self.found.push((square, self.scan_at));
                }
                each(&self.contacts, square, symbol, ended);
            }
        }
        self.shown = match whole {
            true => changed,
            false => self.shown & !changed,
        };
        // The list is used again.
        self.scan = scan;
        if changed.any() {
            self.silences = 0;
        }
        changed
    }
}

/// What the board's word is worth.
impl Board {
    /// Whether squares changed while the board was out of sight: plies may have been missed.
    pub(crate) fn gap(&self) -> bool {
        self.gap != Gap::None
    }

    /// Whether more was played meanwhile than one ply.
    pub(crate) fn hides_plies(&self) -> bool {
        self.gap == Gap::Plies
    }

    /// Squares that were found empty after `start` when the whole board was looked at: when they
    /// were left is not known.
    pub(crate) fn found_since(&self, start: Time) -> Bitboard {
        let lately = self.found.iter().filter(|(_, at)| *at > start);
        lately.map(|(square, _)| *square).collect()
    }

    /// Whether `square` was found empty at any time when the whole board was looked at.
    pub(crate) fn was_found_empty(&self, square: Square) -> bool {
        self.found.iter().any(|(found, _)| *found == square)
    }

    /// The game may have been begun before the board was seen, or what it shows has been explained.
    pub(crate) fn set_gap(&mut self, gap: bool) {
        self.gap = if gap { Gap::Start } else { Gap::None };
    }

    /// Squares changed while the board was out of sight in the game.
    pub(crate) fn note_changes(&mut self) {
        if self.gap != Gap::Plies {
            self.gap = Gap::Changes;
        }
    }

    /// Whether that is unexplained.
    pub(crate) fn hides_changes(&self) -> bool {
        matches!(self.gap, Gap::Changes | Gap::Plies)
    }

    /// More was played while the board was out of sight than one ply.
    pub(crate) fn note_hidden_plies(&mut self) {
        self.gap = Gap::Plies;
    }

    /// Whether the board was found to lose or delay readings in this game: nothing it says is
    /// beyond an innocent cause.
    pub(crate) fn misreads(&self) -> bool {
        self.misreads
    }

    /// The board has lost a reading, or delayed one.
    pub(crate) fn notice_misreading(&mut self) {
        self.misreads = true;
    }

    /// Squares on which the arbiter has contradicted what the board shows.
    pub(crate) fn contradicted(&self) -> Bitboard {
        self.contradicted
    }

    /// The arbiter contradicts what these squares show.
    pub(crate) fn contradict(&mut self, squares: Bitboard) {
        self.contradicted |= squares;
    }

    /// Squares that may be read again yet.
    pub(crate) fn unread(&self) -> Option<Unread> {
        self.unread
    }

    /// These squares may be read again, or none any more; what was waited for before.
    pub(crate) fn await_reading(&mut self, unread: Option<Unread>) -> Option<Unread> {
        core::mem::replace(&mut self.unread, unread)
    }

    /// Squares whose sensors the board itself does not trust.
    pub(crate) fn suspect(&self) -> Bitboard {
        self.contacts.suspect()
    }

    /// The board trusts all its squares but these, after so many completed plies.
    pub(crate) fn set_suspect(&mut self, squares: Bitboard, completed: usize) {
        if (self.suspect() | squares).any() {
            self.suspected = Some(completed);
        }
        self.contacts.set_suspect(squares);
    }

    /// Whether the board's own sensors may have misled: now, or in the ply at hand, after
    /// `completed` plies. A ply that was completed since agrees with every square.
    pub(crate) fn is_suspect(&self, completed: usize) -> bool {
        self.suspect().any() || self.suspected.is_some_and(|then| completed <= then)
    }

    /// Whether the array was held against what the game requires, or need not be.
    pub(crate) fn is_start_read(&self) -> bool {
        self.start_read
    }

    /// The array was held against what the game requires, or has to be again.
    pub(crate) fn set_start_read(&mut self, read: bool) {
        self.start_read = read;
    }
}

/// Silence.
impl Board {
    /// The silence that comes next, if there is one.
    pub(crate) fn next_silence(&self) -> Option<Silence> {
        Silence::ALL.get(self.silences).copied()
    }

    /// Takes the silence that comes next: it has come.
    pub(crate) fn take_silence(&mut self) -> Option<Silence> {
        let next = self.next_silence();
        self.silences += 1;
        next
    }

    /// Men that stand on squares of `of` were off the board at one time since `start`: which of
    /// them came back where nobody saw.
    pub(crate) fn note_mixed(&mut self, of: Bitboard, start: Time) {
        let mut off = Bitboard::EMPTY;
        for change in self.contacts.log_since(start) {
            if !of.contains(change.square) {
                continue;
            }
            off.set(change.square, change.symbol == Symbol::Empty);
            if off.more_than_one() {
                self.mixed |= off;
            }
        }
    }

    /// Whether a man on one of `squares` may have changed places with another while nobody followed
    /// them.
    pub(crate) fn is_mixed(&self, squares: &[Square]) -> bool {
        squares.iter().any(|square| self.mixed.contains(*square))
    }

    /// Whether `silence` has come since the last change.
    pub(crate) fn was_silent(&self, silence: Silence) -> bool {
        self.silences > silence as usize
    }
}

/// The inputs a finding may rest on.
impl Board {
    /// Keeps an input as evidence.
    pub(crate) fn witness(&mut self, event: &Event) {
        if self.evidence.len() == EVIDENCE_LIMIT {
            self.evidence.pop_front();
        }
        self.evidence.push_back(event.clone());
    }

    /// The input that was kept last did nothing.
    pub(crate) fn forget_witness(&mut self) {
        self.evidence.pop_back();
    }

    /// The inputs that are kept, oldest first.
    pub(crate) fn evidence(&self) -> impl Iterator<Item = &Event> {
        self.evidence.iter()
    }

    /// Forgets the inputs before `needed`.
    pub(crate) fn forget_evidence(&mut self, needed: Time) {
        let decided = self.evidence.iter().take_while(|e| e.at < needed).count();
        self.evidence.drain(..decided);
        self.evidence.shrink_to(EVIDENCE_USUAL);
    }
}
