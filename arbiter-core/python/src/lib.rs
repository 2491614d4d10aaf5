//! The arbiter for Python: events in and rulings out are the dictionaries of event scripts.

use std::sync::{Mutex, MutexGuard, PoisonError};

use arbiter_core::input::Setup;
use arbiter_core::ruling::Announcement;
use arbiter_core::{Event, Input, Time};
use mating::Follower;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pythonize::{depythonize, pythonize};
use serde::Serialize;

/// Follows one board. What it asks, who can still mate, it answers itself.
#[pyclass(module = "arbiter_core")]
struct Arbiter {
    /// One at a time: Python's threads share it.
    follower: Mutex<Follower>,
    /// What the `setup` brought about, until the first event is taken.
    said: Vec<Announcement>,
}

#[pymethods]
impl Arbiter {
    /// An arbiter of a game that is set up: the fields of a `setup` but for `event` and `at`.
    #[new]
    fn new(setup: &Bound<'_, PyAny>) -> PyResult<Arbiter> {
        let setup: Setup = depythonize(setup).map_err(|error| wrong("setup", &error))?;
        let (mut follower, mut said) = (Follower::new(), Vec::new());
        let begins = Event {
            at: Time::ZERO,
            input: Input::Setup(setup.into()),
        };
        let _recorded_by_none = follower.handle(&begins, &mut said);
        Ok(Arbiter {
            follower: Mutex::new(follower),
            said,
        })
    }

    /// Takes an event, and gives the rulings that follow from it.
    fn handle<'py>(&mut self, event: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = event.py();
        let event: Event = depythonize(event).map_err(|error| wrong("event", &error))?;
        let mut said = std::mem::take(&mut self.said);
        let follower = self.follower.get_mut();
        let follower = follower.unwrap_or_else(PoisonError::into_inner);
        // A hard question may take a second: other threads go on meanwhile.
        let _recorded_by_none = py.detach(|| follower.handle(&event, &mut said));
        to_python(py, &said)
    }

    /// Ends the game at hand: what was left to say, and its summary.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut said = std::mem::take(&mut self.said);
        let follower = self.follower.get_mut();
        let follower = follower.unwrap_or_else(PoisonError::into_inner);
        follower.finish(&mut said);
        to_python(py, &said)
    }

    /// The board's state as consoles show it: position, plies, open findings and doubts.
    fn view<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.locked().arbiter().view())
    }

    /// When silence itself would mean something, in milliseconds: give a `tick` later than that.
    /// `None` where it never does.
    fn next_wake(&self) -> Option<u64> {
        let wake = self.locked().arbiter().next_wake();
        wake.map(|wake| wake.since(Time::ZERO))
    }
}

impl Arbiter {
    fn locked(&self) -> MutexGuard<'_, Follower> {
        self.follower.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wrong(what: &str, error: &pythonize::PythonizeError) -> PyErr {
    PyValueError::new_err(format!("{what}: {error}"))
}

fn to_python<'py, T: Serialize + ?Sized>(
    py: Python<'py>,
    value: &T,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(pythonize(py, value)?)
}

/// What `import arbiter_core` finds.
#[pymodule]
fn _arbiter_core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Arbiter>()
}
