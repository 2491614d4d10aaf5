//! Prints a performance as an event script.
//!
//! `perform [--game N] [--sensor piece|colour|occupancy] [--hand tidy|human|hurried|restless]
//! [--noise 0-5] [--seed N] [--breach CODE@PLY]... [--no-clock] [--kings] [--truth] [--acts]`

use std::error::Error;

use arbiter_core::irregularity::Code;
use arbiter_core::shakmaty::Position;
use arbiter_core::{SensorClass, Setup};
use board_driver::hand::{Options, Style, games, perform};
use board_driver::noise::{Sensors, script};

struct Wish {
    game: usize,
    sensor: SensorClass,
    style: Style,
    noise: u8,
    seed: u64,
    breaches: Vec<(Code, u32)>,
    options: Options,
    truth: bool,
    acts: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut wish = wish()?;
    let game = games::all()
        .get(wish.game)
        .ok_or_else(|| format!("there are {} games", games::all().len()))?;
    wish.options.result = game.result;
    let played = perform(
        &game.start,
        &game.moves,
        wish.style,
        wish.seed,
        &wish.breaches,
        &wish.options,
    );
    if wish.acts {
        played
            .acts
            .iter()
            .for_each(|act| println!("{:>8} {:?}", act.at.0, act.deed));
        return Ok(());
    }
    let events =
        Sensors::new(wish.sensor, wish.noise, wish.seed).read(game.start.board(), &played.acts);
    let setup = Setup {
        game: wish.game.to_string(),
        clock: wish.options.clock,
        ..Setup::new(wish.sensor)
    };
    for event in script(setup, &events) {
        println!("{}", serde_json::to_string(&event)?);
    }
    if wish.truth {
        eprintln!("{}", serde_json::to_string(&played.truth)?);
    }
    for breach in played.left_out {
        eprintln!("not possible in this game: {}@{}", breach.code, breach.ply);
    }
    Ok(())
}

fn wish() -> Result<Wish, Box<dyn Error>> {
    let mut wish = Wish {
        game: 0,
        sensor: SensorClass::Piece,
        style: Style::Human,
        noise: 1,
        seed: 1,
        breaches: Vec::new(),
        options: Options::default(),
        truth: false,
        acts: false,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--game" => wish.game = value()?.parse()?,
            "--sensor" => wish.sensor = named(&value()?)?,
            "--hand" => wish.style = style(&value()?)?,
            "--noise" => wish.noise = value()?.parse()?,
            "--seed" => wish.seed = value()?.parse()?,
            "--breach" => wish.breaches.push(breach(&value()?)?),
            "--no-clock" => wish.options.clock = false,
            "--kings" => wish.options.kings_sign = true,
            "--truth" => wish.truth = true,
            "--acts" => wish.acts = true,
            _ => return Err(format!("{arg} is not an option").into()),
        }
    }
    Ok(wish)
}

fn named<T: serde::de::DeserializeOwned>(name: &str) -> Result<T, Box<dyn Error>> {
    Ok(serde_json::from_value(name.into())?)
}

fn style(name: &str) -> Result<Style, String> {
    match name {
        "tidy" => Ok(Style::Tidy),
        "human" => Ok(Style::Human),
        "hurried" | "blitz" => Ok(Style::Hurried),
        "restless" => Ok(Style::Restless),
        _ => Err(format!(
            "{name} is not a hand (tidy, human, hurried or restless)"
        )),
    }
}

fn breach(text: &str) -> Result<(Code, u32), Box<dyn Error>> {
    let (code, ply) = text.split_once('@').ok_or("a breach is CODE@PLY")?;
    Ok((named(code)?, ply.parse()?))
}
