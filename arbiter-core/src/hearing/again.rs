//! Hearing a game again.

use alloc::vec::Vec;

use shakmaty::uci::UciMove;

use super::cancelled::Meanwhile;
use super::transcript::{Entries, Entry, Fate, Told, Transcript};
use super::{Hearing, Taken, moment};
use crate::game::Game;
use crate::game::docket::Act;
use crate::game::refusal::Refusal;
use crate::said::input::{ArbiterAction, Event, Input};
use crate::said::refused::Why;
use crate::said::ruling::Ruling;
use crate::said::time::Time;

/// A ply that the arbiter said was played, to be imposed on the game where it was made.
#[derive(Clone, Debug)]
pub(super) struct Imposition {
    /// The entry that the order is.
    pub(super) order: u64,
    /// It is imposed when so many entries have been heard.
    pub(super) after: u64,
    ply: u32,
    uci: UciMove,
    /// Of what somebody had been accused before it was ordered.
    known: Vec<Act>,
    fit: Fit,
}

/// Whether what the board showed since then, up to the order, fits what was imposed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fit {
    /// That is not known yet.
    Unknown,
    /// All of it.
    All,
    /// So many entries do. What the board showed after them accuses somebody of what nobody was
    /// accused of before.
    Until(u64),
}

impl Imposition {
    /// Where the order of entry `order` belongs, in the evidence before it and by the game as it
    /// stands there.
    pub(super) fn place(
        transcript: &Transcript,
        game: &Game,
        (order, ply, uci): (u64, u32, UciMove),
    ) -> Result<Imposition, Refusal> {
        let imposed = game.imposed(ply, uci)?;
        let after = moment::after_ply(transcript, game, (order, ply), &imposed);
        if after < transcript.forgotten() {
            return Err(Refusal::of(Why::PlyForgotten, ply));
        }
        Ok(Imposition {
            order,
            after,
            ply,
            uci,
            known: game.accusations(),
            fit: Fit::Unknown,
        })
    }
}

/// A game that has been heard again.
struct Heard {
    game: Game,
    /// The words that changed nothing, and how claims were answered.
    void: Vec<usize>,
    answers: Vec<(usize, bool, Ruling)>,
    refusals: Vec<(usize, Ruling)>,
    declared: Option<Ruling>,
    claimable: Option<(u32, Ruling)>,
    /// The game in the middle, where one is kept.
    stage: Option<Game>,
}

/// Why the game has to be heard once more.
enum Interrupted {
    /// A ply is to be imposed for an order that had nothing imposed before.
    Unplaced(Imposition),
    /// What came after so many entries does not fit what was imposed last.
    Misfit(u64),
    /// What was done during this cancellation of the game is none of its.
    Foreign(usize),
}

impl Hearing {
    /// Hears the game again, and tells what has changed.
    pub(super) fn hear_again(&mut self) {
        let heard = self.hear();
        self.adopt(heard);
    }

    /// Hears the game again for the order that came last. Where that has no effect it is refused,
    /// and the game stays as it is.
    pub(super) fn hear_again_for_last(&mut self) {
        let heard = self.hear();
        let last = self.transcript.words().len() - 1;
        let mut refusals = heard.refusals.iter();
        match refusals.find(|(index, _)| *index == last) {
            Some((_, refusal)) => {
                self.game.say(refusal.clone());
                let order = self.transcript.words()[last].n;
                self.impositions
                    .retain(|imposition| imposition.order != order);
                self.transcript.unsay();
            }
            None => self.adopt(heard),
        }
    }

    fn hear(&mut self) -> Heard {
        let heard = loop {
            match self.hear_once() {
                Ok(heard) => break heard,
                Err(Interrupted::Unplaced(imposition)) => self.impositions.push(imposition),
                Err(Interrupted::Misfit(until)) => {
                    if let Some(last) = self.last_imposition() {
                        self.impositions[last].fit = Fit::Until(until);
                    }
                }
                Err(Interrupted::Foreign(index)) => self.set_foreign(index),
            }
        };
        self.settle_cancellations();
        if let Some(last) = self.last_imposition()
            && self.impositions[last].fit == Fit::Unknown
        {
            self.impositions[last].fit = Fit::All;
        }
        heard
    }

    /// The imposition that counts for what the board showed since: of those that were not taken
    /// back the last that was ordered.
    fn last_imposition(&self) -> Option<usize> {
        let in_force = |i: &usize| self.is_in_force(&self.impositions[*i]);
        (0..self.impositions.len())
            .filter(in_force)
            .max_by_key(|i| self.impositions[*i].order)
    }

    /// Whether an order was imposed so far back that it cannot be undone.
    pub(super) fn is_beyond_recall(&self, order: u64) -> bool {
        let forgotten = self.transcript.forgotten();
        let mut impositions = self.impositions.iter();
        impositions.any(|imposition| imposition.order == order && imposition.after < forgotten)
    }

    fn is_in_force(&self, imposition: &Imposition) -> bool {
        let mut words = self.transcript.words().iter();
        words.any(|word| word.n == imposition.order && word.fate != Fate::TakenBack)
    }

    fn hear_once(&self) -> Result<Heard, Interrupted> {
        let mut game = self.transcript.begin(self.game.setup());
        game.expect_findings_of(&self.game);
        let mut pass = Pass {
            hearing: self,
            last: self.last_imposition().map(|i| &self.impositions[i]),
            meanwhile: None,
            heard: Heard {
                game,
                void: Vec::new(),
                answers: Vec::new(),
                refusals: Vec::new(),
                declared: None,
                claimable: None,
                stage: None,
            },
        };
        let mut entries = self.transcript.entries();
        pass.impose(self.transcript.forgotten());
        while let Some(entry) = entries.next() {
            pass.take(&entry, &entries)?;
        }
        pass.end_cancellation(self.transcript.count(), &entries);
        let now = self.game.now();
        pass.heard.game.pass_time(now);
        pass.heard.game.advance(now);
        pass.note(None);
        pass.check_meanwhile()?;
        if let Some(meanwhile) = &pass.meanwhile
            && self.is_only_looked_at(&pass.heard.game, meanwhile)
        {
            return Err(Interrupted::Foreign(meanwhile.index));
        }
        Ok(pass.heard)
    }

    /// The game is as it has been heard now: tells what changed.
    fn adopt(&mut self, heard: Heard) {
        let Heard {
            mut game,
            void,
            answers,
            refusals,
            declared,
            claimable,
            stage,
        } = heard;
        stage
            .into_iter()
            .for_each(|game| self.transcript.renew_stage(game));
        // What it said as it was heard before, and nobody has taken yet.
        self.game.told().for_each(|said| game.repeat(said));
        game.tell_difference(&self.game, declared);
        for (index, accepted, ruling) in answers {
            if let Some(word) = self.transcript.word_mut(index)
                && word.accepted.replace(accepted) != Some(accepted)
            {
                game.say(ruling);
            }
        }
        for (index, refusal) in refusals {
            if self.transcript.words()[index].fate == Fate::Heard {
                game.say(refusal);
            }
        }
        for index in 0..self.transcript.words().len() {
            if let Some(word) = self.transcript.word_mut(index)
                && word.fate != Fate::TakenBack
            {
                let is_void = void.contains(&index);
                word.fate = if is_void { Fate::Void } else { Fate::Heard };
            }
        }
        if claimable != self.claimable
            && let Some((plies, ruling)) = &claimable
            && *plies == game.plies_told()
        {
            game.say(ruling.clone());
        }
        (self.game, self.claimable) = (game, claimable);
    }
}

/// The evidence on its way through a fresh game.
struct Pass<'a> {
    hearing: &'a Hearing,
    last: Option<&'a Imposition>,
    /// The game has been cancelled, for a while.
    meanwhile: Option<Meanwhile>,
    heard: Heard,
}

impl Pass<'_> {
    fn take(&mut self, entry: &Entry, entries: &Entries<'_>) -> Result<(), Interrupted> {
        if self
            .last
            .is_some_and(|last| last.fit == Fit::Until(entry.n))
        {
            self.heard.game.pass_over(entries.reading());
        }
        self.end_cancellation(entry.n, entries);
        match &entry.told {
            Told::Moment => self.heard.game.take_moment(entry.at),
            Told::Evidence(_) if self.is_passed_over(entry.n) => {}
            Told::Evidence(input) => {
                let input = input.clone();
                self.hear(entry.at, input, None)?;
            }
            Told::Word(index) => self.take_word(entry, *index, entries)?,
        }
        self.impose(entry.n + 1);
        if self.hearing.transcript.stage() == Some(entry.n + 1) {
            self.heard.stage = Some(self.heard.game.clone());
        }
        if let Some(meanwhile) = &mut self.meanwhile {
            meanwhile.note(entry, entries.reading());
        }
        self.check_meanwhile()?;
        self.check_fit(entry.n)
    }

    fn take_word(
        &mut self,
        entry: &Entry,
        index: usize,
        entries: &Entries<'_>,
    ) -> Result<(), Interrupted> {
        let word = &self.hearing.transcript.words()[index];
        if word.fate == Fate::TakenBack {
            if self.hearing.is_to_be_settled(word.n) {
                let game = &mut self.heard.game;
                game.pass_time(entry.at);
                game.advance(entry.at);
                let game = &self.heard.game;
                self.meanwhile = self.hearing.cancelled_by(word.n, game, entries.reading());
            }
            return Ok(());
        }
        let mut impositions = self.hearing.impositions.iter();
        if impositions.any(|imposition| imposition.order == word.n) {
            self.heard.game.take_moment(entry.at);
            self.heard.game.excuse_stop();
            let last = self.last.filter(|last| last.order == word.n);
            match last.map(|last| last.fit) {
                Some(Fit::Until(_)) => self.heard.game.pass_over(entries.reading()),
                Some(Fit::Unknown | Fit::All) => drop(self.heard.game.lose_if_contradicted()),
                None => {}
            }
            return Ok(());
        }
        self.hear(entry.at, word.input.clone(), Some(index))
    }

    fn hear(&mut self, at: Time, input: Input, word: Option<usize>) -> Result<(), Interrupted> {
        let game = &mut self.heard.game;
        game.pass_time(at);
        game.advance(at);
        match (game.take(&Event { at, input }), word) {
            (Taken::Heard, _) => {}
            (Taken::Refused, word) => self.heard.void.extend(word),
            (Taken::Unheard, Some(word)) => self.place(word)?,
            (Taken::Unheard, None) => {}
        }
        self.note(word);
        Ok(())
    }

    /// An order says that something was played which no hypothesis holds here.
    fn place(&mut self, index: usize) -> Result<(), Interrupted> {
        let transcript = &self.hearing.transcript;
        let word = &transcript.words()[index];
        let Input::Arbiter(ArbiterAction::Played { ply, uci }) = *word.input.plain() else {
            return Ok(());
        };
        let game = &mut self.heard.game;
        match Imposition::place(transcript, game, (word.n, ply, uci)) {
            Ok(imposition) => Err(Interrupted::Unplaced(imposition)),
            Err(refusal) => {
                game.refuse(word.input.order(), &refusal, Vec::new());
                self.heard.void.push(index);
                Ok(())
            }
        }
    }

    /// Takes what was said, and keeps what may have to be told anew.
    fn note(&mut self, word: Option<usize>) {
        let heard = &mut self.heard;
        let plies = heard.game.plies_told();
        for said in heard.game.told() {
            match (said.ruling, word) {
                (ruling @ Ruling::Result { .. }, _) => heard.declared = Some(ruling),
                (ruling @ Ruling::DrawClaimable { .. }, _) => {
                    heard.claimable = Some((plies, ruling));
                }
                (ruling @ Ruling::Refused { .. }, Some(word)) => {
                    heard.refusals.push((word, ruling));
                }
                (ruling, Some(word)) => {
                    if let Ruling::Claim { accepted, .. } = ruling {
                        heard.answers.push((word, accepted, ruling));
                    }
                }
                _ => {}
            }
        }
    }

    /// Imposes what was played when `heard` entries have been heard.
    fn impose(&mut self, heard: u64) {
        for imposition in &self.hearing.impositions {
            if imposition.after != heard || !self.hearing.is_in_force(imposition) {
                continue;
            }
            let game = &mut self.heard.game;
            game.take_moment(game.now());
            let words = self.hearing.transcript.words();
            let index = words.iter().position(|word| word.n == imposition.order);
            let order = index.map(|i| Event {
                at: words[i].at,
                input: words[i].input.clone(),
            });
            match game.impose((imposition.ply, imposition.uci), order) {
                Ok(changes) => game.run(changes),
                Err(refusal) => {
                    let input = index.map(|i| &words[i].input);
                    game.refuse(input.and_then(Input::order), &refusal, Vec::new());
                    self.heard.void.extend(index);
                    self.note(index);
                }
            }
        }
        self.note(None);
    }

    /// Whether what the board showed then is passed over: it is none of the game's, or does not fit
    /// what was imposed.
    fn is_passed_over(&self, n: u64) -> bool {
        self.hearing.is_foreign(n)
            || self.last.is_some_and(|last| match last.fit {
                Fit::Until(fits) => (fits..last.order).contains(&n),
                Fit::Unknown | Fit::All => false,
            })
    }

    /// Whether what was imposed last, and was not yet seen to fit, accuses somebody by now.
    fn check_fit(&self, n: u64) -> Result<(), Interrupted> {
        let Some(last) = self.last.filter(|last| last.fit == Fit::Unknown) else {
            return Ok(());
        };
        let is_due = n + 1 >= last.after && n <= last.order;
        match is_due && self.heard.game.accuses_anew(last.ply, &last.known) {
            true => Err(Interrupted::Misfit(n)),
            false => Ok(()),
        }
    }

    /// A cancellation of the game ends before entry `n`. Where what was done meanwhile was passed
    /// over, it reads so by now, and that is nobody's doing.
    fn end_cancellation(&mut self, n: u64, entries: &Entries<'_>) {
        if let Some(cancellation) = self.hearing.foreign_until(n) {
            let game = &mut self.heard.game;
            game.pass_time(cancellation.at);
            game.excuse_stop();
            game.pass_over_cancelled(entries.reading());
        }
    }

    /// Whether what was done while the game was cancelled is none of its, as far as it was heard.
    fn check_meanwhile(&self) -> Result<(), Interrupted> {
        let game = &self.heard.game;
        match &self.meanwhile {
            Some(meanwhile) if self.hearing.is_none_of(game, meanwhile) => {
                Err(Interrupted::Foreign(meanwhile.index))
            }
            _ => Ok(()),
        }
    }
}
