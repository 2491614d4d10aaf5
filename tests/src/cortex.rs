//! The real firmware on a Cortex-M: QEMU runs the image, a simulated sensor array feeds it,
//! `arbiterd` opens its line.
//!
//! ```text
//! hands -> sensors -> Array --samples--> UART1 [QEMU: firmware-qemu]
//! [QEMU: firmware-qemu] UART0 --frames--> pseudo-terminal -> arbiterd
//! ```

mod array;
mod machine;

pub use array::{Array, Contacts, Moment, Script, Step};
pub use machine::Machine;
