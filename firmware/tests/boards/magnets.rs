//! Disc magnets over linear Hall sensors: which are read how far out of the middle, and when beside
//! a piece, or too near to it, something wrong is read.
//!
//! The magnet is a cylinder that is magnetised evenly along its axis: to the outside it is a sheet
//! of current around its rim, whose field is summed by Biot and Savart. The sensor is a DRV5055A2
//! on 3.3 V, 30 mV for a millitesla (SBAS640, "Magnetic Sensitivity Options"), behind a converter
//! of 12 bits; what decides is the scanner itself.

use std::convert::Infallible;
use std::f64::consts::{PI, TAU};
use std::fmt::Write;

use embedded_hal::digital::{ErrorType, OutputPin};
use embedded_hal_mock::eh1::delay::NoopDelay;
use firmware::scan::{AdcFn, Hall, HallSettings, Scan};

/// A disc magnet. Lengths are in millimetres.
#[derive(Clone, Copy)]
struct Disc {
    diameter: f64,
    thickness: f64,
    /// Its remanence in tesla.
    remanence: f64,
}

/// The remanence of two usual grades in tesla, the least that makers promise of N35 and the usual
/// of N42.
const N35: f64 = 1.17;
const N42: f64 = 1.30;

/// Out of the middle a piece may stand so far, and is to be read: the bring-up's own test.
const ASTRAY: f64 = 12.0;
/// The smallest squares that the guide is for.
const SQUARE: f64 = 50.0;

impl Disc {
    const fn of(diameter: f64, thickness: f64, remanence: f64) -> Disc {
        Disc {
            diameter,
            thickness,
            remanence,
        }
    }

    /// The upright part of the field in millitesla, `gap` below the magnet's lower face and
    /// `beside` its axis.
    fn field(&self, gap: f64, beside: f64) -> f64 {
        const ROUND: usize = 72;
        const HEIGHT: usize = 8;
        let radius = self.diameter / 2.0;
        let ring = |z: f64| -> f64 {
            let part = |n| {
                let along = radius * (TAU * (f64::from(n as u16) + 0.5) / ROUND as f64).cos();
                let distance = radius * radius + beside * beside + z * z - 2.0 * beside * along;
                radius * (radius - beside * along / radius) / distance.powf(1.5)
            };
            (0..ROUND).map(part).sum::<f64>() * TAU / ROUND as f64
        };
        let height = self.thickness / HEIGHT as f64;
        let sheet: f64 = (0..HEIGHT)
            .map(|n| ring(gap + (n as f64 + 0.5) * height))
            .sum();
        1000.0 * self.remanence / (4.0 * PI) * sheet * height
    }

    /// What a square reads whose sensor is there, with a light or a dark piece: `L`, `D`, `.` or
    /// `!` for a sensor that is not believed.
    fn read(&self, gap: f64, beside: f64, dark: bool) -> char {
        let counts = self.field(gap, beside) * 0.030 / 3.3 * 4095.0;
        let level = 2048.0 + if dark { -counts } else { counts };
        read(level.clamp(0.0, 4095.0) as u16)
    }

    /// How far out of the middle a light piece is read, in steps of half a millimetre.
    fn reach(&self, gap: f64) -> f64 {
        let read = steps(0.0, SQUARE).take_while(|beside| self.read(gap, *beside, false) == 'L');
        read.last().unwrap_or(0.0)
    }

    /// Whether a light piece is anywhere read as a dark one.
    fn turns(&self, gap: f64) -> bool {
        steps(0.0, SQUARE).any(|beside| self.read(gap, beside, false) == 'D')
    }

    /// Whether it can be used so: pieces of both colours are read as what they are wherever they
    /// may stand, never as something else, and on no neighbour's square.
    fn is_good(&self, gap: f64) -> bool {
        [false, true].into_iter().all(|dark| {
            let own = if dark { 'D' } else { 'L' };
            steps(0.0, ASTRAY).all(|beside| self.read(gap, beside, dark) == own)
                && steps(ASTRAY, SQUARE - ASTRAY)
                    .all(|beside| [own, '.'].contains(&self.read(gap, beside, dark)))
                && steps(SQUARE - ASTRAY, 2.0 * SQUARE)
                    .all(|beside| self.read(gap, beside, dark) == '.')
        })
    }
}

fn steps(from: f64, to: f64) -> impl Iterator<Item = f64> {
    (0..)
        .map(move |n| from + f64::from(n) / 2.0)
        .take_while(move |beside| *beside <= to)
}

struct NoPin;

impl ErrorType for NoPin {
    type Error = Infallible;
}

impl OutputPin for NoPin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// What the scanner makes of a level.
fn read(level: u16) -> char {
    let adc = AdcFn::new(4095, |_| Ok::<u16, Infallible>(level));
    let settings = HallSettings::for_full_scale(4095);
    let pins = [NoPin, NoPin, NoPin, NoPin];
    let mut hall = Hall::new(adc, pins, NoopDelay::new(), settings, Some([2048; 64]));
    let reading = hall.scan().expect("sensors that can be read");
    match [reading.stuck, reading.occupied, reading.dark].map(|word| word & 1 == 1) {
        [true, ..] => '!',
        [_, false, _] => '.',
        [_, _, false] => 'L',
        _ => 'D',
    }
}

/// On the axis there is a formula: half of the remanence by the difference of two cosines; and far
/// away, a magnet is a dipole.
#[test]
fn the_model_is_the_field_of_a_disc() {
    let disc = Disc::of(15.0, 3.0, N42);
    for gap in [3.0, 9.0, 30.0] {
        let cosine = |z: f64| z / z.hypot(disc.diameter / 2.0);
        let formula = 500.0 * N42 * (cosine(gap + disc.thickness) - cosine(gap));
        assert!((disc.field(gap, 0.0) / formula - 1.0).abs() < 0.01);
    }
    let moment = 1000.0 * N42 * PI * 7.5 * 7.5 * 3.0 / (4.0 * PI);
    let (z, beside) = (200.0, 150.0);
    let r = f64::hypot(z + 1.5, beside);
    let dipole = moment * (3.0 * (z + 1.5).powi(2) / r.powi(5) - r.powi(-3));
    assert!((disc.field(z, beside) / dipole - 1.0).abs() < 0.01);
}

#[test]
fn a_small_disc_is_read_within_eight_millimetres_only() {
    for gap in steps(2.0, 16.0) {
        assert!(Disc::of(10.0, 2.0, N42).reach(gap) <= 8.0, "{gap} mm");
    }
}

#[test]
fn fifteen_by_three_is_good_at_nine_to_twelve_millimetres() {
    for gap in steps(9.0, 12.0) {
        assert!(Disc::of(15.0, 3.0, N42).is_good(gap), "{gap} mm");
    }
    for gap in steps(10.0, 12.0) {
        assert!(Disc::of(15.0, 3.0, N35).is_good(gap), "{gap} mm, N35");
    }
    assert!(!Disc::of(15.0, 3.0, N42).is_good(8.0));
    assert!(!Disc::of(15.0, 3.0, N42).is_good(16.0));
}

/// A field that drives the output to its end is a light piece above, and cannot be told from a
/// broken sensor below: the gap has to be wide enough.
#[test]
fn too_near_a_light_piece_is_read_and_a_dark_one_is_not() {
    let disc = Disc::of(15.0, 3.0, N42);
    assert_eq!(
        [false, true].map(|dark| disc.read(5.0, 0.0, dark)),
        ['L', '!']
    );
    assert_eq!(
        [false, true].map(|dark| disc.read(9.0, 0.0, dark)),
        ['L', 'D']
    );
}

#[test]
fn beside_a_wide_disc_that_is_near_the_other_colour_is_read() {
    assert!(Disc::of(20.0, 3.0, N42).turns(5.0));
    assert!(Disc::of(20.0, 3.0, N35).turns(5.0));
    assert!(!Disc::of(15.0, 3.0, N42).turns(9.0));
}

/// The table of the guide is the model's.
#[test]
fn the_guide_has_the_table() {
    const GAPS: [f64; 7] = [3.0, 5.0, 7.0, 9.0, 10.0, 12.0, 14.0];
    let mut table = String::from("| disc, N42 |");
    GAPS.iter()
        .for_each(|gap| write!(table, " {gap} mm |").unwrap());
    table += "\n|---|---|---|---|---|---|---|---|\n";
    for (diameter, thickness) in [(10, 2), (10, 3), (12, 3), (15, 2), (15, 3), (20, 3)] {
        let disc = Disc::of(f64::from(diameter), f64::from(thickness), N42);
        write!(table, "| {diameter} × {thickness} mm |").unwrap();
        for gap in GAPS {
            let near = if disc.read(gap, 0.0, true) == '!' {
                " n"
            } else {
                ""
            };
            let turns = if disc.turns(gap) { " o" } else { "" };
            let good = if disc.is_good(gap) { "**" } else { "" };
            write!(table, " {good}{}{good}{near}{turns} |", disc.reach(gap)).unwrap();
        }
        table.push('\n');
    }
    let guide = include_str!("../../../docs/hardware.md");
    assert!(guide.contains(&table), "the table is now:\n\n{table}");
}
