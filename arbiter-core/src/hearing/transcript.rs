//! The transcript: everything a game was told, in a few bytes an entry, so that it can be heard
//! again.
//!
//! It is bounded. A game of some hundred moves takes 1 to 3 KiB. Where a board tells far more than
//! games are made of, the oldest half is given up for the game as it stood when that half had been
//! heard: what lies before can then not be changed any more.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::coded::{Coded, Coder};
use crate::game::Game;
use crate::said::input::{Input, Setup};
use crate::said::symbol::Reading;
use crate::said::time::Time;

/// What each half may take, in bytes: some four thousand changes of squares. All of it is heard
/// again in some tens of milliseconds.
const HALF: usize = 16 * 1024;
/// What an input takes that is kept as it came, names left out, in bytes.
const WORD: usize = 128;

/// By so many bytes the room for entries grows, and so many the longest takes.
const STEP: usize = 1024;
const LONGEST: usize = 192;

/// What came of something that is kept as it came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// It has, or may have, effect.
    Heard,
    /// When the game was heard again, there was nothing for it to change.
    Void,
    /// The order was taken back.
    TakenBack,
}

/// An input that is kept as it came: what people say, and what is rare.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// How many entries came before it in the game.
    pub(super) n: u64,
    pub(super) at: Time,
    pub(super) input: Input,
    pub(super) fate: Fate,
    /// Whether a claim was accepted.
    pub(super) accepted: Option<bool>,
}

/// From where the entries that are kept go on.
#[derive(Clone, Debug)]
enum Base {
    /// The beginning, with what the board is taken to read then.
    Beginning(Time, Reading),
    /// The game as it stood then.
    Stage(Box<Stage>),
}

/// A game in the middle of its evidence.
#[derive(Clone, Debug)]
struct Stage {
    game: Game,
    coder: Coder,
    /// Entries before it.
    n: u64,
    last: Time,
    /// Bytes and words between the base and it.
    bytes: usize,
    words: usize,
}

/// Everything a game was told.
#[derive(Clone, Debug)]
pub(super) struct Transcript {
    base: Base,
    next: Option<Box<Stage>>,
    bytes: Vec<u8>,
    words: Vec<Word>,
    /// What names of words take besides.
    names: usize,
    coder: Coder,
    /// Entries of the game so far.
    count: u64,
    last: Time,
    /// Where the last entry begins.
    newest: usize,
    /// What each half may take.
    half: usize,
}

/// One entry of a transcript.
#[derive(Debug)]
pub(super) struct Entry {
    /// How many came before it in the game.
    pub(super) n: u64,
    pub(super) at: Time,
    pub(super) told: Told,
}

/// What an entry holds.
#[derive(Debug)]
pub(super) enum Told {
    /// A square, a reading of the board, or a press.
    Evidence(Input),
    /// The word of this index.
    Word(usize),
    /// An input that was refused: it ended a scan, and did nothing else.
    Moment,
}

impl Transcript {
    /// Of a game that begins now, on a board that is taken to read so.
    pub(super) fn new(at: Time, reading: Reading) -> Transcript {
        Transcript {
            base: Base::Beginning(at, reading),
            next: None,
            bytes: Vec::new(),
            words: Vec::new(),
            names: 0,
            coder: Coder::new(reading),
            count: 0,
            last: at,
            newest: 0,
            half: HALF,
        }
    }

    /// The same with less room.
    #[cfg(test)]
    pub(super) fn with_half(self, half: usize) -> Transcript {
        Transcript { half, ..self }
    }

    /// Entries of the game so far.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// How many entries of the game are not kept any more.
    pub(super) fn forgotten(&self) -> u64 {
        match &self.base {
            Base::Beginning(..) => 0,
            Base::Stage(stage) => stage.n,
        }
    }

    /// From when on entries are kept.
    pub(super) fn begins(&self) -> Time {
        match &self.base {
            Base::Beginning(at, _) => *at,
            Base::Stage(stage) => stage.last,
        }
    }

    /// What is kept as it came, oldest first.
    pub(super) fn words(&self) -> &[Word] {
        &self.words
    }

    /// One of them, to be changed.
    pub(super) fn word_mut(&mut self, index: usize) -> Option<&mut Word> {
        self.words.get_mut(index)
    }

    /// The word that an order of this name is.
    pub(super) fn find(&self, order: &str) -> Option<usize> {
        self.words
            .iter()
            .position(|word| word.input.order() == Some(order))
    }

    /// Keeps what the game was told at `at`. `game`: as it stands after that.
    pub(super) fn keep(&mut self, at: Time, input: &Input, game: &Game) {
        let delta = self.pass(at);
        if Coder::takes(input) {
            self.coder.write(delta, input, &mut self.bytes);
        } else {
            Coder::write_word(delta, &mut self.bytes);
            self.names += input.order().map_or(0, str::len) + input.author().map_or(0, str::len);
            self.words.push(Word {
                n: self.count - 1,
                at: self.last,
                input: input.clone(),
                fate: Fate::Heard,
                accepted: None,
            });
        }
        self.bound(game);
    }

    /// Keeps the moment of an input that was refused. `game`: as it stands after that.
    pub(super) fn keep_moment(&mut self, at: Time, game: &Game) {
        let delta = self.pass(at);
        Coder::write_moment(delta, &mut self.bytes);
        self.bound(game);
    }

    /// The word that was kept last was refused after all: only its moment is kept.
    pub(super) fn unsay(&mut self) {
        if self.words.pop().is_some() {
            Coder::make_moment(&mut self.bytes[self.newest..]);
        }
        if let Some(stage) = &mut self.next {
            stage.words = stage.words.min(self.words.len());
        }
    }

    /// The next entry begins, at `at`: how long after the one before.
    fn pass(&mut self, at: Time) -> u64 {
        self.newest = self.bytes.len();
        if self.bytes.capacity() - self.newest < LONGEST {
            // Not twice as much, as a list takes that grows by itself.
            self.bytes.reserve_exact(STEP);
        }
        let delta = at.since(self.last);
        self.last = self.last.max(at);
        self.count += 1;
        delta
    }

    /// Gives up the oldest half where there is too much.
    fn bound(&mut self, game: &Game) {
        let held = self.bytes.len() + self.words.len() * WORD + self.names;
        if held >= self.half && self.next.is_none() {
            self.next = Some(Box::new(Stage {
                game: game.clone(),
                coder: self.coder.clone(),
                n: self.count,
                last: self.last,
                bytes: self.bytes.len(),
                words: self.words.len(),
            }));
        }
        if held >= 2 * self.half
            && let Some(stage) = self.next.take()
        {
            self.bytes.drain(..stage.bytes);
            self.newest = self.newest.saturating_sub(stage.bytes);
            self.words.drain(..stage.words);
            let name = |name: Option<&str>| name.map_or(0, str::len);
            let names = |word: &Word| name(word.input.order()) + name(word.input.author());
            self.names = self.words.iter().map(names).sum();
            self.base = Base::Stage(stage);
        }
    }

    /// After how many entries the game is kept that the oldest half will be given up for.
    pub(super) fn stage(&self) -> Option<u64> {
        self.next.as_ref().map(|stage| stage.n)
    }

    /// That game was heard again: it is another one.
    pub(super) fn renew_stage(&mut self, game: Game) {
        if let Some(stage) = &mut self.next {
            stage.game = game;
        }
    }

    /// The game before the first entry that is kept.
    pub(super) fn begin(&self, setup: &Setup) -> Game {
        match &self.base {
            Base::Beginning(at, _) => begin(setup, *at),
            Base::Stage(stage) => stage.game.clone(),
        }
    }

    /// The entries that are kept, oldest first.
    pub(super) fn entries(&self) -> Entries<'_> {
        let (coder, n, at) = match &self.base {
            Base::Beginning(at, reading) => (Coder::new(*reading), 0, *at),
            Base::Stage(stage) => (stage.coder.clone(), stage.n, stage.last),
        };
        Entries {
            bytes: self.bytes.iter(),
            coder,
            n,
            at,
            word: 0,
        }
    }
}

/// A game that begins.
pub(super) fn begin(setup: &Setup, at: Time) -> Game {
    let mut game = Game::new(setup.clone(), at);
    game.notice_turned_array();
    game.consider_half_turn(at);
    game
}

/// The entries of a transcript, as they are read.
#[derive(Debug)]
pub(super) struct Entries<'a> {
    bytes: core::slice::Iter<'a, u8>,
    coder: Coder,
    n: u64,
    at: Time,
    word: usize,
}

impl Entries<'_> {
    /// What the board has reported up to the entry that was read last, as it names its squares.
    pub(super) fn reading(&self) -> &Reading {
        self.coder.reading()
    }
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let (delta, coded) = self.coder.read(&mut (&mut self.bytes).copied())?;
        self.at = self.at + delta;
        let n = self.n;
        self.n += 1;
        let told = match coded {
            Coded::Plain(input) => Told::Evidence(input),
            Coded::Moment => Told::Moment,
            Coded::Word => {
                self.word += 1;
                Told::Word(self.word - 1)
            }
        };
        Some(Entry {
            n,
            at: self.at,
            told,
        })
    }
}
