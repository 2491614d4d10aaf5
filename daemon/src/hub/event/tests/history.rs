//! How a table stood in a hall, one after the other, and what was taken over of it.

use std::slice::from_ref;

use tournament::{Act, How, Tournament};

use super::super::gather::{Hall, News, Taken, device};
use super::super::stood::stood;
use super::{codes, event, result};
use crate::hub::order::AT_HUB;
use crate::store::{Area, Author, Deed, Deeds};

const SEAT: (u16, u16) = (1, 1);

fn deeds(acts: &[(&str, Act)]) -> Deeds {
    let deed = |(hall, act): &(&str, Act)| {
        let author = Author {
            device: hall.to_string(),
            ..Author::default()
        };
        Deed::now(author, Area::Event, act).unwrap()
    };
    Deeds {
        sound: acts.iter().map(deed).collect(),
        ..Deeds::default()
    }
}

fn drawn() -> Act {
    let all = event(1..=2);
    Act::Draw {
        round: 1,
        date: String::new(),
        players: all.players.values().cloned().collect(),
        pairings: all.rounds[&1].pairings.clone(),
        file: None,
        players_file: None,
        encoding: None,
    }
}

fn started() -> Act {
    let at = String::new();
    Act::StartRound { round: 1, at }
}

fn of(acts: &[Act]) -> Tournament {
    let mut said = Tournament::default();
    acts.iter().for_each(|act| said.apply(act).unwrap());
    said
}

/// What the hub makes of a hall that did this, where it has taken over that of it before.
fn heard(ours: &[Act], taken: &mut Taken, acts: &[Act]) -> Vec<News> {
    let acts: Vec<(&str, Act)> = acts.iter().map(|act| ("", act.clone())).collect();
    heard_by(ours, taken, &acts)
}

/// The same where some of it was ordered of the hall: that has the device of the hub.
fn heard_by(ours: &[Act], taken: &mut Taken, acts: &[(&str, Act)]) -> Vec<News> {
    let did: Vec<Act> = acts.iter().map(|(_, act)| act.clone()).collect();
    let (here, there) = (of(ours), of(&did));
    let own: Vec<(&str, Act)> = ours.iter().map(|act| ("", act.clone())).collect();
    let said = stood(&deeds(&own), &here, |_| true);
    let history = stood(&deeds(acts), &there, |device| device == AT_HUB);
    let went_on = |seat, these: &_| {
        let stood = history.get(&seat);
        stood.is_some_and(|stood| stood.has(these))
    };
    let hall = Hall {
        name: "main",
        event: &there,
        is_its: &|_, _| true,
        went_on: &went_on,
        answers: &|seat, then| {
            let both = history.get(&seat).zip(said.get(&seat));
            both.is_some_and(|(there, here)| there.answers(here, then))
        },
    };
    taken.news(&here, &hall)
}

/// The same result was taken over twice, as of a hall that says otherwise how it came about: that
/// is one stand of it, as in the hall.
#[test]
fn what_is_said_twice_is_one_stand_of_a_table() {
    let typed = result("1-0", "");
    let board = Act::Result {
        round: 1,
        table: 1,
        codes: codes("1-0"),
        how: How::Board,
        reason: String::new(),
    };
    let taken = [device("main"), device("main")];
    let said = [typed.clone(), board.clone()];
    let pairs: Vec<(&str, Act)> = taken.iter().map(String::as_str).zip(said).collect();
    let mut taken = Taken::read(&deeds(&pairs));
    let ours = [drawn(), started(), typed.clone(), board.clone()];
    let mut acts = vec![drawn(), started(), typed, board];
    acts.push(result("0-1", "so the sheets"));
    let news = heard(&ours, &mut taken, &acts);
    assert!(
        matches!(&news[..], [News::Take(SEAT, _)]),
        "the hall has corrected it: {news:?}"
    );
}

/// Where a hall has its first acts without any that opens an event, its tables have a history.
#[test]
fn a_hall_that_has_opened_no_event_has_a_history_of_its_tables() {
    let mut taken = Taken::default();
    taken.note_of("main", &result("1-0", ""));
    let ours = [drawn(), started(), result("1-0", "")];
    let corrected = [
        drawn(),
        started(),
        result("1-0", ""),
        result("0-1", "so the sheets"),
    ];
    let news = heard(&ours, &mut taken.clone(), &corrected);
    assert!(matches!(&news[..], [News::Take(SEAT, _)]), "{news:?}");
    // An older copy of it that was then told something else has not.
    let lost = [drawn(), started(), result("0-1", "")];
    let news = heard(&ours, &mut taken, &lost);
    assert_eq!(news, [News::Otherwise(SEAT)]);
}

/// A table was moved: what the first hall said of it, the second need never have known.
#[test]
fn what_another_hall_has_said_of_a_table_is_no_history_of_this_one() {
    let mut taken = Taken::default();
    taken.note_of("juniors", &result("1/2-1/2", ""));
    taken.note_of("main", &result("1-0", ""));
    let ours = [drawn(), started(), result("1-0", "")];
    let acts = [
        drawn(),
        started(),
        result("1-0", ""),
        result("0-1", "so the sheets"),
    ];
    let news = heard(&ours, &mut taken, &acts);
    assert!(matches!(&news[..], [News::Take(SEAT, _)]), "{news:?}");
}

/// Its board has shown it, and the hub's arbiter has confirmed it; the hall has it as it was typed.
#[test]
fn the_same_result_is_no_other_however_it_came_about() {
    let shown = Act::Propose {
        round: 1,
        table: 1,
        codes: codes("1-0"),
        how: How::Board,
    };
    let (round, table) = (1, 1);
    let confirmed = Act::Confirm { round, table };
    let mut taken = Taken::default();
    taken.note_of("main", &shown);
    let ours = [drawn(), started(), shown.clone(), confirmed];
    let mut acts = vec![
        drawn(),
        started(),
        shown,
        result("1-0", "so it is at the hub"),
    ];
    assert_eq!(heard(&ours, &mut taken, &acts), []);
    assert_eq!(heard(&ours, &mut taken, &acts), []);
    // It is the hall's own from now on: it is corrected there, and taken back.
    let mut corrected = acts.clone();
    corrected.push(result("0-1", "so the sheets"));
    let news = heard(&ours, &mut taken.clone(), &corrected);
    assert!(matches!(&news[..], [News::Take(SEAT, _)]), "{news:?}");
    let reason = "the wrong table".to_owned();
    acts.push(Act::Withdraw {
        round,
        table,
        reason,
    });
    let news = heard(&ours, &mut taken, &acts);
    assert!(matches!(&news[..], [News::Take(SEAT, _)]), "{news:?}");
    let mut there = of(&ours);
    there.apply(&result("1-0", "once more")).unwrap();
    let outcome = there.pairing(1, 1).unwrap().outcome.clone().unwrap();
    assert!(taken.is_of_hall(SEAT, &outcome));
    // Another one is another.
    let other = [drawn(), started(), result("0-1", "")];
    let news = heard(&ours, &mut Taken::default(), &other);
    assert_eq!(news, [News::Otherwise(SEAT)]);
}

/// Somebody at the hub corrects what was taken over, and then goes back to it, while the hall has
/// said something else: his is the last word, and they differ.
#[test]
fn what_the_hub_has_gone_back_to_is_not_what_was_taken_over() {
    let mut taken = Taken::default();
    taken.note_of("main", &result("1-0", ""));
    let there = |last: &[Act]| {
        let acts = [drawn(), started(), result("1-0", "")];
        [&acts[..], last].concat()
    };
    let here = |last: &[Act]| there(last);
    let corrected = [result("0-1", "so the sheets")];
    let news = heard(&here(&corrected), &mut taken, &there(&[]));
    assert_eq!(news, [News::Otherwise(SEAT)]);
    let halved = [result("1/2-1/2", "so they say")];
    let back = [corrected[0].clone(), result("1-0", "as it was")];
    let news = heard(&here(&back), &mut taken.clone(), &there(&halved));
    assert_eq!(news, [News::Otherwise(SEAT)]);
    // So it is after the hub was started again.
    let author = device("main");
    let read = [
        (&*author, result("1-0", "")),
        ("", corrected[0].clone()),
        ("", back[1].clone()),
    ];
    let mut read = Taken::read(&deeds(&read));
    let news = heard(&here(&back), &mut read, &there(&halved));
    assert_eq!(news, [News::Otherwise(SEAT)]);
    // Once both agree, the hall's next word counts again.
    let agreed = heard(&here(&back), &mut taken, &there(&[]));
    assert!(agreed.is_empty(), "{agreed:?}");
    let news = heard(&here(&back), &mut taken, &there(&halved));
    assert!(matches!(&news[..], [News::Take(SEAT, _)]), "{news:?}");
}

/// Somebody at the hub puts a game off, and its hall, which has heard of that, draws its table
/// otherwise and then as it was. Nobody has said that it is played.
#[test]
fn a_game_that_is_put_off_stays_so_when_its_hall_draws_it_otherwise() {
    let (round, table) = (1, 1);
    let put_off = Act::Postpone {
        round,
        table,
        reason: "ill".to_owned(),
    };
    let mut other = event(1..=2);
    let pairings = &mut other.rounds.get_mut(&1).unwrap().pairings;
    (pairings[0].white, pairings[1].white) = (pairings[1].white, pairings[0].white);
    let otherwise = super::told::draws(1, &other);
    let ours = [drawn(), started(), put_off.clone()];
    let mut taken = Taken::default();
    assert_eq!(heard(&ours, &mut taken, &ours), []);
    let mut acts = vec![drawn(), put_off, otherwise, drawn(), started()];
    assert_eq!(heard(&ours, &mut taken.clone(), &acts), []);
    assert!(of(&acts).pairing(1, 1).is_ok_and(|game| !game.postponed));
    // Whoever lets it be played says so.
    acts.truncate(2);
    acts.extend([Act::Resume { round, table }, started()]);
    let news = heard(&ours, &mut taken, &acts);
    assert!(
        matches!(&news[..], [News::Take(SEAT, acts)] if matches!(acts[..], [Act::Resume { .. }])),
        "{news:?}"
    );
}

/// Who will not come is known in a hall before the round begins anywhere.
#[test]
fn a_forfeit_before_the_round_is_taken_over() {
    let acts = [drawn(), result("+/-", "")];
    let news = heard(&[drawn()], &mut Taken::default(), &acts);
    assert!(matches!(&news[..], [News::Take(SEAT, _)]), "{news:?}");
    // What has begun there and only drawn here is not.
    let acts = [drawn(), started(), result("1-0", "")];
    assert_eq!(heard(&[drawn()], &mut Taken::default(), &acts), []);
}

/// What somebody at the hub has typed, and nobody has confirmed, is not what a board shows.
#[test]
fn a_typed_proposal_is_not_overwritten_by_a_board_of_a_hall() {
    let proposed = |text: &str, how| Act::Propose {
        round: 1,
        table: 1,
        codes: codes(text),
        how,
    };
    let typed = [drawn(), started(), proposed("1-0", How::Typed)];
    let mut taken = Taken::default();
    let shown = [drawn(), started(), proposed("0-1", How::Board)];
    let news = heard(&typed, &mut taken, &shown);
    assert_eq!(news, [News::Otherwise(SEAT)]);
    // A person there has the last word.
    let typed_there = [drawn(), started(), proposed("0-1", How::Typed)];
    let news = heard(&typed, &mut taken, &typed_there);
    assert!(matches!(&news[..], [News::Take(SEAT, _)]), "{news:?}");
}

/// What the hub has said the hall has heard, and has undone: that is known of their acts, also
/// where the hub was started again in between and remembers nothing. What the hall had said and
/// undone before that word is no answer to it.
#[test]
fn what_a_hall_has_undone_of_what_the_hub_said_is_news_after_a_restart() {
    let (round, table) = (1, 1);
    let put_off = Act::Postpone {
        round,
        table,
        reason: "ill".to_owned(),
    };
    let resume = Act::Resume { round, table };
    let own = |act: &Act| ("", act.clone());
    let told = |act: &Act| (AT_HUB, act.clone());
    let fresh = |ours: &[Act], theirs: &[(&'static str, Act)]| {
        let said: Vec<(&str, Act)> = ours.iter().map(own).collect();
        let mut taken = Taken::read(&deeds(&said));
        let begun = [drawn(), started()];
        let acts: Vec<(&str, Act)> = begun
            .iter()
            .map(own)
            .chain(theirs.iter().cloned())
            .collect();
        heard_by(&[&begun[..], ours].concat(), &mut taken, &acts)
    };
    let one = |news: &[News]| match news {
        [News::Take(SEAT, acts)] => acts.clone(),
        news => panic!("{news:?}"),
    };
    let resumed = fresh(from_ref(&put_off), &[told(&put_off), own(&resume)]);
    assert!(matches!(one(&resumed)[..], [Act::Resume { .. }]));
    // It has heard neither of these yet.
    assert_eq!(fresh(from_ref(&put_off), &[]), []);
    let thought_better = [put_off.clone(), resume.clone()];
    assert_eq!(fresh(&thought_better, &[told(&put_off)]), []);
    let by_mistake = [own(&put_off), own(&resume)];
    assert_eq!(fresh(from_ref(&put_off), &by_mistake), []);
    // A late result, typed at the hub and withdrawn in the hall.
    let reason = "the wrong table".to_owned();
    let withdrawn = Act::Withdraw {
        round,
        table,
        reason,
    };
    let won = result("1-0", "");
    let late = [put_off.clone(), won.clone()];
    let theirs = [told(&put_off), told(&won), own(&withdrawn)];
    let news = one(&fresh(&late, &theirs));
    assert!(matches!(news[..], [Act::Withdraw { .. }]));
    assert_eq!(fresh(&late, &[told(&put_off)]), []);
    let by_mistake = [own(&won), own(&withdrawn)];
    assert_eq!(fresh(from_ref(&won), &by_mistake), []);
    // What somebody at the hub has corrected, and the hall went back to before it heard of that.
    let corrected = [won.clone(), result("0-1", "so the sheets")];
    let theirs = [
        own(&won),
        own(&corrected[1]),
        own(&result("1-0", "as it was")),
    ];
    assert_eq!(fresh(&corrected, &theirs), [News::Otherwise(SEAT)]);
}

/// It was put off in its hall and played while the hub was away: there the result may be taken back
/// once the round is over, and so it may here.
#[test]
fn what_was_put_off_and_played_is_put_off_here_as_well() {
    let put_off = Act::Postpone {
        round: 1,
        table: 1,
        reason: "ill".to_owned(),
    };
    let acts = [drawn(), started(), put_off, result("1-0", "")];
    let news = heard(&[drawn(), started()], &mut Taken::default(), &acts);
    let [News::Take(SEAT, taken)] = &news[..] else {
        panic!("{news:?}");
    };
    assert!(matches!(
        taken[..],
        [Act::Postpone { .. }, Act::Result { .. }]
    ));
    let mut here = of(&[drawn(), started()]);
    taken.iter().for_each(|act| here.apply(act).unwrap());
    assert!(
        here.pairing(1, 1)
            .is_ok_and(|game| game.postponed && game.is_settled())
    );
}

/// Somebody at the hub thinks better of it again and again: a hall that has done what was ordered
/// of it before, and has not heard the last of it yet, has said nothing itself.
#[test]
fn an_order_that_comes_back_late_overrules_no_later_one() {
    let (round, table) = SEAT;
    let postpone = || Act::Postpone {
        round,
        table,
        reason: "Black is late".to_owned(),
    };
    let resume = || Act::Resume { round, table };
    let ours = [drawn(), started(), postpone(), resume(), postpone()];
    let mut acts = vec![("", drawn()), ("", started())];
    acts.extend([(AT_HUB, postpone()), (AT_HUB, resume())]);
    let mut taken = Taken::default();
    taken.note_of("main", &postpone());
    taken.note_of("main", &resume());
    assert_eq!(heard_by(&ours, &mut taken.clone(), &acts), []);
    // What people in the hall say once they have heard it counts.
    acts.extend([(AT_HUB, postpone()), ("", resume())]);
    taken.note_of("main", &postpone());
    let news = heard_by(&ours, &mut taken, &acts);
    assert_eq!(news, [News::Take(SEAT, vec![resume()])]);
}
