//! From the text to a [`Config`].

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use board_wire::Serial;
use firmware::debounce::Depth;
use serde::Deserialize;

use super::values::{depth, serial_number};
use super::{
    Config, ControlsConfig, ExpandersConfig, Gpio, HallConfig, LampsConfig, Problem, Rate,
};
use super::{Sensors, Serve, ShiftRegistersConfig, State};

/// What `firmware::scan::Expanders` asks for.
const EXPANDERS_DEPTH: Depth = Depth::new(4).unwrap();

/// The file as it is written.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Sheet {
    #[serde(deserialize_with = "serial_number")]
    serial_number: Serial,
    serve: ServeSheet,
    #[serde(default)]
    scan: ScanSheet,
    #[serde(default)]
    gpio: Gpio,
    shift_registers: Option<ShiftRegistersConfig>,
    expanders: Option<ExpandersConfig>,
    hall: Option<HallConfig>,
    controls: Option<ControlsConfig>,
    lamps: Option<LampsConfig>,
    #[serde(default)]
    state: State,
}

#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct ServeSheet {
    port: Option<PathBuf>,
    baud: Option<u32>,
    pty: Option<PathBuf>,
    group: Option<String>,
    tcp: Option<SocketAddr>,
}

#[derive(Clone, Copy, Default, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct ScanSheet {
    rate: Option<Rate>,
    #[serde(default, deserialize_with = "depth")]
    debounce: Depth,
}

impl FromStr for Config {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Config, Problem> {
        let sheet: Sheet = toml::from_str(text).map_err(|error| {
            let line = error
                .span()
                .map_or(0, |span| 1 + text[..span.start].matches('\n').count());
            Problem {
                line,
                what: error.message().replace('\n', " "),
            }
        })?;
        sheet.config().map_err(|what| Problem { line: 0, what })
    }
}

impl Sheet {
    fn config(self) -> Result<Config, String> {
        let serve = self.serve.serve()?;
        let kinds = [
            self.shift_registers.map(Sensors::ShiftRegisters),
            self.expanders.map(Sensors::Expanders),
            self.hall.map(Sensors::Hall),
        ];
        let mut kinds = kinds.into_iter().flatten();
        let (Some(sensors), None) = (kinds.next(), kinds.next()) else {
            return Err(
                "one of [shift-registers], [expanders] and [hall] must say how the squares \
                 are wired"
                    .into(),
            );
        };
        if let Sensors::Hall(hall) = &sensors
            && hall.settings().off >= hall.settings().on
        {
            return Err(
                "[hall] `off` must be less than `on`: between them a square stays what it was"
                    .into(),
            );
        }
        if matches!(sensors, Sensors::Expanders(_)) && self.scan.debounce < EXPANDERS_DEPTH {
            return Err(
                "[scan] `debounce` must be 4 or more with [expanders]: that a chip lost its \
                 settings is noticed in the fourth scan"
                    .into(),
            );
        }
        let rate = self.scan.rate.unwrap_or_else(|| sensors.usual_rate());
        let (debounce, gpio, serial_number) = (self.scan.debounce, self.gpio, self.serial_number);
        let Sheet {
            controls,
            lamps,
            state,
            ..
        } = self;
        Ok(Config {
            serial_number,
            serve,
            rate,
            debounce,
            gpio,
            sensors,
            controls,
            lamps,
            state,
        })
    }
}

impl ServeSheet {
    fn serve(self) -> Result<Serve, String> {
        let ServeSheet {
            port,
            baud,
            pty,
            group,
            tcp,
        } = self;
        if baud.is_some() && port.is_none() {
            return Err("[serve] `baud` is the speed of a `port`; leave it out".into());
        }
        if group.is_some() && pty.is_none() {
            return Err("[serve] `group` may open a `pty`; leave it out".into());
        }
        match (port, pty, tcp) {
            (Some(path), None, None) => Ok(Serve::Port {
                path,
                baud: baud.unwrap_or(Serve::BAUD),
            }),
            (None, Some(link), None) => Ok(Serve::Pty { link, group }),
            (None, None, Some(address)) => Ok(Serve::Tcp(address)),
            _ => Err("[serve] must name one of `port`, `pty` and `tcp`".into()),
        }
    }
}
