//! How a board is reached, as people say it.

use std::path::{Path, PathBuf};

use board_driver::{BoardKind, PortSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::WiringError;
use crate::config::BoardConfig;

/// How a board is reached.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
pub struct Line {
    /// Its device or address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<String>,
    /// Or the serial number of its USB device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usb_serial: Option<String>,
    /// The language it speaks; `None`: whatever answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The port's speed in bits a second; `None`: the kind's usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baud: Option<u32>,
    /// Its address on a bus.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<u16>,
}

/// What is to be otherwise; what is left out stays as it is.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
#[schemars(rename = "PortChange")]
pub struct Change {
    /// The device, such as `/dev/ttyUSB0`, or `bluetooth:ADDRESS`, or `tcp://HOST:PORT`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<String>,
    /// Or the serial number of its USB device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usb_serial: Option<String>,
    /// The kind of board, or `auto`: whatever answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The port's speed in bits a second; 0 is the kind's usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baud: Option<u32>,
}

impl Line {
    /// How a board is reached now.
    pub(super) fn of(board: &BoardConfig) -> Line {
        let (port, usb_serial) = match &board.port {
            PortSpec::Usb(serial) => (None, Some(serial.clone())),
            port => (Some(port.to_string()), None),
        };
        Line {
            port,
            usb_serial,
            kind: board.kind.map(|kind| kind.name().to_owned()),
            baud: board.baud,
            address: board.address,
        }
    }

    /// How a new board is reached.
    pub(super) fn new(change: &Change) -> Result<Line, WiringError> {
        if change.port.is_none() && change.usb_serial.is_none() {
            return Err(bad("name a port: `arbiterd ports` lists them"));
        }
        Line::default().changed(change)
    }

    /// How it is reached from now on.
    pub(super) fn changed(mut self, change: &Change) -> Result<Line, WiringError> {
        let Change {
            port,
            usb_serial,
            kind,
            baud,
        } = change.clone();
        match (port, usb_serial) {
            (Some(_), Some(_)) => return Err(bad("give `port` or `usb-serial`, not both")),
            (None, None) => {}
            (port, usb_serial) => (self.port, self.usb_serial) = (port, usb_serial),
        }
        let named = [&self.port, &self.usb_serial];
        if named
            .into_iter()
            .flatten()
            .any(|name| name.trim().is_empty())
        {
            return Err(bad("the port has no name: `arbiterd ports` lists them"));
        }
        // Whoever orders it and the daemon need not be in one directory.
        if let PortSpec::Path(path) = self.spec()
            && change.port.is_some()
            && path.is_relative()
        {
            let what = format!(
                "`{}` is no whole path: write it from / on, such as /dev/ttyUSB0",
                path.display()
            );
            return Err(WiringError::Bad(what));
        }
        match kind.as_deref() {
            None => {}
            Some("auto") => self.kind = None,
            Some(name) => self.kind = Some(known(name)?.name().to_owned()),
        }
        self.baud = baud.or(self.baud).filter(|baud| *baud > 0);
        if self.kind.as_deref() == Some(BoardKind::DgtBus.name()) {
            let what = "boards on a bus share their port, and are connected in the configuration";
            return Err(bad(what));
        }
        self.address = None;
        Ok(self)
    }

    /// Where it is.
    pub(super) fn spec(&self) -> PortSpec {
        match (&self.usb_serial, &self.port) {
            (Some(serial), _) => PortSpec::Usb(serial.clone()),
            (None, port) => PortSpec::from(PathBuf::from(port.as_deref().unwrap_or_default())),
        }
    }

    pub(super) fn apply_to(&self, board: &mut BoardConfig) {
        board.port = self.spec();
        // What an older version wrote is known to this one.
        board.kind = self.kind.as_deref().and_then(|name| name.parse().ok());
        (board.baud, board.address) = (self.baud, self.address);
    }
}

fn known(name: &str) -> Result<BoardKind, WiringError> {
    name.parse::<BoardKind>().map_err(WiringError::Bad)
}

fn bad(what: &str) -> WiringError {
    WiringError::Bad(what.to_owned())
}

/// Whether two names are of one port: a link and what it leads to are, and so are two ways to one
/// place, though nothing is plugged in there now.
pub(super) fn is_same_port(one: &PortSpec, other: &PortSpec) -> bool {
    let in_its_folder = |path: &Path| {
        let path = std::path::absolute(path).ok()?;
        let folder = path.parent()?.canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    let real = |path: &Path| {
        let there = path.canonicalize().ok();
        let known = there.or_else(|| in_its_folder(path));
        known.unwrap_or_else(|| path.to_owned())
    };
    match (one, other) {
        (PortSpec::Path(one), PortSpec::Path(other)) => real(one) == real(other),
        _ => one == other,
    }
}
