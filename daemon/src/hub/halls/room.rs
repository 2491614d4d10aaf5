//! A hall in detail, as its mirror shows it.

use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::hall::Hall;
use crate::incidents::Incidents;
use crate::office::Office;

/// What is shown of a hall in detail, once its mirror has begun.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    pub(crate) hall: Hall,
    pub(crate) office: Office,
    pub(crate) incidents: Incidents,
}

/// What is begun once the mirror of a hall can be shown: somebody looks for what waits there.
#[derive(Clone, Debug)]
pub(super) struct Lookout {
    pub(super) runtime: Handle,
    pub(super) shutdown: CancellationToken,
}

impl Lookout {
    /// What is shown of a mirrored hall.
    pub(super) fn room(&self, hall: Hall, office: Office) -> Room {
        let incidents = Incidents::of_mirror(hall.clone(), office.clone());
        let watched = incidents.clone().watch(self.shutdown.clone());
        self.runtime.spawn(watched);
        Room {
            hall,
            office,
            incidents,
        }
    }
}
