//! French.

mod findings;

use alloc::string::String;

use crate::said::input::ClaimKind;
use crate::said::irregularity::Reason;
use crate::said::ruling::{DoubtKind, ResultReason};

use super::phrase::{Answer, Outcome, Table, Words};
use crate::said::refused::Why;
use findings::{ACT, LAW, SEEN, UNPLAYED};

pub(super) const WORDS: Words = Words {
    finding: "{seen}. {article} : {law}.",
    seen: SEEN,
    unplayed: UNPLAYED,
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
    refusal: REFUSAL,
    open_lists: [
        "Constats en attente : {list}.",
        "Demi-coups en doute : {list}.",
        "Ordres qu’on peut \
        retirer : {list}.",
    ],
    open_matters: [
        "Une position est à remettre en place.",
        "Un résultat attend d’être confirmé.",
        "La partie est suspendue.",
        "Rien n’attend de réponse.",
    ],
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
    some_piece: "une pièce",
    more: [" et {n} autres", " ou l’un des {n} autres"],
    times: ["zéro fois", "une fois", "deux fois", "{n} fois"],
    moves: ["zéro coup", "un coup", "{n} coups"],
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
    (Reason::CastlingIllegal, "le roque n’est pas permis ici, ou pas ainsi"),
    (Reason::CastlingHalfDone, "le roque est resté inachevé"),
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
    (DoubtKind::TwoHands, "L’échiquier montre que {at} ont été joués en même temps : d’une main ou \
        de deux ? Aucun capteur ne voit les mains."),
    (DoubtKind::WhoTouched, "Quelqu’un a touché {at} : les capteurs ne montrent pas qui. \
        Interrogez les joueurs."),
    (DoubtKind::BoardTurned, "L’échiquier se lit comme si sa case a1 se trouvait en {at} : \
        indiquez son orientation, ou retournez-le."),
    (DoubtKind::PiecesExchanged, "Les pièces de {at} étaient-elles interverties dès le début ? \
        Sinon, ce coup était illégal. Regardez quelle pièce est laquelle, et signalez ce qu’il en \
        est."),
    (DoubtKind::PositionUnknown, "On ne sait rien de la partie. Définissez la position ; le trait \
        et les droits de roque, aucun capteur ne les montre. Voici ce que lit l’échiquier."),
    (DoubtKind::GameEnded, "La position initiale est de nouveau en place et la partie n’a pas de \
        résultat. Saisissez le résultat, ou dites que la partie continue. Ce qui se joue \
        entre-temps n’en fait pas partie, sauf si elle continue."),
    (DoubtKind::ThreadLost, "L’échiquier et la notation diffèrent ici, et rien de ce qui a pu être \
        joué ne l’explique. Dites ce qui a été joué, ou définissez la position."),
];

#[rustfmt::skip]
const CLAIMED: Table<ClaimKind> = &[
    (ClaimKind::Threefold, "la nulle, la même position se présentant pour la troisième fois"),
    (ClaimKind::FiftyMoves, "la nulle après cinquante coups sans prise ni mouvement de pion"),
    (ClaimKind::TouchMove, "pour une infraction à la règle de la pièce touchée ou lâchée"),
    (ClaimKind::IllegalMove, "pour un coup illégal"),
    (ClaimKind::FlagFall, "la chute du drapeau de l’adversaire"),
];

#[rustfmt::skip]
const ANSWER: Table<Answer> = &[
    (Answer::Drawn, "{By} réclament {claimed}. La réclamation est correcte ({article}) : la \
        partie est nulle."),
    (Answer::Touched, "{By} réclament {claimed}. Une pièce a été touchée, la nulle ne peut donc \
        être réclamée lors de ce coup ({article}) : la pièce touchée est jouée et la partie \
        continue."),
    (Answer::TooFewTimes, "{By} réclament {claimed}. D’après l’enregistrement, elle s’est \
        présentée {count} jusqu’ici ({article}) : la partie continue, et {other} peuvent y voir \
        une proposition de nulle."),
    (Answer::TooFewMoves, "{By} réclament {claimed}. D’après l’enregistrement, cela fait {count} \
        de chaque joueur depuis la dernière prise ou le dernier mouvement de pion ({article}) : la \
        partie continue, et {other} peuvent y voir une proposition de nulle."),
    (Answer::NoLegalMove, "{By} réclament {claimed}. Le coup qui devait l’amener n’est pas légal \
        ({article}) : la partie continue, et {other} peuvent y voir une proposition de nulle."),
    (Answer::NotHisTurn, "{By} réclament {claimed}. Seul le joueur ayant le trait peut la \
        réclamer ({article}) : la partie continue."),
    (Answer::Shown, "{By} réclament {claimed}. Les capteurs montrent un cas qui peut être \
        réclamé ({article}) : statuez sur le constat."),
    (Answer::NotShown, "{By} réclament {claimed}. Les capteurs ne montrent rien {of-other} \
        qui puisse être réclamé maintenant ({article}) : entendez les joueurs, une pièce touchée \
        sans être levée ne laisse pas de trace."),
    (Answer::NotMade, "{By} réclament {claimed}. {Other} n’ont pas encore joué de coup ({article}) \
        : ils peuvent encore jouer la pièce touchée."),
    (Answer::TouchedSince, "{By} réclament {claimed}. {By} ont touché une pièce depuis et ne \
        peuvent plus le réclamer ({article})."),
    (Answer::MovedSince, "{By} réclament {claimed}. {By} ont joué depuis et ne peuvent plus le \
        réclamer ({article})."),
    (Answer::Decided, "{By} réclament {claimed}. L’arbitre a déjà statué ({article})."),
    (Answer::FlagFallen, "{By} réclament {claimed}. La pendule l’a signalée ({article})."),
    (Answer::FlagNotSeen, "{By} réclament {claimed}. La pendule ne l’a pas signalée ({article}) : \
        regardez-la."),
    (Answer::BothFlags, "{By} réclament {claimed}. La pendule a signalé la chute des deux drapeaux \
        ({article}) : regardez-la."),
];

#[rustfmt::skip]
const REFUSAL: Table<Why> = &[
    (Why::NoFinding, "La partie n’a pas de constat {about}."),
    (Why::Decided, "Le constat {about} n’attend plus de décision."),
    (Why::NoPromotion, "Ce que le pion est devenu en {about} ne fait pas de doute, ou ne peut être \
        cela."),
    (Why::NoReading, "Ce coup n’est pas de ceux qui sont en doute au demi-coup {about}. Indiquez \
        plutôt ce qui a été joué."),
    (Why::NoPly, "L’enregistrement ne va pas jusqu’au demi-coup {about}."),
    (Why::NotPlayable, "Cela n’a pu être joué au demi-coup {about} : le joueur n’a pas cette \
        pièce, ou il manquerait un roi à la position."),
    (Why::PlayedSo, "L’enregistrement porte déjà cela comme demi-coup {about}, sans aucun doute."),
    (Why::NoPosition, "Aucune partie ne peut continuer de cette position."),
    (Why::PositionUnknown, "On ne sait pas quelle position est en place : définissez-la d’abord."),
    (Why::NotAsked, "On n’a pas demandé si la partie était terminée."),
    (Why::NoGame, "La partie {about} n’est ni celle en cours ni une sur laquelle on s’interroge."),
    (Why::NothingStands, "Aucun coup illégal ne se trouve sur l’échiquier qu’on puisse laisser."),
    (Why::PausedAlready, "La partie est déjà suspendue."),
    (Why::NotPaused, "La partie n’est pas suspendue."),
    (Why::ResultStands, "La partie a déjà ce résultat."),
    (Why::NoResult, "La partie n’a pas de résultat qu’on puisse annuler."),
    (Why::LiesSo, "Les cases de l’échiquier sont déjà lues ainsi."),
    (Why::NoOffer, "L’adversaire n’a pas proposé la nulle, ou sa proposition est caduque."),
    (Why::NotPlaying, "La partie n’est pas en cours de jeu."),
    (Why::NameTaken, "Un autre ordre s’appelle {about} : chaque ordre a un nom à lui."),
    (Why::NoOrder, "Aucun ordre {about} ayant un effet n’a été donné."),
    (Why::TakenBack, "L’ordre {about} a déjà été retiré."),
    (Why::OrderForgotten, "L’ordre {about} n’est pas de ceux qu’on peut encore retirer : il n’a \
        jamais été donné, ou il est trop ancien."),
    (Why::PlyForgotten, "Le demi-coup {about} est trop ancien pour être réentendu : définissez \
        plutôt la position."),
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
    ((ResultReason::Arbiter, Outcome::Open), "Le résultat a été retiré ({article}) : la partie \
        continue."),
    ((ResultReason::Arbiter, Outcome::Drawn), "L’arbitre a déclaré la partie nulle ({article})."),
    ((ResultReason::Annulled, Outcome::Open), "L’arbitre a annulé la partie ({article}) : elle ne \
        compte pas, et une nouvelle est jouée."),
];
