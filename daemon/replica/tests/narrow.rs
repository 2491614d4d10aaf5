//! A line that carries little: what a hall has written while it was cut off takes its time, and is
//! sent once.

use std::collections::VecDeque;

use replica::{
    BATCH, Batch, Consumer, Greeted, Hello, Input, Millis, Place, Publisher, Row, Todo, Verdict,
    Word,
};

/// A hall, and a hub at the end of a line that carries so many rows a second.
struct World {
    now: Millis,
    rows: Vec<Row<u64>>,
    publisher: Publisher,
    consumer: Consumer,
    /// What waits in the line, and when its first is there.
    line: VecDeque<Batch<u64>>,
    there: Option<Millis>,
    per_second: u64,
    sent: usize,
    /// The longest time in which nothing was there.
    longest: Millis,
    keeps: bool,
}

impl World {
    /// So many rows wait in the hall. The line may lead to a carrier that keeps what is sent.
    fn new(rows: u64, per_second: u64, keeps: bool) -> World {
        let mut world = World {
            now: 0,
            rows: (1..=rows).map(|n| row(n.cast_signed())).collect(),
            publisher: Publisher::new(),
            consumer: Consumer::new(None),
            line: VecDeque::new(),
            there: None,
            per_second,
            sent: 0,
            longest: 0,
            keeps,
        };
        world.tell(world.journal());
        world.tell(Input::Line(true));
        if keeps {
            world.tell(Input::Torn(None));
        }
        world
    }

    fn journal(&self) -> Input<u64> {
        Input::Journal {
            epoch: "e".to_owned(),
            earlier: Vec::new(),
            head: self.rows.len() as u64,
        }
    }

    fn tell(&mut self, input: Input<u64>) {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            let mut todo = Vec::new();
            self.publisher.handle(self.now, input, &mut todo);
            for todo in todo {
                match todo {
                    Todo::Greet(hello) => inputs.extend(self.greet(&hello)),
                    Todo::Send(batch) => self.send(batch),
                    Todo::Read(after) => {
                        let from = usize::try_from(after.seq).unwrap();
                        let found = self.rows[from..].iter().take(BATCH).cloned().collect();
                        inputs.push_back(Input::Read(after, Some(found)));
                    }
                    Todo::Renew => panic!("nothing is lost"),
                }
            }
        }
    }

    /// Hardly anything, so that it takes no time.
    fn greet(&mut self, hello: &Hello) -> Option<Input<u64>> {
        let at = match self.consumer.greet(hello) {
            Greeted::Welcome(at) => at,
            Greeted::Begin { at, .. } => {
                self.consumer.applied(at.clone());
                at
            }
            Greeted::Foreign => return None,
        };
        Some(Input::Heard(Word::Welcome(at)))
    }

    fn send(&mut self, batch: Batch<u64>) {
        self.sent += batch.rows.len();
        self.line.push_back(batch);
        self.go_on();
    }

    fn go_on(&mut self) {
        if let (None, Some(first)) = (self.there, self.line.front()) {
            let takes = first.rows.len() as u64 * 1_000 / self.per_second;
            self.there = Some(self.now + takes);
            self.longest = self.longest.max(takes);
        }
    }

    /// Lets time pass until the hub has everything; how long that takes.
    fn catch_up(&mut self) -> Millis {
        let begun = self.now;
        while self.publisher.behind() > 0 {
            let wake = self.publisher.next_wake();
            let next = self.there.into_iter().chain(wake).min();
            self.now = next.expect("something is to come").max(self.now);
            assert!(self.now - begun < 3_600_000, "{:?}", self.publisher);
            if self.there == Some(self.now) {
                let batch = self.line.pop_front().expect("a batch");
                self.there = None;
                self.go_on();
                let word = self.arrives(&batch);
                if let (Word::Applied(at), true) = (&word, self.keeps) {
                    self.tell(Input::Kept(at.clone()));
                }
                self.tell(Input::Heard(word));
            }
            self.tell(Input::Tick);
        }
        self.now - begun
    }

    fn arrives(&mut self, batch: &Batch<u64>) -> Word {
        if let Verdict::Take(_) = self.consumer.judge(batch) {
            self.consumer.applied(batch.after.after(&batch.rows));
        }
        let at = self.consumer.at().cloned();
        Word::Applied(at.unwrap_or_else(|| Place::start("e")))
    }
}

fn row(n: i64) -> Row<u64> {
    Row {
        mark: n * 2_654_435_761,
        what: n.unsigned_abs(),
    }
}

/// Three hundred bytes a row: 3, 6, 12 kB a second and more.
#[test]
fn a_narrow_line_is_not_filled_with_what_is_on_its_way_already() {
    let speeds = [10, 20, 40, 100, 1_000].into_iter();
    for (per_second, keeps) in speeds.flat_map(|speed| [(speed, false), (speed, true)]) {
        let rows = 6_000;
        let mut world = World::new(rows, per_second, keeps);
        let took = world.catch_up();
        let sent = world.sent as u64;
        let least = rows * 1_000 / per_second;
        println!("{per_second} rows a second: {sent} rows sent in {took} ms, {least} at least");
        assert!(
            sent <= rows + BATCH as u64,
            "{per_second} a second: {sent} sent"
        );
        let most = least + least / 20 + 1_000;
        assert!(took <= most, "{per_second} a second: {took} ms");
        // The hub hangs up on a hall of which it hears nothing.
        assert!(
            world.longest <= 10_000,
            "{per_second} a second: {} ms",
            world.longest
        );
    }
}
