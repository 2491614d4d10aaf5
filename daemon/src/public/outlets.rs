//! How it stands with the ways out of the gate, for those at the desk.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::shown::Outlet;

/// A way out that is configured, and how it stands with it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "PublicOutletState")]
pub struct OutletState {
    /// Which.
    pub outlet: Outlet,
    /// Where that is: an address, or a directory.
    pub place: String,
    /// When everything public was last there, in RFC 3339; `None` where it is there at once.
    pub done: Option<String>,
    /// Why not everything is there, and what is tried.
    pub problem: Option<String>,
    /// Clients that follow boards there now; `None` where none is counted.
    pub clients: Option<usize>,
}

/// All that are configured. Cheap to clone; all clones tell the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outlets(Arc<RwLock<BTreeMap<Outlet, OutletState>>>);

/// A client of an outlet, as long as it is there.
#[derive(Debug)]
pub(crate) struct Client(Outlets, Outlet);

impl Outlets {
    /// All of them.
    pub(crate) fn list(&self) -> Vec<OutletState> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        all.values().cloned().collect()
    }

    /// There is one.
    pub(crate) fn open(&self, outlet: Outlet, place: String) {
        let state = OutletState {
            outlet,
            place,
            done: None,
            problem: None,
            clients: (outlet == Outlet::Livechess).then_some(0),
        };
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.insert(outlet, state);
    }

    /// Those that have at once what is shown.
    pub(super) fn at_once(&self) -> Vec<Outlet> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let at_once = [Outlet::Live, Outlet::Livechess].into_iter();
        at_once.filter(|outlet| all.contains_key(outlet)).collect()
    }

    /// Everything public is there, or why it is not.
    pub(super) fn tell(&self, outlet: Outlet, problem: Option<String>) {
        self.change(outlet, |state| {
            if problem.is_none() {
                state.done = Some(Timestamp::now().to_string());
            }
            state.problem = problem;
        });
    }

    /// Somebody follows boards there.
    pub(crate) fn client(&self, outlet: Outlet) -> Client {
        self.count(outlet, 1);
        Client(self.clone(), outlet)
    }

    fn count(&self, outlet: Outlet, more: isize) {
        self.change(outlet, |state| {
            let clients = state.clients.unwrap_or(0).saturating_add_signed(more);
            state.clients = Some(clients);
            metrics::gauge!("arbiter_livechess_clients").set(clients as f64);
        });
    }

    fn change(&self, outlet: Outlet, change: impl FnOnce(&mut OutletState)) {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(state) = all.get_mut(&outlet) {
            change(state);
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.0.count(self.1, -1);
    }
}
