//! A hall, a hub, and a carrier between them that keeps what is sent as a log, and forgets of it,
//! is full, is away, and loses what is on its way, while both ends are killed and put back to older
//! copies: in the end the hub has every row once.

use std::collections::VecDeque;

use proptest::prelude::*;
use replica::{
    BATCH, Batch, Chain, Consumer, Earlier, Greeted, Hello, Input, Link, Millis, Place, Publisher,
    Row, Todo, Verdict, Why, Word, place_of,
};

/// Something that happens.
#[derive(Clone, Debug)]
enum Happening {
    /// The hall writes so many rows.
    Write(u16),
    /// What the hall sent first gets to the log.
    Log,
    /// What the log says first gets to the hall.
    Fate,
    /// The hub reads the next of the log.
    Read,
    /// A word that is on its way arrives: to the hub (true) or to the hall, the one of this number.
    Arrive(bool, usize),
    /// It is lost.
    Lose(bool, usize),
    /// It will arrive once more.
    Repeat(bool, usize),
    /// Time passes.
    Wait(Millis),
    /// The hall's program is killed and comes back.
    KillHall,
    /// The hub's is away, or comes back.
    Hub(bool),
    /// The carrier is killed and comes back.
    KillLog,
    /// The log is put back to the copy taken last, and a copy is taken.
    LogCopy(bool),
    /// It is lost altogether.
    Forget,
    /// It takes nothing more, or something again.
    Full(bool),
    /// The hub's disk is put back to the copy taken last, and a copy is taken.
    HubCopy(bool),
    /// The hall's.
    HallCopy(bool),
}

fn happening() -> impl Strategy<Value = Happening> {
    use Happening::*;
    prop_oneof![
        6 => (1u16..700).prop_map(Write),
        16 => Just(Log),
        16 => Just(Fate),
        16 => Just(Read),
        12 => (any::<bool>(), 0usize..4).prop_map(|(to, n)| Arrive(to, n)),
        3 => (any::<bool>(), 0usize..4).prop_map(|(to, n)| Lose(to, n)),
        3 => (any::<bool>(), 0usize..4).prop_map(|(to, n)| Repeat(to, n)),
        6 => (1u64..20_000).prop_map(Wait),
        1 => Just(KillHall),
        2 => any::<bool>().prop_map(Hub),
        1 => Just(KillLog),
        1 => any::<bool>().prop_map(LogCopy),
        1 => Just(Forget),
        1 => any::<bool>().prop_map(Full),
        1 => any::<bool>().prop_map(HubCopy),
        1 => any::<bool>().prop_map(HallCopy),
    ]
}

/// A row says when it was written, so that no two are the same.
type Said = u64;

#[derive(Clone, Debug)]
struct Store {
    epoch: String,
    earlier: Vec<Earlier>,
    rows: Vec<Row<Said>>,
}

#[derive(Clone, Debug, Default)]
struct Mirror {
    at: Option<Place>,
    rows: Vec<Said>,
}

#[derive(Clone, Debug)]
struct Entry {
    name: String,
    hello: Hello,
    batch: Batch<Said>,
}

/// What the log says of what it was given.
enum Fate {
    Taken,
    Torn(String),
    Stuck,
}

struct World {
    now: Millis,
    /// Numbers of chance: of rows, epochs and lines.
    count: u64,
    store: Store,
    hall_copy: Store,
    publisher: Publisher,
    chain: Chain,
    hello: Option<Hello>,
    log: Vec<Entry>,
    log_copy: Vec<Entry>,
    is_full: bool,
    to_log: VecDeque<(Link, Entry)>,
    fates: VecDeque<Fate>,
    mirror: Mirror,
    hub_copy: Mirror,
    /// How much of the log the hub has read; `None`: it is away.
    read: Option<usize>,
    up: Vec<Hello>,
    down: Vec<Word>,
    /// Rows sent, to see that nothing is sent without end.
    sent: usize,
}

impl World {
    fn new() -> World {
        let store = Store {
            epoch: "e0".to_owned(),
            earlier: Vec::new(),
            rows: Vec::new(),
        };
        let mut world = World {
            now: 0,
            count: 0,
            hall_copy: store.clone(),
            store,
            publisher: Publisher::new(),
            chain: Chain::new("", ""),
            hello: None,
            log: Vec::new(),
            log_copy: Vec::new(),
            is_full: false,
            to_log: VecDeque::new(),
            fates: VecDeque::new(),
            mirror: Mirror::default(),
            hub_copy: Mirror::default(),
            read: Some(0),
            up: Vec::new(),
            down: Vec::new(),
            sent: 0,
        };
        world.start_hall();
        world
    }

    fn start_hall(&mut self) {
        self.publisher = Publisher::new();
        self.connect();
    }

    /// The hall opens a line, and is told the last of the log.
    fn connect(&mut self) {
        self.to_log.clear();
        self.fates.clear();
        self.count += 1;
        self.chain = Chain::new(&format!("l{}", self.count), "");
        self.tell(Input::Line(false));
        self.tell(self.journal());
        self.tell(Input::Line(true));
        let last = self.last();
        let torn = self.chain.torn(&last);
        self.tell(Input::Torn(torn));
    }

    fn last(&self) -> String {
        self.log
            .last()
            .map_or_else(String::new, |entry| entry.name.clone())
    }

    fn journal(&self) -> Input<Said> {
        Input::Journal {
            epoch: self.store.epoch.clone(),
            earlier: self.store.earlier.clone(),
            head: self.store.rows.len() as u64,
        }
    }

    fn tell(&mut self, input: Input<Said>) {
        let mut inputs = vec![input];
        while let Some(input) = inputs.pop() {
            let mut todo = Vec::new();
            self.publisher.handle(self.now, input, &mut todo);
            for todo in todo {
                match todo {
                    Todo::Greet(hello) => {
                        self.hello = Some(hello.clone());
                        self.up.push(hello);
                    }
                    Todo::Send(batch) => self.send(batch),
                    Todo::Read(after) => {
                        let found = self.found(&after);
                        inputs.push(Input::Read(after, found));
                    }
                    Todo::Renew => {
                        self.renew();
                        inputs.push(self.journal());
                    }
                }
            }
        }
    }

    fn send(&mut self, batch: Batch<Said>) {
        self.sent += batch.rows.len();
        let link = self.chain.link(&batch);
        let entry = Entry {
            name: link.name.clone(),
            hello: self.hello.clone().expect("introduced"),
            batch,
        };
        self.to_log.push_back((link, entry));
    }

    fn found(&self, after: &Place) -> Option<Vec<Row<Said>>> {
        let Store { epoch, rows, .. } = &self.store;
        let seq = usize::try_from(after.seq).unwrap();
        let mark = match seq {
            0 => 0,
            _ => rows.get(seq - 1)?.mark,
        };
        (*epoch == after.epoch && mark == after.mark)
            .then(|| rows[seq..].iter().take(BATCH).cloned().collect())
    }

    fn renew(&mut self) {
        self.count += 1;
        let old = std::mem::replace(&mut self.store.epoch, format!("e{}", self.count));
        let why = Why::Other;
        self.store.earlier.push(Earlier { epoch: old, why });
    }

    fn write(&mut self, count: u16) {
        for _ in 0..count {
            self.count += 1;
            let mark = (self.count * 2_654_435_761).cast_signed();
            let what = self.count;
            self.store.rows.push(Row { mark, what });
        }
        self.tell(self.journal());
    }

    fn log(&mut self) {
        let Some((link, entry)) = self.to_log.pop_front() else {
            return;
        };
        let last = self.last();
        let follows = link.after.as_ref().is_none_or(|after| *after == last);
        self.fates.push_back(match (follows, self.is_full) {
            (false, _) => Fate::Torn(last),
            (true, true) => Fate::Stuck,
            (true, false) => {
                self.log.push(entry);
                Fate::Taken
            }
        });
    }

    fn fate(&mut self) {
        let input = match self.fates.pop_front() {
            None => return,
            Some(Fate::Taken) => self.chain.taken().map(Input::Kept),
            // Of what is on its way behind it nothing is heard any more.
            Some(Fate::Torn(last)) => {
                self.drop_behind();
                Some(Input::Torn(self.chain.torn(&last)))
            }
            Some(Fate::Stuck) => {
                self.drop_behind();
                self.chain.stuck();
                Some(Input::Stuck)
            }
        };
        input.into_iter().for_each(|input| self.tell(input));
    }

    /// It gets to the log all the same.
    fn drop_behind(&mut self) {
        while !self.to_log.is_empty() {
            self.log();
        }
        self.fates.clear();
    }

    /// What the hub reads next, when it comes or the log has changed.
    fn following(&self) -> usize {
        let Some(at) = &self.mirror.at else { return 0 };
        self.log
            .partition_point(|entry| match place_of(&entry.name) {
                Some(end) if end.epoch == at.epoch => end.seq <= at.seq,
                _ => entry
                    .hello
                    .earlier
                    .iter()
                    .all(|name| name.epoch != at.epoch),
            })
    }

    fn restart_log(&mut self) {
        if self.read.is_some() {
            self.read = Some(self.following());
        }
        self.connect();
    }

    fn read(&mut self) {
        let Some(read) = &mut self.read else { return };
        let Some(entry) = self.log.get(*read).cloned() else {
            return;
        };
        *read += 1;
        match Consumer::new(self.mirror.at.clone()).greet(&entry.hello) {
            Greeted::Welcome(_) => {}
            Greeted::Begin { at, .. } => self.begin(at),
            Greeted::Foreign => return,
        }
        let batch = entry.batch;
        let consumer = Consumer::new(self.mirror.at.clone());
        let at = self.mirror.at.clone().expect("begun");
        let word = match consumer.judge(&batch) {
            Verdict::Take(which) => {
                let at = batch.after.after(&batch.rows);
                self.mirror
                    .rows
                    .extend(batch.rows[which].iter().map(|row| row.what));
                self.mirror.at = Some(at.clone());
                Word::Applied(at)
            }
            Verdict::Known => Word::Applied(at),
            Verdict::Gap => Word::Resend(at),
            Verdict::Foreign => return,
        };
        self.down.push(word);
        self.nothing_is_twice();
    }

    fn begin(&mut self, at: Place) {
        self.mirror = Mirror {
            at: Some(at),
            rows: Vec::new(),
        };
    }

    fn nothing_is_twice(&self) {
        let Some(at) = &self.mirror.at else { return };
        assert_eq!(at.seq, self.mirror.rows.len() as u64);
        let is_in_order = self.mirror.rows.is_sorted_by(|one, other| one < other);
        assert!(is_in_order, "{:?}", self.mirror.rows);
    }

    /// A hall introduces itself.
    fn hear(&mut self, hello: &Hello) {
        let Some(read) = self.read else { return };
        let at = match Consumer::new(self.mirror.at.clone()).greet(hello) {
            Greeted::Welcome(at) => at,
            Greeted::Begin { at, .. } => {
                self.begin(at.clone());
                at
            }
            // A person says that it counts.
            Greeted::Foreign => {
                self.mirror = Mirror::default();
                let (epoch, why) = (hello.epoch.clone(), "another".to_owned());
                return self.down.push(Word::Refused { epoch, why });
            }
        };
        self.down.push(Word::Welcome(at.clone()));
        if at.seq < hello.head && self.log.len() <= read {
            self.down.push(Word::Resend(at));
        }
    }

    fn arrive(&mut self, to_hub: bool, n: usize) {
        if to_hub && n < self.up.len() {
            let hello = self.up.remove(n);
            self.hear(&hello);
        } else if !to_hub && n < self.down.len() {
            let word = self.down.remove(n);
            self.tell(Input::Heard(word));
        }
    }

    fn happen(&mut self, happening: &Happening) {
        match *happening {
            Happening::Write(count) => self.write(count),
            Happening::Log => self.log(),
            Happening::Fate => self.fate(),
            Happening::Read => self.read(),
            Happening::Arrive(to_hub, n) => self.arrive(to_hub, n),
            Happening::Lose(true, n) if n < self.up.len() => drop(self.up.remove(n)),
            Happening::Lose(false, n) if n < self.down.len() => drop(self.down.remove(n)),
            Happening::Repeat(true, n) if n < self.up.len() => self.up.push(self.up[n].clone()),
            Happening::Repeat(false, n) if n < self.down.len() => {
                self.down.push(self.down[n].clone());
            }
            Happening::Lose(..) | Happening::Repeat(..) => {}
            Happening::Wait(time) => self.wait(time),
            Happening::KillHall => self.start_hall(),
            Happening::Hub(is_there) => self.hub(is_there),
            Happening::KillLog => self.restart_log(),
            Happening::LogCopy(true) => self.log_copy = self.log.clone(),
            Happening::LogCopy(false) => {
                self.log = self.log_copy.clone();
                self.restart_log();
            }
            Happening::Forget => {
                self.log.clear();
                self.restart_log();
            }
            Happening::Full(is_full) => self.is_full = is_full,
            Happening::HubCopy(true) => self.hub_copy = self.mirror.clone(),
            Happening::HubCopy(false) => {
                self.mirror = self.hub_copy.clone();
                self.hub(true);
            }
            Happening::HallCopy(true) => self.hall_copy = self.store.clone(),
            Happening::HallCopy(false) => {
                self.store = self.hall_copy.clone();
                self.start_hall();
            }
        }
    }

    fn hub(&mut self, is_there: bool) {
        self.read = is_there.then(|| self.following());
        if is_there {
            self.tell(Input::Called);
        }
    }

    fn wait(&mut self, time: Millis) {
        self.now += time;
        self.tell(Input::Tick);
    }

    fn is_complete(&self) -> bool {
        self.publisher.behind() == 0 && self.publisher.applied().is_some()
    }

    /// From now on nothing is lost, and all are there: what the hub has is what was written.
    fn settle(&mut self) {
        self.is_full = false;
        self.up.clear();
        self.down.clear();
        self.hub(true);
        self.connect();
        self.sent = 0;
        for _ in 0..5_000 {
            if !self.to_log.is_empty() {
                self.log();
            } else if !self.fates.is_empty() {
                self.fate();
            } else if self.read.is_some_and(|read| read < self.log.len()) {
                self.read();
            } else if !self.up.is_empty() {
                self.arrive(true, 0);
            } else if !self.down.is_empty() {
                self.arrive(false, 0);
            } else if self.is_complete() {
                break;
            } else {
                self.wait(1_000);
            }
        }
        let written: Vec<Said> = self.store.rows.iter().map(|row| row.what).collect();
        assert!(self.mirror.rows == written, "{:?}", self.publisher);
        assert_eq!(self.publisher.behind(), 0);
        let at = Place::start(&self.store.epoch).after(&self.store.rows);
        assert_eq!(self.mirror.at.as_ref(), Some(&at));
        assert_eq!(self.publisher.applied(), Some(&at));
        // Nothing is sent without end.
        assert!(self.sent <= 3 * written.len(), "{} sent", self.sent);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, ..ProptestConfig::default() })]

    #[test]
    fn in_the_end_the_hub_has_every_row_once(
        happenings in prop::collection::vec(happening(), 1..120)
    ) {
        let mut world = World::new();
        for happening in &happenings {
            world.happen(happening);
        }
        world.settle();
    }
}

/// Everything that is on its way arrives.
fn calm(world: &mut World) {
    while !world.to_log.is_empty() || !world.fates.is_empty() {
        world.log();
        world.fate();
    }
}

#[test]
fn while_the_hub_is_away_all_is_kept_and_read_later_without_the_hall() {
    let mut world = World::new();
    world.hub(false);
    world.write(5_000);
    world.wait(10_000);
    calm(&mut world);
    assert_eq!(world.sent, 5_000, "each once");
    // The hall is switched off.
    world.hub(true);
    while world.read < Some(world.log.len()) {
        world.read();
    }
    assert_eq!(world.mirror.rows.len(), 5_000);
}

#[test]
fn what_a_log_has_forgotten_is_seen_and_written_again() {
    let mut world = World::new();
    world.write(300);
    world.wait(10_000);
    calm(&mut world);
    let copy = world.log.clone();
    world.hub(false);
    world.write(2_000);
    calm(&mut world);
    for forgotten in [copy, Vec::new()] {
        world.log = forgotten;
        world.write(1);
        calm(&mut world);
        let kept: usize = world.log.iter().map(|entry| entry.batch.rows.len()).sum();
        assert!(kept >= world.store.rows.len(), "{kept}");
    }
    world.settle();
}

#[test]
fn a_refusal_of_another_journal_is_none_of_this() {
    let mut world = World::new();
    let (epoch, why) = ("other".to_owned(), "another".to_owned());
    world.tell(Input::Heard(Word::Refused { epoch, why }));
    assert_eq!(world.publisher.refused(), None);
    let (epoch, why) = ("e0".to_owned(), "another".to_owned());
    world.tell(Input::Heard(Word::Refused { epoch, why }));
    assert_eq!(world.publisher.refused(), Some("another"));
}

#[test]
fn what_somebody_else_writes_makes_a_hall_send_nothing_twice() {
    let mut world = World::new();
    world.hub(false);
    world.write(600);
    world.wait(10_000);
    calm(&mut world);
    let mut foreign = world.log[0].clone();
    foreign.name = "another/7/7/line-1".to_owned();
    world.log.push(foreign);
    world.write(1);
    calm(&mut world);
    assert_eq!(world.sent, 602, "the last once more, as it was refused");
    let ends = world.log.last().map(|entry| place_of(&entry.name));
    assert_eq!(ends.flatten().map(|end| end.seq), Some(601));
}
