//! What is wrong with a report file, as data for other languages.

use chess_trf::Problem;

use super::What;

/// A field as a name that stays: `the starting number` is `starting-number`.
fn slug(field: &str) -> String {
    let field = field.trim_start_matches("the ").to_lowercase();
    field.replace(' ', "-").replace(['\'', '\u{2019}'], "")
}

/// A problem of the format, with what stands in its sentence.
pub(super) fn what_of(problem: &Problem) -> What {
    let text = problem.to_string();
    let told = |kind, with: &[(&'static str, String)]| What::new(kind, text.clone(), []).with(with);
    let one = |kind, name, value: &dyn std::fmt::Display| told(kind, &[(name, value.to_string())]);
    let two = |kind, mine: char, theirs: char| {
        told(
            kind,
            &[("mine", mine.to_string()), ("theirs", theirs.to_string())],
        )
    };
    match problem {
        Problem::Number { field, found } => told(
            "trf-number",
            &[("field", slug(field)), ("found", found.clone())],
        ),
        Problem::Cut(field) => told("trf-cut", &[("field", slug(field))]),
        Problem::Missing(field) => told("trf-missing", &[("field", slug(field))]),
        Problem::Colour(found) => one("trf-colour", "found", found),
        Problem::Code(found) => one("trf-code", "found", found),
        Problem::Zero => told("trf-zero", &[]),
        Problem::Title(found) => one("trf-title", "found", found),
        Problem::Twice(number) => one("trf-twice", "number", number),
        Problem::TeamTwice(team) => one("trf-team-twice", "team", team),
        Problem::NotBlank(found) => one("trf-not-blank", "found", found),
        Problem::Worth(found) => one("trf-worth", "found", found),
        Problem::OtherWorth {
            of,
            here,
            there,
            line,
        } => told(
            "trf-other-worth",
            &[
                ("of", of.clone()),
                ("here", here.to_string()),
                ("there", there.to_string()),
                ("line", line.to_string()),
            ],
        ),
        Problem::NoColour => told("trf-no-colour", &[]),
        Problem::NoGameCode(code) => one("trf-no-game-code", "code", code),
        Problem::OneResult { one, other, code } => told(
            "trf-one-result",
            &[
                ("number", one.to_string()),
                ("other", other.to_string()),
                ("code", code.to_string()),
            ],
        ),
        Problem::TooMuch { mine, theirs } => two("trf-too-much", *mine, *theirs),
        Problem::OtherKind { mine, theirs } => two("trf-other-kind", *mine, *theirs),
        Problem::NoPlayer(number) => one("trf-no-player", "number", number),
        Problem::NoSuchPlayer(number) => one("trf-no-opponent", "number", number),
        Problem::Himself(number) => one("himself", "number", number),
        Problem::NotMutual { one, other, found } => told(
            "trf-not-mutual",
            &[
                ("number", one.to_string()),
                ("other", other.to_string()),
                ("found", found.to_string()),
            ],
        ),
        Problem::SameColour { one, other } => told(
            "trf-same-colour",
            &[("number", one.to_string()), ("other", other.to_string())],
        ),
        Problem::NoGame { number, round } => told(
            "trf-no-game",
            &[("number", number.to_string()), ("round", round.to_string())],
        ),
        // Of a later version of the format's crate.
        other => one("trf-other", "error", other),
    }
}
