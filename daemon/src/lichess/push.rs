//! The thread that pushes.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use tokio_util::sync::CancellationToken;

use super::games::{Sheet, sheets};
use super::part::Part;
use super::post::Post;
use super::rules::{Round, Rules};
use super::state::{Board, Left, Pushed, Status};
use super::token::Token;
use crate::public::{Gate, Outlet};

/// How fast it is pushed, and how patiently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pace {
    /// Between two requests for the same games.
    pub pause: Duration,
    /// After the first request that failed; after each further one twice as long.
    pub first: Duration,
    /// The longest of those.
    pub longest: Duration,
    /// After the answer that there were too many. Nothing that was sent is under way for longer.
    pub rest: Duration,
    /// The longest that one request may take.
    pub timeout: Duration,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            pause: Duration::from_secs(3),
            first: Duration::from_secs(2),
            longest: Duration::from_secs(60),
            rest: Duration::from_secs(60),
            timeout: Duration::from_secs(20),
        }
    }
}

/// Whoever pushes, for those who want to know how it goes. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Pusher {
    gate: Gate,
    rounds: Arc<[Round]>,
    board: Board,
}

impl Pusher {
    /// Pushes what passes the gate, until the shutdown. Needs a runtime.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub fn start(
        gate: Gate,
        rules: &Rules,
        token: Token,
        shutdown: CancellationToken,
    ) -> io::Result<Pusher> {
        let pusher = Pusher {
            gate: gate.clone(),
            rounds: rules.rounds.clone().into(),
            board: Board::default(),
        };
        let named = |round: &Round| Left {
            pushed: Pushed {
                event: round.event,
                round: round.round,
                id: round.id.clone(),
                ..Pushed::default()
            },
            ..Left::default()
        };
        pusher.board.write(rules.rounds.iter().map(named).collect());
        let (wake, woken) = sync_channel(1);
        let mut changes = gate.changes();
        let end = shutdown.clone();
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    // The thread ends once nobody can wake it.
                    () = end.cancelled() => return,
                    Ok(()) = changes.changed() => {}
                }
                // One that was not heard yet is enough.
                let _is_awake = wake.try_send(());
            }
        });
        let round = |round: &Round| Sent {
            round: round.clone(),
            parts: BTreeMap::new(),
        };
        let push = Push {
            gate,
            post: Post::new(&rules.url, token, &rules.pace),
            pace: rules.pace.clone(),
            rounds: rules.rounds.iter().map(round).collect(),
            rest: None,
            board: pusher.board.clone(),
            shutdown,
        };
        let thread = thread::Builder::new().name("lichess".to_owned());
        thread.spawn(move || push.run(&woken))?;
        Ok(pusher)
    }

    /// How each round goes. All of its games are looked at: not on the thread that the boards
    /// share.
    pub fn rounds(&self) -> Vec<Pushed> {
        let left = self.board.read().into_iter().zip(&*self.rounds);
        left.map(|(left, round)| left.now(&sheets(&self.gate, round)))
            .collect()
    }
}

/// A round, and what Lichess has of it, by the number of the request.
#[derive(Debug)]
struct Sent {
    round: Round,
    parts: BTreeMap<u16, Part>,
}

#[derive(Debug)]
struct Push {
    gate: Gate,
    post: Post,
    pace: Pace,
    rounds: Vec<Sent>,
    /// Nothing is asked before.
    rest: Option<Instant>,
    board: Board,
    shutdown: CancellationToken,
}

impl Push {
    fn run(mut self, woken: &Receiver<()>) {
        loop {
            let next = self.push();
            let heard = match next {
                None => woken.recv().map_err(RecvTimeoutError::from),
                Some(at) => woken.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            if heard == Err(RecvTimeoutError::Disconnected) || self.shutdown.is_cancelled() {
                return;
            }
        }
    }

    /// Pushes what is due; when something will be.
    fn push(&mut self) -> Option<Instant> {
        let mut rounds = std::mem::take(&mut self.rounds);
        let mut next: Option<Instant> = None;
        for n in 0..rounds.len() {
            let change = self.gate.change();
            let sheets = sheets(&self.gate, &rounds[n].round);
            rounds[n]
                .parts
                .retain(|number, _| sheets.iter().any(|s| s.number == *number));
            for sheet in &sheets {
                if self.shutdown.is_cancelled() {
                    return None;
                }
                let sent = &mut rounds[n];
                let due = self.push_sheet(sent, sheet, change);
                next = next.into_iter().chain(due).min();
                self.show(&rounds, n, &sheets);
            }
            // Also where there was nothing to push.
            self.show(&rounds, n, &sheets);
        }
        self.rounds = rounds;
        next
    }

    /// Pushes the games of one request, if it is time; when it will be.
    fn push_sheet(&mut self, sent: &mut Sent, sheet: &Sheet, change: u64) -> Option<Instant> {
        let (now, sum) = (Instant::now(), sheet.sum);
        let (Sent { round, parts }, pace) = (sent, &self.pace);
        let part = parts.entry(sheet.number).or_default();
        part.settle(&sum);
        let due = part.next(&sum, now)?.max(self.rest.unwrap_or(now));
        if due > now {
            return Some(due);
        }
        let answer = self.post.push(&round.id, &sheet.text());
        let now = Instant::now();
        let outcome = if answer.is_ok() { "taken" } else { "failed" };
        metrics::counter!("arbiter_lichess_requests_total", "outcome" => outcome).increment(1);
        match answer {
            Ok(answer) => {
                if part.problem.is_some() {
                    tracing::info!(round = round.round, "Lichess takes the games again");
                }
                let moment = (now, Timestamp::now());
                for game in part.take(sheet, &answer, moment, pace) {
                    let (table, error) = (game.table, game.error);
                    let round = round.round;
                    tracing::warn!(round, table, error, "Lichess has not taken a game");
                }
                let taken = part.taken.map_or(0, Timestamp::as_second);
                metrics::gauge!("arbiter_lichess_taken_timestamp_seconds").set(taken as f64);
                let is_refused = |table| {
                    part.refused
                        .iter()
                        .any(|r| r.table.is_none_or(|t| t == table))
                };
                let has = |table| {
                    let mut games = sheet.games.iter().map(|game| game.table);
                    games.any(|has| Some(has) == table && !is_refused(has))
                };
                let (event, number) = (round.event, Some(round.round));
                self.gate
                    .arrives(Outlet::Lichess, change, |of, in_round, table| {
                        (of, in_round) == (event, number) && has(table)
                    });
            }
            Err(failure) => {
                if part.problem.as_ref() != Some(&failure.what) {
                    tracing::warn!(round = round.round, "not pushed: {}", failure.what);
                }
                let wait = part.fail(&failure, now, pace);
                if failure.rest.is_some() {
                    self.rest = Some(now + wait);
                }
            }
        }
        part.next(&sum, now)
    }

    /// Shows how a round goes.
    fn show(&self, rounds: &[Sent], of: usize, sheets: &[Sheet]) {
        let now = Instant::now();
        let mut shown = self.board.read();
        let parts = &rounds[of].parts;
        let part = |sheet: &Sheet| parts.get(&sheet.number);
        let is_behind =
            |sheet: &Sheet| part(sheet).is_none_or(|part| part.is_behind(&sheet.sum, now));
        let problem = parts.values().find_map(|part| part.problem.clone());
        let again = parts.values().filter(|part| part.problem.is_some());
        let again = again.filter_map(Part::due).min().max(self.rest);
        let again = again.filter(|_| problem.is_some());
        let has = |(number, part): (&u16, &Part)| Some((*number, part.sent()?));
        shown[of].has = parts.iter().filter_map(has).collect();
        shown[of].pushed = Pushed {
            status: match (&problem, sheets.is_empty()) {
                (_, true) => Status::Waiting,
                (Some(_), _) => Status::Failing,
                (None, _) if sheets.iter().any(is_behind) => Status::Behind,
                (None, _) => Status::Current,
            },
            games: parts.values().map(|part| part.games).sum(),
            taken: parts
                .values()
                .filter_map(|part| part.taken)
                .max()
                .map(|at| at.to_string()),
            problem,
            again: again.and_then(|at| told(at.saturating_duration_since(now))),
            refused: parts
                .values()
                .flat_map(|part| part.refused.clone())
                .collect(),
            ..shown[of].pushed.clone()
        };
        let failing = shown.iter().map(|round| round.pushed.status);
        let failing = failing.filter(|status| *status == Status::Failing);
        metrics::gauge!("arbiter_lichess_failing").set(failing.count() as f64);
        let refused = shown.iter().map(|round| round.pushed.refused.len());
        metrics::gauge!("arbiter_lichess_refused").set(refused.sum::<usize>() as f64);
        self.board.write(shown);
    }
}

/// The moment after so long, in RFC 3339.
fn told(after: Duration) -> Option<String> {
    let after = SignedDuration::try_from(after).ok()?;
    let at = Timestamp::now().checked_add(after).ok()?;
    Some(at.round(jiff::Unit::Second).ok()?.to_string())
}
