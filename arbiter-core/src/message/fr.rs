//! French.

use alloc::string::String;

use crate::said::input::ClaimKind;
use crate::said::irregularity::{Code, Reason};
use crate::said::ruling::{DoubtKind, ResultReason};

use super::phrase::{Act, Answer, Law, Outcome, Table, Words};

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
    fallen_away: "La perte proposée pour coups illégaux n’a plus lieu d’être ({article}) : la partie continue.",
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
const SEEN: Table<Code> = &[
    (Code::MovedOutOfTurn, "{By} ont joué ({at}) sans avoir le trait"),
    (Code::AdjustOutOfTurn, "{By} ont annoncé « j’adoube » sans avoir le trait"),
    (Code::TouchMoveOwnPiece, "{By} ont touché {piece} et {did}"),
    (Code::TouchMoveOpponentPiece, "{By} ont touché {piece}, qu’ils pouvaient prendre, et {did}"),
    (Code::TouchMoveBothColours, "{By} ont touché {piece}, la prise étant légale, et {did}"),
    (Code::CastlingNotCompleted, "{By} ont touché {piece} alors que le roque de ce côté était légal, et {did}"),
    (Code::CastlingRookFirst, "{By} ont touché la tour avant le roi ({at}) et {did}"),
    (Code::PromotionChoiceChanged, "{By} ont posé une pièce sur la case de promotion {at}, puis l’ont échangée contre une autre"),
    (Code::PromotionOrder, "{By} ont posé la nouvelle pièce en {at} avant de retirer le pion de l’échiquier"),
    (Code::ReleasedPieceMovedAgain, "{By} ont posé {mover} en {at}, où le coup était légal, puis ont déplacé cette pièce de nouveau"),
    (Code::ClockPressedTooEarly, "{By} ont appuyé sur la pendule avant d’avoir joué leur coup"),
    (Code::ClockOtherHand, "{By} ont mal manié la pendule : de l’autre main, avec brutalité ou en gardant la main dessus"),
    (Code::ClockStoppedWithoutReason, "{By} ont arrêté les pendules sans donner de raison"),
    (Code::PositionSetupWrong, "La partie a commencé dans une position initiale incorrecte ({at})"),
    (Code::BoardOrientationWrong, "L’échiquier est mal placé entre les joueurs"),
    (Code::ColoursReversed, "Les joueurs ont les couleurs l’un de l’autre"),
    (Code::PieceDisplaced, "{By} ont achevé leur coup alors que des pièces étaient dérangées ({at})"),
    (Code::DisplacementFoundLater, "Depuis quelque temps, des pièces se trouvent où aucun coup ne les a mises ({at})"),
    (Code::IllegalMove, "{By} ont achevé un coup illégal ({at}) : {reason}"),
    (Code::PawnNotPromoted, "{By} ont achevé leur coup en laissant le pion en {at}"),
    (Code::ClockPressedWithoutMove, "{By} ont appuyé sur la pendule sans avoir joué de coup"),
    (Code::TwoHands, "{By} ont joué un coup à deux mains"),
    (Code::IllegalPositionStanding, "Une position illégale est sur l’échiquier ({at}), et il est trop tard pour réclamer contre le coup qui l’a amenée"),
    (Code::DrawClaimAfterTouch, "{By} ont réclamé la nulle après avoir touché une pièce ({at})"),
    (Code::IncorrectDrawClaim, "{By} ont réclamé la nulle, et la réclamation s’est révélée incorrecte"),
    (Code::OpponentTouchedPiecesOutOfTurn, "{By} ont touché des pièces ({at}) sans avoir le trait"),
];

#[rustfmt::skip]
const REASON: Table<Reason> = &[
    (Reason::PieceCannotMoveSo, "la pièce ne se déplace pas ainsi"),
    (Reason::OwnKingInCheck, "il laisse ou met leur propre roi en échec"),
    (Reason::CastlingIllegal, "le roque n’est pas permis ici"),
    (Reason::CastlingHalfDone, "le roque est resté inachevé, le roi déplacé de deux cases et la tour à sa place"),
    (Reason::EnPassantLate, "la prise en passant n’est possible qu’en réponse immédiate"),
    (Reason::EnPassantVictimLeft, "le pion pris en passant est resté sur l’échiquier"),
    (Reason::TwoPiecesMoved, "deux pièces ont été déplacées"),
    (Reason::KingCaptured, "un roi ne se prend pas"),
    (Reason::PromotionBadPiece, "le pion a été remplacé par une pièce qu’il ne peut devenir"),
    (Reason::Other, "aucun coup légal ne mène à ce qui se trouve sur l’échiquier"),
];

#[rustfmt::skip]
const LAW: Table<Law> = &[
    (Law::TouchedOwn, "pièce touchée, pièce jouée ; le joueur doit déplacer la première de ses pièces touchées qui peut l’être"),
    (Law::TouchedEnemy, "le joueur doit prendre la première pièce adverse touchée qui peut l’être"),
    (Law::TouchedBoth, "le joueur doit prendre la pièce adverse touchée avec la sienne, si c’est légal"),
    (Law::Castle, "qui touche son roi et sa tour doit roquer de ce côté, si c’est légal"),
    (Law::RookFirst, "qui touche une tour puis son roi ne peut roquer de ce côté lors de ce coup ; la tour doit être jouée si elle peut l’être"),
    (Law::FirstTouchedMoves, "la première pièce touchée doit être jouée si elle peut l’être ; le roque est un coup du roi"),
    (Law::CastlingCommitted, "le roi lâché à deux cases en direction d’une tour, le joueur doit roquer de ce côté, si c’est légal"),
    (Law::PromotionByTouch, "le choix est définitif dès que la pièce a touché la case de promotion"),
    (Law::PromotionByRelease, "le choix est définitif quand la main a lâché la pièce sur la case de promotion"),
    (Law::PawnOffFirst, "le pion est retiré de l’échiquier, puis la nouvelle pièce posée sur sa case ; les avis diffèrent sur l’ordre"),
    (Law::AnyOrder, "le pion et la nouvelle pièce peuvent être échangés dans n’importe quel ordre"),
    (Law::Released, "une pièce lâchée sur une case légale ne peut plus, lors de ce coup, aller sur une autre"),
    (Law::DisplacedOwnTime, "qui dérange des pièces les remet en place sur son propre temps ; ce n’est pas un coup illégal"),
    (Law::Displaced, "les pièces dérangées sont remises sur leurs cases"),
    (Law::DisplacedLater, "on rétablit la position d’avant ou la dernière qui puisse être identifiée, et la partie continue"),
    (Law::DisplacedLaterAnnulled, "la position est rétablie ; si c’est impossible, la partie est annulée et rejouée"),
    (Law::IllegalUndone, "un coup illégal est repris, et ce qui a été touché pour le jouer doit être déplacé ou pris si c’est possible"),
    (Law::PawnQueen, "c’est un coup illégal, et le pion devient une dame"),
    (Law::PawnUndone, "c’est un coup illégal : il est repris, et le pion doit recevoir sa promotion en une pièce au choix du joueur"),
    (Law::EmptyPressIllegal, "appuyer sur la pendule sans jouer de coup compte comme un coup illégal"),
    (Law::EmptyPressConduct, "appuyer sur la pendule sans jouer de coup n’est pas un coup illégal, mais l’arbitre peut le sanctionner"),
    (Law::Turn, "les joueurs jouent à tour de rôle"),
    (Law::Adjust, "seul le joueur ayant le trait peut rectifier la position des pièces, en l’annonçant d’abord"),
    (Law::EarlyPress, "on appuie sur la pendule une fois le coup joué, pas avant"),
    (Law::OtherHand, "on appuie sur la pendule de la main qui a joué, sans brutalité et sans y laisser la main"),
    (Law::ClockStopped, "un joueur n’arrête les pendules que pour appeler l’arbitre, réclamer ou demander une pièce qui manque"),
    (Law::SetupAnew, "une partie commencée dans une position incorrecte est annulée, et une nouvelle partie est jouée"),
    (Law::SetupLimited, "on peut réclamer contre une position incorrecte jusqu’à {number} coups joués par chacun ; ensuite elle est maintenue"),
    (Law::Orientation, "la partie continue, sa position transférée sur un échiquier bien placé"),
    (Law::ColoursRestart, "avant {number} coups joués par les deux joueurs, une nouvelle partie est jouée avec les bonnes couleurs ; après, la partie continue"),
    (Law::ColoursArbiter, "la partie continue, sauf décision contraire de l’arbitre"),
    (Law::TwoHandsIllegal, "un coup joué à deux mains compte comme un coup illégal"),
    (Law::TwoHandsCompleted, "un coup joué à deux mains compte comme un coup illégal une fois la pendule appuyée"),
    (Law::OneHand, "chaque coup se joue d’une seule main"),
    (Law::StandingDrawn, "tant que les deux rois sont en échec ou qu’un pion reste sur la dernière rangée, on attend encore un coup achevé ; si rien n’a changé, la partie est nulle"),
    (Law::StandingStepIn, "quand les deux rois sont en échec ou qu’un pion reste sans promotion, l’arbitre intervient sans réclamation"),
    (Law::TouchLosesClaim, "qui a touché une pièce ne peut plus réclamer la nulle lors de ce coup"),
    (Law::MoveLosesClaim, "la nulle se réclame avant de jouer le coup"),
    (Law::WrongClaim, "après une réclamation incorrecte, l’adversaire reçoit {minutes} de plus et la partie continue"),
    (Law::Disturbing, "il est interdit de gêner l’adversaire ; une pièce touchée n’engage que le joueur ayant le trait"),
    (Law::Silent, "cette édition n’a pas de règle propre à ce cas ; l’arbitre décide"),
];

#[rustfmt::skip]
const ACT: Table<Act> = &[
    (Act::Ask, "C’est possible, sans plus : interrogez les joueurs, eux seuls peuvent le savoir."),
    (Act::Hear, "C’est probable, non prouvé : entendez les joueurs et n’appliquez ce qui suit que si vous retenez le constat."),
    (Act::HearFirst, "C’est probable, non prouvé : entendez les joueurs avant de statuer."),
    (Act::TakeBack, "Si le constat est retenu, la position d’avant le coup est rétablie, et {by} doivent jouer {moves}."),
    (Act::TakeBackFree, "Si le constat est retenu, la position d’avant le coup est rétablie, et {by} peuvent jouer tout coup légal."),
    (Act::UntilTouch, "{Other} peuvent réclamer tant qu’ils n’ont pas touché de pièce ({claim-article})."),
    (Act::ClaimGone, "{Other} ont touché une pièce et ne peuvent plus réclamer ({claim-article})."),
    (Act::OnRequest, "N’intervenez que si {other} le demandent avant de toucher une pièce ({claim-article})."),
    (Act::StopRestore, "Arrêtez les pendules et faites rétablir la position d’avant le coup."),
    (Act::MustPlay, "{By} doivent ensuite jouer {moves}."),
    (Act::PlayLegal, "{By} peuvent ensuite jouer tout coup légal."),
    (Act::PutQueen, "Arrêtez les pendules et faites mettre une dame {of-by} en {at} ; {other} ont le trait."),
    (Act::PromoteAgain, "Arrêtez les pendules et faites reprendre le coup ; {by} doivent promouvoir le même pion et peuvent choisir la pièce à nouveau."),
    (Act::StillToMove, "{By} gardent le trait."),
    (Act::AsIllegal, "Arrêtez les pendules et traitez-le comme un coup illégal."),
    (Act::GiveTime, "Accordez {minutes} de plus {to-other} ({penalty-article})."),
    (Act::NoTime, "Cette édition n’accorde pas de temps pour cela."),
    (Act::Loses, "Avec cette infraction, {by} perdent la partie ({penalty-article}) : déclarez-le ou rejetez le constat."),
    (Act::Drawn, "Avec cette infraction, {by} perdraient la partie, mais {other} ne peuvent mater par aucune suite de coups légaux : elle est nulle ({penalty-article})."),
    (Act::OnlyOnClaim, "N’intervenez que si {other} réclament avant de jouer un coup ({penalty-article}) ; ensuite le coup est maintenu."),
    (Act::MayClaimWin, "N’intervenez que si {other} réclament avant de jouer un coup : ils réclament alors le gain ({penalty-article})."),
    (Act::StepIn, "Intervenez sans réclamation ({penalty-article})."),
    (Act::StandsAfterReply, "Une fois que {other} ont joué le coup suivant, la position est maintenue ({penalty-article})."),
    (Act::CheckSquares, "C’est probable, non prouvé : regardez ces cases, une pièce peut n’être que mal lue."),
    (Act::PutRightOwnTime, "Faites remettre les pièces en place sur le temps {of-by}."),
    (Act::PutBack, "Faites remettre les pièces en place."),
    (Act::RestoreLast, "Faites rétablir la dernière position connue et réglez les pendules selon votre jugement."),
    (Act::Warn, "Avertissement ou sanction : la décision vous revient."),
    (Act::PromotionStands, "Maintenez la promotion, sauf décision contraire de votre part."),
    (Act::NewGame, "Arrêtez les pendules, annulez la partie et faites-en commencer une nouvelle."),
    (Act::AnewWhileClaimable, "Faites commencer une nouvelle partie tant que la réclamation est ouverte ; ensuite la partie continue, sans roque pour un roi ou une tour mal placés."),
    (Act::Transfer, "Arrêtez les pendules et faites transférer la position."),
    (Act::UntilMoves, "Chacun des joueurs peut le réclamer tant que les deux n’ont pas joué {number} coups ({claim-article})."),
    (Act::StartStands, "Les deux joueurs ont joué {number} coups : on ne peut plus le réclamer ({claim-article}), et la partie continue."),
    (Act::GoOnOrNot, "Laissez la partie continuer, ou décidez autrement."),
    (Act::WaitOneMove, "Attendez le prochain coup achevé, puis déclarez la nulle si rien n’a changé."),
    (Act::EndTheStanding, "Arrêtez les pendules et faites rétablir une position régulière."),
    (Act::RefuseClaim, "Refusez la réclamation ; ce qui a été touché doit être joué."),
    (Act::GoOn, "La partie continue."),
    (Act::NotBound, "Cette pièce touchée n’engage pas {by} ; avertissez ou sanctionnez si {other} ont été gênés."),
    (Act::Decide, "La décision vous revient."),
];

#[rustfmt::skip]
const DOUBT: Table<DoubtKind> = &[
    (DoubtKind::AmbiguousMove, "Les capteurs admettent plus d’un coup : {moves}. Regardez {at} et, si la suite du jeu ne tranche pas, ordonnez la position qui s’y trouve."),
    (DoubtKind::PromotionPiece, "Quelle pièce se trouve en {at} ? Les capteurs ne peuvent le dire : regardez et nommez-la."),
    (DoubtKind::CheckSquare, "Regardez {at} : une pièce peut manquer ou se trouver à côté de sa case, ou l’échiquier la lit mal."),
    (DoubtKind::TwoHands, "Deux pièces ({at}) étaient en l’air en même temps : d’une main ou de deux ? Les capteurs ne montrent pas les mains."),
    (DoubtKind::WhoTouched, "Quelqu’un a touché {at} : les capteurs ne montrent pas qui. Interrogez les joueurs."),
    (DoubtKind::BoardTurned, "L’échiquier se lit comme si sa case a1 se trouvait en {at} : indiquez son orientation, ou retournez-le."),
    (DoubtKind::PositionUnknown, "On ne sait rien de la partie. Définissez la position ; le trait et les droits de roque, aucun capteur ne les montre. Voici ce que lit l’échiquier."),
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
    (Answer::Drawn, "{By} font valoir {claimed}. La réclamation est correcte ({article}) : la partie est nulle."),
    (Answer::Touched, "{By} font valoir {claimed}. Une pièce a été touchée, la nulle ne peut donc être réclamée lors de ce coup ({article}) : la pièce touchée est jouée et la partie continue."),
    (Answer::Wrong, "{By} font valoir {claimed}. L’enregistrement ne le confirme pas ({article}) : la partie continue, et {other} peuvent y voir une proposition de nulle."),
    (Answer::NotHisTurn, "{By} font valoir {claimed}. Seul le joueur ayant le trait peut le réclamer ({article}) : la partie continue."),
    (Answer::Shown, "{By} font valoir {claimed}. Les capteurs montrent un cas qui peut être réclamé ({article}) : statuez sur le constat."),
    (Answer::NotShown, "{By} font valoir {claimed}. Les capteurs n’en montrent pas qui puisse être réclamé à présent ({article}) : entendez les joueurs."),
    (Answer::FlagFallen, "{By} font valoir {claimed}. La pendule l’a signalé ({article})."),
    (Answer::FlagNotSeen, "{By} font valoir {claimed}. La pendule ne l’a pas signalé, ou les deux drapeaux sont tombés ({article}) : regardez la pendule."),
];

#[rustfmt::skip]
const ENDING: Table<(ResultReason, Outcome)> = &[
    ((ResultReason::Checkmate, Outcome::Won), "Échec et mat : {by} gagnent ({article})."),
    ((ResultReason::Stalemate, Outcome::Drawn), "Pat : la partie est nulle ({article})."),
    ((ResultReason::DeadPosition, Outcome::Drawn), "Position morte : aucun des deux camps ne peut mater par une suite de coups légaux, la partie est nulle ({article})."),
    ((ResultReason::Fivefold, Outcome::Drawn), "La position se présente pour la cinquième fois : la partie est nulle sans réclamation ({article})."),
    ((ResultReason::SeventyFiveMoves, Outcome::Drawn), "Soixante-quinze coups de chaque camp sans prise ni mouvement de pion : la partie est nulle sans réclamation ({article})."),
    ((ResultReason::Threefold, Outcome::Drawn), "Réclamation correcte, la position se présente pour la troisième fois : la partie est nulle ({article})."),
    ((ResultReason::FiftyMoves, Outcome::Drawn), "Réclamation correcte, cinquante coups de chaque camp sans prise ni mouvement de pion : la partie est nulle ({article})."),
    ((ResultReason::FlagFall, Outcome::Won), "{Other} ont dépassé le temps : {by} gagnent ({article})."),
    ((ResultReason::FlagFall, Outcome::Drawn), "{Other} ont dépassé le temps, mais {by} ne peuvent mater par aucune suite de coups légaux : la partie est nulle ({article})."),
    ((ResultReason::FlagFall, Outcome::Open), "{Other} ont dépassé le temps. On ne sait si {by} peuvent mater par une suite de coups légaux : l’arbitre doit choisir entre le gain et la nulle ({article})."),
    ((ResultReason::Resignation, Outcome::Won), "{Other} ont abandonné : {by} gagnent ({article})."),
    ((ResultReason::Resignation, Outcome::Drawn), "{Other} ont abandonné, mais {by} ne peuvent mater par aucune suite de coups légaux : la partie est nulle ({article})."),
    ((ResultReason::Resignation, Outcome::Open), "{Other} ont abandonné. On ne sait si {by} peuvent mater par une suite de coups légaux : l’arbitre doit choisir entre le gain et la nulle ({article})."),
    ((ResultReason::Agreement, Outcome::Drawn), "Les joueurs ont convenu de la nulle ({article})."),
    ((ResultReason::ForfeitIllegalMoves, Outcome::Won), "{Other} perdent pour coups illégaux : {by} gagnent ({article})."),
    ((ResultReason::ForfeitIllegalMoves, Outcome::Drawn), "{Other} perdraient pour coups illégaux, mais {by} ne peuvent mater par aucune suite de coups légaux : la partie est nulle ({article})."),
    ((ResultReason::ForfeitIllegalMoves, Outcome::Open), "{Other} perdraient pour coups illégaux. On ne sait si {by} peuvent mater par une suite de coups légaux : l’arbitre doit choisir entre le gain et la nulle ({article})."),
    ((ResultReason::IllegalPosition, Outcome::Drawn), "La position illégale s’est maintenue pendant encore un coup achevé : la partie est nulle ({article})."),
    ((ResultReason::KingsPlaced, Outcome::Won), "Les rois ont été posés sur les cases centrales, signe que {by} gagnent ; c’est une convention, non une règle."),
    ((ResultReason::KingsPlaced, Outcome::Drawn), "Les rois ont été posés sur les cases centrales, signe de nulle ; c’est une convention, non une règle."),
    ((ResultReason::Arbiter, Outcome::Won), "L’arbitre a déclaré que {by} gagnent ({article})."),
    ((ResultReason::Arbiter, Outcome::Drawn), "L’arbitre a déclaré la partie nulle ({article})."),
];
