//! FIDE's report files. They have no numbers of tables: games are in the order that pairing
//! programs give them, higher scores first.

use chess_trf::{Code, Complaints, Document, Pair};

use super::{Format, Game, Sheet, Unreadable};
use crate::code::ResultCode;
use crate::model::{Details, Player, Worth};

pub(super) fn read(bytes: &[u8], round: Option<u16>) -> Result<Sheet, Unreadable> {
    let document = Document::parse(bytes).map_err(|e| Unreadable::one(1, 1, e.to_string()))?;
    let listed = document.players().map_err(told)?;
    let wanted = round
        .map(usize::from)
        .or_else(|| chess_trf::current_round(&listed));
    let Some(number) = wanted.filter(|number| *number > 0) else {
        let text = "every game of it is played: say which round is wanted";
        return Err(Unreadable::one(1, 1, text));
    };
    let mut pairs = chess_trf::pairings(&listed, number).map_err(told)?;
    chess_trf::in_table_order(&mut pairs, &listed, &document.scoring(), number);
    let place = |number: u16| listed.iter().position(|player| player.number == number);
    let game = |pair: &Pair| {
        let white = place(pair.white)?;
        let [one, other] = pair.codes;
        let codes = one.zip(other).filter(|_| !pair.is_open());
        Some(Game {
            line: listed[white].line,
            table: None,
            white,
            black: place(pair.black),
            codes: codes.map(|(one, other)| [one, other].map(ResultCode)),
        })
    };
    let mut games: Vec<Game> = pairs.iter().filter_map(game).collect();
    for (white, player) in listed.iter().enumerate() {
        let cell = player.round(number);
        // A blank without an opponent is absence.
        let bye = cell
            .code
            .filter(|code| code.is_bye() && cell.opponent.is_none());
        let codes = bye.or((cell.opponent.is_none()).then_some(Code::ZeroPointBye));
        if let Some(code) = codes {
            games.push(Game {
                line: player.line,
                table: None,
                white,
                black: None,
                codes: Some([ResultCode(code); 2]),
            });
        }
    }
    let event = document.event();
    let date = event
        .round_dates
        .get(number - 1)
        .cloned()
        .unwrap_or_default();
    Ok(Sheet {
        format: Format::Trf,
        details: details(&document),
        players: listed.iter().map(player).collect(),
        round: u16::try_from(number).ok(),
        date,
        games,
        is_ordered_here: true,
    })
}

fn details(document: &Document) -> Details {
    let event = document.event();
    Details {
        name: event.name,
        site: event.city,
        federation: event.federation,
        start: event.start,
        end: event.end,
        chief_arbiter: event.chief_arbiter,
        time_control: event.coded_time_control,
        rounds: event.rounds,
        worth: Worth::of(&document.scoring(), &document.match_scoring()),
    }
}

fn player(player: &chess_trf::Player) -> Player {
    Player {
        number: player.number,
        name: player.name.clone(),
        title: player.title.unwrap_or_default().to_owned(),
        rating: player.rating,
        federation: player.federation.clone().unwrap_or_default(),
        fide_id: player.fide_id,
        birth: player.birth.clone().unwrap_or_default(),
        team: String::new(),
    }
}

fn told(complaints: Complaints) -> Unreadable {
    let mut wrong = Unreadable(Vec::new());
    for complaint in complaints.0 {
        wrong.add(
            complaint.line,
            complaint.column,
            complaint.problem.to_string(),
        );
    }
    wrong
}
