//! Players and their rounds: lines 001.

use crate::code::Code;
use crate::complaint::{Complaints, Problem};
use crate::points::Tenths;
use crate::text::Line;

/// Where the first round begins, and how many columns a round has.
const FIRST_ROUND: usize = 92;
const ROUND: usize = 10;

/// The colour of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Colour {
    /// `w`.
    White,
    /// `b`.
    Black,
}

/// One round of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// The opponent's starting number; `None` for `0000` and blanks.
    pub opponent: Option<u16>,
    /// With which pieces; `None` for `-` and blanks.
    pub colour: Option<Colour>,
    /// How it ended; `None` while it has not.
    pub code: Option<Code>,
}

impl Cell {
    /// Whether the game is still to be played or under way. Lichess writes `Z` meanwhile.
    pub fn is_open(&self) -> bool {
        let unfinished = matches!(self.code, None | Some(Code::ZeroPointBye));
        self.opponent.is_some() && self.colour.is_some() && unfinished
    }
}

/// A player, as line 001 says. What it leaves blank is `None` or empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// The line of the file, from 1.
    pub line: usize,
    /// The starting number: the key.
    pub number: u16,
    /// `m` or `w`, in lower case.
    pub sex: Option<char>,
    /// `GM`, `WFM` ...; short forms of older files (`g`, `gf`) are written out.
    pub title: Option<&'static str>,
    /// As it is written, mostly `Last, First`. One without a comma cannot be taken apart.
    pub name: String,
    /// The rating; 0 is none.
    pub rating: Option<u16>,
    /// The federation's three letters.
    pub federation: Option<String>,
    /// FIDE's number of the player.
    pub fide_id: Option<u64>,
    /// The day of birth as it is written: `1978`, `1987/00/00` and others.
    pub birth: Option<String>,
    /// The points that the file says.
    pub points: Option<Tenths>,
    /// The rank that the file says.
    pub rank: Option<u16>,
    /// The rounds, as far as the line goes.
    pub rounds: Vec<Cell>,
}

/// The titles, with the short forms that were seen for them.
const TITLES: [(&str, [&str; 2]); 8] = [
    ("GM", ["G", "GM"]),
    ("IM", ["M", "IM"]),
    ("FM", ["F", "FM"]),
    ("CM", ["C", "CM"]),
    ("WGM", ["GF", "WG"]),
    ("WIM", ["MF", "WM"]),
    ("WFM", ["FF", "WF"]),
    ("WCM", ["CF", "WC"]),
];

fn title(text: &str) -> Option<&'static str> {
    let text = text.to_uppercase();
    let found = TITLES
        .into_iter()
        .find(|(long, short)| *long == text || short.contains(&text.as_str()));
    found.map(|(long, _)| long)
}

/// What a player's line has in the place of a title, and is none.
pub(crate) fn odd_title(line: &Line) -> Option<Problem> {
    let written = line.field(11, 13);
    let is_odd = is_player(line) && !written.is_empty() && title(written).is_none();
    is_odd.then(|| Problem::Title(written.to_owned()))
}

/// Whether a line is a player's. National rating lines have the federation's letters instead of the
/// number and are left alone.
pub(crate) fn is_player(line: &Line) -> bool {
    line.columns(1, 3) == "001"
}

/// The column of the result of a round, from 1.
pub(crate) fn code_column(round: usize) -> usize {
    FIRST_ROUND + ROUND * (round - 1) + 7
}

/// The columns of a line 001 that are of the person.
const PERSON: [(usize, usize); 6] = [(10, 13), (15, 47), (49, 52), (54, 56), (58, 68), (70, 79)];

/// Takes away what a line says of a person, and puts a name there.
pub(crate) fn set_name(line: &mut Line, name: &str) {
    let end = line.text.chars().count();
    for column in PERSON.into_iter().flat_map(|(from, to)| from..=to) {
        if column <= end {
            line.put(column, ' ');
        }
    }
    for (column, c) in (15..=47).zip(name.chars()) {
        line.put(column, c);
    }
}

/// A player who is added to a file. What is not known is empty, or `None`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NewPlayer<'a> {
    /// The starting number, 9999 at most.
    pub number: u16,
    /// `GM`, `WFM` ...
    pub title: &'a str,
    /// Mostly `Last, First`; what is longer than 33 characters is cut.
    pub name: &'a str,
    /// The rating, 9999 at most.
    pub rating: Option<u16>,
    /// The federation's three letters.
    pub federation: &'a str,
    /// FIDE's number.
    pub fide_id: Option<u64>,
    /// The day of birth.
    pub birth: &'a str,
    /// The rank, 9999 at most. Other programs read no line without rank and points.
    pub rank: u16,
}

/// The room for a name in line 001, in characters: what is longer is cut.
pub const NAME: usize = 33;

impl NewPlayer<'_> {
    /// Whether the name is longer than its room, so that its end is lost.
    pub fn is_cut(&self) -> bool {
        self.name.chars().count() > NAME
    }

    /// His line 001, without a point and without a round.
    pub(crate) fn line(&self) -> String {
        let number = |number: Option<u64>| number.map(|n| n.to_string()).unwrap_or_default();
        let (rating, fide_id) = (number(self.rating.map(u64::from)), number(self.fide_id));
        let text = format!(
            "001 {:>4}  {:>3.3} {:<NAME$.NAME$} {rating:>4.4} {:<3.3} {fide_id:>11.11} {:<10.10}  \
             0.0 {:>4}",
            self.number, self.title, self.name, self.federation, self.birth, self.rank
        );
        text
    }
}

/// Writes the ten columns of each of these rounds.
pub(crate) fn set_cells(line: &mut Line, cells: &[(usize, Cell)]) {
    let mut text: Vec<char> = line.text.chars().collect();
    for (round, cell) in cells {
        set_cell(&mut text, *round, *cell);
    }
    line.text = text.into_iter().collect();
}

fn set_cell(text: &mut Vec<char>, round: usize, cell: Cell) {
    let colour = match cell.colour {
        Some(Colour::White) => 'w',
        Some(Colour::Black) => 'b',
        None if cell.code.is_some() => '-',
        None => ' ',
    };
    let opponent = match cell.opponent {
        Some(opponent) => format!("{opponent:>4}"),
        None if cell.code.is_some() => "0000".to_owned(),
        None => "    ".to_owned(),
    };
    let code = cell.code.map_or(' ', Code::char);
    let from = FIRST_ROUND + ROUND * (round - 1);
    let end = text.len();
    let is_blank = cell == Cell::default();
    for (column, c) in (from..).zip(format!("{opponent} {colour} {code}").chars()) {
        // An empty round behind the end of a line need not be there. Of any other all its columns
        // are, the blank of a missing result too: there are readers that refuse shorter ones.
        if !is_blank || column <= end {
            text.resize(text.len().max(column), ' ');
            if let Some(place) = text.get_mut(column - 1) {
                *place = c;
            }
        }
    }
}

impl Player {
    pub(crate) fn read(line: &Line, at: usize, wrong: &mut Complaints) -> Option<Player> {
        let mut fields = Fields { line, at, wrong };
        fields.blank(4);
        let number = fields.number("the starting number", 5, 8);
        if number.is_none() && line.field(5, 8).is_empty() {
            let missing = Problem::Missing("the starting number");
            fields.wrong.add(at, 5, missing);
        }
        if number == Some(0) {
            fields.wrong.add(at, 5, Problem::Zero);
        }
        // Before a number it may be its first digit, and behind a name its last letter.
        fields.blank(14);
        fields.blank(48);
        let rating = fields.number("the rating", 49, 52).filter(|n| *n > 0);
        fields.blank(57);
        let fide_id = fields.number("the FIDE number", 58, 68).filter(|n| *n > 0);
        fields.blank(80);
        let points = fields.points();
        let rank = fields.number("the rank", 86, 89);
        fields.blank(91);
        let rounds = fields.rounds();
        let said = |from, to| Some(line.field(from, to).to_owned()).filter(|f| !f.is_empty());
        Some(Player {
            line: at,
            number: number?,
            sex: Some(line.at(10).to_ascii_lowercase()).filter(|c| *c != ' '),
            title: title(line.field(11, 13)),
            name: line.field(15, 47).to_owned(),
            rating,
            federation: said(54, 56),
            fide_id,
            birth: said(70, 79),
            points,
            rank,
            rounds,
        })
    }

    /// The round, from 1; an empty one where the line does not go so far.
    pub fn round(&self, round: usize) -> Cell {
        let cell = round.checked_sub(1).and_then(|n| self.rounds.get(n));
        cell.copied().unwrap_or_default()
    }
}

/// Reads the fields of one line.
struct Fields<'a> {
    line: &'a Line,
    at: usize,
    wrong: &'a mut Complaints,
}

impl Fields<'_> {
    /// A number, `None` where nothing stands.
    fn number<T: std::str::FromStr>(
        &mut self,
        field: &'static str,
        from: usize,
        to: usize,
    ) -> Option<T> {
        // A digit behind the field belongs to a number one column off.
        self.blank(to + 1);
        let text = self.line.field(from, to);
        if text.is_empty() {
            return None;
        }
        if self.line.is_cut_before(to) {
            self.wrong.add(self.at, from, Problem::Cut(field));
            return None;
        }
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|_| digits);
        if number.is_none() {
            let found = text.to_owned();
            self.wrong
                .add(self.at, from, Problem::Number { field, found });
        }
        number
    }

    fn blank(&mut self, column: usize) {
        let found = self.line.at(column);
        if found != ' ' {
            self.wrong.add(self.at, column, Problem::NotBlank(found));
        }
    }

    fn points(&mut self) -> Option<Tenths> {
        self.blank(85);
        let field = "the number of points";
        let text = self.line.field(81, 84);
        if !text.is_empty() && self.line.is_cut_before(84) {
            self.wrong.add(self.at, 81, Problem::Cut(field));
            return None;
        }
        let points = Tenths::parse(text);
        if points.is_none() && !text.is_empty() {
            let found = text.to_owned();
            self.wrong
                .add(self.at, 81, Problem::Number { field, found });
        }
        points
    }

    /// Up to the last round of which something stands.
    fn rounds(&mut self) -> Vec<Cell> {
        let length = self.line.text.trim_end().chars().count();
        let count = (length + 1).saturating_sub(FIRST_ROUND).div_ceil(ROUND);
        let mut rounds: Vec<Cell> = (1..=count).map(|round| self.cell(round)).collect();
        while rounds.last() == Some(&Cell::default()) {
            rounds.pop();
        }
        rounds
    }

    fn cell(&mut self, round: usize) -> Cell {
        let from = FIRST_ROUND + ROUND * (round - 1);
        let opponent = self.number("the opponent", from, from + 3);
        let colour = match self.line.at(from + 5).to_ascii_lowercase() {
            'w' => Some(Colour::White),
            'b' => Some(Colour::Black),
            ' ' | '-' => None,
            other => {
                self.wrong.add(self.at, from + 5, Problem::Colour(other));
                None
            }
        };
        self.blank(from + 6);
        let code = match self.line.at(code_column(round)) {
            ' ' => None,
            c => {
                let code = Code::of(c);
                if code.is_none() {
                    self.wrong
                        .add(self.at, code_column(round), Problem::Code(c));
                }
                code
            }
        };
        self.blank(from + 8);
        self.blank(from + 9);
        Cell {
            opponent: opponent.filter(|number| *number > 0),
            colour,
            code,
        }
    }
}
