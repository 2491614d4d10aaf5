//! Why an act cannot be.

/// An act that cannot be; nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// One tournament at a time.
    #[error("`{0}` is open: close it first")]
    EventOpen(String),
    /// The store has no such event.
    #[error("there is no event {0}")]
    NoEvent(usize),
    /// It is over.
    #[error("the event is closed")]
    EventClosed,
    /// Rounds count from 1.
    #[error("round 0: rounds are counted from 1")]
    RoundZero,
    /// No event has so many.
    #[error("round {round}: no event has more than {most}")]
    RoundTooHigh {
        /// The round.
        round: u16,
        /// How many there may be.
        most: u16,
    },
    /// Neither a file nor whoever loads it says which round it has.
    #[error("the file does not say which round it has: say it (`--round N`)")]
    NoRoundSaid,
    /// Nobody drew it.
    #[error("round {0} is not drawn")]
    NoRound(u16),
    /// It is not under way.
    #[error("round {0} is not under way")]
    NotUnderWay(u16),
    /// It has been started before.
    #[error("round {0} was started already")]
    Started(u16),
    /// It is over.
    #[error("round {0} is closed")]
    Closed(u16),
    /// It is over, and a file says something else of it.
    #[error("round {round} is closed, and the file says otherwise: {}", .differs.join("; "))]
    ClosedOtherwise {
        /// The round.
        round: u16,
        /// What is another in the file, in words.
        differs: Vec<String>,
    },
    /// Another one is under way.
    #[error("round {0} is under way: close it first")]
    AnotherUnderWay(u16),
    /// Something is open in it.
    #[error("round {round} cannot be closed: without a confirmed result {}", tables(.open))]
    Open {
        /// The round.
        round: u16,
        /// The tables without a confirmed result.
        open: Vec<u16>,
    },
    /// Games of closed rounds are postponed, or resumed and without a result.
    #[error("games are still without a confirmed result: {}", seats(.0))]
    Unfinished(Vec<(u16, u16)>),
    /// Its game is played later.
    #[error("table {table} of round {round} is postponed")]
    Postponed {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
    },
    /// Its game was not to be played later.
    #[error("table {table} of round {round} is not postponed")]
    NotPostponed {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
    },
    /// There is no such table in the round.
    #[error("round {round} has no table {table}")]
    NoPairing {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
    },
    /// Two pairings at one table.
    #[error("table {0} is drawn twice")]
    TableTwice(u16),
    /// Tables count from 1.
    #[error("table 0: tables are counted from 1")]
    TableZero,
    /// A player at two tables, or twice at one.
    #[error("player {0} is drawn twice")]
    PlayerTwice(u16),
    /// A starting number that nobody has.
    #[error("there is no player {0}")]
    NoPlayer(u16),
    /// No starting number is left.
    #[error("65535 is the last starting number")]
    TooMany,
    /// Two players with one number.
    #[error("starting number {0} is given twice")]
    NumberTwice(u16),
    /// Two teams with one number.
    #[error("team {0} is entered twice")]
    TeamTwice(u16),
    /// A number that no team has.
    #[error("there is no team {0}")]
    NoTeam(u16),
    /// A player of more than one team.
    #[error("player {0} is in two teams")]
    TwoTeams(u16),
    /// A team in two matches of a round, or against itself.
    #[error("team {0} is drawn twice")]
    TeamDrawnTwice(u16),
    /// Somebody sits for a team that has no such player.
    #[error("player {player} is not of team {team}")]
    NotOfTeam {
        /// The player.
        player: u16,
        /// The team.
        team: u16,
    },
    /// Two players at a board of a match whom the pairings do not have together.
    #[error("players {one} and {other} sit at one board, and round {round} does not pair them")]
    NotPaired {
        /// The round.
        round: u16,
        /// One player.
        one: u16,
        /// The other.
        other: u16,
    },
    /// A pairing that has begun would become another.
    #[error("table {table} of round {round} has begun, or has a result: its pairing stays")]
    Begun {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
    },
    /// A round that something hangs on stays drawn.
    #[error("round {round} stays drawn: there is {}", used(.tables, *.said))]
    Used {
        /// The round.
        round: u16,
        /// The tables with a game, moves, a result or a postponement.
        tables: Vec<u16>,
        /// What else was said of it.
        said: Option<&'static str>,
    },
    /// A game belongs to one pairing at most.
    #[error("game {0} belongs to another pairing")]
    GameTaken(String),
    /// The table has a game already.
    #[error("table {table} of round {round} has its game: {game}")]
    HasGame {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
        /// The game.
        game: String,
    },
    /// Nobody has said of the game that it was none, or it was another table's.
    #[error("game {game} of table {table} of round {round} was not annulled")]
    NotAnnulled {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
        /// The game.
        game: String,
    },
    /// A person confirmed it.
    #[error("the result at table {table} of round {round} is confirmed")]
    Confirmed {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
    },
    /// There is none to confirm or to take back.
    #[error("table {table} of round {round} has no result")]
    NoResult {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
    },
    /// Nothing is changed without a word why.
    #[error("table {table} of round {round}: a confirmed result is changed only with a reason")]
    NoReason {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
    },
    /// No table has a board from nowhere.
    #[error("table {0} has no board")]
    NoBoard(u16),
    /// Nothing of it is there.
    #[error("{0} is missing")]
    Empty(&'static str),
    /// He has none, or not that one.
    #[error("player {player} has no such penalty of round {round}")]
    NoPenalty {
        /// The player.
        player: u16,
        /// The round.
        round: u16,
    },
    /// None was given there then.
    #[error("no such time was given at table {table} of round {round}")]
    NoTimeGiven {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
    },
    /// It does not say how tables stand.
    #[error("`{0}` is no layout of a hall: write rows of tables, such as 1-10 / 20-11")]
    NoLayout(String),
    /// He has no game there.
    #[error("player {player} does not play in round {round}")]
    NotInRound {
        /// The round.
        round: u16,
        /// The player.
        player: u16,
    },
    /// He has left before, and not come back.
    #[error("player {0} is out of the hall already")]
    Out(u16),
    /// He has not left.
    #[error("player {0} is not out of the hall")]
    NotOut(u16),
    /// He has none, or none that began then.
    #[error("no such break of player {player} is noted in round {round}")]
    NoBreak {
        /// The round.
        round: u16,
        /// The player.
        player: u16,
    },
    /// Nobody plays there.
    #[error("no game is played at table {0}")]
    NotPlayed(u16),
    /// It has a result already.
    #[error("the game at table {table} of round {round} has ended")]
    HasEnded {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
    },
    /// He does so already.
    #[error("table {table} of round {round} is observed by {} already", somebody(.by))]
    Observes {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
        /// Who; empty where nobody said who he is.
        by: String,
    },
    /// He did not.
    #[error("table {table} of round {round} is not observed by him")]
    ObservesNot {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
    },
    /// So much is not given at once.
    #[error("{0} seconds: 1 to 1800 are given at once")]
    NoTime(u32),
    /// A bye has no opponent, a game has two.
    #[error("table {table}: `{code}` is no result of {of}")]
    NotSo {
        /// The table.
        table: u16,
        /// The code.
        code: char,
        /// A game or a bye.
        of: &'static str,
    },
}

fn seats(seats: &[(u16, u16)]) -> String {
    let names = seats
        .iter()
        .map(|(round, table)| format!("{round}.{table}"));
    names.collect::<Vec<_>>().join(", ")
}

fn used(used: &[u16], said: Option<&str>) -> String {
    let played = "a game, moves, a result or a postponement at";
    let played = (!used.is_empty()).then(|| format!("{played} {}", tables(used)));
    let all: Vec<String> = played
        .into_iter()
        .chain(said.map(|what| format!("{what} of it")))
        .collect();
    all.join(", and ")
}

fn somebody(name: &str) -> &str {
    if name.is_empty() { "an arbiter" } else { name }
}

fn tables(tables: &[u16]) -> String {
    let names: Vec<String> = tables.iter().map(u16::to_string).collect();
    let word = if tables.len() == 1 { "table" } else { "tables" };
    format!("{word} {}", names.join(", "))
}
