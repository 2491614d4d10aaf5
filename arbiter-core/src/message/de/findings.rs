//! German: what was seen, what the Law says, what to do.

use crate::message::phrase::{Act, Law, Table};
use crate::said::irregularity::Code;

#[rustfmt::skip]
pub(super) const SEEN: Table<Code> = &[
    (Code::MovedOutOfTurn, "{By} zog[ ({at})], ohne am Zug zu sein"),
    (Code::AdjustOutOfTurn, "{By} sagte Zurechtrücken an, ohne am Zug zu sein"),
    (Code::TouchMoveOwnPiece, "{By} berührte {piece} und {did}"),
    (Code::TouchMoveOpponentPiece, "{By} berührte {piece}, was geschlagen werden konnte, und \
        {did}"),
    (Code::TouchMoveBothColours, "{By} berührte {piece}, von denen eine Figur die andere schlagen \
        konnte, und {did}"),
    (Code::CastlingNotCompleted, "{By} berührte {piece}, konnte auf dieser Seite rochieren und \
        {did}"),
    (Code::CastlingRookFirst, "{By} berührte den Turm vor dem König[ ({at})] und {did}"),
    (Code::PromotionChoiceChanged, "{By} setzte eine Figur auf das Umwandlungsfeld[ {at}] und \
        tauschte sie dann gegen eine andere"),
    (Code::PromotionOrder, "{By} setzte die neue Figur[ auf {at}], bevor der Bauer vom Brett \
        genommen war"),
    (Code::ReleasedPieceMovedAgain, "{By} stellte {mover}[ auf {at}] hin, wo die Figur bleiben \
        konnte, und zog sie dann weiter"),
    (Code::ClockPressedTooEarly, "{By} drückte die Uhr, bevor der Zug ausgeführt war"),
    (Code::ClockOtherHand, "{By} bediente die Uhr unsachgemäß: mit der anderen Hand, mit Gewalt \
        oder mit liegen gelassener Hand"),
    (Code::ClockStoppedWithoutReason, "{By} hielt die Uhren an und nannte keinen Grund"),
    (Code::PositionSetupWrong, "Die Partie begann aus einer falschen Stellung[ ({at})]"),
    (Code::BoardOrientationWrong, "Das Brett liegt falsch zwischen den Spielern"),
    (Code::ColoursReversed, "Die Spieler haben die Farben vertauscht"),
    (Code::PieceDisplaced, "{By} schloss einen Zug ab, während Figuren nicht auf ihren Feldern \
        standen[ ({at})]"),
    (Code::DisplacementFoundLater, "Seit einiger Zeit stehen Figuren, wohin kein Zug sie gestellt \
        hat[ ({at})]"),
    (Code::IllegalMove, "{By} schloss einen regelwidrigen Zug ab[ ({at})]: {reason}"),
    (Code::PawnNotPromoted, "{By} schloss einen Zug ab, ohne den Bauern umzuwandeln[ ({at})]"),
    (Code::ClockPressedWithoutMove, "{By} drückte die Uhr, ohne gezogen zu haben"),
    (Code::TwoHands, "{By} zog mit zwei Händen"),
    (Code::IllegalPositionStanding, "Eine regelwidrige Stellung steht[ ({at})], und für eine \
        Reklamation des Zuges, der dazu führte, ist es zu spät"),
    (Code::DrawClaimAfterTouch, "{By} beantragte Remis, nachdem eine Figur berührt war[ ({at})]"),
    (Code::IncorrectDrawClaim, "{By} beantragte Remis, und der Antrag war nicht berechtigt"),
    (Code::OpponentTouchedPiecesOutOfTurn, "{By} berührte Figuren[ ({at})], ohne am Zug zu sein"),
];

#[rustfmt::skip]
pub(super) const UNPLAYED: Table<Code> = &[
    (Code::PositionSetupWrong, "Die Figuren sind falsch aufgestellt[ ({at})]"),
    (Code::PieceDisplaced, "Figuren stehen nicht auf ihren Feldern[ ({at})]"),
];

#[rustfmt::skip]
pub(super) const LAW: Table<Law> = &[
    (Law::TouchedOwn, "der Spieler muss die erste seiner berührten Figuren ziehen, die \
        ziehen kann"),
    (Law::TouchedEnemy, "der Spieler muss die erste berührte gegnerische Figur schlagen, die \
        geschlagen werden kann"),
    (Law::TouchedBoth, "der Spieler muss die berührte gegnerische Figur mit seiner schlagen, wenn \
        das regelgemäß ist"),
    (Law::Castle, "wer König und Turm berührt, muss auf dieser Seite rochieren, wenn das \
        regelgemäß ist"),
    (Law::RookFirst, "wer den Turm und dann den König berührt, darf mit diesem Zug auf dieser \
        Seite nicht rochieren; der Turm muss ziehen, wenn er kann"),
    (Law::FirstTouchedMoves, "die zuerst berührte Figur muss ziehen, wenn sie kann; die Rochade \
        ist ein Zug des Königs"),
    (Law::CastlingCommitted, "ist der König zwei Felder zum Turm hin losgelassen, muss der Spieler \
        auf dieser Seite rochieren, wenn das regelgemäß ist"),
    (Law::PawnCommitted, "ist der Bauer auf der letzten Reihe losgelassen, darf ihn der Spieler \
        auf kein anderes Feld mehr ziehen"),
    (Law::PromotionByTouch, "die Wahl ist endgültig, sobald die Figur das Umwandlungsfeld berührt \
        hat"),
    (Law::PromotionByRelease, "die Wahl ist endgültig, wenn die Hand die Figur auf dem \
        Umwandlungsfeld losgelassen hat"),
    (Law::PawnOffFirst, "der Bauer wird vom Brett genommen und dann die neue Figur auf sein Feld \
        gesetzt; über die Reihenfolge gehen die Meinungen auseinander"),
    (Law::AnyOrder, "Bauer und neue Figur dürfen in beliebiger Reihenfolge getauscht werden"),
    (Law::Released, "eine Figur, die auf einem regelgemäßen Feld losgelassen ist, darf mit diesem \
        Zug auf kein anderes gezogen werden"),
    (Law::DisplacedOwnTime, "wer Figuren verschiebt, stellt sie auf eigene Zeit zurecht; es ist \
        kein regelwidriger Zug"),
    (Law::Displaced, "verschobene Figuren werden auf ihre Felder zurückgestellt"),
    (Law::DisplacedLater, "die Stellung davor oder die letzte, die sich feststellen lässt, wird \
        wiederhergestellt, und die Partie geht weiter"),
    (Law::DisplacedLaterAnnulled, "die Stellung wird richtiggestellt; wo das unmöglich ist, wird \
        die Partie annulliert und neu gespielt"),
    (Law::IllegalUndone, "ein regelwidriger Zug wird zurückgenommen, und was für ihn berührt \
        wurde, muss ziehen oder geschlagen werden, wenn es geht"),
    (Law::PawnQueen, "es zählt als regelwidriger Zug, und der Bauer wird zur Dame"),
    (Law::PawnUndone, "es ist ein regelwidriger Zug: er wird zurückgenommen, und der Bauer muss in \
        eine Figur nach Wahl des Spielers umgewandelt werden"),
    (Law::EmptyPressIllegal, "die Uhr zu drücken, ohne zu ziehen, zählt als regelwidriger Zug"),
    (Law::EmptyPressConduct, "die Uhr zu drücken, ohne zu ziehen, ist kein regelwidriger Zug, aber \
        der Schiedsrichter kann es bestrafen"),
    (Law::Turn, "die Spieler ziehen abwechselnd"),
    (Law::Adjust, "nur der Spieler am Zug darf Figuren zurechtrücken, und er sagt es vorher"),
    (Law::EarlyPress, "die Uhr wird gedrückt, wenn der Zug ausgeführt ist, nicht davor"),
    (Law::OtherHand, "die Uhr wird mit der Hand gedrückt, die gezogen hat, ohne Gewalt, und keine \
        Hand bleibt auf ihr"),
    (Law::ClockStopped, "ein Spieler hält die Uhren nur an, um den Schiedsrichter zu rufen, etwas \
        geltend zu machen oder weil eine Figur fehlt"),
    (Law::SetupAnew, "eine Partie, die aus einer falschen Stellung begonnen hat, wird abgebrochen, \
        und eine neue wird gespielt"),
    (Law::SetupLimited, "eine falsche Stellung kann reklamiert werden, bis jeder Spieler {number} \
        Züge gemacht hat; dann gilt sie"),
    (Law::Orientation, "die Partie geht weiter, ihre Stellung wird auf ein Brett übertragen, das \
        richtig liegt"),
    (Law::ColoursRestart, "bevor beide Spieler {number} Züge gemacht haben, wird eine neue Partie \
        mit den richtigen Farben gespielt; danach geht die Partie weiter"),
    (Law::ColoursArbiter, "die Partie geht weiter, außer der Schiedsrichter entscheidet anders"),
    (Law::TwoHandsIllegal, "ein Zug mit zwei Händen zählt als regelwidriger Zug"),
    (Law::TwoHandsCompleted, "ein Zug mit zwei Händen zählt als regelwidriger Zug, wenn die Uhr \
        gedrückt ist"),
    (Law::OneHand, "jeder Zug wird mit einer Hand ausgeführt"),
    (Law::StandingDrawn, "solange beide Könige im Schach stehen oder ein Bauer auf der letzten \
        Reihe steht, wird noch ein abgeschlossener Zug abgewartet; ist es dann noch so, ist die \
        Partie remis"),
    (Law::StandingStepIn, "stehen beide Könige im Schach oder ein Bauer nicht umgewandelt, greift \
        der Schiedsrichter ohne Reklamation ein"),
    (Law::TouchLosesClaim, "wer eine Figur berührt hat, kann mit diesem Zug kein Remis beantragen"),
    (Law::MoveLosesClaim, "Remis wird beantragt, bevor der Zug ausgeführt ist"),
    (Law::WrongClaim, "nach einem unberechtigten Antrag bekommt der Gegner {minutes} mehr, und die \
        Partie geht weiter"),
    (Law::Disturbing, "der Gegner darf nicht gestört werden; eine Berührung bindet nur den Spieler \
        am Zug"),
    (Law::Silent, "diese Ausgabe hat keine eigene Regel dafür; der Schiedsrichter entscheidet"),
];

#[rustfmt::skip]
pub(super) const ACT: Table<Act> = &[
    (Act::Ask, "Das ist möglich, mehr nicht: fragen Sie die Spieler, nur ein Mensch kann es \
        wissen."),
    (Act::Hear, "Das ist wahrscheinlich, nicht bewiesen: hören Sie die Spieler, und handeln Sie \
        nur danach, wenn Sie es bestätigen."),
    (Act::HearFirst, "Das ist wahrscheinlich, nicht bewiesen: hören Sie die Spieler, bevor Sie \
        entscheiden."),
    (Act::TakeBack, "Wird es bestätigt, wird die Stellung vor dem Zug wiederhergestellt, und {by} \
        muss {moves} spielen."),
    (Act::TakeBackFree, "Wird es bestätigt, wird die Stellung vor dem Zug wiederhergestellt, und \
        {by} darf jeden regelgemäßen Zug spielen."),
    (Act::UntilTouch, "{Other} kann es reklamieren, bis eine Figur berührt ist ({claim-article})."),
    (Act::ClaimGone, "{Other} hat eine Figur berührt und kann es nicht mehr reklamieren \
        ({claim-article})."),
    (Act::OnRequest, "Handeln Sie nur, wenn {other} es verlangt, bevor eine Figur berührt ist \
        ({claim-article})."),
    (Act::StopRestore, "Halten Sie die Uhren an, und lassen Sie die Stellung vor dem Zug \
        wiederherstellen."),
    (Act::MustPlay, "{By} muss dann {moves} spielen."),
    (Act::PlayLegal, "{By} darf dann jeden regelgemäßen Zug spielen."),
    (Act::PutQueen, "Halten Sie die Uhren an, und lassen Sie eine Dame {of-by}[ auf {at}] stellen; \
        {other} ist am Zug."),
    (Act::PromoteAgain, "Halten Sie die Uhren an, und lassen Sie den Zug zurücknehmen; {by} muss \
        denselben Bauern umwandeln und darf die Figur neu wählen."),
    (Act::StillToMove, "{By} ist weiter am Zug."),
    (Act::AsIllegal, "Halten Sie die Uhren an, und behandeln Sie es als regelwidrigen Zug."),
    (Act::GiveTime, "Geben Sie {other} {minutes} mehr ({penalty-article})."),
    (Act::NoTime, "Diese Ausgabe gibt dafür keine Zeit."),
    (Act::Loses, "Mit diesem Verstoß verliert {by} die Partie ({penalty-article}): erklären Sie \
        es, oder verwerfen Sie den Befund."),
    (Act::Drawn, "Mit diesem Verstoß verlöre {by} die Partie, aber {other} kann durch keine Folge \
        regelgemäßer Züge mattsetzen: sie ist remis ({penalty-article})."),
    (Act::OnlyOnClaim, "Handeln Sie nur, wenn {other} es vor dem nächsten Zug reklamiert \
        ({penalty-article}); danach gilt der Zug."),
    (Act::MayClaimWin, "Handeln Sie nur, wenn {other} es vor dem nächsten Zug reklamiert: das ist \
        ein Anspruch auf Gewinn ({penalty-article})."),
    (Act::StepIn, "Greifen Sie ohne Reklamation ein ({penalty-article})."),
    (Act::StandsAfterReply, "Hat {other} den nächsten Zug ausgeführt, gilt die Stellung \
        ({penalty-article})."),
    (Act::CheckSquares, "Das ist wahrscheinlich, nicht bewiesen: sehen Sie nach den Feldern, eine \
        Figur ist vielleicht nur schlecht gelesen."),
    (Act::PutRightOwnTime, "Lassen Sie die Figuren auf Zeit {of-by} zurechtstellen."),
    (Act::PutBack, "Lassen Sie die Figuren zurückstellen."),
    (Act::PutBackUnanswered, "Lassen Sie die Figuren zurückstellen, außer {other} hat schon \
        geantwortet: dann steht, was gezogen wurde, als der nächste Zug."),
    (Act::RestoreLast, "Lassen Sie die letzte bekannte Stellung wiederherstellen, und stellen Sie \
        die Uhren nach Ihrem Ermessen."),
    (Act::Warn, "Ob Sie verwarnen oder bestrafen, entscheiden Sie."),
    (Act::PromotionStands, "Lassen Sie die Umwandlung gelten, außer Sie entscheiden anders."),
    (Act::SetUpRightly, "Lassen Sie die Figuren richtig aufstellen, bevor die Partie beginnt."),
    (Act::LayRightly, "Lassen Sie das Brett richtig legen, bevor die Partie beginnt."),
    (Act::NewGame, "Halten Sie die Uhren an, brechen Sie die Partie ab, und lassen Sie eine neue \
        beginnen."),
    (Act::AnewWhileClaimable, "Lassen Sie eine neue Partie beginnen, solange reklamiert werden \
        kann; danach geht die Partie weiter, ohne Rochade für einen König oder Turm, der falsch \
        stand."),
    (Act::Transfer, "Halten Sie die Uhren an, und lassen Sie die Stellung übertragen."),
    (Act::UntilMoves, "Jeder Spieler kann es reklamieren, bis beide {number} Züge gemacht haben \
        ({claim-article})."),
    (Act::StartStands, "Jeder Spieler hat {number} Züge gemacht: es kann nicht mehr reklamiert \
        werden ({claim-article}), und die Partie geht weiter."),
    (Act::GoOnOrNot, "Lassen Sie die Partie weitergehen, oder entscheiden Sie anders."),
    (Act::WaitOneMove, "Warten Sie den nächsten abgeschlossenen Zug ab, und erklären Sie dann \
        Remis, wenn sich nichts geändert hat."),
    (Act::EndTheStanding, "Halten Sie die Uhren an, und lassen Sie die Stellung richtigstellen."),
    (Act::RefuseClaim, "Weisen Sie den Antrag ab; was berührt wurde, muss gespielt werden."),
    (Act::GoOn, "Die Partie geht weiter."),
    (Act::NotBound, "Die Berührung bindet {by} nicht; verwarnen oder bestrafen Sie, wenn sie \
        {other} gestört hat."),
    (Act::Decide, "Die Entscheidung liegt bei Ihnen."),
];
