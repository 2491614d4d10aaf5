//! Any bytes as an event script, and what it says to the arbiter: no panic; what was read comes
//! back as it was written; everything that is said can be written, the PGN as well.
#![no_main]

use arbiter_core::{Arbiter, Event};
use daemon::{pgn, script};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut arbiter = Arbiter::new();
    let mut said = Vec::new();
    for event in script::Reader::new("fuzz", bytes) {
        let Ok(event) = event else { break };
        let mut line = Vec::new();
        script::write(&mut line, &event).expect("memory is written");
        let again: Event = serde_json::from_slice(&line).expect("what was written can be read");
        assert_eq!(again, event);
        arbiter.handle(&event, &mut said);
        said.drain(..)
            .for_each(|a| drop(serde_json::to_vec(&a).expect("an announcement is JSON")));
    }
    arbiter.finish(&mut said);
    if let Some(view) = arbiter.view() {
        // A game may begin where no reader of chess would: with both kings in check, say. Nothing
        // else is unreadable.
        match pgn::read(pgn::render(&pgn::Tags::default(), &view).as_bytes()) {
            Ok(_) | Err(pgn::PgnError::Start(_)) => {}
            Err(why) => panic!("our PGN cannot be read: {why}"),
        }
    }
});
