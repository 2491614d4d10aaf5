//! `arbiterd ports`: serial ports with their USB ids, and which board answers.

use std::io::{self, Write};
use std::path::PathBuf;

use board_driver::transport::PortInfo;
use board_driver::{FaultReason, PortSpec, Probed, ports};
use clap::Args;
use serde::Serialize;

use super::failure::Failure;
use super::runtime;
use super::terminal::Screen;

/// List the serial ports of this machine, and the boards on them.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd ports --probe")]
pub(crate) struct Arguments {
    /// Only these ports, whether the system lists them or not
    #[arg(value_name = "PORT")]
    only: Vec<PathBuf>,
    /// Open each port and find out which board answers; takes some seconds
    #[arg(long)]
    probe: bool,
    /// Write one JSON object a line
    #[arg(long)]
    json: bool,
}

/// One port as it is shown.
#[derive(Serialize)]
struct Row {
    port: String,
    /// `vendor:product`, in hexadecimal.
    usb: Option<String>,
    usb_serial: Option<String>,
    product: Option<String>,
    /// What answers; absent when nobody asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<Board>,
}

/// What answers on a port.
#[derive(Serialize)]
struct Board {
    /// The kind, as configured with `kind`.
    kind: Option<&'static str>,
    /// Absent where boards of this kind tell none.
    serial: Option<String>,
    sensor: Option<arbiter_core::SensorClass>,
    clock: Option<bool>,
    /// What its firmware calls itself, where it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    firmware: Option<String>,
    /// Why nothing was learned.
    fault: Option<String>,
}

/// Lists the ports.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let listed = ports().map_err(Failure::failed)?;
    let mut rows: Vec<Row> = match &arguments.only[..] {
        [] => listed.into_iter().map(Row::of).collect(),
        only => only
            .iter()
            .map(|path| named(&listed, path.display().to_string()))
            .collect(),
    };
    if arguments.probe {
        probe(&mut rows)?;
    }
    let mut out = io::stdout().lock();
    if arguments.json {
        for row in &rows {
            serde_json::to_writer(&mut out, row).map_err(io::Error::from)?;
            out.write_all(b"\n")?;
        }
    } else if rows.is_empty() {
        eprintln!("no serial ports; is a board plugged in?");
    } else {
        let headings = ["PORT", "USB", "SERIAL NUMBER", "PRODUCT", "BOARD"];
        let shown = if arguments.probe {
            &headings[..]
        } else {
            &headings[..4]
        };
        out.write_all(
            Screen::stdout()
                .table(shown, &rows.iter().map(Row::cells).collect::<Vec<_>>())
                .as_bytes(),
        )?;
    }
    out.flush()?;
    // Whoever names a port wants that one; a list of all of them may well hold some without a
    // board.
    let silent = rows
        .iter()
        .filter_map(|row| row.board.as_ref()?.fault.clone())
        .next();
    silent
        .filter(|_| !arguments.only.is_empty())
        .map_or(Ok(()), |fault| Err(Failure::failed(fault)))
}

fn named(listed: &[PortInfo], path: String) -> Row {
    match listed.iter().find(|port| port.path == path) {
        Some(port) => Row::of(port.clone()),
        None => Row::of(PortInfo { path, usb: None }),
    }
}

impl Row {
    fn of(port: PortInfo) -> Row {
        let usb = port.usb.as_ref();
        Row {
            usb: usb.map(|usb| format!("{:04x}:{:04x}", usb.vid, usb.pid)),
            usb_serial: usb.and_then(|usb| usb.serial.clone()),
            product: usb.and_then(|usb| usb.product.clone()),
            port: port.path,
            board: None,
        }
    }

    fn cells(&self) -> Vec<String> {
        let text = |cell: &Option<String>| cell.clone().unwrap_or_else(|| "-".to_owned());
        let mut cells = vec![
            self.port.clone(),
            text(&self.usb),
            text(&self.usb_serial),
            text(&self.product),
        ];
        cells.extend(self.board.as_ref().map(Board::describe));
        cells
    }
}

impl Board {
    fn describe(&self) -> String {
        match self {
            Board {
                kind: Some(kind),
                serial,
                sensor: Some(sensor),
                clock,
                firmware,
                ..
            } => {
                let firmware = firmware.as_ref();
                let firmware = firmware.map_or(String::new(), |name| format!(", {name}"));
                let clock = if *clock == Some(true) { ", clock" } else { "" };
                let serial = serial
                    .as_ref()
                    .map_or(String::new(), |serial| format!(" {serial}"));
                format!(
                    "{kind}:{serial} ({}{clock}{firmware})",
                    format!("{sensor:?}").to_lowercase()
                )
            }
            Board { fault, .. } => fault.clone().unwrap_or_default(),
        }
    }
}

/// Asks on every port at once.
fn probe(rows: &mut [Row]) -> Result<(), Failure> {
    runtime()?.block_on(async {
        let asked: Vec<_> = rows
            .iter()
            .map(|row| tokio::spawn(ask(row.port.clone())))
            .collect();
        for (row, answer) in rows.iter_mut().zip(asked) {
            let answer = answer.await.map_err(Failure::failed)?;
            row.board = Some(match answer {
                Ok(Probed {
                    kind,
                    info,
                    firmware,
                }) => Board {
                    kind: Some(kind.name()),
                    serial: Some(info.serial).filter(|serial| !serial.is_empty()),
                    sensor: Some(info.sensor),
                    clock: Some(info.clock),
                    firmware,
                    fault: None,
                },
                Err(fault) => Board {
                    kind: None,
                    serial: None,
                    sensor: None,
                    clock: None,
                    firmware: None,
                    fault: Some(daemon::doctor::holder::explained(&fault)),
                },
            });
        }
        Ok(())
    })
}

/// Who answers on a port.
async fn ask(port: String) -> Result<Probed, FaultReason> {
    board_driver::probe(&PortSpec::from(PathBuf::from(port))).await
}
