//! How fast a simulated board plays, as an argument.

/// Reads a speed.
pub(super) fn speed(text: &str) -> Result<f32, String> {
    let speed = text
        .parse::<f32>()
        .ok()
        .filter(|speed| (0.0..=1e6).contains(speed));
    speed
        .ok_or_else(|| "a number from 0 (as fast as it goes) to 1000000, 1 is real time".to_owned())
}
