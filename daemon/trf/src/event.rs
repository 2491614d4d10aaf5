//! What a file says of the event: the lines before the players.

use crate::complaint::Problem;
use crate::text::Line;

/// The event. What the file leaves out is empty or `None`; dates are as they are written, for
/// programs write them in every way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Event {
    /// 012: its name.
    pub name: String,
    /// 022: the town.
    pub city: String,
    /// 032: the federation.
    pub federation: String,
    /// 042: the first day.
    pub start: String,
    /// 052: the last day.
    pub end: String,
    /// 092: the kind of tournament.
    pub kind: String,
    /// 102: the chief arbiter.
    pub chief_arbiter: String,
    /// 112: the deputies.
    pub deputies: Vec<String>,
    /// 122: the time control, in words.
    pub time_control: String,
    /// 222: the time control in code: `5400+30`, `40/6000+30:900+30` (TRF26).
    pub coded_time_control: String,
    /// 142, or `XXR` of older files: how many rounds are planned.
    pub rounds: Option<u16>,
    /// 132: the day of each round, as far as it is told.
    pub round_dates: Vec<String>,
}

/// Tags that this package knows what to make of, or that are known to be of no use to it.
const KNOWN: [&str; 47] = [
    "001", "012", "013", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112",
    "122", "132", "142", "152", "162", "172", "182", "192", "202", "212", "222", "240", "250",
    "260", "299", "300", "310", "320", "330", "352", "362", "801", "802", "XXR", "XXC", "XXS",
    "XXP", "XXZ", "XXA", "BBW", "BBD", "BBL", "BBZ", "BBU",
];

/// Whether lines with this tag are known to this package.
pub fn is_known_tag(tag: &str) -> bool {
    KNOWN.contains(&tag)
}

/// Whether a line is of a kind that is known: so are comments, empty lines, and lines of players
/// with a federation's letters for a number.
pub(crate) fn is_known(line: &Line, federations: &[&str]) -> bool {
    let tag = line.columns(1, 3);
    tag.trim().is_empty() || tag == "###" || KNOWN.contains(&tag) || federations.contains(&tag)
}

/// What a line has in the place of the number of rounds, and is none.
pub(crate) fn odd_rounds(line: &Line) -> Option<Problem> {
    let text = line.columns(4, usize::MAX - 1).trim();
    let is_of_rounds = matches!(line.columns(1, 3), "142" | "XXR");
    let is_odd = is_of_rounds && !text.is_empty() && text.parse::<u16>().is_err();
    let field = "the number of rounds";
    is_odd.then(|| Problem::Number {
        field,
        found: text.to_owned(),
    })
}

impl Event {
    /// Takes what one line says. Of a tag that is there twice the first counts.
    pub(crate) fn read(&mut self, line: &Line) {
        let text = || line.columns(4, usize::MAX - 1).trim().to_owned();
        let field = match line.columns(1, 3) {
            "012" => &mut self.name,
            "022" => &mut self.city,
            "032" => &mut self.federation,
            "042" => &mut self.start,
            "052" => &mut self.end,
            "092" => &mut self.kind,
            "102" => &mut self.chief_arbiter,
            "122" => &mut self.time_control,
            "222" => &mut self.coded_time_control,
            "112" => return self.deputies.push(text()),
            "142" | "XXR" => {
                self.rounds = self.rounds.or_else(|| text().parse().ok());
                return;
            }
            "132" if self.round_dates.is_empty() => {
                self.round_dates = round_dates(line);
                return;
            }
            _ => return,
        };
        if field.is_empty() {
            *field = text();
        }
    }
}

/// The days stand above the games, ten columns each.
fn round_dates(line: &Line) -> Vec<String> {
    let rounds = line.text.chars().count().saturating_sub(91).div_ceil(10);
    let day = |n: usize| line.field(92 + 10 * n, 99 + 10 * n).to_owned();
    (0..rounds).map(day).collect()
}
