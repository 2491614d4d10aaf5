//! The page without a script: a table with links. Everything that comes from files of others, names
//! above all, is text here and nothing else.

use std::fmt::Write;
use std::sync::Arc;

use super::super::gate::Gate;
use super::super::shown::{Person, Programme, Round, Seats};
use super::words::{Language, Words};

/// What the page may load: its own files only. In the page too, for web servers that say nothing.
pub(in crate::public) const POLICY: &str = "default-src 'none'; script-src 'self'; \
                      style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'";

/// The page of a round.
pub(in crate::public) fn round(
    gate: &Gate,
    programme: &Programme,
    round: &Round,
    language: Language,
) -> String {
    let words = language.words();
    let event = escaped(&programme.name);
    let number = round.number;
    let title = format!("{} {number}", words.round);
    let up = if programme.number > 1 {
        "../../"
    } else {
        "../"
    };
    let title_of_page = match event.is_empty() {
        true => title.clone(),
        false => format!("{title} · {event}"),
    };
    let mut page = head(language.code(), &title_of_page, up, "live");
    let languages = Language::ALL.map(|other| {
        let current = current(other == language);
        let (file, code, name) = (other.file(), other.code(), other.name());
        format!("<a href=\"{file}\" lang=\"{code}\" hreflang=\"{code}\"{current}>{name}</a>")
    });
    let rounds = programme.rounds.iter().map(|other| {
        let (n, file) = (other.number, language.file());
        let current = current(other.number == number);
        format!("<a href=\"../round-{n}/{file}\"{current}>{n}</a>")
    });
    let rounds: Vec<String> = rounds.collect();
    let about = [
        round.date.as_deref().unwrap_or_default(),
        &programme.site,
        &programme.time_control,
    ];
    let about: Vec<String> = about.into_iter().map(escaped).collect();
    let about: Vec<String> = about.into_iter().filter(|text| !text.is_empty()).collect();
    let corrected = gate.corrected();
    let is_corrected =
        |seats: &Seats| corrected.contains(&(programme.number, round.number, seats.table));
    let row = |seats: &Seats| row(gate, seats, words, is_corrected(seats));
    let rows: Vec<String> = round.tables.iter().map(row).collect();
    let _never = write!(
        page,
        "<header><p class=\"event\">{event}</p><nav aria-label=\"{}\">{}</nav></header>\n\
         <main><h1>{title}</h1><p class=\"soft\">{}</p><p class=\"soft\">{}</p>\n\
         <div class=\"tabs\"><nav class=\"rounds\" aria-label=\"{}\">{}</nav>\
         <a class=\"button\" href=\"games.pgn\" download>{}</a></div>\n\
         <noscript><p>{} <a href=\"{}\">{}</a></p></noscript>\n\
         <p id=\"state\" role=\"status\"></p>\n\
         <div id=\"view\"><table><thead><tr><th scope=\"col\">{}</th>\
         <th scope=\"col\">{} / {}</th><th scope=\"col\">{}</th>\
         <th scope=\"col\">{}</th></tr></thead>\n\
         <tbody>{}</tbody></table></div></main>\n</body></html>\n",
        words.languages,
        languages.join(" "),
        about.join(" · "),
        words.lateness(round.late),
        words.rounds,
        rounds.join(" "),
        words.all,
        words.scriptless,
        language.file(),
        words.again,
        words.table,
        words.white,
        words.black,
        words.last,
        words.game,
        rows.join("\n"),
    );
    page
}

/// Where somebody comes who names no round: the newest is a link away, and a script goes there.
/// The events stand there by their age, the last first.
pub(in crate::public) fn start(programmes: &[Arc<Programme>]) -> String {
    let title = programmes
        .last()
        .map_or(NAMELESS.to_owned(), |newest| event_name(newest));
    let page = head("en", &title, "", "start");
    let none = [Arc::default()];
    let programmes = if programmes.is_empty() {
        &none
    } else {
        programmes
    };
    let events: Vec<String> = programmes.iter().rev().map(|p| links(p)).collect();
    page + &format!("<main>{}</main>\n</body></html>\n", events.join("\n"))
}

/// How an event is called that has no name.
const NAMELESS: &str = "Chess games";

fn event_name(programme: &Programme) -> String {
    match programme.name.is_empty() {
        true => NAMELESS.to_owned(),
        false => escaped(&programme.name),
    }
}

/// The links to an event's rounds, in each language.
fn links(programme: &Programme) -> String {
    let up = match programme.number {
        number if number > 1 => format!("event-{number}/"),
        _ => String::new(),
    };
    let line = |language: Language| {
        let words = language.words();
        let links = programme.rounds.iter().rev().map(|round| {
            let (n, file) = (round.number, language.file());
            format!("<a href=\"{up}round-{n}/{file}\">{} {n}</a>", words.round)
        });
        let links: Vec<String> = links.collect();
        let links = match links.is_empty() {
            true => words.early.to_owned(),
            false => links.join(" "),
        };
        format!("<p lang=\"{}\">{links}</p>", language.code())
    };
    format!(
        "<h1>{}</h1><nav class=\"rounds\" aria-label=\"Rounds\">{}</nav>",
        event_name(programme),
        Language::ALL.map(line).join("\n"),
    )
}

fn head(code: &str, title: &str, up: &str, script: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"{code}\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><link rel=\"icon\" href=\"data:,\">\
         <link rel=\"stylesheet\" href=\"{up}page/live.css\">\
         <script type=\"module\" src=\"{up}page/{script}.js\"></script></head>\n<body>\n"
    )
}

fn current(is: bool) -> &'static str {
    match is {
        true => " aria-current=\"page\"",
        false => "",
    }
}

fn row(gate: &Gate, seats: &Seats, words: &Words, is_corrected: bool) -> String {
    let table = seats.table;
    let shown = seats.game.as_deref().and_then(|game| gate.game(game));
    let mut state = match (&shown, seats.result.as_str()) {
        (_, result) if result != "*" => super::written(result),
        (Some(shown), _) => match shown.plies.last() {
            Some(ply) => {
                let san = words.written(&ply.san);
                numbered(&shown.start_fen, shown.plies.len(), &san)
            }
            None => words.unmoved.to_owned(),
        },
        (None, _) => words.unmoved.to_owned(),
    };
    if is_corrected {
        let _never = write!(state, " ({})", words.corrected);
    }
    let link = shown.map(|_| format!("<a href=\"game-{table}.pgn\" download>PGN</a>"));
    format!(
        "<tr id=\"t{table}\"><th scope=\"row\">{table}</th><td>{}<br>{}</td><td>{}</td>\
         <td>{}</td></tr>",
        name(&seats.white),
        name(&seats.black),
        escaped(&state),
        link.unwrap_or_default(),
    )
}

/// A move with its number, as `25… Rxd5`.
fn numbered(start: &str, count: usize, san: &str) -> String {
    let mut fields = start.split(' ').skip(1);
    let half = count - 1 + usize::from(fields.next() == Some("b"));
    let first: usize = fields.nth(3).and_then(|n| n.parse().ok()).unwrap_or(1);
    let dots = if half.is_multiple_of(2) { "." } else { "…" };
    format!("{}{dots} {san}", first + half / 2)
}

fn name(person: &Person) -> String {
    match (person.title.as_str(), person.name.as_str()) {
        (_, "") => "?".to_owned(),
        ("", name) => escaped(name),
        (title, name) => format!("{} {}", escaped(title), escaped(name)),
    }
}

/// Text that stays text.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}
