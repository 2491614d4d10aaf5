//! A hall, a hub, and a carrier between them that loses, repeats, reorders and forgets, while both
//! ends are killed and put back to older copies: in the end the hub has every row once.

use proptest::prelude::*;
use replica::{
    BATCH, Batch, Consumer, Earlier, Greeted, Hello, Input, Millis, Place, Publisher, Row, Todo,
    Verdict, Why, Word,
};

/// Something that happens.
#[derive(Clone, Debug)]
enum Happening {
    /// The hall writes so many rows.
    Write(u16),
    /// What is on its way arrives: to the hub (true) or to the hall, the one of this number.
    Arrive(bool, usize),
    /// It is lost.
    Lose(bool, usize),
    /// It will arrive once more.
    Repeat(bool, usize),
    /// Time passes.
    Wait(Millis),
    /// The hall's program is killed and comes back.
    KillHall,
    /// The hub's.
    KillHub,
    /// The line is cut and comes back; the carrier may keep what was on its way.
    Cut(bool),
    /// The hub's disk is put back to the copy taken last, and a copy is taken.
    HubCopy(bool),
    /// The hall's.
    HallCopy(bool),
}

fn happening() -> impl Strategy<Value = Happening> {
    use Happening::*;
    prop_oneof![
        6 => (1u16..700).prop_map(Write),
        24 => (any::<bool>(), 0usize..4).prop_map(|(to, n)| Arrive(to, n)),
        3 => (any::<bool>(), 0usize..4).prop_map(|(to, n)| Lose(to, n)),
        3 => (any::<bool>(), 0usize..4).prop_map(|(to, n)| Repeat(to, n)),
        4 => (1u64..20_000).prop_map(Wait),
        1 => Just(KillHall),
        1 => Just(KillHub),
        1 => any::<bool>().prop_map(Cut),
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

enum Up {
    Hello(Hello),
    Batch(Batch<Said>),
}

struct World {
    now: Millis,
    written: u64,
    epochs: u32,
    store: Store,
    hall_copy: Store,
    publisher: Publisher,
    mirror: Mirror,
    hub_copy: Mirror,
    up: Vec<Up>,
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
            written: 0,
            epochs: 0,
            hall_copy: store.clone(),
            store,
            publisher: Publisher::new(),
            mirror: Mirror::default(),
            hub_copy: Mirror::default(),
            up: Vec::new(),
            down: Vec::new(),
            sent: 0,
        };
        world.start_hall();
        world
    }

    fn start_hall(&mut self) {
        self.publisher = Publisher::new();
        self.tell(self.journal());
        self.tell(Input::Line(true));
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
                    Todo::Greet(hello) => self.up.push(Up::Hello(hello)),
                    Todo::Send(batch) => {
                        self.sent += batch.rows.len();
                        self.up.push(Up::Batch(batch));
                    }
                    Todo::Read(after) => {
                        let found = self.read(&after);
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

    fn read(&self, after: &Place) -> Option<Vec<Row<Said>>> {
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
        self.epochs += 1;
        let old = std::mem::replace(&mut self.store.epoch, format!("e{}", self.epochs));
        let why = Why::Other;
        self.store.earlier.push(Earlier { epoch: old, why });
    }

    fn write(&mut self, count: u16) {
        for _ in 0..count {
            self.written += 1;
            // Chance: no two rows of any history have one mark.
            let mark = (self.written * 2_654_435_761).cast_signed();
            let what = self.written;
            self.store.rows.push(Row { mark, what });
        }
        self.tell(self.journal());
    }

    /// What the hub does with what arrives there.
    fn hub(&mut self, up: Up) {
        let mut consumer = Consumer::new(self.mirror.at.clone());
        let word = match up {
            Up::Hello(hello) => match consumer.greet(&hello) {
                Greeted::Welcome(at) => Word::Welcome(at),
                Greeted::Begin { at, .. } => {
                    self.mirror = Mirror {
                        at: Some(at.clone()),
                        rows: Vec::new(),
                    };
                    Word::Welcome(at)
                }
                // A person says that it counts.
                Greeted::Foreign => {
                    self.mirror = Mirror::default();
                    Word::Refused {
                        epoch: hello.epoch.clone(),
                        why: "another".to_owned(),
                    }
                }
            },
            Up::Batch(batch) => match consumer.judge(&batch) {
                Verdict::Take(which) => {
                    let at = batch.after.after(&batch.rows);
                    let taken = batch.rows[which].iter().map(|row| row.what);
                    self.mirror.rows.extend(taken);
                    self.mirror.at = Some(at.clone());
                    consumer.applied(at.clone());
                    Word::Applied(at)
                }
                Verdict::Known | Verdict::Gap | Verdict::Foreign => match consumer.at() {
                    Some(at) if consumer.judge(&batch) == Verdict::Gap => Word::Resend(at.clone()),
                    Some(at) => Word::Applied(at.clone()),
                    None => Word::Refused {
                        epoch: batch.after.epoch.clone(),
                        why: "introduce yourself".to_owned(),
                    },
                },
            },
        };
        self.down.push(word);
        self.nothing_is_twice();
    }

    fn nothing_is_twice(&self) {
        let Some(at) = &self.mirror.at else { return };
        assert_eq!(at.seq, self.mirror.rows.len() as u64);
        let is_in_order = self.mirror.rows.is_sorted_by(|one, other| one < other);
        assert!(is_in_order, "{:?}", self.mirror.rows);
    }

    fn arrive(&mut self, to_hub: bool, n: usize) {
        if to_hub && n < self.up.len() {
            let up = self.up.remove(n);
            self.hub(up);
        } else if !to_hub && n < self.down.len() {
            let word = self.down.remove(n);
            self.tell(Input::Heard(word));
        }
    }

    fn happen(&mut self, happening: &Happening) {
        match *happening {
            Happening::Write(count) => self.write(count),
            Happening::Arrive(to_hub, n) => self.arrive(to_hub, n),
            Happening::Lose(true, n) if n < self.up.len() => drop(self.up.remove(n)),
            Happening::Lose(false, n) if n < self.down.len() => drop(self.down.remove(n)),
            Happening::Repeat(true, n) if n < self.up.len() => {
                let again = match &self.up[n] {
                    Up::Hello(hello) => Up::Hello(hello.clone()),
                    Up::Batch(batch) => Up::Batch(batch.clone()),
                };
                self.up.push(again);
            }
            Happening::Repeat(false, n) if n < self.down.len() => {
                self.down.push(self.down[n].clone());
            }
            Happening::Lose(..) | Happening::Repeat(..) => {}
            Happening::Wait(time) => self.wait(time),
            Happening::KillHall => self.start_hall(),
            Happening::KillHub => self.nothing_is_twice(),
            Happening::Cut(keeps) => {
                if !keeps {
                    self.up.clear();
                    self.down.clear();
                }
                self.tell(Input::Line(false));
                self.tell(Input::Line(true));
            }
            Happening::HubCopy(true) => self.hub_copy = self.mirror.clone(),
            Happening::HubCopy(false) => self.mirror = self.hub_copy.clone(),
            Happening::HallCopy(true) => self.hall_copy = self.store.clone(),
            Happening::HallCopy(false) => {
                self.store = self.hall_copy.clone();
                self.start_hall();
            }
        }
    }

    fn wait(&mut self, time: Millis) {
        self.now += time;
        self.tell(Input::Tick);
    }

    /// From now on nothing is lost: what the hub has is what was written.
    fn settle(&mut self) {
        self.tell(Input::Line(false));
        self.up.clear();
        self.down.clear();
        self.tell(Input::Line(true));
        self.sent = 0;
        for _ in 0..2_000 {
            match (self.up.is_empty(), self.down.is_empty()) {
                (false, _) => self.arrive(true, 0),
                (_, false) => self.arrive(false, 0),
                _ if self.publisher.behind() == 0 && self.publisher.applied().is_some() => break,
                _ => self.wait(1_000),
            }
        }
        let written: Vec<Said> = self.store.rows.iter().map(|row| row.what).collect();
        assert!(self.mirror.rows == written, "{:?}", self.publisher);
        assert_eq!(self.publisher.behind(), 0);
        let at = Place::start(&self.store.epoch).after(&self.store.rows);
        assert_eq!(self.mirror.at.as_ref(), Some(&at));
        assert_eq!(self.publisher.applied(), Some(&at));
        // A line that loses nothing needs nothing twice, but for a history that begins anew.
        assert!(self.sent <= 2 * written.len(), "{} sent", self.sent);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

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

#[test]
fn a_hub_that_is_away_costs_nothing_but_time() {
    let mut world = World::new();
    world.tell(Input::Line(false));
    world.write(5_000);
    world.up.clear();
    assert_eq!(world.publisher.next_wake(), None);
    world.settle();
}

#[test]
fn an_older_copy_of_a_hall_that_went_on_is_told_from_what_the_hub_has() {
    let mut world = World::new();
    world.write(300);
    world.happen(&Happening::HallCopy(true));
    world.write(100);
    world.settle();
    // Somebody puts the older copy back; as many rows are written in it as the other had, and more.
    world.happen(&Happening::HallCopy(false));
    world.write(150);
    world.settle();
    assert_eq!(world.store.earlier[0].epoch, "e0");
}

#[test]
fn another_store_of_the_same_name_is_taken_for_nobody_elses() {
    let at = Place {
        epoch: "one".to_owned(),
        seq: 7,
        mark: 1,
    };
    let consumer = Consumer::new(Some(at));
    let hello = Hello {
        epoch: "two".to_owned(),
        earlier: Vec::new(),
        head: 9,
    };
    assert_eq!(consumer.greet(&hello), Greeted::Foreign);
    let batch = Batch {
        after: Place::start("two"),
        rows: vec![Row { mark: 1, what: 1 }],
    };
    assert_eq!(consumer.judge(&batch), Verdict::Foreign);
}

#[test]
fn what_was_erased_since_a_mirror_was_made_goes_with_it() {
    let earlier = |epoch: &str, why| Earlier {
        epoch: epoch.to_owned(),
        why,
    };
    let hello = Hello {
        epoch: "d".to_owned(),
        earlier: vec![
            earlier("a", Why::Other),
            earlier("b", Why::Erased),
            earlier("c", Why::Other),
        ],
        head: 3,
    };
    let instead = |epoch| match Consumer::new(Some(Place::start(epoch))).greet(&hello) {
        Greeted::Begin { instead, .. } => instead,
        other => panic!("{other:?}"),
    };
    assert_eq!(instead("a"), Some(Why::Erased));
    assert_eq!(instead("b"), Some(Why::Erased));
    assert_eq!(instead("c"), Some(Why::Other));
}
