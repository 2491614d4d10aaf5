//! What is handed out of somebody, and taken away: also what is said of the games he plays.

use tournament::{GivenTime, Scope, Typed};

use super::*;
use crate::hall::Hall;

const PAIRS: &str = "table,white_no,white,black_no,black\n1,3,\"Berg, Anna\",4,\"Cole, Ben\"\n\
                     2,1,\"Ek, Freja\",2,\"Fox, Guy\"\n";

fn whom(name: &str) -> Whom {
    Whom {
        name: Some(name.to_owned()),
        ..Whom::default()
    }
}

/// Acts with a reason, at a table: a result and its withdrawal, time, typed moves, a postponement,
/// a stop of what is public.
fn acts(table: u16, who: &str) -> Vec<Act> {
    let round = 1;
    let because = |what: &str| format!("{who}: {what}");
    let at = String::new();
    vec![
        Act::GiveTime(GivenTime {
            round,
            table,
            seconds: 60,
            reason: because("unwell"),
            by: String::new(),
            at,
        }),
        Act::Moves {
            round,
            table,
            typed: Typed {
                after: 0,
                moves: ["e4", "e5"].map(str::to_owned).to_vec(),
                ..Typed::default()
            },
            reason: because("a sheet"),
        },
        Act::Result {
            round,
            table,
            codes: ResultCode::both("0-1").unwrap(),
            how: How::Arbiter,
            reason: because("lost"),
        },
        Act::Withdraw {
            round,
            table,
            reason: because("misheard"),
        },
        Act::Postpone {
            round,
            table,
            reason: because("a funeral"),
        },
        Act::Publish {
            place: Scope {
                round: Some(round),
                table: Some(table),
            },
            event: None,
            stopped: true,
            reason: because("her parents"),
        },
    ]
}

const REASONS: [&str; 6] = [
    "unwell",
    "a sheet",
    "lost",
    "misheard",
    "a funeral",
    "her parents",
];

#[tokio::test]
async fn what_was_said_of_somebodys_games_is_handed_out_and_taken_away() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    let author = Author::default();
    let request = Request {
        file: PAIRS.as_bytes().to_vec(),
        or_round: Some(1),
        ..Request::default()
    };
    house.office.load(&author, request).await.unwrap();
    let (round, at) = (1, String::new());
    house.does(Act::StartRound { round, at }).await.unwrap();
    for (table, who) in [(1, "hers"), (2, "theirs")] {
        for act in acts(table, who) {
            house.does(act).await.unwrap();
        }
    }
    let note = serde_json::json!({
        "round": 1, "table": 2, "text": "asked after Berg, Anna", "at": "2026-11-28T10:00:00Z",
    });
    let note = serde_json::from_value(note).unwrap();
    house.does(Act::Note(note)).await.unwrap();
    let told = |name: &str| {
        let known = house.office.known(&whom(name)).unwrap();
        known.players.into_iter().next().unwrap()
    };
    let hers = told("Berg, Anna");
    let reasons: Vec<&str> = hers.said.iter().map(|said| &*said.reason).collect();
    assert_eq!(reasons, REASONS.map(|what| format!("hers: {what}")));
    let typed = &hers.said[1];
    assert_eq!(
        (&*typed.act, typed.moves.join(" ")),
        ("moves", "e4 e5".to_owned())
    );
    assert_eq!((typed.round, typed.table), (1, 1));
    assert!(hers.said.iter().all(|said| !said.utc.is_empty()));
    assert_eq!(hers.notes.len(), 1, "a note that names her");
    // Her opponent plays the same game.
    assert_eq!(told("Cole, Ben").said.len(), REASONS.len());
    assert_eq!(told("Fox, Guy").said[0].reason, "theirs: unwell");
    let (hall, _) = Hall::new(Vec::new(), house.office.store().clone());
    let anna = whom("Berg, Anna");
    house.office.erase(&author, &hall, &anna).await.unwrap();
    let deeds = house.office.store().deeds().unwrap();
    let said: String = deeds.sound.into_iter().map(|deed| deed.what).collect();
    assert!(!said.contains("hers") && !said.contains("Berg"), "{said}");
    for what in REASONS {
        assert!(said.contains(&format!("theirs: {what}")), "{what}: {said}");
    }
    house.close();
}
