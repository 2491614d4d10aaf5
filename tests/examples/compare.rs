//! Whether two builds of `arbiterd` rule alike: what `ci/compare-rulings.sh` runs.
//!
//! `compare [--quick] [--cell NAME] [--games N] [--known FILE] DIFFERENCES BASE HEAD`; the last two
//! are programs. Exit status 1: they rule differently.

use std::path::PathBuf;
use std::process::ExitCode;

use tests::accuracy::options::Options;
use tests::compare::Comparison;
use tests::compare::inputs::Inputs;
use tests::compare::known::Known;
use tests::compare::ruler::Ruler;

fn main() -> ExitCode {
    match compare() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn compare() -> Result<ExitCode, String> {
    let (mut options, mut known, mut places) = (Vec::new(), None, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--known" => known = arguments.next().map(PathBuf::from),
            "--quick" => options.push(argument),
            "--cell" | "--games" | "--first" | "--seed" => {
                options.push(argument);
                options.extend(arguments.next());
            }
            _ => places.push(PathBuf::from(argument)),
        }
    }
    let [differences, base, head] = places.try_into().map_err(|_| "DIFFERENCES BASE HEAD")?;
    let options = Options::read(options.into_iter())?.unwrap_or_default();
    let comparison = Comparison {
        base: Ruler { program: base },
        head: Ruler { program: head },
        known: Known::open(known)?,
        differences,
    };
    let inputs = Inputs::read()?;
    // Who names cases or games wants those and nothing else.
    let batches = if options.cell.is_some() || options.games.is_some() {
        inputs.bench(1, &options)?
    } else {
        inputs.all(&options)?
    };
    let report = comparison.run(&batches)?;
    print!("{report}");
    Ok(if report.is_same() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
