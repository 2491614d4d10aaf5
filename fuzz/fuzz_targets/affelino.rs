//! Any bytes, cut anywhere, into the host's end of the line of a board of the gameboard UI
//! protocol.
#![no_main]

mod listen;

use board_driver::BoardKind;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| listen::listen(BoardKind::Affelino, bytes));
