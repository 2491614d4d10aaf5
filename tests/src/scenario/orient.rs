//! Mirror images. The Laws know no left and right, and no favourite colour.
//!
//! What goes in is turned into the image; what comes out is turned back, so that every report
//! speaks of the squares and colours that the file names. Each image is its own inverse.

use arbiter_core::shakmaty::{Color, Piece, Square};
use serde_json::Value;

/// How a scenario is laid on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Orientation {
    /// As the file says.
    AsWritten,
    /// Colours exchanged, ranks turned.
    Reversed,
    /// Left and right exchanged; castling rights are gone, as the kings stand on the d-file.
    Mirrored,
}

impl Orientation {
    /// The image of a square.
    pub fn square(self, sq: Square) -> Square {
        match self {
            Orientation::AsWritten => sq,
            Orientation::Reversed => sq.flip_vertical(),
            Orientation::Mirrored => sq.flip_horizontal(),
        }
    }

    /// The image of a colour.
    pub fn colour(self, c: Color) -> Color {
        if self == Orientation::Reversed {
            c.other()
        } else {
            c
        }
    }

    /// The image of a piece.
    pub fn piece(self, p: Piece) -> Piece {
        Piece {
            color: self.colour(p.color),
            role: p.role,
        }
    }

    /// The image of a FEN. Fields that are missing stay missing.
    pub fn fen(self, fen: &str) -> String {
        let mut fields: Vec<String> = fen.split_whitespace().map(str::to_owned).collect();
        match self {
            Orientation::AsWritten => return fen.to_owned(),
            Orientation::Reversed => {
                if let Some(board) = fields.get_mut(0) {
                    *board = board
                        .split('/')
                        .rev()
                        .map(swap_case)
                        .collect::<Vec<_>>()
                        .join("/");
                }
                if let Some(turn) = fields.get_mut(1) {
                    *turn = if turn == "w" { "b" } else { "w" }.to_owned();
                }
                if let Some(rights) = fields.get_mut(2) {
                    // FEN lists White's rights first.
                    let (white, black): (String, String) =
                        swap_case(rights).chars().partition(|c| c.is_uppercase());
                    *rights = white + &black;
                }
            }
            Orientation::Mirrored => {
                if let Some(board) = fields.get_mut(0) {
                    *board = board.split('/').map(reversed).collect::<Vec<_>>().join("/");
                }
                if let Some(rights) = fields.get_mut(2) {
                    *rights = "-".to_owned();
                }
            }
        }
        if let Some(square) = fields.get_mut(3) {
            *square = self.squares_in(square);
        }
        fields.join(" ")
    }

    /// The image of a text made of square names and anything else, such as a UCI move.
    pub fn squares_in(self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            match rest.get(..2).and_then(|two| two.parse::<Square>().ok()) {
                Some(sq) => {
                    out.push_str(&self.square(sq).to_string());
                    rest = &rest[2..];
                }
                None => {
                    let c = rest.chars().next().unwrap_or_default();
                    out.push(c);
                    rest = &rest[c.len_utf8()..];
                }
            }
        }
        out
    }

    /// A ruling turned back, field by field. Prose (`san`, `text`, `evidence`, `pgn`) is left
    /// alone: nothing compares it.
    pub fn ruling(self, key: &str, value: &Value) -> Value {
        match value {
            Value::String(s) => Value::String(self.text(key, s)),
            Value::Array(items) if key != "evidence" => {
                items.iter().map(|v| self.ruling(key, v)).collect()
            }
            Value::Object(map) => Value::Object(
                map.iter()
                    .map(|(k, v)| (k.clone(), self.ruling(k, v)))
                    .collect(),
            ),
            other => other.clone(),
        }
    }

    fn text(self, key: &str, text: &str) -> String {
        match (key, text) {
            ("fen", _) => self.fen(text),
            ("uci" | "squares" | "moves" | "required" | "readings", _) => self.squares_in(text),
            ("by", "white") if self == Orientation::Reversed => "black".to_owned(),
            ("by", "black") if self == Orientation::Reversed => "white".to_owned(),
            ("result", _) => self.result(text).to_owned(),
            _ => text.to_owned(),
        }
    }

    /// The image of a result.
    pub fn result(self, result: &str) -> &str {
        match (self, result) {
            (Orientation::Reversed, "1-0") => "0-1",
            (Orientation::Reversed, "0-1") => "1-0",
            _ => result,
        }
    }
}

fn swap_case(s: &str) -> String {
    let swap = |c: char| {
        if c.is_uppercase() {
            c.to_ascii_lowercase()
        } else {
            c.to_ascii_uppercase()
        }
    };
    s.chars().map(swap).collect()
}

fn reversed(s: &str) -> String {
    s.chars().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_image_is_its_own_inverse() {
        let fen = "r3k2r/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/R3K1NR w Qk f6 0 7";
        assert_eq!(
            Orientation::Reversed.fen(fen),
            "r3k1nr/pppp1ppp/8/8/3PpP2/8/PPP1P1PP/R3K2R b Kq f3 0 7"
        );
        assert_eq!(
            Orientation::Reversed.fen(&Orientation::Reversed.fen(fen)),
            fen
        );
        assert_eq!(
            Orientation::Mirrored.fen(fen),
            "r2k3r/pp1p1ppp/8/2pPp3/8/8/PPP1PPPP/RN1K3R w - c6 0 7"
        );
        assert_eq!(
            Orientation::Reversed.squares_in("a7a8q e1+h1"),
            "a2a1q e8+h8"
        );
    }
}
