//! Starts everything, and ends it in order: first the boards, then what they wrote, then the
//! console.

mod hubs;
mod listen;
mod signals;
mod wait;

use std::collections::HashMap;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use arbiter_core::settings::Language;
use board_driver::{BusLink, Link, PortSpec, Seat};
use sd_notify::NotifyState;
use tokio::sync::mpsc;
use tokio::task::{Id, JoinSet};
use tokio_util::sync::CancellationToken;

pub use listen::bind;
pub use signals::{ends_too, has_ended, on_signals};

use hubs::Hubs;
use listen::{bind_as, reached_at, tell_later};

use crate::awake;
use crate::config::{BoardConfig, Config, Entrance, EventConfig, Privacy};
use crate::hall::{BoardState, Hall, Station, usher};
use crate::http::{self, Socket};
use crate::hub::{Halls, Uplink};
use crate::incidents::Incidents;
use crate::journal::Journal;
use crate::lichess::{self, Pusher, Token, TokenError};
use crate::livechess;
use crate::mating::Solver;
use crate::meters;
use crate::office::{Minors, Office};
use crate::people::People;
use crate::public::{self, Gate, Keeper, Outlet};
use crate::scribe::Scribe;
use crate::session::{Parts, REPORTS, Session};
use crate::store::{self, Store, StoreError};
use crate::tls::{Tls, TlsError};
use crate::wiring::{Opening, Wiring};

/// How long boards may take to write down what they heard, and open requests to end.
const FAREWELL: Duration = Duration::from_secs(3);
/// How often the meters forget what they no longer need.
const UPKEEP: Duration = Duration::from_secs(5);

/// How often it is looked what has been kept long enough.
const FORGETTING: Duration = Duration::from_secs(3600);

/// Why the daemon could not run. One line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The console's address cannot be used.
    #[error("{address}: {what}")]
    Address {
        /// As configured.
        address: SocketAddr,
        /// Why, and what to do.
        what: String,
    },
    /// It is not safe to serve there.
    #[error("{address}: {what}")]
    Unsafe {
        /// As configured.
        address: SocketAddr,
        /// Why, and what to do.
        what: String,
    },
    /// There is no certificate.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// Lichess could not be told who pushes.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The hub of this hall cannot be called.
    #[error("[hub]: {0}")]
    Hub(String),
    /// Halls cannot come over NATS.
    #[error("[nats]: {0}")]
    Nats(String),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system refused something.
    #[error("cannot run: {0}")]
    System(#[from] std::io::Error),
}

/// The runtime that boards and console share: one thread, which is quicker than several for work
/// this light.
pub fn runtime() -> Result<tokio::runtime::Runtime, RunError> {
    Ok(tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?)
}

/// Runs the daemon until `shutdown`. Needs a runtime, such as [`runtime`]'s.
pub async fn run(config: Config, shutdown: CancellationToken) -> Result<(), RunError> {
    let listener = bind(config.listen)?;
    match wait::open(&config, &shutdown).await? {
        Some(daemon) => daemon.serve(listener).await,
        None => Ok(()),
    }
}

/// A running daemon: its boards are followed from [`Daemon::open`] on.
#[derive(Debug)]
pub struct Daemon {
    hall: Hall,
    people: People,
    office: Office,
    wiring: Wiring,
    incidents: Incidents,
    openings: mpsc::Receiver<Opening>,
    /// What sessions are made of; `None` once the program ends.
    means: Option<Means>,
    socket: Option<Socket>,
    names: Vec<String>,
    entrance: Entrance,
    privacy: Privacy,
    /// What the public is shown.
    gate: Gate,
    /// Who lets it through; `None` where nothing is public, or he stands there already.
    keeper: Option<Keeper>,
    serves_public: bool,
    /// How programs that know LiveChess are answered.
    livechess: Option<livechess::Rules>,
    /// Which rounds are pushed to Lichess, and by which token.
    lichess: Option<(lichess::Rules, Token)>,
    /// What the public sees, and how late.
    rules: public::Rules,
    /// The hub of this hall, and the halls whose hub this is.
    hubs: Hubs,
    dir: PathBuf,
    language: Option<Language>,
    shutdown: CancellationToken,
    tasks: JoinSet<()>,
    boards: HashMap<Id, String>,
    /// Journal and scribe; they end when the last session has gone.
    threads: Vec<JoinHandle<()>>,
}

impl Daemon {
    /// Takes the store, takes up every board's game, and begins to follow the boards.
    pub fn open(config: &Config, shutdown: CancellationToken) -> Result<Daemon, RunError> {
        meters::handle();
        let lichess = token(config)?;
        store::may_use(&config.dir, config.halls.is_some())?;
        let (journal, journal_thread) = Journal::open(&config.dir)?;
        let store = Store::open(&config.dir)?;
        let minors = Minors::new(config.privacy.minors_under);
        let (scribe, scribe_thread) = Scribe::start(&config.dir, minors.clone())?;
        let solver = Solver::start()?;
        let ids = config.boards.iter().map(|board| board.id.clone()).collect();
        let (of_store, to, notes) = (store.clone(), journal.clone(), Some(scribe.clone()));
        let office = Office::open(of_store, to, ids, notes)?
            .with_minors(minors)
            .with_configured(&config.event.name, &config.event.site);
        office.catch_up()?;
        let deeds = store.deeds()?;
        let (wiring, boards, openings) = Wiring::open(config, &deeds, journal.clone());
        let states = boards
            .iter()
            .map(|board| BoardState::new(&board.id, board.sensor))
            .collect();
        let (hall, stations) = Hall::new(states, store.clone());
        let incidents = Incidents::open(hall.clone(), office.clone(), &deeds, journal.clone())
            .with_unseen(config.unseen);
        let (names, language) = (config.names.clone(), config.event.language);
        let configured = [config.event.name.clone(), config.event.site.clone()];
        let of_event = office.clone();
        let words = move || {
            let known = of_event.book().event.names();
            configured.iter().cloned().chain(known).collect()
        };
        let people = People::open(&config.dir, journal.clone(), words)?;
        let mut threads = vec![journal_thread, scribe_thread];
        let (hubs, of_hubs) = Hubs::open(config, (&office, &journal), &shutdown)?;
        threads.extend(of_hubs);
        let means = Means {
            event: config.event.clone(),
            office: office.clone(),
            journal,
            store,
            scribe,
            solver,
            shutdown: shutdown.clone(),
        };
        let gate = Gate::default();
        let (public, both) = (config.public.clone(), (hall.clone(), office.clone()));
        let keeper = match public.is_public() || config.livechess.is_some() || lichess.is_some() {
            true => Some(hubs.keeper(config, (gate.clone(), both, public), &shutdown)?),
            false => None,
        };
        let mut daemon = Daemon {
            hall,
            people,
            office,
            wiring,
            incidents,
            openings,
            means: None,
            socket: Socket::open(&config.dir),
            names,
            entrance: config.entrance.clone(),
            privacy: config.privacy,
            gate,
            keeper,
            serves_public: config.public.serve,
            livechess: config.livechess.clone(),
            lichess,
            rules: config.public.clone(),
            hubs,
            dir: config.dir.clone(),
            language,
            shutdown,
            tasks: JoinSet::new(),
            boards: HashMap::new(),
            threads,
        };
        metrics::gauge!("arbiter_boards").set(boards.len() as f64);
        let mut lines: HashMap<PortSpec, Vec<Seat>> = HashMap::new();
        for (board, station) in boards.into_iter().zip(stations) {
            if let Some((port, seat)) = daemon.follow(means.session(board, station)?) {
                lines.entry(port).or_default().push(seat);
            }
        }
        for seats in lines.into_values() {
            daemon.tasks.spawn(BusLink::run(
                seats,
                daemon.shutdown.clone().cancelled_owned(),
            ));
        }
        daemon.means = Some(means);
        Ok(daemon)
    }

    /// Follows a board that somebody has added.
    fn open_board(&mut self, Opening { board, done }: Opening) {
        let Some(means) = &self.means else { return };
        let id = board.id.clone();
        let station = self.hall.add(BoardState::new(&id, board.sensor));
        match means.session(board, station) {
            // No board that is added shares its port.
            Ok(session) => drop(self.follow(session)),
            Err(error) => {
                tracing::error!(board = id, %error, "the board cannot be followed");
                self.hall.give_up(&id, &error.to_string());
            }
        }
        metrics::gauge!("arbiter_boards").increment(1.0);
        let _nobody_waits = done.send(());
    }

    /// Follows a board. One that shares its port is left to the link of that port.
    fn follow(&mut self, mut session: Session) -> Option<(PortSpec, Seat)> {
        let (events, line) = mpsc::channel(REPORTS);
        let mut shared = None;
        if let Some((config, commands)) = session.link() {
            if config.address.is_some() {
                shared = Some((
                    config.port.clone(),
                    Seat {
                        config,
                        events,
                        commands,
                    },
                ));
            } else {
                self.tasks.spawn(Link::run(
                    config,
                    events,
                    commands,
                    self.shutdown.clone().cancelled_owned(),
                ));
            }
        }
        let board = session.board().to_owned();
        let task = self.tasks.spawn(session.follow(line));
        self.boards.insert(task.id(), board);
        shared
    }

    /// The event.
    pub fn office(&self) -> &Office {
        &self.office
    }

    /// What the public is shown.
    pub fn gate(&self) -> &Gate {
        &self.gate
    }

    /// The boards and games.
    pub fn hall(&self) -> &Hall {
        &self.hall
    }

    /// What is known of the hub of this hall; `None` where it has none.
    pub fn uplink(&self) -> Option<&Uplink> {
        self.hubs.uplink.as_ref()
    }

    /// The halls whose hub this is; `None` where it is none.
    pub fn halls(&self) -> Option<&Halls> {
        self.hubs.halls.as_ref()
    }

    /// Serves the console on `listener` until the shutdown, then ends in order.
    pub async fn serve(mut self, listener: TcpListener) -> Result<(), RunError> {
        let address = listener.local_addr()?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let desk = match self.desk(address) {
            Ok(desk) => desk,
            Err(error) => {
                self.shutdown.cancel();
                self.end().await;
                return Err(error);
            }
        };
        if let Some(socket) = self.socket.take() {
            tokio::spawn(http::serve_owner(socket, desk.clone()));
        }
        let incidents = self.incidents.clone();
        tokio::spawn(incidents.watch(self.shutdown.clone()));
        tokio::spawn(self.people.clone().keep_house());
        let (hall, office) = (self.hall.clone(), self.office.clone());
        tokio::spawn(usher(hall, office, self.shutdown.clone()));
        tokio::spawn(forget(self.office.clone(), self.hall.clone(), self.privacy));
        tokio::spawn(awake::in_rounds(self.office.clone(), self.shutdown.clone()));
        tokio::spawn(tell_later(
            scheme(&desk.tls),
            address,
            self.shutdown.clone(),
        ));
        if let Some(tls) = desk.tls.clone() {
            tokio::spawn(tls.keep_fresh(self.shutdown.clone()));
        }
        if let Some(means) = &self.means {
            self.hubs.begin(&desk, &means.journal)?;
        }
        let measured = listen::measured(self.entrance.metrics, &self.shutdown);
        let hatch = match measured.and_then(|()| self.hatch(&desk)) {
            Ok(hatch) => hatch,
            Err(error) => {
                self.shutdown.cancel();
                self.end().await;
                return Err(error);
            }
        };
        // Nobody is told that there is nothing of what was public before.
        if let Some(mut keeper) = self.keeper.take() {
            keeper.look().await;
            tokio::spawn(keeper.stand(self.shutdown.clone()));
        }
        if let Some((listener, hatch)) = hatch {
            tokio::spawn(livechess::serve(listener, hatch));
        }
        let console = tokio::spawn(http::serve(listener, desk));
        // Only systemd listens, and only if it started us.
        let _not_under_systemd = sd_notify::notify(&[NotifyState::Ready]);
        self.watch().await;
        self.end().await;
        match tokio::time::timeout(FAREWELL, console).await {
            Ok(Ok(served)) => Ok(served?),
            Ok(Err(_)) | Err(_) => Ok(()),
        }
    }

    /// Where programs that know LiveChess are answered, if they are.
    fn hatch(
        &self,
        desk: &http::Desk,
    ) -> Result<Option<(tokio::net::TcpListener, livechess::Hatch)>, RunError> {
        let Some(rules) = &self.livechess else {
            return Ok(None);
        };
        let listener = bind_as(rules.listen, "[livechess] listen")?;
        let address = listener.local_addr()?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let (hall, office, gate) = (self.hall.clone(), self.office.clone(), self.gate.clone());
        let mut sight = livechess::Sight::new(hall, office, gate, self.rules.clone());
        sight.hold = rules.hold;
        sight.is_late = !self.entrance.delay.is_zero();
        let (names, end) = (desk.names.clone(), self.shutdown.clone());
        let hatch = livechess::Hatch::new(sight, &rules.origins, names, end);
        let at = format!("ws://{address}/api/v1.0");
        tracing::info!("boards for programs that know LiveChess at {at}");
        self.gate.open_at_once(Outlet::Livechess, at);
        Ok(Some((listener, hatch)))
    }

    /// Begins to push to Lichess, where that is configured.
    fn pusher(&mut self) -> Result<Option<Pusher>, RunError> {
        let Some((rules, token)) = self.lichess.take() else {
            return Ok(None);
        };
        let (gate, end) = (self.gate.clone(), self.shutdown.clone());
        Ok(Some(Pusher::start(gate, &rules, token, end)?))
    }

    /// What the console serves at `address`; `Err` where it is not safe to.
    fn desk(&mut self, address: SocketAddr) -> Result<http::Desk, RunError> {
        let unsafe_to = |what: String| RunError::Unsafe { address, what };
        self.entrance
            .complaint(address)
            .map_or(Ok(()), |what| Err(unsafe_to(what.to_owned())))?;
        let required = self.entrance.required(address);
        if required && !address.ip().is_loopback() && !self.people.has_account() {
            let dir = self.dir.display();
            return Err(unsafe_to(format!(
                "the network can reach that, and nobody has an account yet: make one with \
                 `arbiterd people add NAME --role chief --dir {dir}`"
            )));
        }
        let needs_link = required && !self.people.has_account();
        if needs_link {
            let whole = self.people.is_whole();
            whole.map_err(|error| unsafe_to(error.to_string()))?;
        }
        // Nothing is written before it is sure that it is served there.
        let tls = match self.entrance.source(address, &self.names, &self.dir) {
            Some(source) => Some(Arc::new(Tls::start(source)?)),
            None => None,
        };
        let scheme = scheme(&tls);
        let origins: Vec<String> = reached_at(address)
            .into_iter()
            .map(|address| format!("{scheme}://{address}"))
            .collect();
        if needs_link {
            let link = self.people.setup_link(&origins[0]);
            if let Some(link) = link.map_err(|error| unsafe_to(error.to_string()))? {
                tracing::warn!("nobody has an account yet: make the chief arbiter's at {link}");
            }
        }
        if let Some(what) = self.entrance.warning(address) {
            tracing::warn!(%address, "{what}");
        }
        for origin in &origins {
            tracing::info!("console at {origin}/");
        }
        if let Some(tls) = &tls {
            tracing::info!("its certificate is {}", tls.squares());
        }
        let (hall, shutdown) = (self.hall.clone(), self.shutdown.clone());
        let mut desk = http::Desk::new(hall, self.office.clone(), self.people.clone(), shutdown);
        desk.names = Arc::new(http::Names::new(std::mem::take(&mut self.names)));
        desk.language = self.language;
        (desk.near, desk.port) = (address.ip().is_loopback(), Some(address.port()));
        (desk.required, desk.delay, desk.tls) = (required, self.entrance.delay, tls);
        if let Some(after) = self.entrance.device_pin {
            let seconds = i64::try_from(after.as_secs()).unwrap_or(i64::MAX);
            self.people.ask_pins(seconds);
        }
        desk.proxies.clone_from(&self.entrance.proxies);
        desk.wiring = Some(self.wiring.clone());
        desk.incidents = Some(self.incidents.clone());
        desk.gate = self.gate.clone();
        desk.rules = self.rules.clone();
        desk.serves_public = self.serves_public;
        if self.serves_public {
            self.gate.open_at_once(Outlet::Live, "/live/".to_owned());
        }
        desk.lichess = self.pusher()?;
        (desk.halls, desk.uplink) = (self.hubs.halls.clone(), self.hubs.uplink.clone());
        desk.event.clone_from(&self.hubs.event);
        Ok(desk)
    }

    /// Keeps house until the shutdown. The service manager's watchdog is fed from here: boards are
    /// served by the same thread, and where it stands still nothing is fed.
    async fn watch(&mut self) {
        let mut upkeep = tokio::time::interval(UPKEEP);
        let watched = sd_notify::watchdog_enabled();
        let mut feeding = tokio::time::interval(watched.map_or(UPKEEP, |within| within / 3));
        loop {
            tokio::select! {
                () = self.shutdown.cancelled() => return,
                _ = upkeep.tick() => meters::handle().run_upkeep(),
                _ = feeding.tick(), if watched.is_some() => {
                    let _nobody_listens = sd_notify::notify(&[NotifyState::Watchdog]);
                }
                Some(opening) = self.openings.recv() => self.open_board(opening),
                Some(Err(error)) = self.tasks.join_next() => {
                    let Some(board) = self.boards.get(&error.id()) else { continue };
                    tracing::error!(board, %error, "the board's task failed");
                    self.hall.give_up(
                        board,
                        "the program failed on this board: restart it; the journal has everything",
                    );
                }
            }
        }
    }

    /// Sessions finish what they are writing; journal and scribe end after the last of them.
    async fn end(&mut self) {
        let _ends_anyway = sd_notify::notify(&[NotifyState::Stopping]);
        let all_ended = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(FAREWELL, all_ended).await.is_err() {
            tracing::warn!("some boards did not end in time");
            self.tasks.shutdown().await;
        }
        // Nobody waits for a board that is not opened any more.
        self.openings.close();
        while self.openings.try_recv().is_ok() {}
        self.office.close();
        self.people.close();
        self.wiring.close().await;
        self.incidents.close();
        self.hubs.close().await;
        self.means = None;
        for thread in self.threads.drain(..) {
            let joined = tokio::task::spawn_blocking(move || thread.join()).await;
            if !matches!(joined, Ok(Ok(()))) {
                tracing::error!("a writing thread failed");
            }
        }
        tracing::info!("everything is written");
    }
}

fn scheme(tls: &Option<Arc<Tls>>) -> &'static str {
    if tls.is_some() { "https" } else { "http" }
}

/// Which rounds are pushed to Lichess, with the token for it.
fn token(config: &Config) -> Result<Option<(lichess::Rules, Token)>, TokenError> {
    let Some(rules) = &config.lichess else {
        return Ok(None);
    };
    let environment = std::env::var(lichess::VARIABLE).ok();
    let token = Token::find(rules.token_file.as_ref(), environment)?;
    Ok(Some((rules.clone(), token)))
}

/// Takes away what has been kept long enough, and says how long the list of acts is, until the end
/// of the program.
async fn forget(office: Office, hall: Hall, privacy: Privacy) {
    let mut hours = tokio::time::interval(FORGETTING);
    loop {
        hours.tick().await;
        let now = jiff::Timestamp::now();
        if let Err(error) = office.retain(&hall, &privacy, now).await {
            tracing::error!(%error, "what was kept long enough could not be taken away");
        }
        let store = office.store().clone();
        let deeds = tokio::task::spawn_blocking(move || store.deeds()).await;
        if let Ok(Ok(deeds)) = deeds
            && !deeds.sound.is_empty()
        {
            // In a log that goes elsewhere it shows later whether something was changed.
            let (acts, sum) = (deeds.sound.len(), deeds.head);
            tracing::info!(
                acts,
                sum,
                "so many acts of people; the checksum of the last"
            );
        }
    }
}

/// What sessions are made of.
#[derive(Debug)]
struct Means {
    event: EventConfig,
    office: Office,
    journal: Journal,
    store: Store,
    scribe: Scribe,
    solver: Solver,
    shutdown: CancellationToken,
}

impl Means {
    fn session(&self, board: BoardConfig, station: Station) -> Result<Session, StoreError> {
        Session::open(Parts {
            board,
            event: self.event.clone(),
            station,
            office: self.office.clone(),
            journal: self.journal.clone(),
            store: self.store.clone(),
            scribe: self.scribe.clone(),
            solver: self.solver.clone(),
            shutdown: self.shutdown.clone(),
        })
    }
}
