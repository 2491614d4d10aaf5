//! A game as a script tells it.

use arbiter_core::ruling::{Announcement, Ruling};
use arbiter_core::view::{FindingStatus, View};
use arbiter_core::{Arbiter, Event};

/// A game in the lines of a script: what is said to each, and the game in the end.
pub(crate) struct Told {
    arbiter: Arbiter,
    pub(crate) said: Vec<Vec<Announcement>>,
}

impl Told {
    /// `lines` are those of a script, without the braces around them; after a comma one goes on.
    pub(crate) fn new(lines: &str) -> Told {
        let lines = lines.replace(",\n", ",");
        let (mut arbiter, mut said) = (Arbiter::new(), Vec::new());
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let event: Event = serde_json::from_str(&format!("{{{line}}}"))
                .unwrap_or_else(|e| panic!("{line}: {e}"));
            let mut heard = Vec::new();
            arbiter.handle(&event, &mut heard);
            said.push(heard);
        }
        Told { arbiter, said }
    }

    /// What was said to the last line.
    pub(crate) fn last(&self) -> Vec<String> {
        let last = self.said.last().expect("a line");
        last.iter().map(|said| short(&said.ruling)).collect()
    }

    pub(crate) fn view(&self) -> View {
        self.arbiter.view().expect("a game")
    }

    pub(crate) fn moves(&self) -> String {
        let plies = self.view().plies;
        let moves: Vec<String> = plies.iter().map(|ply| ply.uci.to_string()).collect();
        moves.join(" ")
    }

    pub(crate) fn findings(&self) -> Vec<(u32, &'static str, FindingStatus)> {
        let findings = self.view().findings.into_iter();
        let short = |f: arbiter_core::view::Finding| {
            (f.irregularity.id, f.irregularity.code.name(), f.status)
        };
        findings.map(short).collect()
    }

    pub(crate) fn orders(&self) -> Vec<String> {
        let orders = self.view().orders.into_iter();
        orders
            .filter_map(|event| event.input.order().map(str::to_owned))
            .collect()
    }
}

/// A ruling in a few words.
fn short(ruling: &Ruling) -> String {
    match ruling {
        Ruling::Move { ply, uci, .. } => format!("move {ply} {uci}"),
        Ruling::Revision { from_ply, moves } => {
            let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            format!("revision {from_ply} {}", moves.join(","))
        }
        Ruling::Irregularity(found) => format!("irregularity {} {}", found.id, found.code),
        Ruling::Withdrawn { id } => format!("withdrawn {id}"),
        Ruling::Lapsed { id } => format!("lapsed {id}"),
        Ruling::Doubt(doubt) => format!("doubt {} {:?}", doubt.ply, doubt.kind),
        Ruling::Restore { squares, .. } => format!("restore {}", squares.len()),
        Ruling::Result { result, reason, .. } => format!("result {result} {reason:?}"),
        Ruling::Refused { order, text, .. } => {
            format!("refused {}: {text}", order.as_deref().unwrap_or("-"))
        }
        Ruling::Obligation { .. } => "obligation".to_owned(),
        Ruling::DrawClaimable { .. } => "draw-claimable".to_owned(),
        Ruling::Claim { accepted, .. } => format!("claim {accepted}"),
        Ruling::Summary(_) => "summary".to_owned(),
    }
}

/// The game of these parts of a script.
pub(crate) fn script(parts: &[&str]) -> Told {
    Told::new(&parts.join("\n"))
}
