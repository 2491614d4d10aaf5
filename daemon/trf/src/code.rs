//! Result codes, column 99 of a round.

/// What a round was for one player. Each side of a game has one of its own: a pair need not add up
/// to a point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Code {
    /// `1`: a game won over the board.
    Win,
    /// `=`: drawn over the board.
    Draw,
    /// `0`: lost over the board.
    Loss,
    /// `+`: won since the opponent was absent.
    ForfeitWin,
    /// `-`: lost by absence.
    ForfeitLoss,
    /// `W`: won in a game of less than one move, which is not rated.
    UnratedWin,
    /// `D`: drawn so.
    UnratedDraw,
    /// `L`: lost so.
    UnratedLoss,
    /// `H`: half a point without a game.
    HalfPointBye,
    /// `F`: a full point without a game, that was not by the pairing.
    FullPointBye,
    /// `U`: the bye that the pairing gave.
    PairingBye,
    /// `Z`: not played, no points.
    ZeroPointBye,
}

impl Code {
    /// Every code, with its character.
    const ALL: [(Code, char); 12] = [
        (Code::Win, '1'),
        (Code::Draw, '='),
        (Code::Loss, '0'),
        (Code::ForfeitWin, '+'),
        (Code::ForfeitLoss, '-'),
        (Code::UnratedWin, 'W'),
        (Code::UnratedDraw, 'D'),
        (Code::UnratedLoss, 'L'),
        (Code::HalfPointBye, 'H'),
        (Code::FullPointBye, 'F'),
        (Code::PairingBye, 'U'),
        (Code::ZeroPointBye, 'Z'),
    ];

    /// The code that a character stands for; upper and lower case are the same.
    pub fn of(c: char) -> Option<Code> {
        let c = c.to_ascii_uppercase();
        let found = Code::ALL.into_iter().find(|(_, known)| *known == c);
        found.map(|(code, _)| code)
    }

    /// Its character.
    pub fn char(self) -> char {
        let found = Code::ALL.into_iter().find(|(code, _)| *code == self);
        found.map_or(' ', |(_, c)| c)
    }

    /// Whether a game was played, if only for less than a move.
    pub fn is_played(self) -> bool {
        !self.is_bye() && !matches!(self, Code::ForfeitWin | Code::ForfeitLoss)
    }

    /// What it is worth by FIDE's rules, in half points.
    pub fn half_points(self) -> u8 {
        match self {
            Code::Win | Code::ForfeitWin | Code::UnratedWin => 2,
            Code::FullPointBye | Code::PairingBye => 2,
            Code::Draw | Code::UnratedDraw | Code::HalfPointBye => 1,
            Code::Loss | Code::ForfeitLoss | Code::UnratedLoss | Code::ZeroPointBye => 0,
        }
    }

    /// Whether one game can have ended so for the two: played and rated, played for less than a
    /// move, or not played; and with a point together at the most.
    pub fn may_face(self, other: Code) -> bool {
        let kind = |code: Code| match code {
            Code::Win | Code::Draw | Code::Loss => 1,
            Code::UnratedWin | Code::UnratedDraw | Code::UnratedLoss => 2,
            Code::ForfeitWin | Code::ForfeitLoss => 3,
            _ => 0,
        };
        let together = self.half_points() + other.half_points();
        kind(self) > 0 && kind(self) == kind(other) && together <= 2
    }

    /// Whether there was no opponent.
    pub fn is_bye(self) -> bool {
        matches!(
            self,
            Code::HalfPointBye | Code::FullPointBye | Code::PairingBye | Code::ZeroPointBye
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_their_characters() {
        for (code, c) in Code::ALL {
            assert_eq!(Code::of(c), Some(code));
            assert_eq!(Code::of(c.to_ascii_lowercase()), Some(code));
            assert_eq!(code.char(), c);
        }
        assert_eq!(Code::of(' '), None);
        assert_eq!(Code::of('½'), None);
    }

    #[test]
    fn a_forfeit_is_no_bye_and_no_game() {
        for (code, bye, played) in [
            (Code::Win, false, true),
            (Code::UnratedLoss, false, true),
            (Code::ForfeitLoss, false, false),
            (Code::PairingBye, true, false),
        ] {
            assert_eq!((code.is_bye(), code.is_played()), (bye, played), "{code:?}");
        }
    }
}
