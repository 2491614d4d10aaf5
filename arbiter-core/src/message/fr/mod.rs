//! French.

mod findings;

use alloc::string::String;

use crate::said::input::ClaimKind;
use crate::said::irregularity::Reason;
use crate::said::ruling::{DoubtKind, ResultReason};

use super::phrase::{Answer, Outcome, Table, Words};
use findings::{ACT, LAW, SEEN};

pub(super) const WORDS: Words = Words {
    finding: "{seen}. {article} : {law}.",
    seen: SEEN,
    not_required: "{By} {did}, qui n’est aucun des coups laissés par la décision de l’arbitre",
    reason: REASON,
    law: LAW,
    act: ACT,
    doubt: DOUBT,
    claimed: CLAIMED,
    answer: ANSWER,
    ending: ENDING,
    fallen_away: "La perte proposée pour coups illégaux n’a plus lieu d’être ({article}) : la \
        partie continue.",
    players: [
        ["les Blancs", "aux Blancs", "des Blancs"],
        ["les Noirs", "aux Noirs", "des Noirs"],
        [
            "les Blancs ou les Noirs",
            "aux Blancs ou aux Noirs",
            "des Blancs ou des Noirs",
        ],
        [
            "les Noirs ou les Blancs",
            "aux Noirs ou aux Blancs",
            "des Noirs ou des Blancs",
        ],
    ],
    pieces: [
        "le pion",
        "le cavalier",
        "le fou",
        "la tour",
        "la dame",
        "le roi",
    ],
    letters: ['P', 'C', 'F', 'T', 'D', 'R'],
    piece_on: "{piece} en {square}",
    did: [
        "ont joué {san}",
        "ont joué une autre pièce",
        "n’ont pas encore joué",
    ],
    no_move: "aucun coup",
    and_or: ["et", "ou"],
    board: "l’échiquier",
    more: [" et {n} autres", " ou l’un des {n} autres"],
    minutes: ["{n} minute", "{n} minutes"],
    article: [
        "Article {number}",
        "Article {number} (numéro non confirmé)",
        "Règles de cette édition",
    ],
    within: [
        "article {number}",
        "article {number}, numéro non confirmé",
        "règles de cette édition",
    ],
    proposed: " Seul l’arbitre peut en décider : confirmez ce résultat ou saisissez-en un autre.",
    typeset: unbreakable,
};

/// Spaces before high signs and inside guillemets do not break.
fn unbreakable(text: String) -> String {
    let signs = [" :", " ;", " !", " ?", " »"];
    let text = signs.iter().fold(text, |text, sign| {
        text.replace(sign, &sign.replace(' ', "\u{a0}"))
    });
    text.replace("« ", "«\u{a0}")
}

#[rustfmt::skip]
const REASON: Table<Reason> = &[
    (Reason::PieceCannotMoveSo, "la pièce ne se déplace pas ainsi"),
    (Reason::OwnKingInCheck, "il laisse ou met leur propre roi en échec"),
    (Reason::CastlingIllegal, "le roque n’est pas permis ici"),
    (Reason::CastlingHalfDone, "le roque est resté inachevé, le roi déplacé de deux cases et la \
        tour à sa place"),
    (Reason::EnPassantLate, "la prise en passant n’est possible qu’en réponse immédiate"),
    (Reason::EnPassantVictimLeft, "le pion pris en passant est resté sur l’échiquier"),
    (Reason::TwoPiecesMoved, "deux pièces ont été déplacées"),
    (Reason::KingCaptured, "un roi ne se prend pas"),
    (Reason::PromotionBadPiece, "le pion a été remplacé par une pièce qu’il ne peut devenir"),
    (Reason::Other, "aucun coup légal ne mène à ce qui se trouve sur l’échiquier"),
];

#[rustfmt::skip]
const DOUBT: Table<DoubtKind> = &[
    (DoubtKind::AmbiguousMove, "Les capteurs admettent plus d’un coup : {moves}. Regardez {at} et, \
        si la suite du jeu ne tranche pas, ordonnez la position qui s’y trouve."),
    (DoubtKind::PromotionPiece, "Quelle pièce se trouve en {at} ? Les capteurs ne peuvent le dire \
        : regardez et nommez-la."),
    (DoubtKind::CheckSquare, "Regardez {at} : une pièce peut manquer ou se trouver à côté de sa \
        case, ou l’échiquier la lit mal."),
    (DoubtKind::TwoHands, "Deux pièces ({at}) étaient en l’air en même temps : d’une main ou de \
        deux ? Les capteurs ne montrent pas les mains."),
    (DoubtKind::WhoTouched, "Quelqu’un a touché {at} : les capteurs ne montrent pas qui. \
        Interrogez les joueurs."),
    (DoubtKind::BoardTurned, "L’échiquier se lit comme si sa case a1 se trouvait en {at} : \
        indiquez son orientation, ou retournez-le."),
    (DoubtKind::PositionUnknown, "On ne sait rien de la partie. Définissez la position ; le trait \
        et les droits de roque, aucun capteur ne les montre. Voici ce que lit l’échiquier."),
];

#[rustfmt::skip]
const CLAIMED: Table<ClaimKind> = &[
    (ClaimKind::Threefold, "que la position se présente pour la troisième fois"),
    (ClaimKind::FiftyMoves, "que cinquante coups ont passé sans prise ni mouvement de pion"),
    (ClaimKind::TouchMove, "une infraction à la règle de la pièce touchée ou lâchée"),
    (ClaimKind::IllegalMove, "un coup illégal"),
    (ClaimKind::FlagFall, "que le drapeau de l’adversaire est tombé"),
];

#[rustfmt::skip]
const ANSWER: Table<Answer> = &[
    (Answer::Drawn, "{By} font valoir {claimed}. La réclamation est correcte ({article}) : la \
        partie est nulle."),
    (Answer::Touched, "{By} font valoir {claimed}. Une pièce a été touchée, la nulle ne peut donc \
        être réclamée lors de ce coup ({article}) : la pièce touchée est jouée et la partie \
        continue."),
    (Answer::Wrong, "{By} font valoir {claimed}. L’enregistrement ne le confirme pas ({article}) : \
        la partie continue, et {other} peuvent y voir une proposition de nulle."),
    (Answer::NotHisTurn, "{By} font valoir {claimed}. Seul le joueur ayant le trait peut le \
        réclamer ({article}) : la partie continue."),
    (Answer::Shown, "{By} font valoir {claimed}. Les capteurs montrent un cas qui peut être \
        réclamé ({article}) : statuez sur le constat."),
    (Answer::NotShown, "{By} font valoir {claimed}. Les capteurs n’en montrent pas qui puisse être \
        réclamé à présent ({article}) : entendez les joueurs."),
    (Answer::FlagFallen, "{By} font valoir {claimed}. La pendule l’a signalé ({article})."),
    (Answer::FlagNotSeen, "{By} font valoir {claimed}. La pendule ne l’a pas signalé, ou les deux \
        drapeaux sont tombés ({article}) : regardez la pendule."),
];

#[rustfmt::skip]
const ENDING: Table<(ResultReason, Outcome)> = &[
    ((ResultReason::Checkmate, Outcome::Won), "Échec et mat : {by} gagnent ({article})."),
    ((ResultReason::Stalemate, Outcome::Drawn), "Pat : la partie est nulle ({article})."),
    ((ResultReason::DeadPosition, Outcome::Drawn), "Position morte : aucun des deux camps ne peut \
        mater par une suite de coups légaux, la partie est nulle ({article})."),
    ((ResultReason::Fivefold, Outcome::Drawn), "La position se présente pour la cinquième fois : \
        la partie est nulle sans réclamation ({article})."),
    ((ResultReason::SeventyFiveMoves, Outcome::Drawn), "Soixante-quinze coups de chaque camp sans \
        prise ni mouvement de pion : la partie est nulle sans réclamation ({article})."),
    ((ResultReason::Threefold, Outcome::Drawn), "Réclamation correcte, la position se présente \
        pour la troisième fois : la partie est nulle ({article})."),
    ((ResultReason::FiftyMoves, Outcome::Drawn), "Réclamation correcte, cinquante coups de chaque \
        camp sans prise ni mouvement de pion : la partie est nulle ({article})."),
    ((ResultReason::FlagFall, Outcome::Won), "{Other} ont dépassé le temps : {by} gagnent \
        ({article})."),
    ((ResultReason::FlagFall, Outcome::Drawn), "{Other} ont dépassé le temps, mais {by} ne peuvent \
        mater par aucune suite de coups légaux : la partie est nulle ({article})."),
    ((ResultReason::FlagFall, Outcome::Open), "{Other} ont dépassé le temps. On ne sait si {by} \
        peuvent mater par une suite de coups légaux : l’arbitre doit choisir entre le gain et la \
        nulle ({article})."),
    ((ResultReason::Resignation, Outcome::Won), "{Other} ont abandonné : {by} gagnent \
        ({article})."),
    ((ResultReason::Resignation, Outcome::Drawn), "{Other} ont abandonné, mais {by} ne peuvent \
        mater par aucune suite de coups légaux : la partie est nulle ({article})."),
    ((ResultReason::Resignation, Outcome::Open), "{Other} ont abandonné. On ne sait si {by} \
        peuvent mater par une suite de coups légaux : l’arbitre doit choisir entre le gain et la \
        nulle ({article})."),
    ((ResultReason::Agreement, Outcome::Drawn), "Les joueurs ont convenu de la nulle ({article})."),
    ((ResultReason::ForfeitIllegalMoves, Outcome::Won), "{Other} perdent pour coups illégaux : \
        {by} gagnent ({article})."),
    ((ResultReason::ForfeitIllegalMoves, Outcome::Drawn), "{Other} perdraient pour coups illégaux, \
        mais {by} ne peuvent mater par aucune suite de coups légaux : la partie est nulle \
        ({article})."),
    ((ResultReason::ForfeitIllegalMoves, Outcome::Open), "{Other} perdraient pour coups illégaux. \
        On ne sait si {by} peuvent mater par une suite de coups légaux : l’arbitre doit choisir \
        entre le gain et la nulle ({article})."),
    ((ResultReason::IllegalPosition, Outcome::Drawn), "La position illégale s’est maintenue \
        pendant encore un coup achevé : la partie est nulle ({article})."),
    ((ResultReason::KingsPlaced, Outcome::Won), "Les rois ont été posés sur les cases centrales, \
        signe que {by} gagnent ; c’est une convention, non une règle."),
    ((ResultReason::KingsPlaced, Outcome::Drawn), "Les rois ont été posés sur les cases centrales, \
        signe de nulle ; c’est une convention, non une règle."),
    ((ResultReason::Arbiter, Outcome::Won), "L’arbitre a déclaré que {by} gagnent ({article})."),
    ((ResultReason::Arbiter, Outcome::Drawn), "L’arbitre a déclaré la partie nulle ({article})."),
];
