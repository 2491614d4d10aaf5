//! Any message that can be said.

use board_wire::message::{MAX_CHANGES, MAX_SERIAL};
use board_wire::{
    Capabilities, Changes, ClockBits, ClockFace, Condition, Evidence, Firmware, FromBoard, Health,
    Heartbeat, Hello, Level, MapRank, Part, RankLevels, Sensor, Serial, Side, Square, Symbol,
    Tested, ToBoard, Trouble, TroubleCode, Verdict, What,
};
use proptest::prelude::*;

fn square() -> impl Strategy<Value = Square> {
    (0..64u8).prop_map(|index| Square::new(index).expect("a square"))
}

fn symbol() -> impl Strategy<Value = Symbol> {
    prop::sample::select(b".?LDPNBRQKpnbrqk".as_slice())
        .prop_map(|byte| Symbol::from_byte(byte).expect("a symbol"))
}

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::White), Just(Side::Black)]
}

fn told() -> impl Strategy<Value = Option<u32>> {
    prop::option::of(0..u32::MAX)
}

fn what() -> impl Strategy<Value = What> {
    let changes = prop::collection::vec((square(), symbol()), 0..MAX_CHANGES + 5);
    prop_oneof![
        prop::array::uniform32((symbol(), symbol())).prop_map(|pairs| {
            let mut squares = [Symbol::EMPTY; 64];
            for (n, (even, odd)) in pairs.into_iter().enumerate() {
                (squares[2 * n], squares[2 * n + 1]) = (even, odd);
            }
            What::Snapshot(squares)
        }),
        changes.prop_map(|list| What::Change(Changes::first_of(&list))),
        (side(), told(), told()).prop_map(|(by, white_ms, black_ms)| What::Press {
            by,
            white_ms,
            black_ms
        }),
        side().prop_map(|by| What::Adjust { by }),
    ]
}

fn hello() -> impl Strategy<Value = Hello> {
    let sensor = prop_oneof![
        Just(Sensor::Occupancy),
        Just(Sensor::Colour),
        Just(Sensor::Piece)
    ];
    let serial = prop::collection::vec(0x20..0x7fu8, 0..=MAX_SERIAL);
    let serial = serial.prop_map(|text| Serial::new(&text).expect("printable"));
    let numbers = any::<(Option<u32>, u16, u32, u32, u8, u32)>();
    (numbers, sensor, serial).prop_map(
        |((nonce, boot, ms, next, capabilities, pace), sensor, serial)| {
            let capabilities = Capabilities(capabilities);
            Hello {
                nonce,
                boot,
                ms,
                next,
                sensor,
                capabilities,
                pace,
                serial,
            }
        },
    )
}

fn condition() -> impl Strategy<Value = Condition> {
    any::<(u16, u32, u64, u64, u32, u8, u8)>().prop_map(
        |(boot, ms, stuck, unsteady, failed_scans, code, part)| {
            let trouble = Trouble::new(TroubleCode(code), part);
            Condition {
                boot,
                ms,
                health: Health {
                    stuck,
                    unsteady,
                    failed_scans,
                    trouble,
                },
            }
        },
    )
}

fn levels() -> impl Strategy<Value = RankLevels> {
    (0..8u8, any::<(u16, u16, [(u16, i16, u16); 8])>()).prop_map(|(rank, (on, off, squares))| {
        let squares = squares.map(|(zero, now, noise)| Level { zero, now, noise });
        RankLevels {
            rank,
            on,
            off,
            squares,
        }
    })
}

/// Remaining time: the highest number stands for none.
fn time() -> impl Strategy<Value = Option<u32>> {
    prop::option::of(0..u32::MAX)
}

pub(crate) fn from_board() -> impl Strategy<Value = FromBoard> {
    prop_oneof![
        hello().prop_map(FromBoard::Hello),
        (any::<(u16, u32, u32)>(), what()).prop_map(|((boot, seq, ms), what)| FromBoard::Evidence(
            Evidence {
                boot,
                seq,
                ms,
                what
            }
        )),
        any::<(u16, u32, u32, u32, u32, u32, u64)>().prop_map(
            |(boot, ms, next, dropped, damaged, late_scans, lamps)| {
                FromBoard::Heartbeat(Heartbeat {
                    boot,
                    ms,
                    next,
                    dropped,
                    damaged,
                    late_scans,
                    lamps,
                })
            }
        ),
        any::<(u16, u32)>().prop_map(|(boot, oldest)| FromBoard::Gone { boot, oldest }),
        condition().prop_map(FromBoard::Condition),
        (any::<(u16, u32)>(), levels()).prop_map(|((boot, ms), levels)| FromBoard::Levels {
            boot,
            ms,
            levels
        }),
        (any::<u16>(), "[ -~]{0,64}").prop_map(|(boot, text)| FromBoard::Firmware {
            boot,
            firmware: Firmware::new(text.as_bytes()).expect("printable")
        }),
        any::<(u16, u32)>().prop_map(|(boot, nonce)| FromBoard::Loader { boot, nonce }),
        (any::<u16>(), map_rank()).prop_map(|(boot, rank)| FromBoard::Map { boot, rank }),
        (any::<(u16, u8, u8, [u32; 2])>(), 1..=255u8, any::<u8>()).prop_map(
            |((boot, part, verdict, found), count, number)| FromBoard::Tested {
                boot,
                tested: Tested {
                    number: number % count,
                    count,
                    ..Tested::new(Part(part), Verdict(verdict), found)
                }
            }
        ),
        (any::<(u16, u32, u8)>(), prop::array::uniform2(time())).prop_map(
            |((boot, ms, bits), [white_ms, black_ms])| FromBoard::Clock {
                boot,
                ms,
                face: ClockFace {
                    white_ms,
                    black_ms,
                    bits: ClockBits(bits)
                }
            }
        ),
    ]
}

pub(crate) fn to_board() -> impl Strategy<Value = ToBoard> {
    prop_oneof![
        any::<Option<u32>>().prop_map(|nonce| ToBoard::RequestHello { nonce }),
        Just(ToBoard::RequestSnapshot),
        any::<u32>().prop_map(|from| ToBoard::Resend { from }),
        any::<u64>().prop_map(ToBoard::SetLamps),
        any::<(u16, u32)>().prop_map(|(boot, next)| ToBoard::Ack { boot, next }),
        Just(ToBoard::RequestLevels),
        Just(ToBoard::Calibrate),
        Just(ToBoard::RequestFirmware),
        any::<u32>().prop_map(|nonce| ToBoard::StartLoader { nonce }),
        map_rank().prop_map(ToBoard::SetMap),
        Just(ToBoard::RequestMap),
        Just(ToBoard::SelfTest),
    ]
}

fn map_rank() -> impl Strategy<Value = MapRank> {
    (0..8u8, prop::collection::vec(square(), 8)).prop_map(|(rank, squares)| MapRank {
        rank,
        squares: squares.try_into().expect("eight squares"),
    })
}
