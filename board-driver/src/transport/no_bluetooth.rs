//! Stands for `bluetooth.rs` in a program that was built without it.

use super::{Line, PortSpec, Uart, no_device};
use crate::fault::FaultReason;

/// Says that this program cannot.
///
/// # Errors
/// Always.
pub(super) async fn open(address: &str, _uarts: &[Uart]) -> Result<Box<dyn Line>, FaultReason> {
    Err(no_device(&PortSpec::Bluetooth(address.to_owned())))
}
