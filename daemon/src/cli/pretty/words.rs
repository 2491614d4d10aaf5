//! The words around the sentences of rulings: English as the program has them, and what they are in
//! the other languages.

use arbiter_core::settings::Language;
use arbiter_core::shakmaty::Role;

/// Each English phrase, with what stands for it in French and in German.
const PHRASES: [(&str, &str, &str); 34] = [
    ("made", "joué", "gezogen"),
    ("completed", "achevé", "abgeschl."),
    ("revision", "révision", "berichtigt"),
    ("obligation", "obligation", "muss"),
    ("irregularity", "irrégularité", "Verstoß"),
    ("lapsed", "forclos", "verfallen"),
    ("withdrawn", "retiré", "hinfällig"),
    ("doubt", "doute", "Zweifel"),
    ("restored", "rétabli", "steht wieder"),
    ("restore", "à rétablir", "herstellen"),
    ("draw", "nulle", "Remis"),
    ("claim", "réclamation", "Antrag"),
    ("refused", "refusé", "abgelehnt"),
    ("order {order}: ", "ordre {order} : ", "Anordnung {order}: "),
    ("result", "résultat", "Ergebnis"),
    ("summary", "bilan", "Bilanz"),
    ("certain", "certain", "sicher"),
    ("likely", "probable", "wahrscheinlich"),
    ("possible", "possible", "möglich"),
    ("good", "fondée", "berechtigt"),
    ("not good", "non fondée", "nicht berechtigt"),
    (", proposed", ", proposé", ", vorgeschlagen"),
    ("White", "Blancs", "Weiß"),
    ("Black", "Noirs", "Schwarz"),
    ("ply {n}", "demi-coup {n}", "Halbzug {n}"),
    (
        "from {ply} on: {moves}",
        "à partir du {ply}\u{a0}: {moves}",
        "ab {ply}: {moves}",
    ),
    (
        "finding {id} can no longer be claimed",
        "le constat {id} ne peut plus être réclamé",
        "Befund {id} kann nicht mehr reklamiert werden",
    ),
    (
        "finding {id} was none",
        "le constat {id} n’avait pas lieu d’être",
        "Befund {id} war keiner",
    ),
    (
        "{fen}; differs on {squares}",
        "{fen}\u{a0}; diffère en {squares}",
        "{fen}; weicht ab auf {squares}",
    ),
    (
        "{by} may claim a draw",
        "les {by} peuvent réclamer la nulle",
        "{by} kann Remis beantragen",
    ),
    (
        "{by}: {answer} ({article}). {text}",
        "{by}\u{a0}: {answer} ({article}). {text}",
        "{by}: {answer} ({article}). {text}",
    ),
    (
        "{result}{proposed}: {text}",
        "{result}{proposed}\u{a0}: {text}",
        "{result}{proposed}: {text}",
    ),
    (
        "{id}: {code} ({article}), {certainty}, {ply}: {text}",
        "{id}\u{a0}: {code} ({article}), {certainty}, {ply}\u{a0}: {text}",
        "{id}: {code} ({article}), {certainty}, {ply}: {text}",
    ),
    (
        "{plies} plies, {result}, {found} irregularities, {open} plies in doubt",
        "{plies} demi-coups, {result}, {found} irrégularités, {open} demi-coups en doute",
        "{plies} Halbzüge, {result}, {found} Verstöße, {open} Halbzüge zweifelhaft",
    ),
];

/// An English word or phrase, in `language`.
pub(super) fn in_words(language: Language, english: &'static str) -> &'static str {
    known(language, english).unwrap_or(english)
}

/// A phrase in `language` with its places filled.
pub(super) fn filled(language: Language, english: &str, places: &[(&str, &str)]) -> String {
    let phrase = known(language, english).unwrap_or(english);
    // A place is filled once: what is filled in may hold brackets of its own.
    let mut text = String::new();
    let mut rest = phrase;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        let is_it = |(place, _): &&(&str, &str)| place.trim_matches(['{', '}']) == name;
        let place = places.iter().find(is_it);
        text.push_str(before);
        text.push_str(place.map_or("", |(_, value)| value));
        rest = after;
    }
    text.push_str(rest);
    text
}

fn known(language: Language, english: &str) -> Option<&'static str> {
    let (english, french, german) = PHRASES.iter().find(|(key, ..)| *key == english)?;
    Some(match language {
        Language::En => english,
        Language::Fr => french,
        Language::De => german,
    })
}

/// The letter of a piece in moves.
pub(super) fn letter(language: Language, role: Role) -> char {
    let letters = match language {
        Language::En => ['P', 'N', 'B', 'R', 'Q', 'K'],
        Language::Fr => ['P', 'C', 'F', 'T', 'D', 'R'],
        Language::De => ['B', 'S', 'L', 'T', 'D', 'K'],
    };
    letters[role as usize - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_has_the_same_places_in_every_language() {
        let places = |text: &str| {
            let mut places: Vec<String> = text
                .split('{')
                .skip(1)
                .filter_map(|part| part.split_once('}').map(|(name, _)| name.to_owned()))
                .collect();
            places.sort();
            places
        };
        for (english, french, german) in PHRASES {
            assert_eq!(places(english), places(french), "{english}");
            assert_eq!(places(english), places(german), "{english}");
            assert_eq!(in_words(Language::Fr, english), french);
            assert_eq!(in_words(Language::De, english), german);
            assert_eq!(in_words(Language::En, english), english);
        }
    }

    #[test]
    fn a_place_is_filled_once() {
        let text = filled(
            Language::En,
            "{by}: {answer} ({article}). {text}",
            &[
                ("{by}", "{text}"),
                ("{answer}", "good"),
                ("{article}", "9.2"),
                ("{text}", "So."),
            ],
        );
        assert_eq!(text, "{text}: good (9.2). So.");
    }
}
