//! Every file under `tests/scenarios/` is a test for each of its variants.

use std::path::Path;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use tests::scenario::{self, Scenario, Variant};

fn main() {
    let arguments = Arguments::from_args();
    let files = scenario::files(&scenario::directory()).expect("tests/scenarios is readable");
    libtest_mimic::run(
        &arguments,
        files.iter().flat_map(|path| trials(path)).collect(),
    )
    .exit();
}

fn trials(path: &Path) -> Vec<Trial> {
    let name = path
        .strip_prefix(scenario::directory())
        .unwrap_or(path)
        .with_extension("")
        .display()
        .to_string();
    match Scenario::load(path) {
        Ok(scenario) => {
            let scenario = Arc::new(scenario);
            Variant::all(&scenario)
                .into_iter()
                .map(|variant| trial(&name, &scenario, variant))
                .collect()
        }
        Err(e) => vec![Trial::test(name, move || Err(Failed::from(e)))],
    }
}

fn trial(name: &str, scenario: &Arc<Scenario>, variant: Variant) -> Trial {
    let scenario = Arc::clone(scenario);
    Trial::test(format!("{name} [{variant}]"), move || {
        scenario::check(&scenario, variant).map_err(Failed::from)
    })
}
