//! `arbiterd`: arguments only; the work is in the library.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
