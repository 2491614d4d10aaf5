//! What the simulated players do beside their moves, as a table, and every lawful order of the rare
//! moves.

#![cfg(feature = "simulators")]

use std::collections::BTreeSet;
use std::fmt::Write;

use arbiter_core::shakmaty::{Role, Square};
use board_driver::hand::games::{self, Game};
use board_driver::hand::{Act, Deed, Options, Style, perform};

/// Counts over all games.
#[derive(Default)]
struct Habits {
    adjustments: u32,
    /// Presses with the other side's pieces already in motion; a victim taken en passant at last
    /// counts too.
    early_replies: u32,
    /// Contacts of up to 150 ms that were left again.
    slides: u32,
    /// Longer contacts that were left again, a pawn's on its last rank among them.
    stops: u32,
    /// Pieces lifted and put back within a tenth of a second.
    brushes: u32,
    /// Pieces lifted and put back later.
    put_backs: u32,
    /// Squares that changed owners within 40 ms.
    swaps: u32,
}

impl Habits {
    fn add(&mut self, acts: &[Act]) {
        for pair in acts.windows(2) {
            let ms = pair[1].at.since(pair[0].at);
            match (pair[0].deed, pair[1].deed) {
                (_, Deed::Adjust { .. }) => self.adjustments += 1,
                (Deed::LiftPiece(_, p) | Deed::PlacePiece(_, p), Deed::Press { by, .. })
                    if p.color != by =>
                {
                    self.early_replies += 1;
                }
                (Deed::PlacePiece(a, p), Deed::LiftPiece(b, q)) if (a, p) == (b, q) => match ms {
                    0..=150 => self.slides += 1,
                    _ => self.stops += 1,
                },
                (Deed::LiftPiece(a, p), Deed::PlacePiece(b, q)) if a == b => match (p == q, ms) {
                    (true, 0..=99) => self.brushes += 1,
                    (true, _) => self.put_backs += 1,
                    (false, 0..=40) => self.swaps += 1,
                    (false, _) => {}
                },
                _ => {}
            }
        }
    }
}

fn acts(game: &Game, style: Style, seed: u64) -> Vec<Act> {
    perform(
        &game.start,
        &game.moves,
        style,
        seed,
        &[],
        &Options::default(),
    )
    .acts
}

#[test]
fn habits_by_style() {
    let mut table =
        String::from("style   adjustments early slides stops brushes put-backs swaps\n");
    for style in Style::ALL {
        let mut habits = Habits::default();
        games::sample(games::CROSS_SECTION)
            .iter()
            .for_each(|game| habits.add(&acts(game, style, 1)));
        let Habits {
            adjustments,
            early_replies,
            slides,
            stops,
            brushes,
            put_backs,
            swaps,
        } = habits;
        let name = format!("{style:?}");
        writeln!(
            table,
            "{name:<7} {adjustments:>11} {early_replies:>5} {slides:>6} {stops:>5} {brushes:>7} \
             {put_backs:>9} {swaps:>5}"
        )
        .unwrap();
    }
    assert_eq!(
        table, TABLE,
        "\nif the change is meant, the table is now:\n{table}"
    );
}

const TABLE: &str = "\
style   adjustments early slides stops brushes put-backs swaps
Tidy              0     4      0     9       0         0     0
Human           119  1065   1669  1220     373      1005   324
Hurried           0  2674   2384   486     513       421   635
Restless         596  1660   2054  3830    1617      4874   300
Blitz             0  2728   3011   333     596       492   704
";

/// The orders of lifts (-) and places (+) in which `wanted` moves were carried out.
fn orders(wanted: impl Fn(&Game, usize) -> bool) -> BTreeSet<String> {
    let mut orders = BTreeSet::new();
    for game in games::sample(games::CROSS_SECTION) {
        for seed in 0..30 {
            let acts = acts(game, Style::Tidy, seed);
            let turns = acts.split(|a| matches!(a.deed, Deed::Press { .. }));
            for (_, turn) in turns
                .enumerate()
                .filter(|(i, _)| *i < game.moves.len() && wanted(game, *i))
            {
                orders.insert(turn.iter().map(order).collect::<Vec<_>>().join(" "));
            }
        }
    }
    orders
}

fn order(act: &Act) -> String {
    match act.deed {
        Deed::LiftPiece(sq, piece) => format!("-{}{sq}", piece.char()),
        Deed::PlacePiece(sq, piece) => format!("+{}{sq}", piece.char()),
        Deed::Press { .. } | Deed::Adjust { .. } => String::new(),
    }
}

fn list(orders: &[&str]) -> BTreeSet<String> {
    orders.iter().map(|s| s.to_string()).collect()
}

#[test]
fn castling_begins_with_the_king() {
    let short =
        |game: &Game, i: usize| game.moves[i].is_castle() && game.moves[i].to() == Square::H1;
    let expected = [
        "-Ke1 +Kg1 -Rh1 +Rf1",
        "-Ke1 -Rh1 +Kg1 +Rf1",
        "-Ke1 -Rh1 +Rf1 +Kg1",
    ];
    assert_eq!(orders(short), list(&expected));
}

#[test]
fn en_passant_in_three_orders() {
    let wanted = |game: &Game, i: usize| {
        let mv = game.moves[i];
        mv.is_en_passant() && (mv.from(), mv.to()) == (Some(Square::E5), Square::D6)
    };
    let expected = ["-Pe5 +Pd6 -pd5", "-Pe5 -pd5 +Pd6", "-pd5 -Pe5 +Pd6"];
    assert_eq!(orders(wanted), list(&expected));
}

#[test]
fn promotion_in_three_orders() {
    let wanted = |game: &Game, i: usize| {
        let mv = game.moves[i];
        let queen = mv.promotion() == Some(Role::Queen) && !mv.is_capture();
        queen && mv.to() == Square::A8
    };
    let expected = ["-Pa7 +Pa8 -Pa8 +Qa8", "-Pa7 +Qa8", "+Qa8 -Pa7"];
    assert_eq!(orders(wanted), list(&expected));
}
