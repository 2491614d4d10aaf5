//! What the page says before a script runs, in the languages that it is in.

use super::super::shown::Late;

/// A language of the page.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Language {
    English,
    French,
    German,
}

/// What the page says.
pub(super) struct Words {
    /// King, queen, rook, bishop and knight in moves.
    pub(super) letters: [char; 5],
    pub(super) round: &'static str,
    pub(super) rounds: &'static str,
    pub(super) languages: &'static str,
    pub(super) late: &'static str,
    /// With the delay in the place of `{}`.
    pub(super) later: &'static str,
    pub(super) up_to: &'static str,
    pub(super) and: &'static str,
    /// One, and several.
    pub(super) minutes: [&'static str; 2],
    pub(super) seconds: [&'static str; 2],
    pub(super) moves: [&'static str; 2],
    pub(super) scriptless: &'static str,
    pub(super) again: &'static str,
    pub(super) all: &'static str,
    pub(super) table: &'static str,
    pub(super) white: &'static str,
    pub(super) black: &'static str,
    pub(super) last: &'static str,
    pub(super) game: &'static str,
    pub(super) unmoved: &'static str,
    pub(super) corrected: &'static str,
    pub(super) early: &'static str,
}

impl Language {
    pub(in crate::public) const ALL: [Language; 3] =
        [Language::English, Language::French, Language::German];

    /// As HTML and the names of files have it.
    pub(in crate::public) fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::French => "fr",
            Language::German => "de",
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::French => "Français",
            Language::German => "Deutsch",
        }
    }

    /// The page's file in the folder of a round.
    pub(in crate::public) fn file(self) -> &'static str {
        match self {
            Language::English => "index.html",
            Language::French => "index.fr.html",
            Language::German => "index.de.html",
        }
    }

    pub(super) fn words(self) -> &'static Words {
        match self {
            Language::English => &ENGLISH,
            Language::French => &FRENCH,
            Language::German => &GERMAN,
        }
    }
}

impl Words {
    /// A move with the letters that the language has for the pieces.
    pub(super) fn written(&self, san: &str) -> String {
        let letter = |letter: char| {
            let place = "KQRBN".find(letter);
            place.map_or(letter, |place| self.letters[place])
        };
        san.chars().map(letter).collect()
    }

    /// How late a round is shown, in a sentence.
    pub(super) fn lateness(&self, late: Late) -> String {
        let count = |number: u32, words: [&str; 2]| {
            let word = words[usize::from(number != 1)];
            (number > 0).then(|| format!("{number} {word}"))
        };
        let (minutes, seconds) = match late.seconds {
            seconds if seconds % 60 == 0 => (seconds / 60, 0),
            seconds if seconds < 120 => (0, seconds),
            seconds => (seconds / 60, seconds % 60),
        };
        let all = [
            count(minutes, self.minutes),
            count(seconds, self.seconds),
            count(u32::from(late.moves), self.moves),
        ];
        let all: Vec<String> = all.into_iter().flatten().collect();
        if all.is_empty() {
            return self.late.to_owned();
        }
        let all = all.join(&format!(" {} ", self.and));
        let all = match late.differs {
            true => format!("{} {all}", self.up_to),
            false => all,
        };
        self.later.replace("{}", &all)
    }
}

const ENGLISH: Words = Words {
    letters: ['K', 'Q', 'R', 'B', 'N'],
    round: "Round",
    rounds: "Rounds",
    languages: "Language",
    late: "Moves, clocks and results may be shown later than they are played.",
    later: "Moves, clocks and results are shown {} later than they are played.",
    up_to: "up to",
    and: "and",
    minutes: ["minute", "minutes"],
    seconds: ["second", "seconds"],
    moves: ["half-move", "half-moves"],
    scriptless: "Without scripts this page does not renew itself.",
    again: "Load it again",
    all: "All games (PGN)",
    table: "Table",
    white: "White",
    black: "Black",
    last: "Last move or result",
    game: "Game",
    unmoved: "No move shown yet",
    corrected: "corrected",
    early: "No round has begun yet.",
};

const FRENCH: Words = Words {
    letters: ['R', 'D', 'T', 'F', 'C'],
    round: "Ronde",
    rounds: "Rondes",
    languages: "Langue",
    late: "Coups, pendules et résultats peuvent être montrés avec du retard.",
    later: "Coups, pendules et résultats sont montrés avec {} de retard.",
    up_to: "jusqu’à",
    and: "et",
    minutes: ["minute", "minutes"],
    seconds: ["seconde", "secondes"],
    moves: ["demi-coup", "demi-coups"],
    scriptless: "Sans scripts, cette page ne se met pas à jour.",
    again: "La recharger",
    all: "Toutes les parties (PGN)",
    table: "Table",
    white: "Blancs",
    black: "Noirs",
    last: "Dernier coup ou résultat",
    game: "Partie",
    unmoved: "Aucun coup montré",
    corrected: "corrigé",
    early: "Aucune ronde n’a encore commencé.",
};

const GERMAN: Words = Words {
    letters: ['K', 'D', 'T', 'L', 'S'],
    round: "Runde",
    rounds: "Runden",
    languages: "Sprache",
    late: "Züge, Uhren und Ergebnisse werden möglicherweise später gezeigt als gespielt.",
    later: "Züge, Uhren und Ergebnisse werden {} später gezeigt, als sie gespielt werden.",
    up_to: "bis zu",
    and: "und",
    minutes: ["Minute", "Minuten"],
    seconds: ["Sekunde", "Sekunden"],
    moves: ["Halbzug", "Halbzüge"],
    scriptless: "Ohne Skripte erneuert sich diese Seite nicht.",
    again: "Neu laden",
    all: "Alle Partien (PGN)",
    table: "Tisch",
    white: "Weiß",
    black: "Schwarz",
    last: "Letzter Zug oder Ergebnis",
    game: "Partie",
    unmoved: "Noch kein Zug gezeigt",
    corrected: "berichtigt",
    early: "Noch hat keine Runde begonnen.",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_late_it_is_is_said_in_every_language() {
        let late = |seconds, moves, differs| Late {
            seconds,
            moves,
            differs,
        };
        let said = |language: Language, late| language.words().lateness(late);
        let english = said(Language::English, late(900, 0, false));
        assert!(english.contains("shown 15 minutes later"), "{english}");
        let french = said(Language::French, late(60, 4, true));
        assert!(
            french.contains("avec jusqu’à 1 minute et 4 demi-coups de"),
            "{french}"
        );
        let german = said(Language::German, late(90, 0, false));
        assert!(german.contains("werden 90 Sekunden später"), "{german}");
        let none = said(Language::English, Late::default());
        assert!(none.contains("may be shown later"), "{none}");
    }
}
