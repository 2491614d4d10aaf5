//! One client of the WebSocket: what it asks, and what it is told.

use serde_json::Value;

use super::follow::{Follow, Told};
use super::message::{EBoard, EBoardEvent, Request, answer, error, feed, is_id};
use super::seen::{Clock, Seen, turned};

/// The longest message that a client may send, in bytes. The longest real one, a setup, has some
/// 200.
pub const LONGEST_WORD: usize = 4096;
/// Boards that one client may follow at once.
const MOST_FEEDS: usize = 256;
/// The longest FEN in bytes.
const LONGEST_FEN: usize = 200;

/// What a client has asked for so far.
#[derive(Debug, Default)]
pub struct Session {
    feeds: Vec<Feed>,
}

/// A board that a client follows.
#[derive(Debug)]
struct Feed {
    id: Value,
    /// By which name the client follows it: its serial number, or its id before it had told that.
    serial: String,
    is_flipped: bool,
    follow: Option<Follow>,
    told: Option<Shown>,
}

/// What was last told of a board. Of moves it is enough to know how many they were: what was told
/// only grows until the client sets up anew, and then all is told.
#[derive(Clone, PartialEq, Debug)]
struct Shown {
    board: Option<String>,
    clock: Option<Clock>,
    line: Option<Told>,
}

/// Something that is to be told; its words are made when its turn has come.
#[derive(Debug)]
pub(super) struct Due(What);

#[derive(Debug)]
enum What {
    Said(String),
    /// Of the feed at this place.
    Event(usize, Shown),
}

impl Session {
    /// Answers a message at a moment, in milliseconds since 1970, while the boards show this. Any
    /// text is answered; what makes no sense, with an error.
    pub fn hear(&mut self, text: &str, boards: &[Seen], now: i64) -> Vec<String> {
        let due = self.heard(text, boards, now);
        due.into_iter().map(|due| self.words(due, now)).collect()
    }

    /// What is to be told now that the boards show this.
    pub fn look(&mut self, boards: &[Seen], now: i64) -> Vec<String> {
        let due = self.news(boards);
        due.into_iter().map(|due| self.words(due, now)).collect()
    }

    /// The same as [`Session::hear`]: what is to be said by [`Session::words`], in this order and
    /// before anything else is heard.
    pub(super) fn heard(&mut self, text: &str, boards: &[Seen], now: i64) -> Vec<Due> {
        let said = |text: String| vec![Due(What::Said(text))];
        if text.len() > LONGEST_WORD {
            let what = format!("a message of more than {LONGEST_WORD} bytes");
            return said(error(&Value::Null, &what, now));
        }
        let request = match Request::read(text) {
            Ok(request) => request,
            Err(what) => return said(error(&Value::Null, &what, now)),
        };
        if !is_id(&request.id) {
            let what = "`id` is to be a number, or a text of at most 64 bytes";
            return said(error(&Value::Null, what, now));
        }
        let param = &request.param;
        let done = match request.call.as_str() {
            "eboards" => {
                let all: Vec<EBoard<'_>> = boards.iter().map(EBoard::from).collect();
                return said(answer(&request.id, &all, now));
            }
            "subscribe" => self.subscribe(param, boards),
            "unsubscribe" => self.unsubscribe(param.get("id").unwrap_or(param)),
            "call" => self.call(param),
            other => Err(format!(
                "no call `{}`; there are eboards, subscribe, unsubscribe, call",
                brief(other)
            )),
        };
        match done {
            Err(what) => said(error(&request.id, &what, now)),
            Ok(None) => said(answer(&request.id, &Value::Null, now)),
            Ok(Some(place)) => {
                let mut due = said(answer(&request.id, &Value::Null, now));
                // All of the board at first, and after a setup every move since, one by one.
                due.extend(self.feeds[place].news(place, boards, true));
                due
            }
        }
    }

    /// The same as [`Session::look`], as [`Session::heard`] is of what is heard.
    pub(super) fn news(&mut self, boards: &[Seen]) -> Vec<Due> {
        let feeds = self.feeds.iter_mut().enumerate();
        let news = feeds.flat_map(|(place, feed)| feed.news(place, boards, false));
        news.collect()
    }

    /// The words of what is due.
    pub(super) fn words(&mut self, due: Due, now: i64) -> String {
        match due.0 {
            What::Said(text) => text,
            What::Event(place, shown) => match self.feeds.get_mut(place) {
                Some(feed) => feed.tell(shown, now),
                None => String::new(),
            },
        }
    }

    /// The place of the feed of which something is to be told at once.
    fn subscribe(&mut self, param: &Value, boards: &[Seen]) -> Result<Option<usize>, String> {
        let name = param.get("feed").and_then(Value::as_str);
        if name != Some("eboardevent") {
            let name = brief(name.unwrap_or_default());
            return Err(format!("no feed `{name}`; there is eboardevent"));
        }
        let id = param.get("id").filter(|id| is_id(id));
        let id = id.ok_or("`param.id` names the feed: a number, or a text of at most 64 bytes")?;
        let serial = param.pointer("/param/serialnr").and_then(Value::as_str);
        let serial = serial.ok_or("`param.param.serialnr` is to be a board's serial number")?;
        // One that has not answered yet may be it; its feed begins when it has said so.
        let may_be = |seen: &Seen| seen.goes_by(serial) || !seen.is_known;
        if !boards.iter().any(may_be) {
            let serial = brief(serial);
            return Err(format!("no board `{serial}`; eboards lists them"));
        }
        let new = Feed {
            id: id.clone(),
            serial: serial.to_owned(),
            is_flipped: false,
            follow: None,
            told: None,
        };
        if let Some(place) = self.place(id) {
            self.feeds[place] = new;
            return Ok(Some(place));
        }
        if self.feeds.len() == MOST_FEEDS {
            return Err(format!("one client follows {MOST_FEEDS} boards at most"));
        }
        self.feeds.push(new);
        Ok(Some(self.feeds.len() - 1))
    }

    fn unsubscribe(&mut self, id: &Value) -> Result<Option<usize>, String> {
        let place = self.place(id).ok_or("there is no such feed")?;
        self.feeds.remove(place);
        Ok(None)
    }

    fn call(&mut self, param: &Value) -> Result<Option<usize>, String> {
        let id = param.get("id").unwrap_or(&Value::Null);
        let place = self.place(id).ok_or("there is no such feed")?;
        let given = param.get("param").unwrap_or(&Value::Null);
        let (fen, flip) = (given.get("fen"), given.get("flip"));
        let method = param.get("method").and_then(Value::as_str);
        match (method.unwrap_or_default(), fen, flip) {
            ("unsubscribe", ..) => self.unsubscribe(&id.clone()),
            // There are clients that flip by the name of the other method.
            ("flip", _, Some(Value::Bool(flip))) | ("setup", None, Some(Value::Bool(flip))) => {
                self.feeds[place].is_flipped = *flip;
                self.feeds[place].told = None;
                Ok(Some(place))
            }
            ("setup", Some(Value::String(fen)), _) if fen.len() <= LONGEST_FEN => {
                let follow = Follow::from(fen).ok_or("`fen` is no position")?;
                self.feeds[place].follow = Some(follow);
                Ok(Some(place))
            }
            ("setup", ..) => Err("`param.param.fen` is to be a position".to_owned()),
            ("flip", ..) => Err("`param.param.flip` is to be true or false".to_owned()),
            (other, ..) => Err(format!(
                "no method `{}`; there are setup, flip, unsubscribe",
                brief(other)
            )),
        }
    }

    fn place(&self, id: &Value) -> Option<usize> {
        self.feeds.iter().position(|feed| feed.id == *id)
    }
}

impl Feed {
    fn news(&mut self, place: usize, boards: &[Seen], at_once: bool) -> Vec<Due> {
        let Some(seen) = boards.iter().find(|seen| seen.goes_by(&self.serial)) else {
            return Vec::new();
        };
        let board = seen.board.as_deref();
        // Each move has a message of its own, also those since a setup: there are clients that look
        // at the last one only.
        let lines = match &mut self.follow {
            None => vec![None],
            Some(follow) => {
                let before = follow.now(board);
                let told = follow.look(seen.line.as_deref(), board);
                let is_longer = told.iter().any(|told| told.count > before.count);
                let before = Some(before).filter(|_| at_once && is_longer);
                before.into_iter().chain(told).map(Some).collect()
            }
        };
        let mut due = Vec::new();
        let mut known = self.told.clone();
        for line in lines {
            let shown = Shown {
                board: seen.board.clone(),
                clock: seen.clock,
                line,
            };
            if at_once || known.as_ref() != Some(&shown) {
                due.push(Due(What::Event(place, shown.clone())));
            }
            known = Some(shown);
        }
        due
    }

    fn tell(&mut self, shown: Shown, now: i64) -> String {
        let before = self.told.as_ref();
        let has_board = before.is_none_or(|before| before.board != shown.board);
        let has_clock = before.is_none_or(|before| before.clock != shown.clock);
        let board = shown.board.as_deref().filter(|_| has_board);
        let follow = self.follow.as_ref();
        let event = EBoardEvent {
            serialnr: &self.serial,
            flipped: self.is_flipped,
            board: board.map(|board| match self.is_flipped {
                true => turned(board),
                false => board.to_owned(),
            }),
            clock: has_clock.then_some(shown.clock),
            start: follow.map(|follow| follow.start.as_str()),
            san: follow
                .zip(shown.line)
                .map(|(follow, told)| follow.moves(told.count)),
            matches: shown.line.map(|told| told.matches),
        };
        let words = feed(&self.id, &event, now);
        self.told = Some(shown);
        words
    }
}

impl Seen {
    fn goes_by(&self, serial: &str) -> bool {
        self.serial == serial || self.id == serial
    }
}

/// What a client has written, shortened for an answer.
fn brief(text: &str) -> String {
    text.chars().take(40).collect()
}
#[cfg(test)]
mod tests;
