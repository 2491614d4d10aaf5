use std::vec;
use std::vec::Vec;

use embedded_hal::i2c::NoAcknowledgeSource;
use embedded_hal_mock::eh1::i2c::{Mock, Transaction};

use super::*;

const FOUR: [u8; 4] = [0x20, 0x21, 0x22, 0x23];
const FIVE: [u8; 5] = [0x20, 0x21, 0x22, 0x23, 0x24];
const NOBODY: ErrorKind = ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address);

/// What the data sheet wants written to a chip whose pins `inputs` are inputs, and read back.
fn configured(address: u8, inputs: u8) -> Vec<Transaction> {
    let registers = vec![inputs, inputs, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, inputs, inputs];
    vec![
        Transaction::write(address, vec![0x05, 0x00]),
        Transaction::write(address, vec![0x0a, 0x00]),
        Transaction::write(address, [vec![0x00], registers.clone()].concat()),
        Transaction::write_read(address, vec![0x00], registers),
    ]
}

fn pins(address: u8, a: u8, b: u8) -> Transaction {
    Transaction::write_read(address, vec![0x12], vec![a, b])
}

/// Pull-ups and pins in one transfer.
fn asked(address: u8, pull_ups: u8, a: u8, b: u8) -> Transaction {
    Transaction::write_read(
        address,
        vec![0x0c],
        vec![pull_ups, pull_ups, 0, 0, 0, 0, a, b],
    )
}

fn silent(address: u8) -> Transaction {
    Transaction::write(address, vec![0x05, 0x00]).with_error(NOBODY)
}

/// The scans of a board of `addresses` whose bus sees exactly `transactions`.
fn scans<const CHIPS: usize>(
    addresses: [u8; CHIPS],
    active: Active,
    transactions: &[Vec<Transaction>],
    count: usize,
) -> Vec<Result<Reading, ExpanderError>> {
    let mut board = Expanders::new(Mock::new(&transactions.concat()), addresses, active);
    let readings = (0..count).map(|_| board.scan()).collect();
    board.bus.done();
    readings
}

#[test]
fn four_chips_read_two_ranks_each() {
    let first = [
        [configured(0x20, 0xff), vec![asked(0x20, 0xff, 0x01, 0x80)]].concat(),
        [configured(0x21, 0xff), vec![pins(0x21, 0x10, 0x00)]].concat(),
        [configured(0x22, 0xff), vec![pins(0x22, 0x00, 0x00)]].concat(),
        [configured(0x23, 0xff), vec![pins(0x23, 0x00, 0x40)]].concat(),
        // Configured once; another chip is asked for its pull-ups each time.
        vec![
            pins(0x20, 0, 0),
            asked(0x21, 0xff, 0, 0),
            pins(0x22, 0, 0),
            pins(0x23, 0, 0),
        ],
        vec![
            pins(0x20, 0, 0),
            pins(0x21, 0, 0),
            asked(0x22, 0xff, 0, 0xff),
            pins(0x23, 0, 0),
        ],
    ];
    let a1_h2_e3_g8 = 1 | 1 << 15 | 1 << 20 | 1 << 62;
    let rank_6 = 0xff << 40;
    let readings = scans(FOUR, Active::High, &first, 3);
    assert_eq!(
        readings,
        [a1_h2_e3_g8, 0, rank_6].map(|squares| Ok(Reading::of(squares)))
    );
    let readings = scans(FOUR, Active::Low, &first, 3);
    assert_eq!(
        readings,
        [a1_h2_e3_g8, 0, rank_6].map(|squares| Ok(Reading::of(!squares)))
    );
}

#[test]
fn five_chips_leave_the_eighth_pins_alone() {
    let transactions = [
        [configured(0x20, 0x7f), vec![asked(0x20, 0x7f, 0xff, 0x80)]].concat(),
        [configured(0x21, 0x7f), vec![pins(0x21, 0x80, 0x80)]].concat(),
        [configured(0x22, 0x7f), vec![pins(0x22, 0, 0x01)]].concat(),
        [configured(0x23, 0x7f), vec![pins(0x23, 0, 0)]].concat(),
        [
            configured(0x24, 0x7f),
            vec![asked(0x24, 0x7f, 0b1100_0001, 0b1000_0001)],
        ]
        .concat(),
    ];
    let a6_h1_h7_h8 = 1 << 40 | 1 << 7 | 1 << 55 | 1 << 63;
    assert_eq!(
        scans(FIVE, Active::High, &transactions, 1),
        [Ok(Reading::of(0x7f | a6_h1_h7_h8))]
    );
}

#[test]
fn the_chips_cover_each_square_once() {
    fn covered<const CHIPS: usize>() -> Vec<u64> {
        let pin = |chip: usize, n: usize| {
            Expanders::<Mock, CHIPS>::squares(chip, (1u16 << n).to_le_bytes())
        };
        (0..CHIPS)
            .flat_map(|chip| (0..16).map(move |n| pin(chip, n)))
            .filter(|square| *square != 0)
            .collect()
    }
    for squares in [covered::<4>(), covered::<5>()] {
        assert_eq!(squares.len(), 64);
        assert_eq!(squares.iter().fold(0, |all, square| all | square), !0);
    }
}

#[test]
fn a_silent_chip_takes_its_own_squares_with_it_and_comes_back() {
    let rest = |scan: usize| {
        let read = |n: usize| {
            if scan % 4 == n {
                asked(FOUR[n], 0xff, n as u8, 0)
            } else {
                pins(FOUR[n], n as u8, 0)
            }
        };
        [read(0), read(1), read(3)]
    };
    // The third chip fails while it is read, at once again, then after 1, 3 and 7 scans of peace;
    // then it is back.
    let mut transactions: Vec<_> = FOUR.iter().flat_map(|a| configured(*a, 0xff)).collect();
    for (n, at) in [4, 9, 14, 19].into_iter().enumerate() {
        let read = if n == 0 {
            asked(FOUR[n], 0xff, n as u8, 0)
        } else {
            pins(FOUR[n], n as u8, 0)
        };
        transactions.insert(at, read);
    }
    for scan in 1..=16 {
        let [first, second, fourth] = rest(scan);
        let third = match scan {
            1 => vec![pins(0x22, 0, 0).with_error(NOBODY)],
            2 | 4 | 8 => vec![silent(0x22)],
            16 => [configured(0x22, 0xff), vec![pins(0x22, 2, 0)]].concat(),
            _ => vec![],
        };
        transactions.extend([vec![first, second], third, vec![fourth]].concat());
    }
    let readings = scans(FOUR, Active::High, &[transactions], 17);
    let others = 1 << 16 | 0b11 << 48;
    let whole = Reading::of(others | 1 << 33);
    let lame = Reading {
        occupied: others,
        stuck: 0xffff << 32,
        trouble: Trouble::new(TroubleCode::NO_ANSWER, 0x22),
        ..Reading::default()
    };
    for (scan, reading) in readings.into_iter().enumerate() {
        assert_eq!(
            reading,
            Ok(if (1..16).contains(&scan) { lame } else { whole }),
            "scan {scan}"
        );
    }
}

#[test]
fn what_does_not_hold_its_configuration_is_another_device() {
    let mut wrong = configured(0x21, 0xff);
    wrong[3] = Transaction::write_read(0x21, vec![0x00], vec![0xff; 14]);
    let transactions = [
        [configured(0x20, 0xff), vec![asked(0x20, 0xff, 0, 0)], wrong].concat(),
        [configured(0x22, 0xff), vec![pins(0x22, 0, 0)]].concat(),
        [configured(0x23, 0xff), vec![pins(0x23, 0, 0)]].concat(),
    ];
    let readings = scans(FOUR, Active::High, &transactions, 1);
    let trouble = Trouble::new(TroubleCode::WRONG_DEVICE, 0x21);
    assert_eq!(
        readings,
        [Ok(Reading {
            stuck: 0xffff << 16,
            trouble,
            ..Reading::default()
        })]
    );
}

#[test]
fn a_chip_that_was_reset_is_found_and_configured_anew() {
    let transactions = [
        FOUR.iter()
            .enumerate()
            .flat_map(|(n, a)| {
                let read = if n == 0 {
                    asked(*a, 0xff, 0, 0)
                } else {
                    pins(*a, 0, 0)
                };
                [configured(*a, 0xff), vec![read]].concat()
            })
            .collect(),
        // Without pull-ups its pins read anything.
        vec![
            pins(0x20, 0, 0),
            asked(0x21, 0x00, 0x5a, 0xa5),
            pins(0x22, 0, 0),
            pins(0x23, 0, 0),
        ],
        [
            vec![pins(0x20, 0, 0)],
            configured(0x21, 0xff),
            vec![pins(0x21, 1, 0), asked(0x22, 0xff, 0, 0)],
        ]
        .concat(),
        vec![pins(0x23, 0, 0)],
    ];
    let readings = scans(FOUR, Active::High, &transactions, 3);
    let trouble = Trouble::new(TroubleCode::WRONG_DEVICE, 0x21);
    let reset = Reading {
        stuck: 0xffff << 16,
        trouble,
        ..Reading::default()
    };
    assert_eq!(
        readings,
        [Ok(Reading::of(0)), Ok(reset), Ok(Reading::of(1 << 16))]
    );
}

#[test]
fn without_any_chip_the_scan_fails_with_the_first_reason() {
    let broken = Transaction::write(0x20, vec![0x05, 0x00]).with_error(ErrorKind::ArbitrationLoss);
    let transactions = [vec![broken, silent(0x21), silent(0x22), silent(0x23)]];
    let [Err(error)] = scans(FOUR, Active::High, &transactions, 1)[..] else {
        panic!("it read")
    };
    assert_eq!(
        error,
        ExpanderError::Bus {
            address: 0x20,
            kind: ErrorKind::ArbitrationLoss
        }
    );
    assert_eq!(error.trouble(), Trouble::new(TroubleCode::BUS, 0x20));
}
