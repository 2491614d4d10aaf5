//! One game of a script: its events through an arbiter, and what he says as lines.

use std::io::Write;
use std::sync::mpsc::{Receiver, SyncSender};

use arbiter_core::settings::Language;
use arbiter_core::{Announcement, Event, Input, Ruling};
use daemon::mating::Follower;
use daemon::pgn;
use daemon::script::ScriptError;
use serde::Serialize;

use crate::cli::pretty;
use crate::cli::terminal::Screen;

/// Bytes that are handed on together.
const CHUNK: usize = 32 * 1024;

/// Some events of one game, in their order.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) events: Vec<Event>,
    /// What is wrong with the line after them. Then nothing follows.
    pub(super) error: Option<ScriptError>,
    /// Whether the next event must be waited for: a good moment to show what came of these.
    pub(super) is_drained: bool,
}

/// What comes of a game.
#[derive(Debug)]
pub(super) enum Said {
    /// Lines; `at_once` when more may be long in coming.
    Lines { text: Vec<u8>, at_once: bool },
    /// The script ends here, at a wrong line.
    Wrong(ScriptError),
    /// That was all. Whoever does not hear it knows that the thread has come to grief.
    Over,
}

/// How an announcement is written, a summary with its PGN.
pub(super) type Writer = fn(&mut Vec<u8>, Language, &Announcement, Option<&str>);

/// How what comes of scripts is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    pub(super) write: Writer,
    /// The language of the sentences, where it is not the script's.
    pub(super) language: Option<Language>,
}

/// Rules on a game as it comes, and says so until nobody listens.
pub(super) fn rule(batches: &Receiver<Batch>, said: &SyncSender<Said>, manner: Manner) {
    let mut game = Game::new(manner);
    let mut text = Vec::new();
    for batch in batches {
        batch
            .events
            .iter()
            .for_each(|event| game.take(event, &mut text));
        let is_over = batch.error.is_some();
        let full = batch.is_drained || is_over || text.len() >= CHUNK;
        if full
            && said
                .send(Said::Lines {
                    text: std::mem::take(&mut text),
                    at_once: batch.is_drained,
                })
                .is_err()
        {
            return;
        }
        if let Some(error) = batch.error {
            let _nobody_listens = said.send(Said::Wrong(error));
            return;
        }
    }
    game.end(&mut text);
    let _nobody_listens = said
        .send(Said::Lines {
            text,
            at_once: false,
        })
        .and_then(|()| said.send(Said::Over));
}

/// Rules on a whole game.
pub(super) fn rule_whole(events: &[Event], text: &mut Vec<u8>, manner: Manner) {
    let mut game = Game::new(manner);
    events.iter().for_each(|event| game.take(event, text));
    game.end(text);
}

/// The arbiter, what he has said, and the tags of the game he follows.
struct Game {
    manner: Manner,
    language: Language,
    /// The language of the game that begins when this one has been summed up.
    next: Option<Language>,
    follower: Follower,
    said: Vec<Announcement>,
    tags: pgn::Tags,
}

impl Game {
    fn new(manner: Manner) -> Game {
        Game {
            manner,
            language: manner.language.unwrap_or_default(),
            next: None,
            follower: Follower::new(),
            said: Vec::new(),
            tags: pgn::Tags::default(),
        }
    }

    fn take(&mut self, event: &Event, text: &mut Vec<u8>) {
        let Input::Setup(setup) = &event.input else {
            return self.hear(event, text);
        };
        let mut begun = event.clone();
        let language = self.manner.language.unwrap_or(setup.options.language);
        if let Input::Setup(setup) = &mut begun.input {
            setup.options.language = language;
            // A script knows neither players nor place.
            self.tags = pgn::Tags {
                chess960: setup.chess960,
                ..pgn::Tags::default()
            };
        }
        match self.follower.arbiter().view() {
            Some(_) => self.next = Some(language),
            None => self.language = language,
        }
        self.hear(&begun, text);
    }

    fn hear(&mut self, event: &Event, text: &mut Vec<u8>) {
        let _told_as_rulings = self.follower.handle(event, &mut self.said);
        self.tell(text);
    }

    /// Writes what the arbiter has said.
    fn tell(&mut self, text: &mut Vec<u8>) {
        for announcement in self.said.drain(..) {
            let summary = matches!(announcement.ruling, Ruling::Summary(_));
            let view = if summary {
                self.follower.arbiter().view()
            } else {
                None
            };
            let pgn = view.map(|view| pgn::render(&self.tags, &view));
            (self.manner.write)(text, self.language, &announcement, pgn.as_deref());
            if summary {
                self.language = self.next.take().unwrap_or(self.language);
            }
        }
    }

    fn end(&mut self, text: &mut Vec<u8>) {
        self.follower.finish(&mut self.said);
        self.tell(text);
    }
}

/// An announcement as the event script's description has it.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    announcement: &'a Announcement,
    #[serde(skip_serializing_if = "Option::is_none")]
    pgn: Option<&'a str>,
}

/// One JSON object a line.
pub(super) fn write_json(
    text: &mut Vec<u8>,
    _language: Language,
    announcement: &Announcement,
    pgn: Option<&str>,
) {
    serde_json::to_writer(&mut *text, &Line { announcement, pgn }).expect("memory is written");
    text.push(b'\n');
}

/// Sentences for people.
pub(super) fn write_pretty(
    text: &mut Vec<u8>,
    language: Language,
    announcement: &Announcement,
    _pgn: Option<&str>,
) {
    let line = pretty::line(Screen::stdout(), language, announcement);
    writeln!(text, "{line}").expect("memory is written");
}
