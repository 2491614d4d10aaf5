//! The playing hall as the rest of the program sees it: every board's state, a live feed, orders to
//! the boards, and the games on disk. Cheap to clone.

mod described;
mod dismissed;
mod fault;
mod running;
mod state;
mod usher;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use arbiter_core::Input;
use arbiter_core::view::Phase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::{OwnedMutexGuard, broadcast, mpsc, oneshot, watch};

#[cfg(test)]
pub(crate) use described::NOT_ORDERED;
pub use described::Ordered;
pub(crate) use dismissed::{Dismissals, rests_on_dismissed};
pub use fault::FaultText;
pub(crate) use running::Running;
pub(crate) use state::stopped_by;
pub use state::{Asked, BoardState, Changed, Next, Table, Told, Unset, Untold, Vacant, View, view};
pub(crate) use usher::usher;

use crate::chess960::Chess960;
use crate::config::BoardConfig;
use crate::reason::Reason;
use crate::session::{Exchange, exchange};
use crate::store::{Game, GameRow, Store, StoreError, Tags};

/// Messages a slow listener may fall behind before it misses some. A listener that missed some
/// reads the boards anew.
const FEED: usize = 4096;
/// Orders that may wait for one board.
const ORDERS: usize = 16;

/// One message of the live feed: a ruling, or `"update": "board"` with what changed on a board.
#[derive(Clone, Debug)]
pub struct Live {
    /// The board's id.
    pub board: Arc<str>,
    /// One JSON object; it names its board.
    pub json: Arc<str>,
}

/// The start of a further game on a board. Without any name it is the game of its table's pairing,
/// if one waits there; what else is `None` stays as it is configured.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(transform = described::as_order)]
pub struct NewGame {
    /// White's name.
    pub white: Option<String>,
    /// Black's name.
    pub black: Option<String>,
    /// The round.
    pub round: Option<String>,
    /// The starting position as FEN, or `unknown`.
    pub fen: Option<String>,
    /// Chess960, or the number of its array.
    pub chess960: Option<Chess960>,
    /// What the board has seen since play began there from `fen`, with pieces that stood as in no
    /// start, is of this game: that of a pairing, which waits.
    pub played: Option<bool>,
}

/// What an operator or the arbiter can order.
#[derive(Clone, PartialEq, Debug)]
pub enum Demand {
    /// Something declared: the arbiter's actions, a resignation, a draw, an adjustment, a press, a
    /// claim.
    Declare(Input),
    /// What declaring it would do: answered with that as JSON, and not done.
    Try(Input),
    /// The next game begins.
    NewGame(NewGame),
    /// A game is called otherwise. It is not heard again, and nothing is written of it.
    Rename {
        /// Its name in the store, which stays.
        game: String,
        /// Who plays, and where.
        tags: Tags,
    },
    /// The arbiter rules on a game that the board has played, at hand or not.
    Rule {
        /// The game.
        game: String,
        /// What he says.
        input: Input,
    },
    /// A game of the store that no board has at hand goes on on this one, stopped at first.
    TakeUp(String),
    /// A game goes on on another board. Refused where it is at hand.
    LetGo(String),
    /// The board's analogue sensors take what they read now as their zero.
    Calibrate,
    /// The board is reached in this way from now on.
    Connect(Box<BoardConfig>),
}

/// A demand on its way to a board, with the place for the answer.
#[derive(Debug)]
pub struct Order {
    /// What is ordered.
    pub demand: Demand,
    /// Answered once it is in the journal, with the name by which the order can be taken back.
    pub answer: oneshot::Sender<Result<Option<String>, OrderError>>,
}

/// Why an order was not carried out.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OrderError {
    /// No such board.
    #[error("there is no board `{0}`")]
    UnknownBoard(String),
    /// No such game.
    #[error("there is no game `{0}`; /api/games lists them")]
    UnknownGame(String),
    /// There is nothing to rule on.
    #[error("no game is set up on this board: connect it, or start a new game")]
    NoGame,
    /// The order changes nothing, or cannot be carried out; what is open instead.
    #[error("{0}")]
    Refused(Box<Reason>),
    /// Evidence comes from boards only.
    #[error("{0} is what a board reports; it cannot be ordered")]
    NotAnOrder(&'static str),
    /// The order itself is wrong.
    #[error("{0}")]
    Bad(String),
    /// The board's task has ended.
    #[error("the daemon is shutting down")]
    ShuttingDown,
}

impl OrderError {
    /// The order changes nothing, or cannot be carried out, for this reason.
    pub fn refused(reason: Reason) -> OrderError {
        OrderError::Refused(Box::new(reason))
    }

    /// As it is told to whoever sees no findings.
    #[must_use]
    pub fn without_open(self) -> OrderError {
        match self {
            OrderError::Refused(reason) => OrderError::refused(reason.without_open()),
            other => other,
        }
    }
}

/// The state all parts of the daemon share.
#[derive(Clone, Debug)]
pub struct Hall {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    desks: RwLock<Vec<Arc<Desk>>>,
    /// How many boards there are.
    count: watch::Sender<usize>,
    live: broadcast::Sender<Live>,
    store: Store,
    /// By serial number: which desk's board that is.
    claims: Mutex<HashMap<String, Claim>>,
    /// One exchange at a time.
    exchange: tokio::sync::Mutex<()>,
    /// One order of a game at a time.
    deciding: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

/// Whose board it is.
#[derive(Debug)]
struct Claim {
    index: usize,
    /// It is on the line.
    connected: bool,
}

#[derive(Debug)]
struct Desk {
    state: RwLock<Arc<BoardState>>,
    orders: mpsc::Sender<Order>,
    exchanges: mpsc::Sender<Exchange>,
}

impl Hall {
    /// A hall of the given boards, and the end of each that its session holds, in the same order.
    pub fn new(boards: Vec<BoardState>, store: Store) -> (Hall, Vec<Station>) {
        let hall = Hall {
            inner: Arc::new(Inner {
                desks: RwLock::default(),
                count: watch::Sender::new(boards.len()),
                live: broadcast::channel(FEED).0,
                store,
                claims: Mutex::default(),
                exchange: tokio::sync::Mutex::default(),
                deciding: Mutex::default(),
            }),
        };
        let stations = boards.into_iter().map(|state| hall.seat(state)).collect();
        (hall, stations)
    }

    /// A further board, and the end of it that its session holds.
    pub fn add(&self, state: BoardState) -> Station {
        let station = self.seat(state);
        self.inner.count.send_replace(station.index + 1);
        station
    }

    fn seat(&self, state: BoardState) -> Station {
        let (orders, inbox) = mpsc::channel(ORDERS);
        let (exchanges, offers) = mpsc::channel(1);
        let id = Arc::from(state.id.as_str());
        let desk = Arc::new(Desk {
            state: RwLock::new(Arc::new(state)),
            orders,
            exchanges,
        });
        let mut desks = self
            .inner
            .desks
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let index = desks.len();
        desks.push(desk.clone());
        Station {
            hall: self.clone(),
            desk,
            index,
            id,
            orders: inbox,
            exchanges: offers,
        }
    }

    fn desks(&self) -> Vec<Arc<Desk>> {
        let desks = self.inner.desks.read();
        desks.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn desk(&self, board: &str) -> Result<Arc<Desk>, OrderError> {
        let desks = self.inner.desks.read();
        let desks = desks.unwrap_or_else(PoisonError::into_inner);
        let mut desks = desks.iter();
        let found = desks.find(|desk| desk.read().id == board).cloned();
        found.ok_or_else(|| OrderError::UnknownBoard(board.to_owned()))
    }

    /// Tells when there are more boards than before.
    pub fn counts(&self) -> watch::Receiver<usize> {
        self.inner.count.subscribe()
    }

    /// Every board, in the order of the configuration.
    pub fn boards(&self) -> Vec<Arc<BoardState>> {
        self.desks().iter().map(|desk| desk.read()).collect()
    }

    /// One board.
    pub fn board(&self, id: &str) -> Option<Arc<BoardState>> {
        self.desk(id).ok().map(|desk| desk.read())
    }

    /// Whether both are the same boards.
    pub(crate) fn is(&self, other: &Hall) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// Everything that happens from now on. After `Lagged`, read [`Hall::boards`] anew.
    pub fn subscribe(&self) -> broadcast::Receiver<Live> {
        self.inner.live.subscribe()
    }

    /// Declares `input` on a board; the answer comes when it is durably in the journal. Its moment
    /// is the board's now. Returns the name by which it can be taken back, if it can.
    pub async fn order(&self, board: &str, input: Input) -> Result<Option<String>, OrderError> {
        self.demand(board, Demand::Declare(input)).await
    }

    /// Nobody else orders anything of this game, or board, while this is held: between looking at
    /// it and ordering nothing comes.
    pub(crate) async fn alone_with(&self, game: &str) -> OwnedMutexGuard<()> {
        let lock = {
            let all = self.inner.deciding.lock();
            let mut all = all.unwrap_or_else(PoisonError::into_inner);
            all.retain(|_, lock| Arc::strong_count(lock) > 1);
            all.entry(game.to_owned()).or_default().clone()
        };
        lock.lock_owned().await
    }

    /// What declaring `input` on a board would do, as JSON (`Trial`). Nothing is done.
    pub async fn try_out(&self, board: &str, input: Input) -> Result<String, OrderError> {
        let told = self.demand(board, Demand::Try(input)).await?;
        told.ok_or(OrderError::ShuttingDown)
    }

    /// Rules on a game of the store that was played on `board`, or is at hand on another one.
    ///
    /// # Errors
    /// Where the arbiter cannot order it of a game whose pieces stand nowhere any more, or nobody
    /// follows the board.
    pub async fn rule(
        &self,
        game: &str,
        board: &str,
        input: Input,
    ) -> Result<Option<String>, OrderError> {
        // The game stays meanwhile with whoever has it.
        let _alone = self.inner.exchange.lock().await;
        let boards = self.boards();
        let mut holders = boards.iter().filter(|state| state.has(game));
        let holder = holders.next().map_or(board, |state| &state.id);
        let game = game.to_owned();
        self.demand(holder, Demand::Rule { game, input }).await
    }

    /// Starts the next game on a board; the one at hand ends.
    pub async fn new_game(&self, board: &str, game: NewGame) -> Result<(), OrderError> {
        self.demand(board, Demand::NewGame(game)).await.map(drop)
    }

    /// The analogue sensors of a board take what they read now as their zero.
    ///
    /// # Errors
    /// Where there is no such board, or it cannot be calibrated now.
    pub async fn calibrate(&self, board: &str) -> Result<(), OrderError> {
        self.demand(board, Demand::Calibrate).await.map(drop)
    }

    /// A board is reached in another way from now on; its game goes on.
    ///
    /// # Errors
    /// Where there is no such board, or it is followed no more.
    pub(crate) async fn connect(&self, board: &str, line: BoardConfig) -> Result<(), OrderError> {
        let demand = Demand::Connect(Box::new(line));
        self.demand(board, demand).await.map(drop)
    }

    /// The games on two boards change places: each goes on on the other board.
    pub async fn exchange(&self, one: &str, other: &str) -> Result<(), OrderError> {
        if one == other {
            return Ok(());
        }
        let _alone = self.inner.exchange.lock().await;
        self.exchange_alone(one, other).await
    }

    async fn exchange_alone(&self, one: &str, other: &str) -> Result<(), OrderError> {
        let ([here, there], done) = exchange();
        self.offer(one, here).await?;
        self.offer(other, there).await?;
        for done in done {
            done.await.map_err(|_| OrderError::ShuttingDown)?;
        }
        Ok(())
    }

    /// A game is at hand on a board: it stays there, or comes from the board that has it, or out of
    /// the store.
    ///
    /// # Errors
    /// Where it cannot be read, or there is no such board.
    pub async fn take_up(&self, game: &str, board: &str) -> Result<(), OrderError> {
        let _alone = self.inner.exchange.lock().await;
        for other in self.boards().iter().filter(|other| other.id != board) {
            let let_go = Demand::LetGo(game.to_owned());
            // Who follows no board any more has no game.
            if let Err(OrderError::Refused(_)) = self.demand(&other.id, let_go).await {
                return self.exchange_alone(&other.id, board).await;
            }
        }
        self.demand(board, Demand::TakeUp(game.to_owned()))
            .await
            .map(drop)
    }

    async fn offer(&self, board: &str, exchange: Exchange) -> Result<(), OrderError> {
        let desk = self.desk(board)?;
        let sent = desk.exchanges.send(exchange).await;
        sent.map_err(|_| OrderError::ShuttingDown)
    }

    /// Calls a game otherwise on the board that shows it, if any does.
    pub async fn rename(&self, game: &str, tags: &Tags) {
        for board in self.boards() {
            let (game, tags) = (game.to_owned(), tags.clone());
            let _ended = self.demand(&board.id, Demand::Rename { game, tags }).await;
        }
    }

    async fn demand(&self, board: &str, demand: Demand) -> Result<Option<String>, OrderError> {
        let desk = self.desk(board)?;
        let (answer, answered) = oneshot::channel();
        desk.orders
            .send(Order { demand, answer })
            .await
            .map_err(|_| OrderError::ShuttingDown)?;
        answered.await.unwrap_or(Err(OrderError::ShuttingDown))
    }

    /// All games of the store, the newest first.
    pub async fn games(&self) -> Result<Vec<GameRow>, StoreError> {
        self.read(|store| store.games()).await
    }

    /// Games that went over to others with a result that is only proposed.
    pub(crate) async fn proposed(&self) -> Result<BTreeSet<String>, StoreError> {
        self.read(|store| store.proposed()).await
    }

    /// One game of the store with its events.
    pub async fn game(&self, id: &str) -> Result<Option<Game>, StoreError> {
        let id = id.to_owned();
        self.read(move |store| store.game(&id)).await
    }

    /// Shows a board whose task has failed and will publish nothing more.
    pub(crate) fn give_up(&self, board: &str, fault: &str) {
        let desks = self.desks();
        let mut numbered = desks.iter().enumerate();
        let Some((index, desk)) = numbered.find(|(_, desk)| desk.read().id == board) else {
            return;
        };
        let (desk, state) = (desk.clone(), desk.read());
        let ((_, orders), (_, exchanges)) = (mpsc::channel(1), mpsc::channel(1));
        let last = Station {
            hall: self.clone(),
            desk,
            index,
            id: Arc::from(board),
            orders,
            exchanges,
        };
        last.publish(BoardState {
            fault: Some(fault.to_owned()),
            connected: false,
            ..BoardState::clone(&state)
        });
    }

    /// Reading the disk must not hold up the boards, which share one thread.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = self.inner.store.clone();
        tokio::task::spawn_blocking(move || work(&store))
            .await
            .unwrap_or(Err(StoreError::Ending))
    }
}

impl Desk {
    fn read(&self) -> Arc<BoardState> {
        self.state
            .read()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .clone()
    }
}

/// A session's end of one board: orders come in, states and messages go out.
#[derive(Debug)]
pub struct Station {
    hall: Hall,
    desk: Arc<Desk>,
    index: usize,
    id: Arc<str>,
    /// Orders to this board.
    pub orders: mpsc::Receiver<Order>,
    /// Exchanges of its game for that of another board.
    pub(crate) exchanges: mpsc::Receiver<Exchange>,
}

impl Station {
    /// The board's id.
    pub fn id(&self) -> &Arc<str> {
        &self.id
    }

    /// The board of this serial number is this one's, on the line or not. An empty number is
    /// nobody's.
    pub fn claim(&self, serial: &str, connected: bool) {
        let index = self.index;
        let mut claims = self.claims();
        claims.retain(|_, claim| claim.index != index);
        if !serial.is_empty() {
            claims.insert(serial.to_owned(), Claim { index, connected });
        }
    }

    /// The id of another board that has this serial number: it is on the line, or a game on it is
    /// not over.
    pub fn holder(&self, serial: &str) -> Option<String> {
        let claims = self.claims();
        let claim = claims
            .get(serial)
            .filter(|claim| claim.index != self.index)?;
        let state = self.hall.desks().get(claim.index)?.read();
        let mut game = state.view().into_iter();
        let goes_on = game.any(|game| game.state != Phase::Ended && !game.plies.is_empty());
        (claim.connected || goes_on).then(|| state.id.clone())
    }

    fn claims(&self) -> MutexGuard<'_, HashMap<String, Claim>> {
        let claims = self.hall.inner.claims.lock();
        claims.unwrap_or_else(PoisonError::into_inner)
    }

    /// The state as last published.
    pub fn state(&self) -> Arc<BoardState> {
        self.desk.read()
    }

    /// Shows a new state and tells the live feed what changed.
    pub fn publish(&self, state: BoardState) -> Arc<BoardState> {
        let before = self.state();
        if *before == state {
            return before;
        }
        let state = Arc::new(state);
        *self
            .desk
            .state
            .write()
            .unwrap_or_else(|poisoned| poisoned.into_inner()) = state.clone();
        self.tell(&Update::new(&state.update(&before)));
        state
    }

    /// Sends one message to the live feed. Nobody listening is no error.
    pub fn tell(&self, message: &impl Serialize) {
        // Our own plain data always has a JSON form; a failure would be a defect in its
        // `Serialize`, not a condition.
        if let Ok(json) = serde_json::to_string(&OfBoard {
            board: &self.id,
            message,
        }) {
            let _nobody = self.hall.inner.live.send(Live {
                board: self.id.clone(),
                json: json.into(),
            });
        }
    }
}

/// A board's state as the live feed tells it: the whole of it, or what changed.
#[derive(Serialize)]
pub(crate) struct Update<'a> {
    update: &'static str,
    #[serde(flatten)]
    state: &'a BoardState,
}

impl<'a> Update<'a> {
    /// What it is called in the feed.
    pub(crate) const WORD: &'static str = "board";

    /// Tells `state`, or what [`BoardState`] says that a listener must be told.
    pub(crate) fn new(state: &'a BoardState) -> Update<'a> {
        Update {
            update: Update::WORD,
            state,
        }
    }
}

/// A message with its board.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "{T}OfBoard")]
pub(crate) struct OfBoard<'a, T> {
    /// The board's id.
    pub(crate) board: &'a str,
    #[serde(flatten)]
    pub(crate) message: &'a T,
}
