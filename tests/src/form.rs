//! How much of a large collection a test takes: a part of it in the checks of every change, all of
//! it in the long form, which `ci-long.sh` asks for by `LONG_FORM=1`.

/// Whether the long form is asked for.
pub fn is_long() -> bool {
    std::env::var("LONG_FORM").is_ok_and(|set| set == "1")
}

/// Of a collection every so many-th is taken: every `short`-th, and every one in the long form.
pub fn every(short: usize) -> usize {
    if is_long() { 1 } else { short }
}
