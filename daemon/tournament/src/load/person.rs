//! Whether a file names somebody, and report files without him.

use std::collections::BTreeSet;

use chess_trf::{Document, Encoding};

use super::mention::spellings;
use super::{is_report, read};

/// People, by what files call them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Persons {
    /// Their names.
    pub names: BTreeSet<String>,
    /// Their numbers with FIDE.
    pub ids: BTreeSet<u64>,
    /// Their starting numbers in the event of the file, where that is known: a file may be in an
    /// encoding in which it cannot be read without being told.
    pub numbers: BTreeSet<u16>,
}

/// What is left of a name: his starting number.
pub fn called(number: u16) -> String {
    format!("Player {number}")
}

/// A name as it is compared, however somebody has typed it: `BERG,ANNA`, ` Berg,  Anna `,
/// `Anna Berg` and `Berg Anna` are one, with signs between that nobody sees or without.
pub fn compared(name: &str) -> String {
    let seen = name.chars().filter(|c| !is_unseen(*c));
    let name: String = seen.flat_map(char::to_lowercase).collect();
    let mut words: Vec<&str> = name
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
        .collect();
    words.sort_unstable();
    words.join(" ")
}

/// Whether two names that are not one may be one person's: but for accents, for a first name that
/// is an initial of the other, or for further names that only one of them has.
pub(crate) fn are_alike(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|name| compared(&name.replace(['.', '-'], " ")));
    let [mut fewer, mut more] = [&one, &other].map(|name| -> Vec<String> {
        let words = name.split(' ').filter(|word| !word.is_empty());
        words.map(plain).collect()
    });
    if fewer.len() > more.len() {
        std::mem::swap(&mut fewer, &mut more);
    }
    let is_initial = |a: &str, b: &str| a.chars().count() == 1 && b.starts_with(a);
    // Whole words first: an initial takes none that is another's.
    fewer.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    let mut same = 0;
    for word in &fewer {
        let whole = more.iter().position(|known| known == word);
        let fits = |known: &String| is_initial(word, known) || is_initial(known, word);
        let Some(place) = whole.or_else(|| more.iter().position(fits)) else {
            return false;
        };
        same += usize::from(whole.is_some() && word.chars().count() > 1);
        more.remove(place);
    }
    fewer.len() > 1 && same > 0
}

/// A word in lower case without its accents: `müller` and `mueller` are `muller`.
fn plain(word: &str) -> String {
    let mut plain = String::new();
    for c in word.chars() {
        match c {
            'à'..='å' | 'ā' | 'ă' | 'ą' => plain.push('a'),
            'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => plain.push('c'),
            'ď' | 'đ' | 'ð' => plain.push('d'),
            'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => plain.push('e'),
            'ĝ' | 'ğ' | 'ġ' | 'ģ' => plain.push('g'),
            'ì'..='ï' | 'ĩ' | 'ī' | 'į' | 'ı' => plain.push('i'),
            'ķ' => plain.push('k'),
            'ĺ' | 'ļ' | 'ľ' | 'ł' => plain.push('l'),
            'ñ' | 'ń' | 'ņ' | 'ň' => plain.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => plain.push('o'),
            'ŕ' | 'ř' => plain.push('r'),
            'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => plain.push('s'),
            'ţ' | 'ť' | 'ț' => plain.push('t'),
            'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => plain.push('u'),
            'ý' | 'ÿ' => plain.push('y'),
            'ź' | 'ż' | 'ž' => plain.push('z'),
            'ß' => plain.push_str("ss"),
            'æ' => plain.push('a'),
            'œ' => plain.push('o'),
            // Accents that are letters of their own behind the one that they belong to.
            '\u{300}'..='\u{36f}' => {}
            c => plain.push(c),
        }
    }
    ["ae", "oe", "ue"]
        .into_iter()
        .fold(plain, |plain, pair| plain.replace(pair, &pair[..1]))
}

/// Whether nothing is to be seen of a sign: it joins, parts or turns what stands beside it.
pub(super) fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

impl Persons {
    /// Whether one of them is called so, however that is written.
    pub fn is_named(&self, name: &str) -> bool {
        let name = compared(name);
        self.names.iter().any(|known| compared(known) == name)
    }

    /// Who has another number with FIDE is somebody else.
    fn is_other(&self, id: Option<u64>) -> bool {
        id.is_some_and(|id| !self.ids.is_empty() && !self.ids.contains(&id))
    }

    fn has(&self, name: &str, id: Option<u64>) -> bool {
        let is_his = id.is_some_and(|id| self.ids.contains(&id));
        is_his || (self.is_named(name) && !self.is_other(id))
    }

    /// Which players of a report file they are, by their starting numbers there.
    fn among(&self, players: &[chess_trf::Player]) -> BTreeSet<u16> {
        // Who has neither name nor number with FIDE was taken away before.
        let is_known = |player: &&chess_trf::Player| {
            player.federation.is_some()
                || player.fide_id.is_some()
                || player.birth.is_some()
                || player.name != called(player.number)
        };
        let by_number = |player: &chess_trf::Player| {
            let is_other = self.is_other(player.fide_id) && !self.is_named(&player.name);
            self.numbers.contains(&player.number) && !is_other
        };
        let has = |player: &chess_trf::Player| self.has(&player.name, player.fide_id);
        // Beside him, others of his name are others.
        let is_there = players
            .iter()
            .any(|player| by_number(player) && has(player));
        let is_meant = |player: &&chess_trf::Player| match is_there {
            true => by_number(player) || player.fide_id.is_some_and(|id| self.ids.contains(&id)),
            false => by_number(player) || has(player),
        };
        let known = players.iter().filter(is_known);
        known.filter(is_meant).map(|player| player.number).collect()
    }

    /// Whether a text has one of their names.
    fn are_mentioned(&self, text: &str) -> bool {
        let mut names = self.names.iter();
        names.any(|name| !spellings(name, text).is_empty())
    }

    /// Whether a report file names them elsewhere than in the lines of players who are others.
    fn are_beside(&self, text: &str, players: &[chess_trf::Player], his: &BTreeSet<u16>) -> bool {
        let others = players
            .iter()
            .filter(|player| !his.contains(&player.number));
        let others: BTreeSet<(u16, &str)> = others
            .map(|player| (player.number, player.name.trim()))
            .collect();
        let is_others = |line: &str| {
            // Also lines of national ratings, which begin with a federation's letters.
            let number: String = line.chars().skip(4).take(4).collect();
            let named: String = line.chars().skip(14).take(33).collect();
            let number = number.trim().parse().ok();
            number.is_some_and(|number| others.contains(&(number, named.trim())))
        };
        let mut lines = text.split(['\r', '\n']);
        lines.any(|line| !is_others(line) && self.are_mentioned(line))
    }

    /// Whether a file names one of them; `None` where that cannot be found out.
    pub fn are_in(&self, bytes: &[u8]) -> Option<bool> {
        let text = Encoding::of(bytes).decode(bytes).unwrap_or_default();
        if let Some(players) = players_of(bytes) {
            let his = self.among(&players);
            return Some(!his.is_empty() || self.are_beside(&text, &players, &his));
        }
        if self.are_mentioned(&text) {
            return Some(true);
        }
        if is_report(bytes) || !self.numbers.is_empty() {
            return None;
        }
        let sheet = read(bytes, None).ok()?;
        Some(sheet.players.iter().any(|p| self.has(&p.name, p.fide_id)))
    }

    /// A report file without them: each is [`called`] by his number, also among the arbiters and in
    /// remarks. `None` where what is left would still name them, or the file is none.
    pub fn taken_from(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let before = players_of(bytes)?;
        let his = self.among(&before);
        let mut document = Document::parse(bytes).ok()?;
        let text = Encoding::of(bytes).decode(bytes).ok()?;
        for number in &his {
            document.set_name(*number, &called(*number));
        }
        for name in &self.names {
            let is_he = |player: &&chess_trf::Player| {
                his.contains(&player.number) && player.name.to_lowercase() == name.to_lowercase()
            };
            let number = before.iter().find(is_he).map(|player| player.number);
            let only = his.first().copied().filter(|_| his.len() == 1);
            let new = number.or(only).map_or_else(|| "?".to_owned(), called);
            let spellings = spellings(name, &text);
            let mut spellings: Vec<&str> = spellings.into_iter().collect();
            // One may be a part of another.
            spellings.sort_by_key(|spelling| std::cmp::Reverse(spelling.len()));
            for spelling in spellings {
                document.replace_beside(spelling, &new);
            }
        }
        for id in &self.ids {
            document.replace_beside(&id.to_string(), "?");
        }
        let new = document.to_bytes();
        let text = Encoding::of(&new).decode(&new).ok()?;
        let after = players_of(&new)?;
        (!self.are_beside(&text, &after, &his)).then_some(new)
    }
}

/// The players of a report file; `None` where it is none, or cannot be understood.
fn players_of(bytes: &[u8]) -> Option<Vec<chess_trf::Player>> {
    let document = is_report(bytes).then(|| Document::parse(bytes).ok())??;
    document.players().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
012 Open
001    1 m    Berg, Anna                        1500 GER     4600001 2010/05/17  0.0    1     2 w  
001    2 m    Cole, Ben                         1600 ENG     4600002 1980/01/02  0.0    2     1 b  
GER    1 m    Berg, Anna                        1480
";

    #[test]
    fn a_report_file_keeps_his_number_and_his_rounds_only() {
        let persons = Persons {
            names: ["berg, anna".to_owned()].into(),
            ..Persons::default()
        };
        assert_eq!(persons.are_in(FILE.as_bytes()), Some(true));
        let new = persons.taken_from(FILE.as_bytes());
        let new = String::from_utf8(new.unwrap()).unwrap();
        let mut lines = new.lines().zip(FILE.lines());
        assert_eq!(lines.next().map(|(a, b)| a == b), Some(true));
        let (his, was) = lines.next().unwrap();
        assert_eq!((&his[..9], &his[80..]), (&was[..9], &was[80..]));
        assert_eq!(his[9..80].trim(), "Player 1");
        assert_eq!(lines.next().map(|(a, b)| a == b), Some(true));
        assert!(!new.contains("Berg") && !new.contains("1480"), "{new}");
        let by_id = Persons {
            ids: [4_600_001].into(),
            ..Persons::default()
        };
        assert_eq!(by_id.are_in(FILE.as_bytes()), Some(true));
        assert_eq!(by_id.are_in(new.as_bytes()), Some(false));
        // Among the arbiters and in remarks only the name goes.
        let beside = format!(
            "{FILE}102 IA Berg, Anna (4600001)\r\n### berg, anna, White; Bergs, Anna\r\n\
             001    3 m    Berg, Anna Maria                  1400 GER     4600003 1990/01/02\r\n"
        );
        let left = persons.taken_from(beside.as_bytes()).unwrap();
        let left = String::from_utf8(left).unwrap();
        let kept = "102 IA Player 1   (4600001)\r\n### Player 1  , White; Bergs, Anna\r\n001    3";
        assert!(
            left.contains(kept) && left.contains("Berg, Anna Maria"),
            "{left}"
        );
        assert_eq!(left.len(), beside.len());
        assert_eq!(persons.are_in(left.as_bytes()), Some(false));
        let by_both = Persons {
            ids: [4_600_001].into(),
            ..persons.clone()
        };
        let left = by_both.taken_from(beside.as_bytes()).unwrap();
        assert!(!String::from_utf8(left).unwrap().contains("4600001"));
        let by_number = Persons {
            numbers: [1].into(),
            ..Persons::default()
        };
        assert_eq!(by_number.are_in(FILE.as_bytes()), Some(true));
        let same = by_number.taken_from(FILE.as_bytes());
        assert_eq!(same.as_deref(), Some(new.as_bytes()));
        assert_eq!(by_id.are_in(b"nothing that is known"), None);
        let turned = format!("{FILE}112 Anna Berg\n### BERG Anna, berg,anna; Anna Bergs\n");
        let left = persons.taken_from(turned.as_bytes()).unwrap();
        let left = String::from_utf8(left).unwrap();
        let kept = "112 Player 1 \n### Player 1 , Player 1 ; Anna Bergs\n";
        assert!(left.ends_with(kept), "{left}");
    }

    #[test]
    fn a_name_is_the_same_however_it_is_typed() {
        let names = BTreeSet::from(["Berg, Anna".to_owned()]);
        let persons = Persons {
            names,
            ..Persons::default()
        };
        let others = ["BERG Anna", "Berg\u{200b}, Anna", "berg\u{a0}anna"];
        let same = ["BERG, ANNA", " Berg,  Anna ", "Berg,Anna", "anna berg"];
        for typed in same.into_iter().chain(others) {
            assert!(persons.is_named(typed), "{typed}");
        }
        assert!(!persons.is_named("Berg, Anne") && !persons.is_named("Berg"));
    }

    #[test]
    fn names_that_may_be_one_persons() {
        for (one, other) in [
            ("Dupont, Émile", "Emile Dupont"),
            ("Mueller, Jörg", "Jorg Müller"),
            ("Berg, A.", "Anna Berg"),
            ("Berg, Anna", "Anna Maria Berg"),
            ("Łódź-Ek, Ida", "Ida Lodz Ek"),
        ] {
            assert!(are_alike(one, other) && are_alike(other, one), "{one}");
        }
        for (one, other) in [
            ("Berg, Anna", "Berg, Anne"),
            ("Berg, Anna", "Berg"),
            ("Berg, B.", "Berg, Anna"),
            ("B. A.", "Berg, Anna"),
            ("White 1", "White 2"),
        ] {
            assert!(!are_alike(one, other) && !are_alike(other, one), "{one}");
        }
    }
}
