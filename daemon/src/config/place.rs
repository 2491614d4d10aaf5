//! Where a board is found: its port, and on a line of many its address.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use board_driver::protocol::HIGHEST_ADDRESS;
use board_driver::{BoardKind, PortSpec};

use super::sheet::{Found, Section, Sheet};

/// Where a board is found.
pub(super) struct Place {
    pub(super) port: PortSpec,
    /// Its address, if it shares the port.
    pub(super) address: Option<u16>,
}

/// The places that are taken, each with its line.
#[derive(Default)]
pub(super) struct Taken(HashMap<PortSpec, Vec<(Option<u16>, usize)>>);

/// A board's place; a relative path starts at `base`. Boards on a bus share a port and differ by
/// address; any other has its port to itself.
pub(super) fn place<'t>(
    sheet: &mut Sheet<'t>,
    section: &mut Section<'t>,
    (kind, base): (Option<BoardKind>, &Path),
    taken: &mut Taken,
) -> Option<Place> {
    let port = port(sheet, section);
    let address = address(sheet, section, kind);
    let (line, key, port) = port?;
    let port = match port {
        PortSpec::Path(path) => PortSpec::Path(base.join(path)),
        port => port,
    };
    let others = taken.0.entry(port.clone()).or_default();
    let is_in_the_way = |other: &&(Option<u16>, usize)| match (other.0, &address) {
        (Some(other), Some((address, _))) => other == *address,
        _ => true,
    };
    if let Some((_, first)) = others.iter().find(is_in_the_way).copied() {
        let (line, key) = address.map_or((line, key), |(_, line)| (line, "board.address"));
        sheet.blame(
            line,
            key,
            format!("{port} is already used by the board of line {first}"),
        );
    }
    let address = address.map(|(address, _)| address);
    others.push((address, line));
    Some(Place { port, address })
}

fn port<'t>(
    sheet: &mut Sheet<'t>,
    section: &mut Section<'t>,
) -> Option<(usize, &'static str, PortSpec)> {
    let before = sheet.problems.len();
    let path = sheet
        .take::<PathBuf>(section, "port")
        .map(|f| (f.line, "board.port", PortSpec::from(f.value)));
    let usb = sheet
        .take(section, "usb-serial")
        .map(|f| (f.line, "board.usb-serial", PortSpec::Usb(f.value)));
    let (line, key, port) = match (path, usb) {
        (Some(found), None) | (None, Some(found)) => found,
        (Some(_), Some((line, ..))) => {
            sheet.blame(
                line,
                "board.usb-serial",
                "give `port` or `usb-serial`, not both",
            );
            return None;
        }
        (None, None) => {
            if sheet.problems.len() == before {
                sheet.blame(
                    section.line,
                    "board.port",
                    "is missing; give the board a `port` or a `usb-serial`",
                );
            }
            return None;
        }
    };
    let is_empty = match &port {
        PortSpec::Path(path) => path.as_os_str().is_empty(),
        PortSpec::Usb(text) | PortSpec::Bluetooth(text) | PortSpec::Tcp(text) => text.is_empty(),
    };
    if is_empty {
        sheet.blame(
            line,
            key,
            "is empty; name the device, `arbiterd ports` lists them",
        );
    }
    Some((line, key, port))
}

/// The address on a bus, with its line: there must be one there, and none elsewhere.
fn address<'t>(
    sheet: &mut Sheet<'t>,
    section: &mut Section<'t>,
    kind: Option<BoardKind>,
) -> Option<(u16, usize)> {
    let before = sheet.problems.len();
    let found = sheet.take::<u16>(section, "address");
    let is_on_bus = kind == Some(BoardKind::DgtBus);
    match found {
        Some(Found { line, .. }) if !is_on_bus => {
            sheet.blame(
                line,
                "board.address",
                "only boards on a bus have one (kind \"dgt-bus\"); leave it out",
            );
        }
        Some(Found { value, line }) if (1..=HIGHEST_ADDRESS).contains(&value) => {
            return Some((value, line));
        }
        Some(Found { line, .. }) => {
            let what = format!("is the board's serial number, from 1 to {HIGHEST_ADDRESS}");
            sheet.blame(line, "board.address", what);
        }
        None if is_on_bus && sheet.problems.len() == before => {
            let what = "is missing; on a bus a board is found by its serial number, such as 1025";
            sheet.blame(section.line, "board.address", what);
        }
        None => {}
    }
    None
}
