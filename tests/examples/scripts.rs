//! Writes the event script of every scenario, as its first variant, into a directory: a fuzzer
//! begins with them. `cargo run -p tests --example scripts DIR`

use std::path::PathBuf;
use std::{env, fs};

use tests::anything;
use tests::scenario::{Scenario, Variant, directory, files, script};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let to = PathBuf::from(env::args_os().nth(1).ok_or("which directory?")?);
    fs::create_dir_all(&to)?;
    for (n, file) in files(&directory())?.iter().enumerate() {
        let scenario = Scenario::load(file)?;
        let Some(variant) = Variant::all(&scenario).into_iter().next() else {
            continue;
        };
        fs::write(
            to.join(format!("{n}.jsonl")),
            anything::text(&script(&scenario, variant)?),
        )?;
    }
    Ok(())
}
