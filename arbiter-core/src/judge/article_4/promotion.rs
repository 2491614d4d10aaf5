//! Promotion: in what order pawn and piece change places (4.6), and when the choice is final
//! (4.4.4).

use alloc::vec::Vec;

use shakmaty::{Piece, Position, Role};

use crate::judge::article_4::{Breach, Played};
use crate::said::irregularity::{Certainty, Code};
use crate::said::settings::PromotionOrder;
use crate::said::symbol::{SensorClass, Symbol};
use crate::sense::changes::SquareChange;

/// The piece was put down before the pawn was taken up: until 2009 some arbiters held the order
/// against the player.
pub(super) fn order(p: &Played<'_>) -> Option<Breach> {
    let (from, to) = (p.m.promotion().and(p.m.from())?, p.m.to());
    if p.laws.promotion_in_any_order || p.settings.promotion_order == PromotionOrder::Tolerate {
        return None;
    }
    let lift = |c: &&SquareChange| c.square == from && c.symbol == Symbol::Empty;
    let put = |c: &&SquareChange| c.square == to && c.symbol != Symbol::Empty;
    let lifted = p.log.iter().find(lift)?;
    let put = p.log.iter().find(put)?;
    if put.at + p.settings.skew_ms >= lifted.at {
        return None;
    }
    let (certainty, squares) = (Certainty::Likely, alloc::vec![to]);
    Some(p.breach(Code::PromotionOrder, certainty, squares, Vec::new()))
}

/// On boards that see pieces: another promoted piece touched the square first (4.4.4). Until 2001
/// the choice was final only when the piece was released, which no board sees: a long rest makes it
/// possible, no more.
pub(super) fn changed(p: &Played<'_>) -> Option<Breach> {
    let (role, to) = (p.m.promotion()?, p.m.to());
    if p.class != SensorClass::Piece {
        return None;
    }
    let (first, touched) = first_choice(p)?;
    if touched == role {
        return None;
    }
    let taken_up = p
        .log
        .iter()
        .find(|c| c.square == to && c.at > first.at)
        .map_or(p.made_at, |c| c.at);
    let certainty = if p.laws.promotion_final_by_touch {
        Certainty::Certain
    } else if taken_up.since(first.at) > p.settings.release_ms {
        Certainty::Possible
    } else {
        return None;
    };
    let mut required = p.legal().to_vec();
    required.retain(|m| m.from() == p.m.from() && m.to() == to && m.promotion() == Some(touched));
    let squares = alloc::vec![to];
    Some(p.breach(Code::PromotionChoiceChanged, certainty, squares, required))
}

/// The first piece that a pawn can become seen on the promotion square, and its role.
fn first_choice<'a>(p: &Played<'a>) -> Option<(&'a SquareChange, Role)> {
    for change in p.log {
        if let Symbol::Piece(Piece { role, color }) = change.symbol
            && change.square == p.m.to()
            && color == p.before.turn()
            && !matches!(role, Role::Pawn | Role::King)
        {
            return Some((change, role));
        }
    }
    None
}
