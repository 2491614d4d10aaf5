//! What must hold of every stream: whole, cut, damaged, or foreign.

mod messages;

use board_wire::device::{Device, Identity};
use board_wire::frame::{Damage, MAX_BODY};
use board_wire::{
    Accumulator, Capabilities, Evidence, FromBoard, Health, Hello, Layout, MAX_FRAME, Ring, Sensor,
    Serial, Side, Square, Step, Symbol, ToBoard, Trouble, TroubleCode, What, encode,
};
use messages::{from_board, to_board};
use proptest::prelude::*;

/// Everything a stream yields, damage included.
fn read<M: Layout>(pieces: &[&[u8]]) -> Vec<Result<M, Damage>> {
    let mut accumulator = Accumulator::default();
    let mut found = Vec::new();
    for piece in pieces {
        let mut bytes = *piece;
        loop {
            match accumulator.feed(bytes) {
                Step::Partial => break,
                Step::Message(message, rest) => {
                    found.push(Ok(message));
                    bytes = rest;
                }
                Step::Damaged(damage, rest) => {
                    found.push(Err(damage));
                    bytes = rest;
                }
            }
        }
    }
    found
}

fn stream(messages: &[FromBoard]) -> Vec<u8> {
    messages
        .iter()
        .flat_map(|message| encode(message).as_bytes().to_vec())
        .collect()
}

proptest! {
    #[test]
    fn whatever_is_sent_is_read(
        messages in prop::collection::vec(from_board(), 0..8),
        cuts in any::<[u16; 5]>(),
    ) {
        let bytes = stream(&messages);
        let mut cuts: Vec<usize> = cuts
            .iter()
            .map(|cut| usize::from(*cut) % (bytes.len() + 1))
            .collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&[u8]> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
        let wanted: Vec<_> = messages.into_iter().map(Ok).collect();
        prop_assert_eq!(read::<FromBoard>(&pieces), wanted);
    }

    #[test]
    fn a_frame_has_one_zero_at_its_end_and_is_never_too_long(
        message in from_board(),
        order in to_board(),
    ) {
        for frame in [encode(&message), encode(&order)] {
            let bytes = frame.as_bytes();
            prop_assert_eq!(
                bytes.iter().position(|byte| *byte == 0),
                Some(bytes.len() - 1)
            );
            prop_assert!(bytes.len() <= MAX_FRAME);
        }
        prop_assert_eq!(
            read::<ToBoard>(&[encode(&order).as_bytes()]),
            vec![Ok(order)]
        );
    }

    /// Flipped bits, lost bytes, doubled bytes: the frame that suffered is not read as another
    /// message, and the frames around it are read. (A flip inside a zero byte's neighbourhood may
    /// merge two frames into one.)
    #[test]
    fn damage_never_invents_a_message(
        messages in prop::collection::vec(from_board(), 1..6),
        harm in prop::collection::vec((any::<u16>(), any::<u8>(), 0..3u8), 1..6),
    ) {
        let mut bytes = stream(&messages);
        for (at, value, how) in harm {
            let at = usize::from(at) % bytes.len().max(1);
            match how {
                _ if bytes.is_empty() => {}
                0 => bytes[at] = value,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, value),
            }
        }
        let mut sent = messages.iter();
        for message in read::<FromBoard>(&[&bytes]).into_iter().flatten() {
            prop_assert!(
                sent.any(|sent| *sent == message),
                "{:?} was not sent, or not in this order",
                message
            );
        }
    }

    #[test]
    fn a_damaged_frame_costs_only_itself(
        before in from_board(),
        harmed in from_board(),
        after in from_board(),
        at in any::<u16>(),
        flip in 1..=255u8,
    ) {
        let mut middle = encode(&harmed).as_bytes().to_vec();
        let at = usize::from(at) % (middle.len() - 1);
        middle[at] ^= flip;
        let bytes = [
            encode(&before).as_bytes(),
            &middle,
            encode(&after).as_bytes(),
        ]
        .concat();
        let found: Vec<FromBoard> = read(&[&bytes]).into_iter().flatten().collect();
        prop_assert_eq!(found, vec![before, after]);
    }

    #[test]
    fn foreign_bytes_are_no_messages(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        prop_assert!(read::<FromBoard>(&[&bytes]).iter().all(Result::is_err));
        prop_assert!(read::<ToBoard>(&[&bytes]).iter().all(Result::is_err));
    }

    /// Even with a right CRC, a body of the wrong shape is damage and never a panic.
    #[test]
    fn bodies_of_any_shape(body in prop::collection::vec(any::<u8>(), 0..MAX_BODY)) {
        if let Ok(message) = FromBoard::read(&body) {
            let again = encode(&message);
            prop_assert_eq!(read::<FromBoard>(&[again.as_bytes()]), vec![Ok(message)]);
        }
        let _ = ToBoard::read(&body);
    }

    #[test]
    fn a_board_takes_any_bytes(
        bytes in prop::collection::vec(any::<u8>(), 0..500),
        orders in prop::collection::vec(to_board(), 0..20),
    ) {
        let mut board = board();
        board.receive(0, &bytes, |_| {});
        board.receive(0, &[0], |_| {});
        for order in orders {
            board.receive(1, encode(&order).as_bytes(), |_| {});
            board.change(2, &[(Square::default(), Symbol::SOMETHING)]);
            for _ in 0..1_000 {
                if board.next_frame(3).is_none() {
                    break;
                }
            }
            prop_assert!(
                board.next_frame(3).is_none(),
                "a board comes to an end of what it has to say"
            );
        }
    }

    #[test]
    fn a_ring_keeps_the_newest(count in 1..400u32, from in 0..400u32) {
        let mut board = board();
        for n in 0..count {
            drain(&mut board);
            board.press(n, Side::White, Some(n), None);
        }
        drain(&mut board);
        board.receive(count, encode(&ToBoard::Resend { from }).as_bytes(), |_| {});
        let frames = drain(&mut board);
        let kept: Vec<u32> = frames.iter().filter_map(seq).collect();
        let next = count + 1;
        if from > next {
            prop_assert!(frames.is_empty(), "nobody can miss what does not exist");
        } else if let Some(FromBoard::Gone { oldest, .. }) = frames.first() {
            prop_assert!(*oldest > from);
            prop_assert_eq!(
                &kept,
                &(*oldest..=next).collect::<Vec<_>>(),
                "what is left, and a snapshot"
            );
            let last = frames.last();
            let is_snapshot = matches!(
                last,
                Some(FromBoard::Evidence(Evidence {
                    what: What::Snapshot(_),
                    ..
                }))
            );
            prop_assert!(is_snapshot);
        } else {
            prop_assert_eq!(&kept, &(from..next).collect::<Vec<_>>());
            prop_assert!(
                count - from.min(count) < 60,
                "a kilobyte holds about fifty presses"
            );
        }
    }
}

fn identity() -> Identity {
    Identity {
        boot: 7,
        serial: Serial::new(b"test").expect("printable"),
        sensor: Sensor::Piece,
        capabilities: Capabilities::CLOCK,
        pace: 1_000,
        firmware: "test 1.2.3",
    }
}

/// A board whose host has just asked who it is.
fn board() -> Device<Ring<1024>> {
    let mut board = Device::new(identity(), 0, [Symbol::EMPTY; 64]);
    ask(&mut board, Some(1));
    board
}

/// A host asks who is there.
fn ask<const RING: usize>(board: &mut Device<Ring<RING>>, nonce: Option<u32>) {
    let question = encode(&ToBoard::RequestHello { nonce });
    board.receive(0, question.as_bytes(), |_| {});
}

fn drain(board: &mut Device<Ring<1024>>) -> Vec<FromBoard> {
    let frames = std::iter::from_fn(|| board.next_frame(0));
    frames
        .flat_map(|frame| read(&[frame.as_bytes()]))
        .map(|message| message.expect("a whole frame"))
        .collect()
}

fn seq(message: &FromBoard) -> Option<u32> {
    match message {
        FromBoard::Evidence(evidence) => Some(evidence.seq),
        _ => None,
    }
}

#[test]
fn the_crc_is_the_one_specified() {
    let check = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(b"123456789");
    assert_eq!(check, 0xCBF4_3926);
}

#[test]
fn a_board_with_a_firmware_that_has_a_name_tells_it_once_for_each_question() {
    let names = |board: &mut Device<Ring<1024>>| -> Vec<String> {
        let question = encode(&ToBoard::RequestFirmware);
        board.receive(0, question.as_bytes(), |_| {});
        let name = |message| match message {
            FromBoard::Firmware { boot: 7, firmware } => Some(firmware.as_str().to_owned()),
            _ => None,
        };
        drain(board).into_iter().filter_map(name).collect()
    };
    let mut board = board();
    for _ in 0..2 {
        assert_eq!(names(&mut board), ["test 1.2.3"]);
    }
    for firmware in ["", "zw\u{f6}lf", &"9".repeat(65).leak()[..]] {
        let identity = Identity {
            firmware,
            ..identity()
        };
        let mut board = Device::new(identity, 0, [Symbol::EMPTY; 64]);
        assert_eq!(names(&mut board), [""; 0], "{firmware}");
    }
}

/// What is written into a line that nobody reads would be read by the first who opens it.
#[test]
fn a_board_is_silent_until_it_is_spoken_to() {
    let mut board = Device::<Ring<1024>>::new(identity(), 0, [Symbol::EMPTY; 64]);
    board.press(10, Side::White, None, None);
    board.heartbeat();
    assert_eq!(drain(&mut board), []);
    board.receive(20, &[0], |_| {});
    ask(&mut board, Some(77));
    let told = drain(&mut board);
    let FromBoard::Hello(hello) = &told[0] else {
        panic!("{told:?}")
    };
    assert_eq!((hello.nonce, hello.next), (Some(77), 2));
    let told: Vec<u32> = told.iter().filter_map(seq).collect();
    assert_eq!(told, [0, 1], "what it has seen is kept");
}

#[test]
fn a_hello_repeats_the_question_and_hosts_of_version_1_are_answered_with_0() {
    let mut board = board();
    let answers = |board: &mut Device<Ring<1024>>| -> Vec<Option<u32>> {
        let hello = |message: &FromBoard| match message {
            FromBoard::Hello(hello) => Some(hello.nonce),
            _ => None,
        };
        drain(board).iter().filter_map(hello).collect()
    };
    assert_eq!(answers(&mut board), [Some(1)]);
    ask(&mut board, None);
    assert_eq!(answers(&mut board), [Some(0)]);
    ask(&mut board, None);
    ask(&mut board, Some(9));
    assert_eq!(answers(&mut board), [Some(9)], "the last question counts");
    board.heartbeat();
    assert_eq!(answers(&mut board), []);
}

#[test]
fn a_scan_of_the_whole_board_is_split() {
    let mut board = board();
    drain(&mut board);
    board.scan(50, &[Symbol::DARK; 64]);
    let mut found = Vec::new();
    let mut more = Vec::new();
    for message in drain(&mut board) {
        let FromBoard::Evidence(Evidence {
            ms: 50,
            what: What::Change(changes),
            ..
        }) = message
        else {
            panic!("{message:?}")
        };
        found.extend_from_slice(changes.as_slice());
        more.push(changes.more);
    }
    let all: Vec<_> = (0..64)
        .map(|n| (Square::new(n).expect("a square"), Symbol::DARK))
        .collect();
    assert_eq!(found, all);
    assert_eq!(more, [true, false]);
    board.scan(60, &[Symbol::DARK; 64]);
    assert!(board.is_drained(), "nothing has changed");
}

#[test]
fn what_was_never_sent_is_counted_as_dropped() {
    let mut board = board();
    for n in 0..200 {
        board.adjust(n, Side::Black);
    }
    let frames = drain(&mut board);
    assert!(
        matches!(frames[0], FromBoard::Hello(Hello { next: 201, .. })),
        "{:?}",
        frames[0]
    );
    let FromBoard::Gone { oldest, .. } = frames[1] else {
        panic!("{:?}", frames[1])
    };
    board.heartbeat();
    let [FromBoard::Heartbeat(beat)] = drain(&mut board)[..] else {
        panic!("one heartbeat")
    };
    assert_eq!((beat.next, beat.dropped), (202, oldest));
}

/// A board that cannot read its squares says so, and nothing of them; the first reading is a
/// snapshot.
#[test]
fn an_unread_board_tells_what_is_wrong_and_no_squares() {
    let identity = Identity {
        boot: 3,
        serial: Serial::new(b"dark").expect("printable"),
        sensor: Sensor::Occupancy,
        capabilities: Capabilities::default(),
        pace: 1000,
        firmware: "test 1.2.3",
    };
    let mut board = Device::unread(Ring::<1024>::new(), identity);
    ask(&mut board, Some(1));
    let told = |board: &mut Device<Ring<1024>>| -> Vec<FromBoard> {
        let frames: Vec<_> = std::iter::from_fn(|| board.next_frame(9)).collect();
        frames
            .iter()
            .flat_map(|frame| read(&[frame.as_bytes()]))
            .map(|message| message.expect("whole"))
            .collect()
    };
    let ill = Health {
        trouble: Trouble::new(TroubleCode::MISSING, 0),
        failed_scans: 1,
        ..Health::default()
    };
    board.health(ill);
    board.receive(1, encode(&ToBoard::RequestSnapshot).as_bytes(), |_| {});
    board.receive(1, encode(&ToBoard::Resend { from: 0 }).as_bytes(), |_| {});
    let [FromBoard::Hello(hello), FromBoard::Condition(condition)] = &told(&mut board)[..] else {
        panic!()
    };
    assert_eq!((hello.next, condition.health), (0, ill));
    board.health(Health {
        failed_scans: 2,
        ..ill
    });
    assert_eq!(told(&mut board), [], "only news is told unasked");
    board.health(Health {
        failed_scans: 2,
        ..Health::default()
    });
    board.scan(10, &[Symbol::SOMETHING; 64]);
    let [FromBoard::Condition(well), FromBoard::Evidence(first)] = &told(&mut board)[..] else {
        panic!()
    };
    assert!(
        well.health.is_good()
            && first.seq == 0
            && first.what == What::Snapshot([Symbol::SOMETHING; 64])
    );
    board.heartbeat();
    assert!(matches!(
        told(&mut board)[..],
        [FromBoard::Condition(_), FromBoard::Heartbeat(_)]
    ));
}
