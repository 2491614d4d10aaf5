//! The specification's examples, byte for byte (`docs/wire.md`).

use board_wire::{
    Accumulator, Capabilities, Changes, ClockBits, ClockFace, Condition, Evidence, Firmware,
    FromBoard, Health, Heartbeat, Hello, Layout, Level, MapRank, Part, RankLevels, Sensor, Serial,
    Side, Square, Step, Symbol, Tested, ToBoard, Trouble, TroubleCode, Verdict, What, encode,
};

fn bytes(hex: &str) -> Vec<u8> {
    hex.split_whitespace()
        .map(|byte| u8::from_str_radix(byte, 16).expect("two hexadecimal digits"))
        .collect()
}

/// The message is sent as these bytes, and these bytes are read as the message.
fn holds<M: Layout + PartialEq + std::fmt::Debug>(message: &M, hex: &str) {
    let frame = encode(message);
    let shown: Vec<String> = frame
        .as_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(shown.join(" "), hex, "{message:?}");
    match Accumulator::<M>::default().feed(&bytes(hex)) {
        Step::Message(read, []) => assert_eq!(&read, message),
        other => panic!("{other:?}"),
    }
}

fn square(name: &str) -> Square {
    let [file, rank] = name.as_bytes() else {
        panic!("{name}")
    };
    Square::new((rank - b'1') * 8 + file - b'a').expect("a square")
}

fn symbol(letter: u8) -> Symbol {
    Symbol::from_byte(letter).expect("a symbol")
}

fn evidence(seq: u32, ms: u32, what: What) -> FromBoard {
    FromBoard::Evidence(Evidence {
        boot: 7,
        seq,
        ms,
        what,
    })
}

#[test]
fn hello() {
    let hello = Hello {
        nonce: Some(0x2a3b_4c5d),
        boot: 7,
        ms: 1_500,
        next: 1,
        sensor: Sensor::Colour,
        capabilities: Capabilities::CLOCK.with(Capabilities::ADJUST, true),
        pace: 1_000,
        serial: Serial::new(b"EA-0042").expect("a serial number"),
    };
    holds(
        &FromBoard::Hello(hello),
        "04 01 02 07 03 dc 05 01 02 01 01 01 05 01 05 e8 03 01 11 5d 4c 3b 2a 07 45 41 2d 30 30 34 \
         32 40 dd f6 57 00",
    );
    holds(
        &FromBoard::Hello(Hello {
            nonce: None,
            ..hello
        }),
        "04 01 01 07 03 dc 05 01 02 01 01 01 05 01 05 e8 03 01 0d 07 45 41 2d 30 30 34 32 de 8c \
         e0 66 00",
    );
}

#[test]
fn evidence_of_every_kind() {
    let mut squares = [Symbol::EMPTY; 64];
    for file in 0..8 {
        squares[file] = symbol(b"RNBQKBNR"[file]);
        squares[8 + file] = symbol(b'P');
        squares[48 + file] = symbol(b'p');
        squares[56 + file] = symbol(b"rnbqkbnr"[file]);
    }
    holds(
        &evidence(0, 20, What::Snapshot(squares)),
        "03 10 07 01 01 01 01 02 14 01 01 45 52 4e 42 51 4b 42 4e 52 50 50 50 50 50 50 50 50 2e \
         2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e \
         2e 2e 70 70 70 70 70 70 70 70 72 6e 62 71 6b 62 6e 72 a1 36 12 76 00",
    );
    let changes = [(square("e2"), Symbol::EMPTY), (square("e4"), Symbol::LIGHT)];
    holds(
        &evidence(1, 2_000, What::Change(Changes::first_of(&changes))),
        "03 11 07 02 01 01 01 03 d0 07 01 01 0a 02 0c 2e 1c 4c d4 8f 46 99 00",
    );
    let press = What::Press {
        by: Side::White,
        white_ms: Some(5_399_000),
        black_ms: None,
    };
    holds(
        &evidence(2, 3_000, press),
        "03 12 07 02 02 01 01 03 b8 0b 01 01 04 d8 61 52 09 ff ff ff ff 14 41 99 50 00",
    );
    holds(
        &evidence(3, 4_000, What::Adjust { by: Side::Black }),
        "03 13 07 02 03 01 01 03 a0 0f 01 06 01 73 6f a6 4f 00",
    );
}

#[test]
fn the_rest_from_the_board() {
    let beat = Heartbeat {
        boot: 7,
        ms: 5_000,
        next: 4,
        dropped: 0,
        damaged: 1,
        late_scans: 0,
        lamps: 1 << 63,
    };
    holds(
        &FromBoard::Heartbeat(beat),
        "03 02 07 03 88 13 01 02 04 01 01 01 01 01 01 02 01 01 01 01 01 01 01 01 01 01 01 01 01 \
         01 06 80 3a b8 83 d1 00",
    );
    holds(
        &FromBoard::Gone {
            boot: 7,
            oldest: 260,
        },
        "03 03 07 03 04 01 01 05 3b 08 21 3f 00",
    );
}

#[test]
fn about_the_sensors() {
    let health = Health {
        stuck: 0xffff << 32,
        unsteady: 1 << 12,
        failed_scans: 40,
        trouble: Trouble::new(TroubleCode::NO_ANSWER, 0x22),
    };
    holds(
        &FromBoard::Condition(Condition {
            boot: 7,
            ms: 6_000,
            health,
        }),
        "03 04 07 03 70 17 01 01 01 01 01 03 ff ff 01 01 02 10 01 01 01 01 01 02 28 01 01 07 02 \
         22 80 e1 41 1e 00",
    );
    let mut levels = RankLevels {
        rank: 1,
        on: 200,
        off: 120,
        ..RankLevels::default()
    };
    levels.squares = [Level {
        zero: 2_048,
        now: 3,
        noise: 6,
    }; 8];
    levels.squares[4].now = 655;
    levels.squares[5].now = -640;
    holds(
        &FromBoard::Levels {
            boot: 7,
            ms: 7_000,
            levels,
        },
        "03 05 07 03 58 1b 01 03 01 c8 02 78 01 03 08 03 02 06 01 03 08 03 02 06 01 03 08 03 02 \
         06 01 03 08 03 02 06 01 05 08 8f 02 06 01 05 08 80 fd 06 01 03 08 03 02 06 01 03 08 03 \
         02 06 05 53 ac 2f 47 00",
    );
    let firmware = Firmware::new(b"pico-hall 0.1.0+47f3ef5c").expect("printable");
    holds(
        &FromBoard::Firmware { boot: 7, firmware },
        "03 06 07 1e 18 70 69 63 6f 2d 68 61 6c 6c 20 30 2e 31 2e 30 2b 34 37 66 33 65 66 35 63 \
         83 ae 6e c9 00",
    );
}

#[test]
fn about_the_clock() {
    let face = ClockFace {
        white_ms: Some(5_399_000),
        black_ms: Some(0),
        bits: ClockBits::SPEAKS
            .with(ClockBits::WHITE_RUNS, true)
            .with(ClockBits::BLACK_FELL, true),
    };
    holds(
        &FromBoard::Clock {
            boot: 7,
            ms: 8_000,
            face,
        },
        "03 07 07 03 40 1f 01 04 d8 61 52 01 01 01 01 06 13 58 a5 28 ca 00",
    );
}

/// The first rank of a board whose lines for a1 and b1 were exchanged.
fn exchanged() -> MapRank {
    MapRank {
        rank: 0,
        squares: ["b1", "a1", "c1", "d1", "e1", "f1", "g1", "h1"].map(square),
    }
}

#[test]
fn at_the_bench() {
    holds(
        &FromBoard::Loader {
            boot: 7,
            nonce: 0x1f2e_3d4c,
        },
        "03 08 07 09 4c 3d 2e 1f 3e 34 f8 c8 00",
    );
    holds(
        &FromBoard::Map {
            boot: 7,
            rank: exchanged(),
        },
        "03 09 07 01 02 01 0b 02 03 04 05 06 07 a1 55 12 48 00",
    );
    let tested = Tested {
        number: 2,
        count: 6,
        ..Tested::new(Part::LINES, Verdict::FAILED, [1 << 3, 0])
    };
    holds(
        &FromBoard::Tested { boot: 7, tested },
        "03 0a 07 06 02 06 04 01 08 01 01 01 01 01 01 05 61 2f ea 1c 00",
    );
    holds(
        &ToBoard::StartLoader { nonce: 0x2a3b_4c5d },
        "0a 89 5d 4c 3b 2a cb a0 3a dd 00",
    );
    holds(
        &ToBoard::SetMap(exchanged()),
        "02 8a 02 01 0b 02 03 04 05 06 07 62 4d f8 95 00",
    );
    holds(&ToBoard::RequestMap, "06 8b 25 b5 68 a8 00");
    holds(&ToBoard::SelfTest, "06 8c 86 20 0c 36 00");
}

#[test]
fn to_the_board() {
    holds(
        &ToBoard::RequestHello {
            nonce: Some(0x2a3b_4c5d),
        },
        "0a 81 5d 4c 3b 2a 0a eb 4a ed 00",
    );
    holds(
        &ToBoard::RequestHello { nonce: None },
        "06 81 3b 5c bd 48 00",
    );
    holds(&ToBoard::RequestSnapshot, "06 82 81 0d b4 d1 00");
    holds(
        &ToBoard::Resend { from: 258 },
        "04 83 02 01 01 05 e3 9f af 9b 00",
    );
    holds(
        &ToBoard::SetLamps(0x1000_1000),
        "02 84 02 10 02 10 01 01 01 05 a1 4e 8e da 00",
    );
    holds(
        &ToBoard::Ack { boot: 7, next: 4 },
        "03 85 07 02 04 01 01 05 c4 bd 25 d5 00",
    );
    holds(&ToBoard::RequestLevels, "06 86 98 c9 d9 d6 00");
    holds(&ToBoard::Calibrate, "06 87 0e f9 de a1 00");
    holds(&ToBoard::RequestFirmware, "06 88 9f e4 61 31 00");
}

/// Every frame of this file stands in the specification, and every frame of the specification in
/// this file.
#[test]
fn the_specification_holds_the_same_bytes() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let spec = include_str!("../../../docs/wire.md");
    let here = words(&include_str!("golden.rs").replace("\\\n", " "));
    let frames: Vec<String> = spec
        .split("```")
        .filter_map(|block| block.strip_prefix("text\n"))
        .map(words)
        .collect();
    let hex = |text: &str| {
        text.bytes()
            .all(|byte| byte == b' ' || byte.is_ascii_hexdigit())
    };
    let frames = frames.iter().filter(|frame| hex(frame));
    let count = frames
        .inspect(|frame| assert!(here.contains(frame.as_str()), "{frame}"))
        .count();
    assert_eq!(count, 28);
}
