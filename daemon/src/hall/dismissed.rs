//! Losses that were declared, and of whose offences some were dismissed since.

use std::collections::{BTreeMap, BTreeSet};

use arbiter_core::Input;
use arbiter_core::input::ArbiterAction;
use arbiter_core::ruling::ResultReason;
use serde_json::{Map, Value};

use super::View;
use crate::store::Game;

/// When findings were dismissed, in milliseconds since 1970: of each the last time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Dismissals(BTreeMap<u64, i64>);

impl Dismissals {
    /// All of a game.
    pub(crate) fn of(game: &Game) -> Dismissals {
        let mut all = Dismissals::default();
        for (event, wall) in game.events.iter().zip(&game.walls) {
            all.heard(&event.input, *wall);
        }
        all
    }

    /// The arbiter has heard something at `wall`.
    pub(crate) fn heard(&mut self, input: &Input, wall: i64) {
        if let Input::Arbiter(ArbiterAction::Dismiss(finding)) = input.plain() {
            self.0.insert(finding.id.into(), wall);
        }
    }

    /// What was dismissed before that moment; nothing where there is none.
    pub(crate) fn before(&self, moment: Option<i64>) -> BTreeSet<u64> {
        let is_before = |wall: &i64| moment.is_some_and(|moment| *wall < moment);
        let all = self.0.iter().filter(|(_, wall)| is_before(wall));
        all.map(|(id, _)| *id).collect()
    }
}

/// Where a loss that an arbiter has declared may rest on findings that were dismissed since: those
/// findings that were ruled a loss while these stood. What the Laws propose for them now is what
/// they would without the others. `None` where no such loss was declared.
///
/// `view`: the game as consoles are shown it; `decided`: what an arbiter has given as its result at
/// the desk, as PGN has it, where its board does not show that; `known`: what had been dismissed
/// when it was given there.
pub(crate) fn rests_on_dismissed(
    view: &Map<String, Value>,
    decided: Option<&str>,
    known: &BTreeSet<u64>,
) -> Option<Vec<u64>> {
    let offences = view.get("offences")?;
    // A game that has ended by itself was lost by nothing that was declared.
    if ended_by_itself(view.get("result")?) {
        return None;
    }
    let loser = match decided.or_else(|| declared(view.get("result")?))? {
        "0-1" => "white",
        "1-0" => "black",
        _ => return None,
    };
    let (loses, standing) = (offences["loses"].as_u64()?, offences[loser].as_u64()?);
    let list = |name: &str| view.get(name).and_then(Value::as_array);
    let orders = Orders(list("orders").map_or(&[], Vec::as_slice));
    let counts = |finding: &&Value| finding["by"] == loser && !finding["penalty"].is_null();
    let findings: Vec<&Value> = list("findings")?.iter().filter(counts).collect();
    // Of what was declared at the board its orders say what came before it: whoever only confirms
    // that at the desk has ruled nothing anew.
    let is_of_desk = declared(view.get("result")?).is_none();
    let is_known = |f: &Value| {
        let of_finding = f["id"].as_u64();
        is_of_desk && of_finding.is_some_and(|id| known.contains(&id))
    };
    let fallen = findings
        .iter()
        .filter(|f| orders.fell_after_the_end(f) && !is_known(f));
    let fallen = fallen.count() as u64;
    let rests = standing < loses && standing + fallen >= loses && fallen > 0;
    let ruled = || findings.iter().filter(|f| f["penalty"]["then"].is_null());
    let lost = |finding: &&&Value| orders.counted_with(finding, &findings) >= loses;
    rests.then(|| {
        ruled()
            .filter(lost)
            .filter_map(|f| f["id"].as_u64())
            .collect()
    })
}

/// The same of a game that is followed.
pub(super) fn of_view(view: &View, known: &BTreeSet<u64>) -> Option<Vec<u64>> {
    // Most games end otherwise: of those nothing is written out.
    let is_declared = |reason| {
        use ResultReason::{Arbiter, ForfeitIllegalMoves};
        matches!(reason, Arbiter | ForfeitIllegalMoves)
    };
    view.result
        .filter(|r| !r.proposed && is_declared(r.reason))?;
    rests_on_dismissed(serde_json::to_value(view).ok()?.as_object()?, None, known)
}

/// Whether a result is neither declared nor entered by anybody.
fn ended_by_itself(result: &Value) -> bool {
    let reason = result["reason"].as_str();
    let is_given = matches!(
        reason,
        None | Some("arbiter" | "entered" | "confirmed" | "forfeit-illegal-moves")
    );
    result["proposed"] == false && !is_given
}

/// The result of a game that an arbiter has declared: of his own, or as the Laws proposed it.
fn declared(result: &Value) -> Option<&str> {
    let reason = result["reason"].as_str();
    let is_declared = matches!(reason, Some("arbiter" | "forfeit-illegal-moves"));
    let is_his = result["proposed"] == false && is_declared;
    result["result"].as_str().filter(|_| is_his)
}

/// The orders of a game that have effect, the oldest first.
struct Orders<'a>(&'a [Value]);

impl Orders<'_> {
    fn last(&self, action: &str, id: Option<&Value>) -> Option<usize> {
        let mut orders = self.0.iter();
        orders.rposition(|one| one["action"] == action && id.is_none_or(|id| one["id"] == *id))
    }

    /// Whether a finding was dismissed, and not before the result was declared: whoever has
    /// declared it knew that then. Of one that was given at the desk the orders do not say it.
    fn fell_after_the_end(&self, finding: &Value) -> bool {
        let (end, fell) = (self.last("result", None), self.dismissed(finding));
        let is_before = end.zip(fell).is_some_and(|(end, fell)| fell < end);
        finding["status"] == "dismissed" && !is_before
    }

    fn dismissed(&self, finding: &Value) -> Option<usize> {
        self.last("dismiss", Some(&finding["id"]))
    }

    fn upheld(&self, finding: &Value) -> Option<usize> {
        let is_report = |one: &Value| one["action"] == "report" && one["at"] == finding["at"];
        let reported = || self.0.iter().rposition(is_report);
        let ruled = self.last("uphold", Some(&finding["id"]));
        ruled
            .or_else(reported)
            .filter(|_| finding["status"] == "upheld")
    }

    /// How many offences counted when this one was upheld, itself among them; none where it was
    /// not. What is only likely counts once it is upheld.
    fn counted_with(&self, finding: &Value, all: &[&Value]) -> u64 {
        let Some(ruled) = self.upheld(finding) else {
            return 0;
        };
        let at = |one: &Value| one["at"].as_u64();
        let stood = |other: &&&Value| {
            let is_there = at(other) <= at(&self.0[ruled]);
            let is_certain = other["certainty"] == "certain";
            // A later one counts with it only where this one was likely, and made up the number.
            let is_earlier = other["id"].as_u64() <= finding["id"].as_u64();
            is_there
                && (is_earlier || finding["certainty"] != "certain")
                && match other["status"].as_str() {
                    Some("open") => is_certain,
                    Some("upheld") => is_certain || self.upheld(other) <= Some(ruled),
                    Some("dismissed") => is_certain && self.dismissed(other) > Some(ruled),
                    _ => false,
                }
        };
        all.iter().filter(stood).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Dismissals, rests_on_dismissed};

    fn finding(id: u64, status: &str) -> Value {
        json!({
            "id": id, "at": id * 10, "by": "white", "certainty": "certain", "status": status,
            "penalty": {"opponent_ms": 120_000, "then": null},
        })
    }

    fn order(at: u64, action: &str, id: u64) -> Value {
        json!({"at": at, "event": "arbiter", "action": action, "id": id})
    }

    /// White has offended twice, and lost by that; the first offence was dismissed then.
    fn lost(orders: &[Value]) -> Value {
        json!({
            "offences": {"white": 1, "black": 0, "loses": 2},
            "findings": [finding(1, "dismissed"), finding(2, "upheld")],
            "orders": orders,
            "result": {"result": "0-1", "proposed": false, "reason": "arbiter"},
        })
    }

    fn of(view: &Value, decided: Option<&str>) -> Option<Vec<u64>> {
        rests_on_dismissed(view.as_object().unwrap(), decided, &Default::default())
    }

    #[test]
    fn what_was_ruled_a_loss_stays_so_when_an_offence_before_it_is_dismissed() {
        let declared = json!({"at": 40, "event": "arbiter", "action": "result", "result": "0-1"});
        let (second, first) = (order(30, "uphold", 2), order(50, "dismiss", 1));
        let view = lost(&[second.clone(), declared.clone(), first.clone()]);
        assert_eq!(of(&view, None), Some(vec![2]));

        // Declared at the desk, its board shows no result.
        let mut desk = lost(&[second.clone(), first.clone()]);
        desk["result"] = Value::Null;
        assert_eq!(of(&desk, None), None);
        assert_eq!(of(&desk, Some("0-1")), Some(vec![2]));
        assert_eq!(of(&desk, Some("1-0")), None, "the other has lost");

        // Decided at the desk after the dismissal.
        let known = |ids: &[u64]| {
            let view = desk.as_object().unwrap();
            rests_on_dismissed(view, Some("0-1"), &ids.iter().copied().collect())
        };
        assert_eq!(known(&[1]), None, "whoever decided it knew that");
        assert_eq!(known(&[2]), Some(vec![2]));

        // Declared just as the Laws proposed it.
        let mut proposed = lost(&[second.clone(), declared.clone(), first.clone()]);
        proposed["result"]["reason"] = json!("forfeit-illegal-moves");
        assert_eq!(of(&proposed, None), Some(vec![2]));
        // Whoever confirms that at the desk afterwards has ruled nothing else.
        let view = proposed.as_object().unwrap();
        let confirmed = rests_on_dismissed(view, Some("0-1"), &[1].into());
        assert_eq!(confirmed, Some(vec![2]));

        // Upheld once the first had fallen, it was two minutes: the loss may rest on the first.
        let late = lost(&[declared.clone(), first.clone(), order(60, "uphold", 2)]);
        assert_eq!(of(&late, None), Some(vec![]));

        // The second was dismissed: the first was ruled as time before it, and stays so.
        let mut time = lost(&[
            order(25, "uphold", 1),
            declared.clone(),
            order(50, "dismiss", 2),
        ]);
        time["findings"] = json!([finding(1, "upheld"), finding(2, "dismissed")]);
        assert_eq!(of(&time, None), Some(vec![]));

        // Whoever declares a loss after the dismissal rests it on something else.
        assert_eq!(of(&lost(&[second, first, declared]), None), None);
    }

    #[test]
    fn a_loss_by_something_else_rests_on_nothing_that_was_dismissed() {
        let view = lost(&[order(30, "uphold", 2), order(50, "dismiss", 1)]);
        for (name, value) in [("reason", json!("resignation")), ("proposed", json!(true))] {
            let mut other = view.clone();
            other["result"][name] = value;
            assert_eq!(of(&other, None), None, "{name}");
        }
        let mut mate = view.clone();
        mate["result"]["reason"] = json!("checkmate");
        assert_eq!(of(&mate, Some("0-1")), None, "it ended by itself");
        let mut standing = view.clone();
        standing["offences"]["white"] = json!(2);
        assert_eq!(of(&standing, None), None, "enough of them stand");
        let mut blitz = view;
        blitz["offences"]["loses"] = Value::Null;
        assert_eq!(of(&blitz, None), None, "no number of them loses");
    }

    #[test]
    fn what_was_dismissed_last_before_a_moment_was_known_then() {
        use arbiter_core::Input;
        use arbiter_core::input::ArbiterAction::{Dismiss, Uphold};
        let mut all = Dismissals::default();
        for (action, wall) in [
            (Dismiss(1.into()), 10),
            (Dismiss(2.into()), 20),
            (Uphold(3.into()), 25),
            (Dismiss(1.into()), 30),
        ] {
            all.heard(&Input::Arbiter(action), wall);
        }
        let before = |moment| all.before(moment).into_iter().collect::<Vec<_>>();
        assert_eq!(before(Some(25)), [2], "the first was dismissed anew");
        assert_eq!(before(Some(31)), [1, 2]);
        assert_eq!(before(None), [0; 0]);
    }
}
