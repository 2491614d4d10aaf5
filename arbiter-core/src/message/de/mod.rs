//! German.

mod findings;

use alloc::string::String;

use crate::said::input::ClaimKind;
use crate::said::irregularity::Reason;
use crate::said::ruling::{DoubtKind, ResultReason};

use super::phrase::{Answer, Outcome, Table, Words};
use crate::said::refused::Why;
use findings::{ACT, LAW, SEEN, UNPLAYED};

pub(super) const WORDS: Words = Words {
    finding: "{seen}. {article}: {law}.",
    seen: SEEN,
    unplayed: UNPLAYED,
    not_required: "{By} {did}, keinen der Züge, die die Entscheidung gelassen hatte",
    reason: REASON,
    law: LAW,
    act: ACT,
    doubt: DOUBT,
    claimed: CLAIMED,
    answer: ANSWER,
    ending: ENDING,
    fallen_away: "Der Verlust, der wegen regelwidriger Züge vorgeschlagen war, entfällt \
        ({article}): die Partie geht weiter.",
    refusal: REFUSAL,
    open_lists: [
        "Befunde, die warten: {list}.",
        "Zweifelhafte Halbzüge: {list}.",
        "Anordnungen, die zurückgenommen werden können: {list}.",
    ],
    open_matters: [
        "Eine Stellung ist wiederherzustellen.",
        "Ein Ergebnis wartet auf Bestätigung.",
        "Die Partie ist unterbrochen.",
        "Nichts wartet auf eine Antwort.",
    ],
    players: [
        ["Weiß", "Weiß", "von Weiß"],
        ["Schwarz", "Schwarz", "von Schwarz"],
        [
            "Weiß oder Schwarz",
            "Weiß oder Schwarz",
            "von Weiß oder Schwarz",
        ],
        [
            "Schwarz oder Weiß",
            "Schwarz oder Weiß",
            "von Schwarz oder Weiß",
        ],
    ],
    pieces: [
        "den Bauern",
        "den Springer",
        "den Läufer",
        "den Turm",
        "die Dame",
        "den König",
    ],
    letters: ['B', 'S', 'L', 'T', 'D', 'K'],
    piece_on: "{piece} auf {square}",
    did: [
        "spielte {san}",
        "zog eine andere Figur",
        "hat noch nicht gezogen",
    ],
    no_move: "kein Zug",
    and_or: ["und", "oder"],
    some_piece: "eine Figur",
    more: [" und {n} weitere", " oder einen von {n} weiteren"],
    times: ["kein Mal", "einmal", "zweimal", "{n} Mal"],
    moves: ["keinen Zug", "einen Zug", "{n} Züge"],
    minutes: ["{n} Minute", "{n} Minuten"],
    article: [
        "Artikel {number}",
        "Artikel {number} (Nummer nicht bestätigt)",
        "Die Regeln",
    ],
    within: [
        "Artikel {number}",
        "Artikel {number}, Nummer nicht bestätigt",
        "Regeln dieser Ausgabe",
    ],
    proposed: " Nur der Schiedsrichter kann das erklären: bestätigen Sie es, oder tragen Sie ein \
        anderes Ergebnis ein.",
    typeset: as_it_is,
};

fn as_it_is(text: String) -> String {
    text
}

#[rustfmt::skip]
const REASON: Table<Reason> = &[
    (Reason::PieceCannotMoveSo, "so zieht die Figur nicht"),
    (Reason::OwnKingInCheck, "er lässt oder stellt den eigenen König ins Schach"),
    (Reason::CastlingIllegal, "die Rochade ist hier nicht erlaubt, oder nicht so"),
    (Reason::CastlingHalfDone, "die Rochade blieb halb ausgeführt"),
    (Reason::EnPassantLate, "en passant wird nur unmittelbar darauf geschlagen"),
    (Reason::EnPassantVictimLeft, "der en passant geschlagene Bauer blieb stehen"),
    (Reason::TwoPiecesMoved, "zwei Figuren wurden gezogen"),
    (Reason::KingCaptured, "ein König wird nie geschlagen"),
    (Reason::PromotionBadPiece, "der Bauer wurde durch eine Figur ersetzt, die er nicht werden \
        kann"),
    (Reason::Other, "kein regelgemäßer Zug führt zu dem, was auf dem Brett steht"),
];

#[rustfmt::skip]
const DOUBT: Table<DoubtKind> = &[
    (DoubtKind::AmbiguousMove, "Zu den Sensoren passt mehr als ein Zug: {moves}. Sehen Sie nach \
        {at}, und ordnen Sie die Stellung an, die dort steht, wenn das Spiel es nicht klärt."),
    (DoubtKind::PromotionPiece, "Welche Figur steht auf {at}? Die Sensoren können es nicht sagen: \
        sehen Sie nach, und nennen Sie sie."),
    (DoubtKind::CheckSquare, "Sehen Sie nach {at}: eine Figur fehlt vielleicht oder steht neben \
        ihrem Feld, oder das Brett liest sie falsch."),
    (DoubtKind::TwoHands, "Das Brett zeigt, dass {at} zugleich bewegt wurden: mit einer Hand oder \
        mit zweien? Kein Sensor sieht Hände."),
    (DoubtKind::WhoTouched, "Jemand hat {at} berührt: die Sensoren zeigen nicht, wer. Fragen Sie \
        die Spieler."),
    (DoubtKind::BoardTurned, "Das Brett liest sich, als läge sein a1 auf {at}: sagen Sie, wie es \
        liegt, oder drehen Sie es um."),
    (DoubtKind::PiecesExchanged, "Standen die Figuren von {at} von Anfang an vertauscht? Wenn \
        nicht, war dieser Zug regelwidrig. Sehen Sie nach, welche Figur welche ist, und melden \
        Sie, was Sie finden."),
    (DoubtKind::PositionUnknown, "Von der Partie ist nichts bekannt. Setzen Sie die Stellung; wer \
        am Zug ist und wer rochieren darf, zeigt kein Sensor. Das Brett liest, wie folgt."),
    (DoubtKind::GameEnded, "Die Ausgangsstellung steht wieder, und die Partie hat kein Ergebnis. \
        Tragen Sie ihr Ergebnis ein, oder sagen Sie, dass sie weitergeht. Was inzwischen gespielt \
        wird, gehört nicht zu ihr, außer wenn sie weitergeht."),
    (DoubtKind::ThreadLost, "Brett und Aufzeichnung weichen hier voneinander ab, und nichts, was \
        gespielt worden sein kann, erklärt es. Sagen Sie, was gespielt wurde, oder setzen Sie \
        die Stellung."),
];

#[rustfmt::skip]
const CLAIMED: Table<ClaimKind> = &[
    (ClaimKind::Threefold, "dass die Stellung zum dritten Mal steht"),
    (ClaimKind::FiftyMoves, "dass fünfzig Züge ohne Schlagen und ohne Bauernzug vergangen sind"),
    (ClaimKind::TouchMove, "dass gegen die Regel vom Berühren verstoßen wurde"),
    (ClaimKind::IllegalMove, "dass ein regelwidriger Zug gemacht wurde"),
    (ClaimKind::FlagFall, "dass das Blättchen des Gegners gefallen ist"),
];

#[rustfmt::skip]
const ANSWER: Table<Answer> = &[
    (Answer::Drawn, "{By} macht geltend, {claimed}. Das trifft zu ({article}): die Partie ist \
        remis."),
    (Answer::Touched, "{By} macht geltend, {claimed}. Eine Figur ist berührt, so kann Remis mit \
        diesem Zug nicht beantragt werden ({article}): die berührte Figur wird gezogen, und die \
        Partie geht weiter."),
    (Answer::TooFewTimes, "{By} macht geltend, {claimed}. Nach der Aufzeichnung stand sie bisher \
        {count} ({article}): die Partie geht weiter, und {other} kann es als Remisangebot \
        nehmen."),
    (Answer::TooFewMoves, "{By} macht geltend, {claimed}. Nach der Aufzeichnung hat jeder Spieler \
        {count} gemacht, seit zuletzt geschlagen oder ein Bauer gezogen wurde ({article}): die \
        Partie geht weiter, und {other} kann es als Remisangebot nehmen."),
    (Answer::NoLegalMove, "{By} macht geltend, {claimed}. Der Zug, der es herbeiführen sollte, ist \
        regelwidrig ({article}): die Partie geht weiter, und {other} kann es als Remisangebot \
        nehmen."),
    (Answer::NotHisTurn, "{By} macht geltend, {claimed}. Nur der Spieler am Zug kann das \
        beantragen ({article}): die Partie geht weiter."),
    (Answer::Shown, "{By} macht geltend, {claimed}. Die Sensoren zeigen etwas, was reklamiert \
        werden kann ({article}): entscheiden Sie über den Befund."),
    (Answer::NotShown, "{By} macht geltend, {claimed}. Die Sensoren zeigen nichts dergleichen \
        {of-other}, was jetzt reklamiert werden kann ({article}): hören Sie die Spieler, eine \
        Berührung ohne Aufheben hinterlässt keine Spur."),
    (Answer::NotMade, "{By} macht geltend, {claimed}. {Other} hat noch keinen Zug gemacht \
        ({article}): was berührt wurde, kann noch gezogen werden."),
    (Answer::TouchedSince, "{By} macht geltend, {claimed}. {By} hat seither eine Figur berührt, \
        und das Recht dazu ist erloschen ({article})."),
    (Answer::MovedSince, "{By} macht geltend, {claimed}. {By} hat seither gezogen, und das Recht \
        dazu ist erloschen ({article})."),
    (Answer::Decided, "{By} macht geltend, {claimed}. Der Schiedsrichter hat darüber schon \
        entschieden ({article})."),
    (Answer::FlagFallen, "{By} macht geltend, {claimed}. Die Uhr hat es gemeldet ({article})."),
    (Answer::FlagNotSeen, "{By} macht geltend, {claimed}. Die Uhr hat es nicht gemeldet \
        ({article}): sehen Sie nach."),
    (Answer::BothFlags, "{By} macht geltend, {claimed}. Die Uhr hat gemeldet, dass beide Blättchen \
        gefallen sind ({article}): sehen Sie nach."),
];

#[rustfmt::skip]
const REFUSAL: Table<Why> = &[
    (Why::NoFinding, "Die Partie hat keinen Befund {about}."),
    (Why::Decided, "Befund {about} wartet nicht mehr auf eine Entscheidung."),
    (Why::NoPromotion, "Was aus dem Bauern auf {about} wurde, ist nicht zweifelhaft, oder es kann \
        das nicht sein."),
    (Why::NoReading, "Dieser Zug ist keiner von denen, die bei Halbzug {about} in Frage stehen. \
        Sagen Sie stattdessen, was gespielt wurde."),
    (Why::NoPly, "Die Aufzeichnung reicht nicht bis Halbzug {about}."),
    (Why::NotPlayable, "Das kann bei Halbzug {about} nicht gespielt worden sein: der Spieler hat \
        dort keine solche Figur, oder der Stellung fehlte ein König."),
    (Why::PlayedSo, "So steht Halbzug {about} schon in der Aufzeichnung, und er ist nicht \
        zweifelhaft."),
    (Why::NoPosition, "Aus dieser Stellung kann keine Partie weitergehen."),
    (Why::PositionUnknown, "Welche Stellung dort steht, ist nicht bekannt: setzen Sie sie zuerst."),
    (Why::NotAsked, "Es war nicht gefragt, ob die Partie beendet ist."),
    (Why::NoGame, "Partie {about} ist weder die laufende noch eine, nach der gefragt ist."),
    (Why::NothingStands, "Auf dem Brett steht kein regelwidriger Zug, der gelten könnte."),
    (Why::PausedAlready, "Die Partie läuft nicht: sie ist schon unterbrochen."),
    (Why::NotPaused, "Die Partie ist nicht unterbrochen."),
    (Why::ResultStands, "Die Partie hat dieses Ergebnis schon."),
    (Why::NoResult, "Die Partie hat kein Ergebnis, das aufgehoben werden könnte."),
    (Why::LiesSo, "Die Felder des Bretts werden schon so gelesen."),
    (Why::NoOffer, "Der Gegner hat kein Remis angeboten, oder sein Angebot ist erloschen."),
    (Why::NotPlaying, "Die Partie wird gerade nicht gespielt."),
    (Why::NameTaken, "Eine andere Anordnung heißt {about}: jede hat einen eigenen Namen."),
    (Why::NoOrder, "Es wurde keine Anordnung {about} gegeben, die wirkt."),
    (Why::TakenBack, "Anordnung {about} ist schon zurückgenommen."),
    (Why::OrderForgotten, "Anordnung {about} ist keine von denen, die noch zurückgenommen werden \
        können: sie wurde nie gegeben, oder sie liegt zu weit zurück."),
    (Why::PlyForgotten, "Halbzug {about} liegt zu weit zurück, um neu gelesen zu werden: setzen \
        Sie stattdessen die Stellung."),
];

#[rustfmt::skip]
const ENDING: Table<(ResultReason, Outcome)> = &[
    ((ResultReason::Checkmate, Outcome::Won), "Schachmatt: {by} gewinnt ({article})."),
    ((ResultReason::Stalemate, Outcome::Drawn), "Patt: die Partie ist remis ({article})."),
    ((ResultReason::DeadPosition, Outcome::Drawn), "Tote Stellung: keine Seite kann durch \
        irgendeine Folge regelgemäßer Züge mattsetzen, die Partie ist remis ({article})."),
    ((ResultReason::Fivefold, Outcome::Drawn), "Die Stellung steht zum fünften Mal: die Partie ist \
        ohne Antrag remis ({article})."),
    ((ResultReason::SeventyFiveMoves, Outcome::Drawn), "Fünfundsiebzig Züge jeder Seite ohne \
        Schlagen und ohne Bauernzug: die Partie ist ohne Antrag remis ({article})."),
    ((ResultReason::Threefold, Outcome::Drawn), "Zu Recht beantragt, die Stellung steht zum \
        dritten Mal: die Partie ist remis ({article})."),
    ((ResultReason::FiftyMoves, Outcome::Drawn), "Zu Recht beantragt, fünfzig Züge jeder Seite \
        ohne Schlagen und ohne Bauernzug: die Partie ist remis ({article})."),
    ((ResultReason::FlagFall, Outcome::Won), "{Other} hat die Zeit überschritten: {by} gewinnt \
        ({article})."),
    ((ResultReason::FlagFall, Outcome::Drawn), "{Other} hat die Zeit überschritten, aber {by} kann \
        durch keine Folge regelgemäßer Züge mattsetzen: die Partie ist remis ({article})."),
    ((ResultReason::FlagFall, Outcome::Open), "{Other} hat die Zeit überschritten. Ob {by} durch \
        irgendeine Folge regelgemäßer Züge mattsetzen kann, ist nicht bekannt: der Schiedsrichter \
        entscheidet zwischen Gewinn und Remis ({article})."),
    ((ResultReason::Resignation, Outcome::Won), "{Other} hat aufgegeben: {by} gewinnt \
        ({article})."),
    ((ResultReason::Resignation, Outcome::Drawn), "{Other} hat aufgegeben, aber {by} kann durch \
        keine Folge regelgemäßer Züge mattsetzen: die Partie ist remis ({article})."),
    ((ResultReason::Resignation, Outcome::Open), "{Other} hat aufgegeben. Ob {by} durch irgendeine \
        Folge regelgemäßer Züge mattsetzen kann, ist nicht bekannt: der Schiedsrichter entscheidet \
        zwischen Gewinn und Remis ({article})."),
    ((ResultReason::Agreement, Outcome::Drawn), "Die Spieler haben Remis vereinbart ({article})."),
    ((ResultReason::ForfeitIllegalMoves, Outcome::Won), "{Other} verliert durch regelwidrige Züge: \
        {by} gewinnt ({article})."),
    ((ResultReason::ForfeitIllegalMoves, Outcome::Drawn), "{Other} verlöre durch regelwidrige \
        Züge, aber {by} kann durch keine Folge regelgemäßer Züge mattsetzen: die Partie ist remis \
        ({article})."),
    ((ResultReason::ForfeitIllegalMoves, Outcome::Open), "{Other} verlöre durch regelwidrige Züge. \
        Ob {by} durch irgendeine Folge regelgemäßer Züge mattsetzen kann, ist nicht bekannt: der \
        Schiedsrichter entscheidet zwischen Gewinn und Remis ({article})."),
    ((ResultReason::IllegalPosition, Outcome::Drawn), "Die regelwidrige Stellung stand noch einen \
        abgeschlossenen Zug lang: die Partie ist remis ({article})."),
    ((ResultReason::KingsPlaced, Outcome::Won), "Die Könige wurden auf die Felder der Mitte \
        gestellt, als Zeichen, dass {by} gewinnt; das ist Brauch, keine Regel."),
    ((ResultReason::KingsPlaced, Outcome::Drawn), "Die Könige wurden auf die Felder der Mitte \
        gestellt, als Zeichen des Remis; das ist Brauch, keine Regel."),
    ((ResultReason::Arbiter, Outcome::Won), "Der Schiedsrichter hat erklärt, dass {by} gewinnt \
        ({article})."),
    ((ResultReason::Arbiter, Outcome::Open), "Das Ergebnis wurde zurückgenommen ({article}): die \
        Partie geht weiter."),
    ((ResultReason::Arbiter, Outcome::Drawn), "Der Schiedsrichter hat die Partie für remis erklärt \
        ({article})."),
    ((ResultReason::Annulled, Outcome::Open), "Der Schiedsrichter hat die Partie annulliert \
        ({article}): sie zählt nicht, und eine neue wird gespielt."),
];
