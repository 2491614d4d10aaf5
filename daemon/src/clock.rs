//! The machine's own clock. A board computer that has no battery for it has lost the time, and
//! where no network tells it, the chief arbiter's device does, before the first round.
//!
//! It is looked at and set by `timedatectl` (timedatectl(1)); the service manager lets this
//! program's user do so by a rule of the package (polkit).

use std::io;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::process::Command;
use tokio::time::{sleep, timeout};

/// No answer of the service manager takes longer.
const PATIENCE: Duration = Duration::from_secs(10);
/// The service that follows clocks of the network ends within so long after it was told to.
const ENDING: Duration = Duration::from_secs(3);
/// When that is looked at again.
const AGAIN: Duration = Duration::from_millis(200);

/// The world's time as it was when this was made, gone on by a clock that nobody sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steady {
    began: (i64, Instant),
}

impl Steady {
    pub(crate) fn new() -> Steady {
        Steady {
            began: (Timestamp::now().as_millisecond(), Instant::now()),
        }
    }

    /// Now, in milliseconds since 1970.
    pub(crate) fn now(self) -> i64 {
        let passed = i64::try_from(self.began.1.elapsed().as_millis());
        self.began.0.saturating_add(passed.unwrap_or(i64::MAX))
    }
}

/// Why the clock is not set.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClockError {
    /// It needs nobody.
    #[error("the machine's clock follows the network's: it needs no other")]
    Followed,
    /// There is no such program, or nobody to ask.
    #[error("the machine's clock can only be set at the machine: {0}")]
    Absent(String),
    /// The service manager says no.
    #[error("the machine's clock was not set: {0}")]
    Refused(String),
}

impl From<io::Error> for ClockError {
    fn from(error: io::Error) -> ClockError {
        ClockError::Absent(format!("timedatectl: {error}"))
    }
}

/// What the service manager says of the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Watched {
    /// A service is to follow clocks of the network, be there one or not.
    follows: bool,
    /// It does: the time is right.
    pub(crate) is_right: bool,
}

/// Asks what becomes of the clock.
pub(crate) async fn watched() -> Result<Watched, ClockError> {
    let asked = ["show", "--property=NTP", "--property=NTPSynchronized"];
    let answer = timedatectl(&asked).await?;
    if !answer.status.success() {
        return Err(ClockError::Absent(last_line(&answer)));
    }
    let said = String::from_utf8_lossy(&answer.stdout);
    let is_so = |key: &str| said.lines().any(|line| line == format!("{key}=yes"));
    Ok(Watched {
        follows: is_so("NTP"),
        is_right: is_so("NTPSynchronized"),
    })
}

/// Sets the clock to `at`, and says by how many seconds it jumped. Whatever follows clocks of the
/// network goes on doing so.
pub(crate) async fn set(at: Timestamp) -> Result<i64, ClockError> {
    let watched = watched().await?;
    if watched.is_right {
        return Err(ClockError::Followed);
    }
    let (before, begun) = (Timestamp::now(), Instant::now());
    let done = match watched.follows {
        // No clock is set by hand while something is to follow others.
        true => {
            order(&["set-ntp", "false"]).await?;
            let done = set_soon(at, begun).await;
            order(&["set-ntp", "true"]).await?;
            done
        }
        false => set_once(at, begun).await,
    };
    done?;
    let passed = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
    let jumped = Timestamp::now().as_millisecond() - before.as_millisecond() - passed;
    Ok(jumped.div_euclid(1000))
}

/// Sets it as soon as what followed other clocks has ended.
async fn set_soon(at: Timestamp, begun: Instant) -> Result<(), ClockError> {
    loop {
        match set_once(at, begun).await {
            Err(ClockError::Refused(_)) if begun.elapsed() < ENDING => sleep(AGAIN).await,
            done => return done,
        }
    }
}

/// `at` was the time when it was `begun`.
async fn set_once(at: Timestamp, begun: Instant) -> Result<(), ClockError> {
    let passed = i64::try_from(begun.elapsed().as_millis()).unwrap_or(0);
    let now = at.as_millisecond().saturating_add(passed);
    let (seconds, rest) = (now.div_euclid(1000), now.rem_euclid(1000));
    order(&["set-time", &format!("@{seconds}.{rest:03}")]).await
}

async fn order(words: &[&str]) -> Result<(), ClockError> {
    let answer = timedatectl(words).await?;
    match answer.status.success() {
        true => Ok(()),
        false => Err(ClockError::Refused(last_line(&answer))),
    }
}

async fn timedatectl(words: &[&str]) -> Result<Output, ClockError> {
    let mut command = Command::new("timedatectl");
    command.arg("--no-ask-password").args(words);
    command.stdin(Stdio::null()).kill_on_drop(true);
    let answer = timeout(PATIENCE, command.output()).await;
    answer
        .map_err(|_| ClockError::Absent("timedatectl does not answer".to_owned()))?
        .map_err(ClockError::from)
}

fn last_line(answer: &Output) -> String {
    let said = String::from_utf8_lossy(&answer.stderr);
    let last = said.trim().lines().last().map(str::to_owned);
    last.unwrap_or_else(|| format!("timedatectl ended ({})", answer.status))
}
