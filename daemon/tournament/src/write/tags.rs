//! The PGN tags of a pairing (PGN standard of 1994, section 9, and the tags that broadcasts use).

use crate::code::ResultCode;
use crate::model::{Player, Tournament};
use crate::refusal::Refusal;

/// The tags of the game at a table, names and values; what nobody said is left out. The round is
/// `3.12`: round and table.
///
/// # Errors
/// Where there is no such pairing.
pub fn tags(
    tournament: &Tournament,
    round: u16,
    table: u16,
) -> Result<Vec<(&'static str, String)>, Refusal> {
    let pairing = tournament.pairing(round, table)?;
    let details = &tournament.details;
    let drawn = &tournament.rounds[&round];
    let player = |number| tournament.players.get(&number).cloned().unwrap_or_default();
    let white = player(pairing.white);
    let black = pairing.black.map(player).unwrap_or_default();
    let is_forfeit = |code: &ResultCode| !code.0.is_played() && !code.0.is_bye();
    let by_forfeit = pairing
        .settled()
        .is_some_and(|codes| codes.iter().all(is_forfeit));
    let mut tags = vec![
        ("Event", details.name.clone()),
        ("Site", details.site.clone()),
        ("Date", drawn.date.clone()),
        ("Round", format!("{round}.{table}")),
        ("White", white.name.clone()),
        ("Black", black.name.clone()),
        (
            "Result",
            pairing.settled().map_or("*", ResultCode::pgn).to_owned(),
        ),
        ("Board", table.to_string()),
        ("EventDate", details.start.replace(['/', '-'], ".")),
        ("TimeControl", details.time_control.clone()),
    ];
    let of = [
        (
            &white,
            ["WhiteTitle", "WhiteElo", "WhiteFideId", "WhiteTeam"],
        ),
        (
            &black,
            ["BlackTitle", "BlackElo", "BlackFideId", "BlackTeam"],
        ),
    ];
    for (player, names) in of {
        tags.extend(names.into_iter().zip(values(player)));
    }
    tags.push((
        "Termination",
        if by_forfeit { "unplayed" } else { "" }.to_owned(),
    ));
    tags.retain(|(_, value)| !value.is_empty());
    Ok(tags)
}

fn values(player: &Player) -> [String; 4] {
    [
        player.title.clone(),
        player
            .rating
            .map(|rating| rating.to_string())
            .unwrap_or_default(),
        player.fide_id.map(|id| id.to_string()).unwrap_or_default(),
        player.team.clone(),
    ]
}
