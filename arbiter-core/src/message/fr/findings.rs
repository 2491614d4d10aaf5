//! French: what was seen, what the Law says, what to do.

use crate::message::phrase::{Act, Law, Table};
use crate::said::irregularity::Code;

#[rustfmt::skip]
pub(super) const SEEN: Table<Code> = &[
    (Code::MovedOutOfTurn, "{By} ont joué[ ({at})] sans avoir le trait"),
    (Code::AdjustOutOfTurn, "{By} ont annoncé « j’adoube » sans avoir le trait"),
    (Code::TouchMoveOwnPiece, "{By} ont touché {piece} et {did}"),
    (Code::TouchMoveOpponentPiece, "{By} ont touché {piece}, qu’ils pouvaient prendre, et {did}"),
    (Code::TouchMoveBothColours, "{By} ont touché {piece}, la prise étant légale, et {did}"),
    (Code::CastlingNotCompleted, "{By} ont touché {piece} alors que le roque de ce côté était \
        légal, et {did}"),
    (Code::CastlingRookFirst, "{By} ont touché la tour avant le roi[ ({at})] et {did}"),
    (Code::PromotionChoiceChanged, "{By} ont posé une pièce sur la case de promotion[ {at}], puis \
        l’ont échangée contre une autre"),
    (Code::PromotionOrder, "{By} ont posé la nouvelle pièce[ en {at}] avant de retirer le pion de \
        l’échiquier"),
    (Code::ReleasedPieceMovedAgain, "{By} ont posé {mover}[ en {at}], où le coup était légal, \
        puis ont déplacé cette pièce de nouveau"),
    (Code::ClockPressedTooEarly, "{By} ont appuyé sur la pendule avant d’avoir joué leur coup"),
    (Code::ClockOtherHand, "{By} ont mal manié la pendule : de l’autre main, avec brutalité ou en \
        gardant la main dessus"),
    (Code::ClockStoppedWithoutReason, "{By} ont arrêté les pendules sans donner de raison"),
    (Code::PositionSetupWrong, "La partie a commencé dans une position initiale incorrecte[ \
        ({at})]"),
    (Code::BoardOrientationWrong, "L’échiquier est mal placé entre les joueurs"),
    (Code::ColoursReversed, "Les joueurs jouent avec les couleurs inversées"),
    (Code::PieceDisplaced, "{By} ont achevé leur coup alors que des pièces étaient dérangées[ \
        ({at})]"),
    (Code::DisplacementFoundLater, "Depuis quelque temps, des pièces se trouvent où aucun coup ne \
        les a mises[ ({at})]"),
    (Code::IllegalMove, "{By} ont achevé un coup illégal[ ({at})] : {reason}"),
    (Code::PawnNotPromoted, "{By} ont achevé leur coup sans promouvoir le pion[ \
        ({at})]"),
    (Code::ClockPressedWithoutMove, "{By} ont appuyé sur la pendule sans avoir joué de coup"),
    (Code::TwoHands, "{By} ont joué un coup à deux mains"),
    (Code::IllegalPositionStanding, "Une position illégale est sur l’échiquier[ ({at})], et il est \
        trop tard pour réclamer contre le coup qui l’a amenée"),
    (Code::DrawClaimAfterTouch, "{By} ont réclamé la nulle après avoir touché une pièce[ ({at})]"),
    (Code::IncorrectDrawClaim, "{By} ont réclamé la nulle, et la réclamation s’est révélée \
        incorrecte"),
    (Code::OpponentTouchedPiecesOutOfTurn, "{By} ont touché des pièces[ ({at})] sans avoir le \
        trait"),
];

#[rustfmt::skip]
pub(super) const UNPLAYED: Table<Code> = &[
    (Code::PositionSetupWrong, "La position initiale est incorrecte[ ({at})]"),
    (Code::PieceDisplaced, "Des pièces sont dérangées[ ({at})]"),
];

#[rustfmt::skip]
pub(super) const LAW: Table<Law> = &[
    (Law::TouchedOwn, "pièce touchée, pièce jouée ; le joueur doit déplacer la première de ses \
        pièces touchées qui peut l’être"),
    (Law::TouchedEnemy, "le joueur doit prendre la première pièce adverse touchée qui peut l’être"),
    (Law::TouchedBoth, "le joueur doit prendre la pièce adverse touchée avec la sienne, si c’est \
        légal"),
    (Law::Castle, "qui touche son roi et sa tour doit roquer de ce côté, si c’est légal"),
    (Law::RookFirst, "qui touche une tour puis son roi ne peut roquer de ce côté lors de ce coup ; \
        la tour doit être jouée si elle peut l’être"),
    (Law::FirstTouchedMoves, "la première pièce touchée doit être jouée si elle peut l’être ; le \
        roque est un coup du roi"),
    (Law::CastlingCommitted, "le roi lâché à deux cases en direction d’une tour, le joueur doit \
        roquer de ce côté, si c’est légal"),
    (Law::PawnCommitted, "une fois le pion lâché sur la dernière rangée, le joueur ne peut plus le \
        jouer sur une autre case"),
    (Law::PromotionByTouch, "le choix est définitif dès que la pièce a touché la case de \
        promotion"),
    (Law::PromotionByRelease, "le choix est définitif quand la main a lâché la pièce sur la case \
        de promotion"),
    (Law::PawnOffFirst, "le pion est retiré de l’échiquier, puis la nouvelle pièce posée sur sa \
        case ; les avis diffèrent sur l’ordre"),
    (Law::AnyOrder, "le pion et la nouvelle pièce peuvent être échangés dans n’importe quel ordre"),
    (Law::Released, "une pièce lâchée sur une case légale ne peut plus, lors de ce coup, aller sur \
        une autre"),
    (Law::DisplacedOwnTime, "qui dérange des pièces les remet en place sur son propre temps ; ce \
        n’est pas un coup illégal"),
    (Law::Displaced, "les pièces dérangées sont remises sur leurs cases"),
    (Law::DisplacedLater, "on rétablit la position d’avant ou la dernière qui puisse être \
        identifiée, et la partie continue"),
    (Law::DisplacedLaterAnnulled, "la position est rétablie ; si c’est impossible, la partie est \
        annulée et rejouée"),
    (Law::IllegalUndone, "un coup illégal est repris, et ce qui a été touché pour le jouer doit \
        être déplacé ou pris si c’est possible"),
    (Law::PawnQueen, "c’est un coup illégal, et le pion devient une dame"),
    (Law::PawnUndone, "c’est un coup illégal : il est repris, et le pion doit recevoir sa \
        promotion en une pièce au choix du joueur"),
    (Law::EmptyPressIllegal, "appuyer sur la pendule sans jouer de coup compte comme un coup \
        illégal"),
    (Law::EmptyPressConduct, "appuyer sur la pendule sans jouer de coup n’est pas un coup illégal, \
        mais l’arbitre peut le sanctionner"),
    (Law::Turn, "les joueurs jouent à tour de rôle"),
    (Law::Adjust, "seul le joueur ayant le trait peut rectifier la position des pièces, en \
        l’annonçant d’abord"),
    (Law::EarlyPress, "on appuie sur la pendule une fois le coup joué, pas avant"),
    (Law::OtherHand, "on appuie sur la pendule de la main qui a joué, sans brutalité et sans y \
        laisser la main"),
    (Law::ClockStopped, "un joueur n’arrête les pendules que pour appeler l’arbitre, réclamer ou \
        demander une pièce qui manque"),
    (Law::SetupAnew, "une partie commencée dans une position incorrecte est annulée, et une \
        nouvelle partie est jouée"),
    (Law::SetupLimited, "on peut réclamer contre une position incorrecte jusqu’à {number} coups \
        joués par chacun ; ensuite elle est maintenue"),
    (Law::Orientation, "la partie continue, sa position transférée sur un échiquier bien placé"),
    (Law::ColoursRestart, "avant {number} coups joués par les deux joueurs, une nouvelle partie \
        est jouée avec les bonnes couleurs ; après, la partie continue"),
    (Law::ColoursArbiter, "la partie continue, sauf décision contraire de l’arbitre"),
    (Law::TwoHandsIllegal, "un coup joué à deux mains compte comme un coup illégal"),
    (Law::TwoHandsCompleted, "un coup joué à deux mains compte comme un coup illégal une fois la \
        pendule appuyée"),
    (Law::OneHand, "chaque coup se joue d’une seule main"),
    (Law::StandingDrawn, "tant que les deux rois sont en échec ou qu’un pion reste sur la dernière \
        rangée, on attend encore un coup achevé ; si rien n’a changé, la partie est nulle"),
    (Law::StandingStepIn, "quand les deux rois sont en échec ou qu’un pion reste sans promotion, \
        l’arbitre intervient sans réclamation"),
    (Law::TouchLosesClaim, "qui a touché une pièce ne peut plus réclamer la nulle lors de ce coup"),
    (Law::MoveLosesClaim, "la nulle se réclame avant de jouer le coup"),
    (Law::WrongClaim, "après une réclamation incorrecte, l’adversaire reçoit {minutes} de plus et \
        la partie continue"),
    (Law::Disturbing, "il est interdit de gêner l’adversaire ; une pièce touchée n’engage que le \
        joueur ayant le trait"),
    (Law::Silent, "cette édition n’a pas de règle propre à ce cas ; l’arbitre décide"),
];

#[rustfmt::skip]
pub(super) const ACT: Table<Act> = &[
    (Act::Ask, "C’est possible, sans plus : interrogez les joueurs, eux seuls peuvent le savoir."),
    (Act::Hear, "C’est probable, non prouvé : entendez les joueurs et n’appliquez ce qui suit que \
        si vous retenez le constat."),
    (Act::HearFirst, "C’est probable, non prouvé : entendez les joueurs avant de statuer."),
    (Act::TakeBack, "Si le constat est retenu, la position d’avant le coup est rétablie, et {by} \
        doivent jouer {moves}."),
    (Act::TakeBackFree, "Si le constat est retenu, la position d’avant le coup est rétablie, et \
        {by} peuvent jouer tout coup légal."),
    (Act::UntilTouch, "{Other} peuvent réclamer tant qu’ils n’ont pas touché de pièce \
        ({claim-article})."),
    (Act::ClaimGone, "{Other} ont touché une pièce et ne peuvent plus réclamer ({claim-article})."),
    (Act::OnRequest, "N’intervenez que si {other} le demandent avant de toucher une pièce \
        ({claim-article})."),
    (Act::StopRestore, "Arrêtez les pendules et faites rétablir la position d’avant le coup."),
    (Act::MustPlay, "{By} doivent ensuite jouer {moves}."),
    (Act::PlayLegal, "{By} peuvent ensuite jouer tout coup légal."),
    (Act::PutQueen, "Arrêtez les pendules et faites mettre une dame {of-by} en {at} ; {other} ont \
        le trait."),
    (Act::PromoteAgain, "Arrêtez les pendules et faites reprendre le coup ; {by} doivent \
        promouvoir le même pion et peuvent choisir la pièce à nouveau."),
    (Act::StillToMove, "{By} gardent le trait."),
    (Act::AsIllegal, "Arrêtez les pendules et traitez-le comme un coup illégal."),
    (Act::GiveTime, "Accordez {minutes} de plus {to-other} ({penalty-article})."),
    (Act::NoTime, "Cette édition n’accorde pas de temps pour cela."),
    (Act::Loses, "Avec cette infraction, {by} perdent la partie ({penalty-article}) : déclarez-le \
        ou rejetez le constat."),
    (Act::Drawn, "Avec cette infraction, {by} perdraient la partie, mais {other} ne peuvent mater \
        par aucune suite de coups légaux : elle est nulle ({penalty-article})."),
    (Act::OnlyOnClaim, "N’intervenez que si {other} réclament avant de jouer un coup \
        ({penalty-article}) ; ensuite le coup est maintenu."),
    (Act::MayClaimWin, "N’intervenez que si {other} réclament avant de jouer un coup : ils \
        réclament alors le gain ({penalty-article})."),
    (Act::StepIn, "Intervenez sans réclamation ({penalty-article})."),
    (Act::StandsAfterReply, "Une fois que {other} ont joué le coup suivant, la position est \
        maintenue ({penalty-article})."),
    (Act::CheckSquares, "C’est probable, non prouvé : regardez ces cases, une pièce peut n’être \
        que mal lue."),
    (Act::PutRightOwnTime, "Faites remettre les pièces en place sur le temps {of-by}."),
    (Act::PutBack, "Faites remettre les pièces en place."),
    (Act::PutBackUnanswered, "Faites remettre les pièces en place, sauf si {other} ont déjà \
        répondu : ce qui a été joué vaut alors comme le coup suivant."),
    (Act::RestoreLast, "Faites rétablir la dernière position connue et réglez les pendules selon \
        votre jugement."),
    (Act::Warn, "Avertissement ou sanction : la décision vous revient."),
    (Act::PromotionStands, "Maintenez la promotion, sauf décision contraire de votre part."),
    (Act::SetUpRightly, "Faites rétablir la position initiale avant le début de la partie."),
    (Act::LayRightly, "Faites replacer l’échiquier avant le début de la partie."),
    (Act::NewGame, "Arrêtez les pendules, annulez la partie et faites-en commencer une nouvelle."),
    (Act::AnewWhileClaimable, "Faites commencer une nouvelle partie tant que la réclamation est \
        ouverte ; ensuite la partie continue, sans roque pour un roi ou une tour mal placés."),
    (Act::Transfer, "Arrêtez les pendules et faites transférer la position."),
    (Act::UntilMoves, "Chacun des joueurs peut le réclamer tant que les deux n’ont pas joué \
        {number} coups ({claim-article})."),
    (Act::StartStands, "Les deux joueurs ont joué {number} coups : on ne peut plus le réclamer \
        ({claim-article}), et la partie continue."),
    (Act::GoOnOrNot, "Laissez la partie continuer, ou décidez autrement."),
    (Act::WaitOneMove, "Attendez le prochain coup achevé, puis déclarez la nulle si rien n’a \
        changé."),
    (Act::EndTheStanding, "Arrêtez les pendules et faites rétablir une position régulière."),
    (Act::RefuseClaim, "Refusez la réclamation ; ce qui a été touché doit être joué."),
    (Act::GoOn, "La partie continue."),
    (Act::NotBound, "Cette pièce touchée n’engage pas {by} ; avertissez ou sanctionnez si {other} \
        ont été gênés."),
    (Act::Decide, "La décision vous revient."),
];
