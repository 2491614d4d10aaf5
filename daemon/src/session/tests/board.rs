//! What a board says of itself.

use super::*;

#[tokio::test]
async fn what_a_boards_firmware_calls_itself_is_shown_until_another_board_is_there() {
    let mut table = Table::new();
    table.up(SensorClass::Occupancy).await;
    table.heard(&["\"firmware\":null"]).await;
    let name = Report::Firmware("pico-matrix 0.1.0".to_owned());
    table.report(5, name).await;
    table.heard(&["\"firmware\":\"pico-matrix 0.1.0\""]).await;
    table.up(SensorClass::Occupancy).await;
    table.heard(&["\"firmware\":null"]).await;
    table.close().await;
}

#[tokio::test]
async fn what_a_board_says_of_its_sensors_is_its_fault_until_they_are_well() {
    let mut table = Table::new();
    table.up(SensorClass::Occupancy).await;
    let stuck = Bitboard::from(Rank::Fifth) | Rank::Sixth;
    let trouble = Trouble::new(TroubleCode::NO_ANSWER, 0x22);
    let ill = Condition {
        stuck,
        unsteady: Bitboard::from(Square::D3),
        failed_scans: 40,
        trouble,
    };
    table.report(1_000, Report::Condition(ill)).await;
    let words = "rank 5 and rank 6 cannot be read and count as they last stood; d3 flickers";
    let distrusted = "\"distrusted\":[\"d3\",\"a5\",\"b5\"";
    let told = table
        .heard(&["\"fault\":\"", words, "0x22 does not answer", distrusted])
        .await;
    assert!(!told.contains("irregularity\",\"certainty"), "{told}");
    table.change(2_000, Square::E2, '.').await;
    table.change(2_500, Square::E4, '?').await;
    table
        .report(
            3_000,
            Report::Press {
                by: Color::White,
                white_ms: None,
                black_ms: None,
            },
        )
        .await;
    table.heard(&["e2e4", words]).await;
    let events = table.games().remove(0).events;
    let told = events.iter().find_map(|event| match event.input {
        Input::Suspect { squares } => Some(squares),
        _ => None,
    });
    assert_eq!(
        told,
        Some(stuck | Square::D3),
        "the arbiter knows what the board distrusts"
    );
    table
        .report(
            4_000,
            Report::Condition(Condition {
                failed_scans: 40,
                ..Condition::default()
            }),
        )
        .await;
    table.heard(&["\"fault\":null", "\"distrusted\":[]"]).await;
    // A board that was started anew says it again if it is so.
    table.report(5_000, Report::Condition(ill)).await;
    table.heard(&[words]).await;
    table.up(SensorClass::Occupancy).await;
    table.heard(&["\"fault\":null"]).await;
    table.close().await;
}
