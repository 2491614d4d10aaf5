//! Any bytes as hands at a table: whatever they do, the arbiter says nothing that he must not say.
//!
//! With `PRINT_SCRIPT` set, prints the event script instead: what a failing input stands for.
#![no_main]

// The source of the tests, so that nothing but the core is built for this target.
#[path = "../../tests/src/anything/mod.rs"]
mod anything;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let script = anything::script(bytes);
    if std::env::var_os("PRINT_SCRIPT").is_some() {
        print!("{}", anything::text(&script));
    } else {
        anything::listen(&script);
    }
});
