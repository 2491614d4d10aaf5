//! What is wrong with a file, and where.

use std::fmt;

use crate::points::Tenths;

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A field that must be a number is none.
    #[error("{field} is no number: `{found}`")]
    Number {
        /// The field's name.
        field: &'static str,
        /// What stands there.
        found: String,
    },
    /// The line ends within a number, whose last digits are then somewhere else.
    #[error("the line ends in the middle of {0}: is it cut?")]
    Cut(&'static str),
    /// A field that must be there is blank, or the line ends before it.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// Neither `w` nor `b`.
    #[error("the colour is `w`, `b` or `-`, and not `{0}`")]
    Colour(char),
    /// No result code of the format.
    #[error("`{0}` is no result code")]
    Code(char),
    /// The starting number of nobody.
    #[error("starting number 0: they are counted from 1")]
    Zero,
    /// No title of FIDE's.
    #[error("`{0}` is no title")]
    Title(String),
    /// Two players with one starting number.
    #[error("starting number {0} is there twice")]
    Twice(u16),
    /// Two teams with one number.
    #[error("team {0} is there twice")]
    TeamTwice(u16),
    /// Something stands between two fields, where a blank belongs.
    #[error("`{0}` stands where a blank belongs: are the columns shifted?")]
    NotBlank(char),
    /// A line that says what results are worth, in a place or a form in which it cannot be read.
    #[error("`{0}` does not say what a result is worth: are the columns shifted?")]
    Worth(String),
    /// The file says in another line that this kind of result is worth something else.
    #[error("`{of}` is worth {here} here, and {there} in line {line}")]
    OtherWorth {
        /// The letters of the result in lines 162 and 362.
        of: String,
        /// What it is worth here.
        here: Tenths,
        /// What it is worth there.
        there: Tenths,
        /// The other line, from 1.
        line: usize,
    },
    /// It is not told who has White, and there is no result either.
    #[error("the colour is missing")]
    NoColour,
    /// A code of a round without an opponent beside one.
    #[error("`{0}` is no result of a game, and there is an opponent")]
    NoGameCode(char),
    /// Only one of the two has a result.
    #[error("number {one} has no result, and {other}, the opponent, has `{code}`")]
    OneResult {
        /// This line's player.
        one: u16,
        /// The opponent.
        other: u16,
        /// The opponent's.
        code: char,
    },
    /// Both together have more than a game gives.
    #[error("`{mine}` and `{theirs}` cannot both be: together more than one point")]
    TooMuch {
        /// This line's result.
        mine: char,
        /// The opponent's.
        theirs: char,
    },
    /// A game was played or was not, and was rated or was not, for both.
    #[error(
        "`{mine}` and `{theirs}` cannot both be: both are of `1`, `=` and `0`, or of `W`, `D` and \
         `L`, or of `+` and `-`"
    )]
    OtherKind {
        /// This line's result.
        mine: char,
        /// The opponent's.
        theirs: char,
    },
    /// A player whom the file does not have, or whose round has no place in it.
    #[error("number {0} is not in the file")]
    NoPlayer(u16),
    /// An opponent whom the file does not have.
    #[error("the opponent, number {0}, is not in the file")]
    NoSuchPlayer(u16),
    /// A player who is his own opponent.
    #[error("number {0} is paired with himself")]
    Himself(u16),
    /// The opponent has another opponent.
    #[error("number {one} is paired with {other}, who is paired with {found}")]
    NotMutual {
        /// This line's player.
        one: u16,
        /// His opponent.
        other: u16,
        /// The opponent's opponent; 0 when he has none.
        found: u16,
    },
    /// Both have the same colour.
    #[error("number {one} and {other}, his opponent, both have the same colour")]
    SameColour {
        /// This line's player.
        one: u16,
        /// His opponent.
        other: u16,
    },
    /// A change of a player or round that the file does not have.
    #[error("number {number} has no game in round {round}")]
    NoGame {
        /// The starting number.
        number: u16,
        /// The round, from 1.
        round: usize,
    },
}

/// Something wrong at a place of a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct Complaint {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// Everything that is wrong: a file is refused with all of it, so that it can be put right at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaints(pub Vec<Complaint>);

impl Complaints {
    /// The value, unless there is something to complain about.
    pub(crate) fn unless<T>(self, value: T) -> Result<T, Complaints> {
        if self.0.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }

    pub(crate) fn add(&mut self, line: usize, column: usize, problem: Problem) {
        self.0.push(Complaint {
            line,
            column,
            problem,
        });
    }
}

impl fmt::Display for Complaints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, complaint) in self.0.iter().enumerate() {
            if n > 0 {
                writeln!(f)?;
            }
            complaint.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Complaints {}
