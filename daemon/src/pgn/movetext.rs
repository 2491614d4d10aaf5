//! The moves of a PGN with their comments, wrapped.

use std::borrow::Borrow;
use std::ops::Deref;

use arbiter_core::input::{ArbiterAction, StartFen};
use arbiter_core::ruling::{Doubt, ResultReason};
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::san::SanPlus;
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::shakmaty::{Chess, Color, Move, Position, Role};
use arbiter_core::view::{Finding, FindingStatus, PlyRecord, View};
use arbiter_core::{Event, Input};
use tournament::Typed;

/// The export format asks for fewer than 80 printing characters a line.
const COLUMNS: usize = 79;

/// A doubt's comment names this many readings; the console and the API give all.
const READINGS: usize = 4;

/// The moves from `start` on, those that were typed instead of what the board has seen from there
/// on, and the result.
pub(super) fn render<R: Borrow<PlyRecord>>(
    start: Option<Chess>,
    view: &View<impl Deref<Target = [R]>, impl Deref<Target = [Finding]>>,
    typed: Option<&Typed>,
    result: &str,
) -> String {
    let (typed, seen_too) = replacing(start.as_ref(), &view.plies, typed);
    let seen = typed.map_or(view.plies.len(), |typed| usize::from(typed.after));
    let mut text = Movetext {
        out: Wrapped::default(),
        number_due: true,
        plies: view.plies.iter().take(seen).map(Borrow::borrow).collect(),
        findings: &view.findings,
        doubts: &view.doubts,
    };
    let (told, position) = text.legal_part(start);
    match (typed, position) {
        (Some(typed), Some(position)) if told == seen => {
            text.replaced(&position, view.plies.iter().skip(seen).map(Borrow::borrow));
            text.typed(position, &typed.moves);
        }
        (None, Some(position)) if told == seen => {
            if !is_at(&position, &view.fen) {
                text.comment(&match view.fen.parse::<Fen>() {
                    Ok(fen) => format!("the arbiter has set up another position: {fen}"),
                    Err(_) => "nobody knows what stands on the board".to_owned(),
                });
            }
        }
        (typed, _) => {
            if told < view.plies.len() {
                text.plies = view.plies.iter().map(Borrow::borrow).collect();
                text.remainder(told, &view.fen, &view.orders);
            }
            if let Some(Typed { after, moves, .. }) = typed {
                let moves = moves.join(" ");
                text.comment(&format!("typed to follow half-move {after}: {moves}"));
            }
        }
    }
    if let Some(Typed { after, moves, .. }) = seen_too {
        let (first, last) = (after + 1, usize::from(*after) + moves.len());
        text.comment(&format!("typed as well: half-moves {first} to {last}"));
    }
    // Findings and doubts about a ply that is not on record.
    let ply_told = |ply: u32| (1..=told as u32).contains(&ply);
    text.notes(|ply| !ply_told(ply));
    if let Some(r) = view.result.filter(|r| r.proposed) {
        text.comment(&format!(
            "result {} proposed, waits for the arbiter",
            r.result
        ));
    }
    if view
        .result
        .is_some_and(|r| r.reason == ResultReason::Annulled)
    {
        text.comment("annulled by the arbiter");
    }
    text.out.word(result);
    text.out.finish()
}

/// What was typed, if it stands instead of what the board has seen; or if the board has seen the
/// same: then its record goes on.
pub(super) fn replacing<'t, R: Borrow<PlyRecord>>(
    start: Option<&Chess>,
    plies: &[R],
    typed: Option<&'t Typed>,
) -> (Option<&'t Typed>, Option<&'t Typed>) {
    let is_seen = |typed: &&Typed| start.is_some_and(|start| has_seen(start, plies, typed));
    (typed.filter(|t| !is_seen(t)), typed.filter(is_seen))
}

/// Whether the half-moves that follow `typed.after` are those that were typed, all of them.
fn has_seen<R: Borrow<PlyRecord>>(start: &Chess, plies: &[R], typed: &Typed) -> bool {
    let mut plies = plies.iter().map(Borrow::borrow);
    let mut before = plies.by_ref().take(usize::from(typed.after));
    let position = before.try_fold(start.clone(), |position, ply| {
        Some(played(&position, ply)?.1)
    });
    let Some(mut position) = position else {
        return false;
    };
    !typed.instead
        && !typed.moves.is_empty()
        && typed.moves.iter().all(|said| {
            let seen = plies.next().and_then(|ply| played(&position, ply));
            let said = read(&position, said);
            let same = seen.zip(said).filter(|((_, seen), (_, said))| seen == said);
            same.is_some_and(|((_, after), _)| {
                position = after;
                true
            })
        })
}

/// What was typed of a game that no board has seen, and its result.
pub(super) fn unseen(start: Option<Chess>, typed: Option<&Typed>, result: &str) -> String {
    let mut text = Movetext {
        out: Wrapped::default(),
        number_due: true,
        plies: Vec::new(),
        findings: &[],
        doubts: &[],
    };
    if let Some((typed, start)) = typed.zip(start) {
        text.typed(start, &typed.moves);
    }
    text.out.word(result);
    text.out.finish()
}

struct Movetext<'a> {
    plies: Vec<&'a PlyRecord>,
    findings: &'a [Finding],
    doubts: &'a [Doubt],
    out: Wrapped,
    /// Black's move needs its number: it is the first, or a comment came between.
    number_due: bool,
}

impl Movetext<'_> {
    /// Writes moves as long as they are legal and lead where the record says; returns how many, and
    /// the position after them.
    fn legal_part(&mut self, start: Option<Chess>) -> (usize, Option<Chess>) {
        let Some(mut position) = start else {
            return (0, None);
        };
        for index in 0..self.plies.len() {
            let ply = self.plies[index];
            let Some((san, after)) = played(&position, ply) else {
                return (index, Some(position));
            };
            self.san(&position, &san);
            position = after;
            if let Some(ms) = ply.clock_ms {
                self.comment(&clock(ms));
            }
            self.notes(|p| p as usize == index + 1);
        }
        (self.plies.len(), Some(position))
    }

    /// Writes a move with its number, where that is due.
    fn san(&mut self, position: &Chess, san: &SanPlus) {
        let number = position.fullmoves();
        match position.turn() {
            Color::White => self.out.word(&format!("{number}.")),
            Color::Black if self.number_due => self.out.word(&format!("{number}...")),
            Color::Black => {}
        }
        self.out.word(&san.to_string());
        self.number_due = false;
    }

    /// Writes moves that were typed, and says so.
    fn typed(&mut self, mut position: Chess, moves: &[String]) {
        self.comment("typed from the scoresheets from here on");
        for typed in moves {
            let Some((san, after)) = read(&position, typed) else {
                self.comment(&format!("`{typed}` is no legal move here"));
                return;
            };
            self.san(&position, &san);
            position = after;
        }
    }

    /// Says what the board saw where other moves were typed.
    fn replaced<'a>(&mut self, from: &Chess, plies: impl Iterator<Item = &'a PlyRecord>) {
        let (mut position, mut words) = (Some(from.clone()), Vec::new());
        for ply in plies {
            let legal = position.as_ref().and_then(|position| {
                let (san, after) = played(position, ply)?;
                let number = position.fullmoves();
                let word = match (position.turn(), words.is_empty()) {
                    (Color::White, _) => format!("{number}. {san}"),
                    (Color::Black, true) => format!("{number}... {san}"),
                    (Color::Black, false) => san.to_string(),
                };
                Some((word, after))
            });
            words.push(match legal {
                Some((ref word, _)) => word.clone(),
                None => ply.uci.to_string(),
            });
            position = legal.map(|(_, after)| after);
        }
        if !words.is_empty() {
            self.comment(&format!("the board saw here: {}", words.join(" ")));
        }
    }

    /// What legal moves cannot tell: why they lead no further, the plies after the first `told`,
    /// and where they led.
    fn remainder(&mut self, told: usize, fen: &str, orders: &[Event]) {
        let first = self.plies[told];
        let is_illegal = first.san.to_string() == first.uci.to_string();
        let before = told.checked_sub(1).map(|last| self.plies[last].at);
        let mut orders = orders.iter().rev();
        let set = orders.find(|order| {
            let since = Some(order.at) > before && order.at <= first.at;
            since && position_set(order).is_some()
        });
        let why = match set.and_then(position_set) {
            _ if is_illegal => "an illegal move was made here and stands".to_owned(),
            Some(fen) => {
                format!("the arbiter has set up another position: {fen}; played from it")
            }
            None => "pieces stand otherwise from here on; played from there".to_owned(),
        };
        let moves = self.plies[told..].iter().map(|ply| numbered(ply));
        let moves: Vec<String> = moves.collect();
        let moves = moves.join(" ");
        self.comment(&format!("{why}: {moves}; position: {fen}"));
    }

    /// Comments on the plies that `wanted` picks: upheld findings, open doubts.
    fn notes(&mut self, wanted: impl Fn(u32) -> bool) {
        let (findings, doubts) = (self.findings, self.doubts);
        for f in findings
            .iter()
            .filter(|f| f.status == FindingStatus::Upheld)
        {
            // What was taken back is of no ply that stands here.
            let ply = f.undone.as_ref().map_or(f.irregularity.ply, |_| 0);
            if wanted(ply) {
                let told = (ply as usize).checked_sub(1);
                let here = told.and_then(|n| self.plies.get(n)).copied();
                self.comment(&upheld(f, here));
            }
        }
        for words in doubts.iter().filter(|d| wanted(d.ply)).filter_map(doubt) {
            self.comment(&words);
        }
    }

    /// One comment. Its words wrap, except inside brackets: readers look for `[%clk ...]` whole.
    fn comment(&mut self, text: &str) {
        let text = format!("{{{}}}", text.replace(['{', '}'], ""));
        if text.starts_with("{[%") {
            self.out.word(&text);
        } else {
            text.split_whitespace().for_each(|word| self.out.word(word));
        }
        self.number_due = true;
    }
}

/// The position that an order sets up.
fn position_set(order: &Event) -> Option<&Fen> {
    match order.input.plain() {
        Input::Arbiter(ArbiterAction::SetPosition {
            fen: StartFen::Known(fen),
        }) => Some(fen),
        _ => None,
    }
}

/// A half-move with its number, as the position after it has it.
fn numbered(ply: &PlyRecord) -> String {
    let after = ply.fen.parse::<Fen>().map(Fen::into_setup);
    match after {
        Ok(after) if after.turn == Color::Black => format!("{}. {}", after.fullmoves, ply.san),
        Ok(after) => format!("{}... {}", after.fullmoves.get() - 1, ply.san),
        Err(_) => ply.san.to_string(),
    }
}

/// The ply as a legal move of `position`; `None` when it is none, or when the record goes on from
/// somewhere else.
pub(super) fn played(position: &Chess, ply: &PlyRecord) -> Option<(SanPlus, Chess)> {
    let m = ply.uci.to_move(position).ok()?;
    let mut after = position.clone();
    let san = SanPlus::from_move_and_play_unchecked(&mut after, m);
    is_at(&after, &ply.fen).then_some((san, after))
}

/// Whether the pieces stand as a FEN has them, and the same side has the move.
pub(super) fn is_at(position: &Chess, fen: &str) -> bool {
    let Ok(fen) = fen.parse::<Fen>() else {
        return false;
    };
    let setup = fen.as_setup();
    setup.board == *position.board() && setup.turn == position.turn()
}

/// A move in algebraic notation (Appendix C) in a position, and the position after it. The square
/// of departure may stand before that of arrival, with a hyphen or without: `e7-e5`, `Ng1xf3`.
pub(super) fn read(position: &Chess, typed: &str) -> Option<(SanPlus, Chess)> {
    let short = typed.parse::<SanPlus>().ok();
    let short = short.and_then(|san| san.san.to_move(position).ok());
    let m = short.or_else(|| long(position, typed))?;
    let mut after = position.clone();
    let san = SanPlus::from_move_and_play_unchecked(&mut after, m);
    Some((san, after))
}

/// A move with both of its squares.
fn long(position: &Chess, typed: &str) -> Option<Move> {
    let bare = typed.trim_end_matches(['+', '#']);
    let squares: String = bare
        .chars()
        .filter(|c| !matches!(c, '-' | 'x' | ':' | '×' | '='))
        .collect();
    let role = squares.chars().next().filter(char::is_ascii_uppercase);
    let squares = &squares[role.map_or(0, char::len_utf8)..];
    let uci: UciMove = squares.to_ascii_lowercase().parse().ok()?;
    let m = uci.to_move(position).ok()?;
    let is_so = role.is_none_or(|letter| Role::from_char(letter) == Some(m.role()));
    let captures = bare.contains(['x', ':', '×']);
    (is_so && (m.is_capture() || !captures)).then_some(m)
}

/// Remaining time, whole seconds as a clock shows them.
fn clock(ms: u64) -> String {
    let s = ms / 1000;
    format!("[%clk {}:{:02}:{:02}]", s / 3600, s / 60 % 60, s % 60)
}

/// `here`: the ply in whose place it was found. That may be the move that the ruling required.
fn upheld(finding: &Finding, here: Option<&PlyRecord>) -> String {
    let i = &finding.irregularity;
    let by = match i.by {
        arbiter_core::irregularity::Party::White => "White",
        arbiter_core::irregularity::Party::Black => "Black",
        arbiter_core::irregularity::Party::Either => "a player",
    };
    let gone = match finding.undone {
        Some(_) => format!(", at half-move {}, which was taken back", i.ply),
        None => String::new(),
    };
    let required = i.required.as_deref().unwrap_or_default();
    let is_required = here.is_some_and(|ply| required.contains(&ply.uci));
    let replaced = if is_required && i.code.is_of_moving() {
        ": replaced by this move"
    } else {
        ""
    };
    format!(
        "{} by {by} (Article {}), upheld{gone}{replaced}",
        i.code, i.article
    )
}

/// What is in doubt of the moves; `None` where it is something else.
fn doubt(doubt: &Doubt) -> Option<String> {
    let reading = |r: &Vec<_>| {
        r.iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let mut readings: Vec<String> = doubt.readings.iter().take(READINGS).map(reading).collect();
    if doubt.readings.len() > READINGS {
        readings.push("others".to_owned());
    }
    let squares: Vec<String> = doubt.squares.iter().map(ToString::to_string).collect();
    let what = if readings.is_empty() {
        squares.join(" ")
    } else {
        readings.join(" or ")
    };
    (!what.is_empty()).then(|| format!("doubt: {what}"))
}

/// Words, broken into lines.
#[derive(Default)]
pub(crate) struct Wrapped {
    text: String,
    column: usize,
}

impl Wrapped {
    pub(crate) fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 && self.column + 1 + width > COLUMNS {
            self.text.push('\n');
            self.column = 0;
        }
        if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += width;
    }

    pub(crate) fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }
}
