//! The table of articles against what is known of the editions.

use super::*;
use crate::said::input::{Edition, TimeClass};

#[test]
fn release_and_claim_exchanged_their_numbers() {
    // "4.6" and "4.7" mean different things in different editions: the trap of every citation.
    let number = |e, rule| of(e).article(rule).number;
    for (edition, released, claim) in [
        (Edition::Fide1997, "4.7", "4.6"),
        (Edition::Fide2001, "4.7", "4.6"),
        (Edition::Fide2005, "4.6", "4.7"),
        (Edition::Fide2009, "4.6", "4.7"),
        (Edition::Fide2014, "4.7", "4.8"),
        (Edition::Fide2023, "4.7", "4.8"),
    ] {
        assert_eq!(
            (
                number(edition, Rule::Released),
                number(edition, Rule::ClaimLost)
            ),
            (released, claim)
        );
    }
}

#[test]
fn numbers_not_read_in_the_text_are_marked() {
    let clause = of(Edition::Fide2001).article(Rule::Castle);
    assert_eq!((clause.number, clause.unconfirmed), ("4.4a", true));
    assert!(!of(Edition::Fide2023).article(Rule::Castle).unconfirmed);
}

#[test]
fn every_edition_is_itself() {
    for edition in Edition::ALL {
        assert_eq!(of(edition).edition, edition);
    }
}

#[test]
fn penalties_by_edition_and_class() {
    let cost = |e, class, supervised| {
        let o = of(e).offence(class, supervised);
        (o.opponent_ms / 60_000, o.loses, o.spared)
    };
    use Edition::*;
    use TimeClass::*;
    for (edition, standard) in [
        (Fide1974, (0, None, false)),
        (Fide1997, (0, None, false)),
        (Fide2001, (2, Some(3), false)),
        (Fide2005, (2, Some(3), false)),
        (Fide2009, (2, Some(3), true)),
        (Fide2014, (2, Some(2), true)),
        (Fide2017, (2, Some(2), true)),
        (Fide2018, (2, Some(2), true)),
        (Fide2023, (2, Some(2), true)),
    ] {
        assert_eq!(cost(edition, Standard, true), standard, "{edition:?}");
        assert_eq!(
            cost(edition, Standard, false),
            standard,
            "{edition:?}: supervision is a matter of faster games"
        );
    }
    assert_eq!(cost(Fide2018, Rapid, true), (2, Some(2), true));
    assert_eq!(cost(Fide2023, Rapid, true), (1, Some(2), true));
    assert_eq!(cost(Fide2014, Blitz, true), (1, Some(2), true));
    assert_eq!(cost(Fide2009, Rapid, false), (2, Some(3), true));
    assert_eq!(cost(Fide2009, Blitz, false), (0, Some(1), true));
    assert_eq!(cost(Fide2014, Rapid, false), (0, Some(1), true));
    assert_eq!(cost(Fide2017, Blitz, false), (0, Some(1), true));
    assert_eq!(cost(Fide2018, Rapid, false), (2, Some(2), true));
    assert_eq!(cost(Fide2018, Blitz, false), (1, Some(2), true));
    assert_eq!(cost(Fide2023, Blitz, false), (1, Some(2), true));
}

#[test]
fn who_may_act_and_until_when() {
    let redress = |e, class, supervised| of(e).offence(class, supervised).redress;
    assert_eq!(
        redress(Edition::Fide2023, TimeClass::Standard, false),
        Redress::WholeGame
    );
    assert_eq!(
        redress(Edition::Fide2023, TimeClass::Blitz, true),
        Redress::WholeGame
    );
    assert_eq!(
        redress(Edition::Fide2023, TimeClass::Blitz, false),
        Redress::UntilReply
    );
    assert_eq!(
        redress(Edition::Fide2009, TimeClass::Rapid, false),
        Redress::OnClaim
    );
}
