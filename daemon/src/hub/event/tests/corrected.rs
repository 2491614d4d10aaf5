//! Players who are corrected at the hub, or erased in a hall.

use std::collections::BTreeSet;

use tournament::{Act, Player};

use super::super::deal::Part;
use super::{does, event, next, result, start};

/// She plays elsewhere now: the hall has games of hers, and her name in them is that of the hub.
#[test]
fn who_was_corrected_after_her_round_in_the_hall_is_told_with_the_next_one_there() {
    let mut all = event(1..=2);
    let corrected = Player {
        number: 4,
        name: "Bergh 4".to_owned(),
        ..Player::default()
    };
    start(&mut all);
    for table in [1, 2] {
        let mut given = result("1-0", "");
        if let Act::Result { table: at, .. } = &mut given {
            *at = table;
        }
        does(&mut all, given);
    }
    does(&mut all, Act::CloseRound { round: 1 });
    let mut said = all.clone();
    let second = |players| Act::Draw {
        round: 2,
        date: String::new(),
        players,
        pairings: event(1..=1).rounds[&1].pairings.clone(),
        file: None,
        players_file: None,
        encoding: None,
    };
    does(&mut all, second(vec![corrected.clone()]));
    let tables = |round| BTreeSet::from_iter((round == 2).then_some(1));
    let (path, body) = next(&all, &said, tables).unwrap();
    assert_eq!(path, "/api/event/part");
    let part: Part = serde_json::from_str(&body).unwrap();
    assert!(part.players.contains(&corrected), "{body}");
    does(&mut said, second(part.players));
    assert_eq!(next(&all, &said, tables), None);
    does(&mut said, second(vec![event(1..=2).players[&4].clone()]));
    assert!(next(&all, &said, tables).is_some());
}

#[test]
fn who_was_erased_in_a_hall_gets_no_name_from_the_hub() {
    let (all, mut main) = (event(1..=2), event(1..=2));
    let tables = |_| BTreeSet::from([1, 2]);
    let erased = Player {
        number: 3,
        name: "Player 3".to_owned(),
        ..Player::default()
    };
    main.players.insert(3, erased.clone());
    assert_eq!(next(&all, &main, tables), None);
    // What else there is of the round is drawn, and she stays a number.
    let order = next(&all, &main, |_| BTreeSet::from([2]));
    let part: Part = serde_json::from_str(&order.unwrap().1).unwrap();
    let third = |part: &Part| part.players.iter().find(|p| p.number == 3).cloned();
    assert_eq!(third(&part).unwrap().name, "Berg 3");
    let part = part.but_erased(&main);
    assert_eq!(third(&part), Some(erased));
    assert_eq!(part.players.last().unwrap().name, "Berg 4");
    // Another name is news all the same.
    main.players.get_mut(&1).unwrap().name = "Cole".to_owned();
    let order = next(&all, &main, tables);
    assert_eq!(order.unwrap().0, "/api/event/part");
}
