//! `sensor-board`: arguments only; the work is in the library.

fn main() -> std::process::ExitCode {
    firmware_linux::cli::main()
}
