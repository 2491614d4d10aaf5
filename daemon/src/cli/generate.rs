//! `arbiterd generate`: what packages bring besides the program, from the program's own words.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Command, Subcommand};
use clap_complete::Shell;
use clap_mangen::roff::{Roff, roman};
use daemon::config;

use super::failure::Failure;

/// The shells whose completions are written, and under what name each looks for them.
const SHELLS: [(Shell, &str); 3] = [
    (Shell::Bash, "arbiterd"),
    (Shell::Zsh, "_arbiterd"),
    (Shell::Fish, "arbiterd.fish"),
];

/// Write man pages, or completions for shells, into a directory.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd generate man target/man")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// A page for the program, each command, and the configuration
    Man { directory: PathBuf },
    /// Completions for bash, zsh and fish
    Completions { directory: PathBuf },
}

/// Writes them; `program` is the command line as it is understood.
pub(crate) fn run(arguments: &Arguments, program: Command) -> Result<(), Failure> {
    match &arguments.what {
        What::Man { directory } => man(directory, program),
        What::Completions { directory } => completions(directory, program),
    }
}

fn man(directory: &Path, program: Command) -> Result<(), Failure> {
    std::fs::create_dir_all(directory)?;
    clap_mangen::generate_to(program, directory)?;
    let mut page = File::create(directory.join("arbiter.toml.5"))?;
    page.write_all(configuration().render().as_bytes())?;
    Ok(())
}

/// `arbiter.toml(5)`: every key, with what it is for.
fn configuration() -> Roff {
    let mut page = Roff::new();
    page.control("TH", ["arbiter.toml", "5", "", "arbiterd"]);
    page.control("SH", ["NAME"]);
    page.text([roman("arbiter.toml - the configuration of arbiterd(1)")]);
    page.control("SH", ["DESCRIPTION"]);
    page.text([roman(
        "One file in TOML. `arbiterd check-config FILE` says what is wrong with it, with line and \
         key; `arbiterd config example` prints what follows. Only `id` and one of `port` and \
         `usb-serial` of each board are required.",
    )]);
    page.control("SH", ["EXAMPLE"]);
    page.control("nf", []);
    for line in config::EXAMPLE.lines() {
        page.text([roman(line)]);
    }
    page.control("fi", []);
    page.control("SH", ["SEE ALSO"]);
    page.text([roman("arbiterd(1), arbiterd-serve(1), arbiterd-ports(1)")]);
    page
}

fn completions(directory: &Path, mut program: Command) -> Result<(), Failure> {
    std::fs::create_dir_all(directory)?;
    for (shell, name) in SHELLS {
        let mut file = File::create(directory.join(name))?;
        clap_complete::generate(shell, &mut program, "arbiterd", &mut file);
    }
    Ok(())
}
