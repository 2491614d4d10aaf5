//! `arbiterd doctor PORT --update FILE.uf2`: another firmware for a board with a boot loader that
//! starts when it is asked for. The file is looked at before the board is given up for it, and the
//! board is asked at the end what it runs.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use board_driver::PortSpec;
use board_driver::loader::{Met, meet};
use daemon::uf2::{self, Image, drive};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::Arguments;
use crate::cli::failure::Failure;

/// The usual speed of native boards; those on USB have none.
const BAUD: u32 = 115_200;
/// A drive, and a board that comes back, are waited for so long.
const PATIENCE: Duration = Duration::from_secs(60);
/// And looked for this often.
const LOOK: Duration = Duration::from_millis(200);

/// Exchanges the firmware.
pub(super) async fn run(arguments: &Arguments, file: &Path) -> Result<(), Failure> {
    let mut update = Update {
        port: PortSpec::from(arguments.port.clone()),
        baud: arguments.baud.unwrap_or(BAUD),
        patience: arguments.span.unwrap_or(PATIENCE),
        drive: arguments.drive.clone(),
        json: arguments.json,
    };
    let bytes = fs::read(file)
        .map_err(|error| Failure::bad_input(format_args!("{}: {error}", file.display())))?;
    let image = uf2::read(&bytes).map_err(|what| {
        Failure::bad_input(format_args!(
            "{} is no image for a Raspberry Pi Pico: {what}",
            file.display()
        ))
    })?;
    update.tell_image(file, &image)?;
    let board = update.board(file, &image).await?;
    let (serial, had) = (board.serial.clone(), board.firmware.clone());
    let others = update.drives_before()?;
    update.start_loader(board).await?;
    let drive = update.find_drive(&others).await?;
    update.copy(&bytes, &drive)?;
    let has = update.come_back(&serial).await?;
    update.judge(&image, had.as_deref(), has.as_deref())
}

/// What is exchanged, and how it is told.
struct Update {
    port: PortSpec,
    baud: u32,
    patience: Duration,
    /// The directory that was named.
    drive: Option<PathBuf>,
    json: bool,
}

impl Update {
    /// A line of what goes on.
    fn tell(&self, name: &str, words: &str, mut value: Value) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        if self.json {
            value["event"] = name.into();
            serde_json::to_writer(&mut out, &value).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{name:<10}{words}")?;
        }
        Ok(out.flush()?)
    }

    fn tell_image(&self, file: &Path, image: &Image) -> Result<(), Failure> {
        let firmware = image.firmware.as_deref();
        let words = format!(
            "{}: {}, {} blocks, {:08x} to {:08x}",
            file.display(),
            firmware.unwrap_or("a firmware without a name"),
            image.blocks,
            image.lies.start,
            image.lies.end - 1
        );
        let value = json!({"file": file, "firmware": firmware, "blocks": image.blocks});
        self.tell("image", &words, value)
    }

    fn tell_board(&self, serial: &str, firmware: Option<&str>) -> Result<(), Failure> {
        let words = format!(
            "native {serial}: firmware {}",
            firmware.unwrap_or("without a name")
        );
        self.tell(
            "board",
            &words,
            json!({"serial": serial, "firmware": firmware}),
        )
    }

    /// The board, if its firmware can be exchanged for this one.
    async fn board(&self, file: &Path, image: &Image) -> Result<Met, Failure> {
        let board = meet(&self.port, self.baud).await.map_err(|why| {
            Failure::failed(format_args!(
                "{}: no board answers in the native protocol ({why}); nothing was changed",
                self.port
            ))
        })?;
        self.tell_board(&board.serial, board.firmware.as_deref())?;
        if !board.has_loader {
            return Err(Failure::failed(format_args!(
                "{}: this board cannot start its boot loader by itself. If it is a Pico, hold \
                 BOOTSEL while you plug it in, and copy {} onto the drive RPI-RP2",
                self.port,
                file.display()
            )));
        }
        if let (Some(has), Some(new)) = (&board.firmware, &image.firmware)
            && let (Some(has), Some(new)) = (wiring(has), wiring(new))
            && has != new
        {
            return Err(Failure::bad_input(format_args!(
                "{} is for squares wired as `{new}`, and the board runs a firmware for `{has}`. \
                 If it was wired anew, hold BOOTSEL while you plug it in, and copy the file onto \
                 the drive RPI-RP2",
                file.display()
            )));
        }
        Ok(board)
    }

    /// Drives of other boards: what is there before is not this one's.
    fn drives_before(&self) -> Result<Vec<PathBuf>, Failure> {
        let before = drive::mounted()
            .map_err(|error| Failure::failed(format_args!("what is mounted: {error}")))?;
        match &self.drive {
            Some(named) if drive::is_one(named) && before.contains(named) => {
                Err(Failure::failed(format_args!(
                    "{} is the drive of another board already: unplug that one first",
                    named.display()
                )))
            }
            Some(named) if !named.is_dir() => Err(Failure::bad_input(format_args!(
                "{} is no directory",
                named.display()
            ))),
            _ => Ok(before),
        }
    }

    async fn start_loader(&self, board: Met) -> Result<(), Failure> {
        let has_gone = board.start_loader().await.map_err(|why| {
            Failure::failed(format_args!(
                "{}: the board does not start its boot loader ({why}); nothing was changed",
                self.port
            ))
        })?;
        let words = if has_gone {
            "the board has left its port"
        } else {
            "asked for"
        };
        self.tell("loader", words, json!({"gone": has_gone}))
    }

    /// The drive that the board is now.
    async fn find_drive(&mut self, others: &[PathBuf]) -> Result<PathBuf, Failure> {
        let (until, mut hinted) = (Instant::now() + self.patience, false);
        loop {
            let mut found = match &self.drive {
                Some(named) => vec![named.clone()],
                None => drive::mounted()?,
            };
            found.retain(|at| drive::is_one(at) && !others.contains(at));
            match &found[..] {
                [one] => {
                    let words = one.display().to_string();
                    self.tell("drive", &words, json!({"path": one}))?;
                    return Ok(one.clone());
                }
                [] => {}
                [first, second, ..] => {
                    return Err(Failure::failed(format_args!(
                        "two drives RPI-RP2 have come, {} and {}: copy the file by hand, or \
                         unplug one and name the other with --drive",
                        first.display(),
                        second.display()
                    )));
                }
            }
            if let Some(device) = drive::device().filter(|_| !hinted) {
                hinted = true;
                let words = format!(
                    "{} is there; if it is not mounted soon: mount {0} DIRECTORY",
                    device.display()
                );
                self.tell("notice", &words, json!({"device": device}))?;
            }
            if Instant::now() >= until {
                return Err(self.no_drive());
            }
            sleep(LOOK).await;
        }
    }

    fn no_drive(&self) -> Failure {
        let seconds = self.patience.as_secs_f32();
        let place = match &self.drive {
            Some(named) => format!("in {}", named.display()),
            None => "among what is mounted".to_owned(),
        };
        Failure::failed(format_args!(
            "no drive RPI-RP2 was seen {place} within {seconds:.0} s. The board waits in its boot \
             loader: mount the drive and copy the file onto it, or unplug the board and plug it in \
             again, and it is as it was"
        ))
    }

    fn copy(&self, bytes: &[u8], drive: &Path) -> Result<(), Failure> {
        let (all, mut failed) = (bytes.len(), None);
        drive::copy(bytes, drive, |written| {
            let words = format!("{written} of {all} bytes, {} %", written * 100 / all);
            let value = json!({"bytes": written, "of": all});
            failed = self.tell("copied", &words, value).err().or(failed.take());
        })
        .map_err(|error| {
            Failure::failed(format_args!(
                "{}: {error}. The board waits in its boot loader: copy the file by hand",
                drive.display()
            ))
        })?;
        failed.map_or(Ok(()), Err)
    }

    /// Waits for the board; what its firmware calls itself now.
    async fn come_back(&self, serial: &str) -> Result<Option<String>, Failure> {
        let until = Instant::now() + self.patience;
        loop {
            let met = meet(&self.port, self.baud).await;
            match met {
                Ok(board) if board.serial == serial => {
                    self.tell_board(serial, board.firmware.as_deref())?;
                    return Ok(board.firmware);
                }
                Ok(board) if Instant::now() >= until => {
                    return Err(Failure::failed(format_args!(
                        "{}: {} is there, and not {serial}, which was updated",
                        self.port, board.serial
                    )));
                }
                Err(why) if Instant::now() >= until => {
                    return Err(Failure::failed(format_args!(
                        "{}: the file was copied, and the board has not come back within {:.0} s \
                         ({why}). `arbiterd ports --probe` tells where it is",
                        self.port,
                        self.patience.as_secs_f32()
                    )));
                }
                _ => sleep(LOOK).await,
            }
        }
    }

    /// Whether it runs what was in the file.
    fn judge(&self, image: &Image, had: Option<&str>, has: Option<&str>) -> Result<(), Failure> {
        let wanted = image.firmware.as_deref();
        match (wanted, has) {
            (Some(wanted), Some(has)) if wanted != has => Err(Failure::failed(format_args!(
                "{}: the board runs `{has}`, and `{wanted}` was copied",
                self.port
            ))),
            (Some(wanted), None) => Err(Failure::failed(format_args!(
                "{}: the board does not say what it runs, and `{wanted}` was copied",
                self.port
            ))),
            (None, _) => {
                let words = "copied; the file does not say what it is, so nothing was compared";
                self.tell("notice", words, json!({"had": had, "has": has}))
            }
            (Some(_), Some(has)) => {
                let before = had.unwrap_or("a firmware without a name");
                let words = if had == Some(has) {
                    format!("{has}, as before")
                } else {
                    format!("{has}, in place of {before}")
                };
                self.tell("updated", &words, json!({"had": had, "has": has}))
            }
        }
    }
}

/// How the squares are wired for a firmware of ours: `pico-hall-lamps 0.1.0` is for `hall`.
fn wiring(firmware: &str) -> Option<&'static str> {
    let rest = firmware.strip_prefix("pico-")?;
    ["matrix", "shift-register", "hall"]
        .into_iter()
        .find(|wiring| rest.starts_with(wiring))
}
