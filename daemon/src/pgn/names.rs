//! Games of a PGN whose players are called otherwise.

use std::fmt::Write;

use super::{Tags, headed, tag};

/// The ends of the names of all tags that are of a player besides his name.
pub const PERSON: [&str; 4] = ["Title", "Elo", "FideId", "Team"];

/// How a player is called otherwise, by his name; `None` leaves him.
type Called<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Finds the value of a tag of a game by its name.
pub type Head<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A text of PGN games in which players are called otherwise. Tags that name them in another way
/// are left out of their games: `further` are the ends of the tags' names, such as `FideId`.
pub fn renamed(text: &str, further: &[&str], called: Called<'_>) -> String {
    renamed_in(text, further, called, &|_| true)
}

/// The same in those games only of which it is so.
pub fn renamed_in(
    text: &str,
    further: &[&str],
    called: Called<'_>,
    is_meant: &dyn Fn(Head<'_>) -> bool,
) -> String {
    let mut out = String::with_capacity(text.len());
    let mut head: Vec<&str> = Vec::new();
    let called = |head: &[&str], name: &str| {
        let tag = |name: &str| value(head, name);
        is_meant(&tag).then(|| called(name)).flatten()
    };
    for line in text.split_inclusive('\n') {
        if line.starts_with('[') {
            head.push(line);
            continue;
        }
        let head = std::mem::take(&mut head);
        write_head(&mut out, &head, further, &|name| called(&head, name));
        out.push_str(line);
    }
    write_head(&mut out, &head, further, &|name| called(&head, name));
    out
}

/// The tags that say of a game what its board and its end say of it, and no pairing.
const OF_THE_GAME: [&str; 5] = ["Variant", "SetUp", "FEN", "GameId", "Termination"];

/// One PGN game with these tags: as [`render`](super::render) would write it, but with its own
/// moves and result.
pub fn retagged(text: &str, tags: &Tags) -> String {
    let rest = text.find("\n\n").map_or(text.len(), |end| end + 2);
    let (head, moves) = text.split_at(rest);
    let head: Vec<&str> = head.lines().collect();
    let own = OF_THE_GAME.iter();
    let own = own.filter_map(|name| Some((*name, value(&head, name)?)));
    let own: Vec<_> = own.collect();
    let result = value(&head, "Result").unwrap_or_default();
    let mut out = headed(tags, &result, &own);
    out.push_str(moves);
    out
}

/// The value of a tag in a head.
fn value(head: &[&str], name: &str) -> Option<String> {
    let mut said = head.iter().filter_map(|line| read(line));
    said.find(|(tag, _)| *tag == name).map(|(_, value)| value)
}

fn write_head(out: &mut String, head: &[&str], further: &[&str], called: Called<'_>) {
    let new = |side: &str| value(head, side).and_then(|name| called(&name));
    let sides = ["White", "Black"].map(|side| (side, new(side)));
    for line in head {
        let name = read(line).map_or("", |(name, _)| name);
        let of = sides.iter().find_map(|(side, new)| {
            let end = name.strip_prefix(side)?;
            Some((end, new.as_ref()?))
        });
        match of {
            Some(("", new)) => tag(out, name, new),
            Some((end, _)) if further.contains(&end) => {}
            _ => _ = out.write_str(line),
        }
    }
}

/// The name and the value of a tag.
fn read(line: &str) -> Option<(&str, String)> {
    let inside = line.trim_end().strip_prefix('[')?.strip_suffix("\"]")?;
    let (name, value) = inside.split_once(" \"")?;
    let mut plain = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        plain.push(if c == '\\' { chars.next()? } else { c });
    }
    Some((name, plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whom_it_is_about_is_called_otherwise() {
        let text = "[White \"Berg, \\\"Anna\\\"\"]\n[Black \"Cole, Ben\"]\n[WhiteElo \"1500\"]\n\
                    [BlackElo \"1600\"]\n[WhiteFideId \"7\"]\n\n1. e4 {[%clk 1:00:00]} *\n\n\
                    [White \"Cole, Ben\"]\n[Black \"Ek\"]\n\n*\n";
        let called = |name: &str| (name == "Berg, \"Anna\"").then(|| "Player 1".to_owned());
        let wanted = "[White \"Player 1\"]\n[Black \"Cole, Ben\"]\n[WhiteElo \"1500\"]\n\
                      [BlackElo \"1600\"]\n\n1. e4 {[%clk 1:00:00]} *\n\n\
                      [White \"Cole, Ben\"]\n[Black \"Ek\"]\n\n*\n";
        assert_eq!(renamed(text, &["FideId"], &called), wanted);
        assert_eq!(renamed(text, &["FideId"], &|_| None), text);
    }
}
