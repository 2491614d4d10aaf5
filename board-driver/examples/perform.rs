//! Prints a performance as an event script.
//!
//! `perform [--game N] [--sensor piece|colour|occupancy] [--hand tidy|human|hurried|restless|blitz]
//! [--noise 0-5] [--seed N] [--breach CODE@PLY]... [--departure NAME@PLY]... [--next N]
//! [--no-clock] [--kings] [--truth] [--acts]`
//!
//! `--departure` is what nobody puts right ([`board_driver::hand::Departure::ALL`]); `--next` is
//! the number of a game that is played after the first, whose pieces are set up again without a
//! result.

use std::error::Error;

use arbiter_core::shakmaty::Position;
use arbiter_core::{SensorClass, Setup};
use board_driver::hand::{Options, Performance, Style, Wish, games};
use board_driver::hand::{perform_two, perform_with};
use board_driver::noise::{Sensors, script};

struct Wanted {
    game: usize,
    sensor: SensorClass,
    style: Style,
    noise: u8,
    seed: u64,
    next: Option<usize>,
    wishes: Vec<(Wish, u32)>,
    options: Options,
    truth: bool,
    acts: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut wanted = wanted()?;
    let game = game(wanted.game)?;
    wanted.options.result = game.result;
    let played = played(game, &wanted)?;
    if wanted.acts {
        played
            .acts
            .iter()
            .for_each(|act| println!("{:>8} {:?}", act.at.0, act.deed));
        return Ok(());
    }
    let events = Sensors::new(wanted.sensor, wanted.noise, wanted.seed)
        .read(game.start.board(), &played.acts);
    let setup = Setup {
        game: wanted.game.to_string(),
        clock: wanted.options.clock,
        ..Setup::new(wanted.sensor)
    };
    for event in script(setup, &events) {
        println!("{}", serde_json::to_string(&event)?);
    }
    if wanted.truth {
        eprintln!("{}", serde_json::to_string(&played.truth)?);
    }
    for (wish, ply) in played.left_out {
        eprintln!("not possible in this game: {wish}@{ply}");
    }
    Ok(())
}

fn game(number: usize) -> Result<&'static games::Game, String> {
    let all = games::all();
    all.get(number)
        .ok_or_else(|| format!("there are {} games", all.len()))
}

fn played(game: &games::Game, wanted: &Wanted) -> Result<Performance, String> {
    let Wanted {
        style,
        seed,
        options,
        ..
    } = wanted;
    if let Some(next) = wanted.next {
        let next = self::game(next)?;
        return Ok(perform_two(game, next, *style, *seed, options));
    }
    let wishes = &wanted.wishes;
    Ok(perform_with(
        &game.start,
        &game.moves,
        *style,
        *seed,
        wishes,
        options,
    ))
}

fn wanted() -> Result<Wanted, Box<dyn Error>> {
    let mut wanted = Wanted {
        game: 0,
        sensor: SensorClass::Piece,
        style: Style::Human,
        noise: 1,
        seed: 1,
        next: None,
        wishes: Vec::new(),
        options: Options::default(),
        truth: false,
        acts: false,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--game" => wanted.game = value()?.parse()?,
            "--sensor" => wanted.sensor = named(&value()?)?,
            "--hand" => wanted.style = style(&value()?)?,
            "--noise" => wanted.noise = value()?.parse()?,
            "--seed" => wanted.seed = value()?.parse()?,
            "--breach" | "--departure" => wanted.wishes.push(wish(&value()?)?),
            "--next" => wanted.next = Some(value()?.parse()?),
            "--no-clock" => wanted.options.clock = false,
            "--kings" => wanted.options.kings_sign = true,
            "--truth" => wanted.truth = true,
            "--acts" => wanted.acts = true,
            _ => return Err(format!("{arg} is not an option").into()),
        }
    }
    Ok(wanted)
}

fn named<T: serde::de::DeserializeOwned>(name: &str) -> Result<T, Box<dyn Error>> {
    Ok(serde_json::from_value(name.into())?)
}

fn style(name: &str) -> Result<Style, String> {
    match name {
        "tidy" => Ok(Style::Tidy),
        "human" => Ok(Style::Human),
        "hurried" => Ok(Style::Hurried),
        "blitz" => Ok(Style::Blitz),
        "restless" => Ok(Style::Restless),
        _ => Err(format!(
            "{name} is not a hand (tidy, human, hurried, restless or blitz)"
        )),
    }
}

fn wish(text: &str) -> Result<(Wish, u32), Box<dyn Error>> {
    let (name, ply) = text.split_once('@').ok_or("a wish is NAME@PLY")?;
    Ok((named(name)?, ply.parse()?))
}
