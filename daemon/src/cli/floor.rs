//! What happens on the floor of the hall, for people: notes, who leaves, what is observed.

use daemon::plain;
use serde_json::Value;

use super::terminal::Screen;

fn text(value: &Value) -> String {
    plain::shown(value.as_str().unwrap_or_default())
}

/// What arbiters wrote down, for people.
pub(super) fn notes(notes: &Value) -> String {
    let about = |note: &Value| {
        let players = note["about"].as_array().into_iter().flatten();
        let names: Vec<_> = players.map(|player| text(&player["name"])).collect();
        let place = match (note["round"].as_u64(), note["table"].as_u64()) {
            (Some(round), Some(table)) => format!("{round}.{table} "),
            _ => String::new(),
        };
        format!("{place}{}", names.join(" - "))
    };
    let row = |note: &Value| {
        let photo = if note["photo"] == true { "photo" } else { "" };
        vec![
            note["number"].to_string(),
            text(&note["at"]),
            text(&note["by"]),
            about(note),
            photo.to_owned(),
            text(&note["text"]),
        ]
    };
    let rows: Vec<_> = notes.as_array().into_iter().flatten().map(row).collect();
    let headings = ["NOTE", "WHEN", "BY", "ABOUT", "", "TEXT"];
    Screen::stdout().table(&headings, &rows)
}

/// Who was out of the hall in a round, for people.
pub(super) fn breaks(players: &Value) -> String {
    let row = |player: &Value| {
        let times = player["breaks"].as_array().map_or(0, Vec::len);
        let out = if player["out"] == true { "out" } else { "" };
        vec![
            player["table"].to_string(),
            text(&player["player"]["name"]),
            times.to_string(),
            minutes(player["seconds"].as_u64().unwrap_or(0)),
            player["having_move"].to_string(),
            out.to_owned(),
        ]
    };
    let rows: Vec<_> = players.as_array().into_iter().flatten().map(row).collect();
    let headings = [
        "TABLE",
        "PLAYER",
        "BREAKS",
        "MIN:SEC",
        "HAVING THE MOVE",
        "",
    ];
    Screen::stdout().table(&headings, &rows)
}

/// Which games arbiters observed, for people.
pub(super) fn observed(all: &Value) -> String {
    let row = |one: &Value| {
        let until = match (&one["until"], one["by_itself"] == true) {
            (Value::Null, _) => "still".to_owned(),
            (until, true) => format!("{} (the game ended)", text(until)),
            (until, false) => text(until),
        };
        vec![
            format!("{}.{}", one["round"], one["table"]),
            text(&one["by"]),
            text(&one["since"]),
            until,
        ]
    };
    let rows: Vec<_> = all.as_array().into_iter().flatten().map(row).collect();
    Screen::stdout().table(&["TABLE", "OBSERVED BY", "FROM", "TO"], &rows)
}

fn minutes(seconds: u64) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
