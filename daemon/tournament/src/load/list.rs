//! What pairing engines print: how many pairs there are, then the starting numbers of two players a
//! line, in the order of the tables. A 0 is a bye.

use super::seen::Seen;
use super::{Format, Game, Sheet, Unreadable};
use crate::code::ResultCode;
use crate::model::Player;
use crate::what;

pub(super) fn read(text: &str) -> Result<Sheet, Unreadable> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let mut wrong = Unreadable(Vec::new());
    let (mut sheet, mut seen) = (Sheet::empty(Format::List), Seen::default());
    let count: usize = match lines.next().and_then(|(_, line)| line.trim().parse().ok()) {
        Some(count) => count,
        None => {
            let what = what!("no-count", "the number of pairs is missing");
            return Err(Unreadable::one(1, 1, what));
        }
    };
    let mut last = 1;
    for (line, pair) in lines {
        last = line;
        if !seen.game(line, &mut wrong) {
            break;
        }
        match two_numbers(pair) {
            Some((white, black)) if white != 0 && white != black => {
                let place = sheet.players.len();
                let numbered = |number| Player {
                    number,
                    ..Player::default()
                };
                let has_opponent = black != 0;
                for number in [Some(white), has_opponent.then_some(black)] {
                    let Some(player) = number.map(numbered) else {
                        continue;
                    };
                    seen.player(&player, (line, 1), &mut wrong);
                    sheet.players.push(player);
                }
                sheet.games.push(Game {
                    line,
                    table: None,
                    white: place,
                    black: has_opponent.then_some(place + 1),
                    codes: (!has_opponent).then_some([ResultCode(chess_trf::Code::PairingBye); 2]),
                    start: None,
                    start_line: None,
                });
            }
            _ => {
                let pair = pair.trim();
                let what = what!("no-pair", "`{found}` is no pair of players", found = pair);
                wrong.add(line, 1, what);
            }
        }
    }
    if sheet.games.len() != count && wrong.0.is_empty() {
        let what = what!(
            "other-count",
            "{said} pairs are said to follow, and {there} do",
            said = count,
            there = sheet.games.len()
        );
        wrong.add(last, 1, what);
    }
    wrong.unless(sheet)
}

fn two_numbers(line: &str) -> Option<(u16, u16)> {
    let mut words = line.split_whitespace();
    let pair = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    words.next().is_none().then_some(pair)
}
