//! DGT's two languages: whatever is written is read, however the bytes are cut, and damage ends
//! with the frame it hits.

use arbiter_core::shakmaty::Square;
use board_driver::protocol::dgt::bus::{Answer, BusAsk};
use board_driver::protocol::dgt::clock::{Ack, ClockMessage, Face, Side, Times};
use board_driver::protocol::dgt::log::{Mark, Token, tokens};
use board_driver::protocol::dgt::message::{Battery, Message};
use board_driver::protocol::dgt::square::Content;
use board_driver::protocol::dgt::{on_bus, single};
use proptest::collection::vec;
use proptest::prelude::*;

fn content() -> impl Strategy<Value = Content> {
    any::<u8>().prop_map(Content::from_code)
}

fn face() -> impl Strategy<Value = Face> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (0..10u8, 0..60u8, 0..60u8, flags).prop_map(|(h, m, s, (blocked, indicator, flag))| Face {
        hms: [h, m, s],
        blocked,
        indicator,
        flag,
    })
}

fn times() -> impl Strategy<Value = Times> {
    let turn = prop_oneof![Just(None), Just(Some(Side::Left)), Just(Some(Side::Right))];
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (face(), face(), flags, turn).prop_map(
        |(left, right, (running, right_high, low_battery), turn)| Times {
            left,
            right,
            running,
            right_high,
            low_battery,
            turn,
        },
    )
}

fn clock() -> impl Strategy<Value = ClockMessage> {
    // All zero means nothing at all, so it is not what a stopped clock at zero can say.
    let void = |t: &ClockMessage| t.data() != [0; 7];
    prop_oneof![
        times()
            .prop_map(ClockMessage::Times)
            .prop_filter("void", void),
        any::<[u8; 4]>().prop_map(|bytes| ClockMessage::Ack(Ack { bytes })),
        Just(ClockMessage::NoClock),
        Just(ClockMessage::Void),
    ]
}

fn contents() -> impl Strategy<Value = Box<[Content; 64]>> {
    proptest::array::uniform32(content()).prop_flat_map(|a| {
        proptest::array::uniform32(content()).prop_map(move |b| {
            let mut both = [Content::Empty; 64];
            both[..32].copy_from_slice(&a);
            both[32..].copy_from_slice(&b);
            Box::new(both)
        })
    })
}

fn digits<const N: usize>() -> impl Strategy<Value = [u8; N]> {
    vec(b'0'..=b'9', N).prop_map(|digits| digits.try_into().expect("N digits"))
}

fn message() -> impl Strategy<Value = Message> {
    let seven = || vec(0..0x80u8, 0..300);
    prop_oneof![
        contents().prop_map(Message::Board),
        clock().prop_map(Message::Clock),
        (0..64u32, content()).prop_map(|(sq, content)| Message::Field {
            square: Square::new(sq),
            content
        }),
        seven().prop_map(Message::Log),
        seven().prop_map(Message::Trademark),
        (0..0x4000u16).prop_map(Message::BusAddress),
        digits().prop_map(Message::Serial),
        digits().prop_map(Message::LongSerial),
        (0..0x80u8, 0..0x80u8).prop_map(|(major, minor)| Message::Version { major, minor }),
        (0..=100u8, any::<bool>(), any::<bool>()).prop_map(|(percent, charging, discharging)| {
            Message::Battery(Battery {
                percent,
                left: None,
                charging,
                discharging,
            })
        }),
    ]
}

fn token() -> impl Strategy<Value = Token> {
    let side = prop_oneof![Just(Side::Left), Just(Side::Right)];
    let mark = prop_oneof![
        Just(Mark::PowerUp),
        Just(Mark::End),
        Just(Mark::Array),
        Just(Mark::Start)
    ];
    prop_oneof![
        (0..64u8, content(), any::<bool>()).prop_map(|(square, content, fast)| Token::Field {
            square,
            content,
            fast
        }),
        (side, 0..10u8, 0..60u8, 0..60u8).prop_map(|(side, h, m, s)| Token::Stopped {
            side,
            hms: [h, m, s]
        }),
        mark.prop_map(Token::Mark),
    ]
}

fn answer() -> impl Strategy<Value = Answer> {
    let log = || {
        vec(token(), 0..40).prop_map(|tokens| {
            let mut bytes = Vec::new();
            tokens.into_iter().for_each(|token| token.write(&mut bytes));
            bytes
        })
    };
    prop_oneof![
        contents().prop_map(Answer::Board),
        clock().prop_map(|clock| Answer::Clock(Some(clock))),
        log().prop_map(Answer::Changes),
        log().prop_map(Answer::FromStart),
        Just(Answer::Ping),
        Just(Answer::Started),
        prop_oneof![Just(None), Just(Some([1, 2]))].prop_map(Answer::Version),
    ]
}

/// What single mode makes of bytes cut at `cuts`: messages, and `None` for damage.
fn heard(bytes: &[u8], cuts: &[usize]) -> Vec<Option<Message>> {
    let (mut framer, mut out, mut rest) = (single(), Vec::new(), bytes);
    for cut in cuts {
        let (piece, tail) = rest.split_at((*cut).min(rest.len()));
        framer.receive(piece, |frame| out.push(frame.ok().and_then(Message::read)));
        rest = tail;
    }
    framer.receive(rest, |frame| out.push(frame.ok().and_then(Message::read)));
    out
}

/// The same of bus mode.
fn answered(bytes: &[u8]) -> Vec<Option<(u16, Answer)>> {
    let (mut framer, mut out) = (on_bus(), Vec::new());
    framer.receive(bytes, |frame| out.push(frame.ok().and_then(Answer::read)));
    out
}

proptest! {
    #[test]
    fn what_is_written_is_read_however_it_is_cut(
        messages in vec(message(), 1..8),
        cuts in vec(0..40usize, 0..60),
    ) {
        let bytes: Vec<u8> = messages.iter().flat_map(Message::bytes).collect();
        let expected: Vec<_> = messages.into_iter().map(Some).collect();
        prop_assert_eq!(&heard(&bytes, &[]), &expected);
        prop_assert_eq!(&heard(&bytes, &cuts), &expected);
        prop_assert_eq!(&heard(&bytes, &vec![1; bytes.len()]), &expected);
    }

    #[test]
    fn any_bytes_mean_the_same_however_they_are_cut(
        bytes in vec(any::<u8>(), 0..400),
        cuts in vec(0..9usize, 0..90),
    ) {
        prop_assert_eq!(heard(&bytes, &cuts), heard(&bytes, &[]));
    }

    #[test]
    fn noise_costs_the_frame_it_falls_into(
        before in message(),
        hit in message(),
        after in vec(message(), 2..4),
        at in any::<proptest::sample::Index>(),
        flip in 1..=255u8,
    ) {
        let mut damaged = hit.bytes();
        let at = at.index(damaged.len());
        damaged[at] ^= flip;
        let mut bytes = before.bytes();
        bytes.extend(&damaged);
        bytes.extend(after.iter().flat_map(Message::bytes));
        let out = heard(&bytes, &[]);
        prop_assert_eq!(&out[0], &Some(before));
        let tail: Vec<_> = after.into_iter().map(Some).collect();
        prop_assert!(
            out.ends_with(&tail),
            "{:?} does not end with {:?}",
            out,
            tail
        );
    }

    #[test]
    fn a_log_is_read_back(log in vec(token(), 0..200)) {
        let mut bytes = Vec::new();
        log.iter().for_each(|token| token.write(&mut bytes));
        let expected: Vec<_> = log.into_iter().map(Some).collect();
        prop_assert_eq!(tokens(&bytes).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn answers_on_a_bus(answers in vec((0..0x4000u16, answer()), 1..8)) {
        let bytes: Vec<u8> = answers
            .iter()
            .flat_map(|(address, answer)| answer.bytes(*address))
            .collect();
        prop_assert_eq!(
            answered(&bytes),
            answers.into_iter().map(Some).collect::<Vec<_>>()
        );
    }

    #[test]
    fn commands_on_a_bus(
        which in 0..11usize,
        address in 0..0x4000u16,
        at in 0..4usize,
        flip in 1..0x80u8,
    ) {
        let ask = BusAsk::ALL[which];
        let mut bytes = ask.to(address);
        prop_assert_eq!(BusAsk::read(bytes), Some((ask, address)));
        bytes[at] ^= flip;
        prop_assert_ne!(BusAsk::read(bytes), Some((ask, address)));
    }
}
