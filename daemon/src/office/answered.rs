//! What a game asks that the event has answered.

use arbiter_core::ruling::DoubtKind;
use arbiter_core::view::{ResultView, View};
use tournament::{Pairing, ResultCode};

/// Once the event says how it is with a game, nobody is asked whether it has ended; once it has its
/// result, none waits to be confirmed: what the board proposed is the result, or was another; and
/// nobody need look at the board any more.
pub(crate) fn answer<P, F>(pairing: &Pairing, view: &mut View<P, F>) {
    if pairing.is_settled() || pairing.is_postponed() {
        view.doubts
            .retain(|doubt| !is_answered_by(pairing, doubt.kind));
    }
    let proposed = view.result.filter(|result| result.proposed);
    if let (true, Some(proposed)) = (pairing.is_settled(), proposed) {
        let said = pairing.outcome.as_ref().map(|outcome| outcome.codes);
        let is_it = said.is_some_and(|said| ResultCode::pgn(said) == proposed.result.as_str());
        view.result = is_it.then_some(ResultView {
            proposed: false,
            ..proposed
        });
        view.result_text = None;
    }
}

/// Whether something is asked in a game that its pairing has answered.
pub(crate) fn asks<P, F>(pairing: &Pairing, view: &View<P, F>) -> bool {
    let mut doubts = view.doubts.iter();
    let is_proposed = view.result.is_some_and(|result| result.proposed);
    doubts.any(|doubt| is_answered_by(pairing, doubt.kind)) || pairing.is_settled() && is_proposed
}

fn is_answered_by(pairing: &Pairing, kind: DoubtKind) -> bool {
    match kind {
        DoubtKind::GameEnded => pairing.is_settled() || pairing.is_postponed(),
        DoubtKind::CheckSquare => pairing.is_settled(),
        _ => false,
    }
}
