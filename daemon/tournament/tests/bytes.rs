//! Whatever a file holds: it is read or refused, and what is read can be drawn or is refused.

use proptest::collection::vec;
use proptest::prelude::*;
use tournament::{Place, Plan, Tournament, load};

/// Pieces that files are made of, so that chance comes near to some.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,12}",
        "[0-9]{1,4}",
        Just("[Event \"A\"]\n".to_owned()),
        "\\[Round \"[0-9]\\.[0-9]\"\\]\n",
        "\\[(White|Black) \"[A-D, ]{1,5}\"\\]\n",
        Just("table,white,black,result\n".to_owned()),
        "[0-9],[A-C],[A-C],(1-0|\\*|)\n",
        "001 {1,4}[0-9]{1,2} m .{0,60}",
        Just("\r".to_owned()),
        Just("\n".to_owned()),
    ]
}

proptest! {
    #[test]
    fn files_are_read_or_refused(
        pieces in vec(piece(), 0..24),
        round in proptest::option::of(0..4_u16),
    ) {
        let text = pieces.concat();
        if let Ok(sheet) = load::read(text.as_bytes(), round) {
            let place = Place { round: round.or(Some(1)), ..Place::default() };
            let mut tournament = Tournament::default();
            if let Ok(plan) = Plan::of(&tournament, &sheet, &place) {
                for act in &plan.acts {
                    tournament.apply(act).expect("an act of the plan");
                }
                let again = Plan::of(&tournament, &sheet, &place).expect("the same plan");
                prop_assert_eq!(again.changes, []);
            }
        }
    }

    #[test]
    fn bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..400)) {
        let _read_or_refused = load::read(&bytes, None);
    }
}
