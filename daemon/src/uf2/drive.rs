//! The drive that a Raspberry Pi Pico is while its boot loader runs: whatever is copied onto it as
//! UF2 is written to flash, and the drive vanishes with the last block.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// The file by which such a drive is known (the format's "INFO_UF2.TXT"), and what it says of the
/// board: RP2040 data sheet, section 2.8.4.1.
const INFO: &str = "INFO_UF2.TXT";
const BOARD: &str = "RPI-RP2";

/// Where systems with udev name a drive that is there, mounted or not.
const BY_LABEL: &str = "/dev/disk/by-label/RPI-RP2";

/// How much is written before the drive has to have it.
const PIECE: usize = 16 * 1024;

/// Whether this directory is such a drive.
pub fn is_one(directory: &Path) -> bool {
    fs::read_to_string(directory.join(INFO)).is_ok_and(|text| text.contains(BOARD))
}

/// Such drives among the file systems that are mounted.
///
/// # Errors
/// When the system does not tell what is mounted.
pub fn mounted() -> io::Result<Vec<PathBuf>> {
    let mounts = fs::read("/proc/self/mounts")?;
    Ok(of_devices(&mounts)
        .into_iter()
        .filter(|at| is_one(at))
        .collect())
}

/// The device of a drive that is there and perhaps not mounted.
pub fn device() -> Option<&'static Path> {
    Some(Path::new(BY_LABEL)).filter(|path| path.exists())
}

/// Where devices are mounted; what is no device, as a share in the network that does not answer, is
/// not touched.
fn of_devices(mounts: &[u8]) -> Vec<PathBuf> {
    let lines = mounts.split(|byte| *byte == b'\n');
    let at = lines.filter_map(|line| {
        let mut fields = line.split(|byte| *byte == b' ');
        let (from, at) = (fields.next()?, fields.next()?);
        from.starts_with(b"/dev/").then(|| unescaped(at))
    });
    at.map(|bytes| OsString::from_vec(bytes).into()).collect()
}

/// A path as `/proc/self/mounts` has it: spaces and the like are `\040`.
fn unescaped(field: &[u8]) -> Vec<u8> {
    let (mut path, mut rest) = (Vec::new(), field);
    while let [byte, after @ ..] = rest {
        let digits = after.get(..3).filter(|_| *byte == b'\\');
        let code = digits
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        path.push(code.unwrap_or(*byte));
        rest = if code.is_some() { &after[3..] } else { after };
    }
    path
}

/// Copies an image onto the drive. `told` hears how many bytes the drive has.
///
/// # Errors
/// When the drive does not take it. That it vanishes when it has all of it is no error.
pub fn copy(image: &[u8], drive: &Path, mut told: impl FnMut(usize)) -> io::Result<()> {
    let mut file = fs::File::create(drive.join("firmware.uf2"))?;
    let mut written = 0;
    for piece in image.chunks(PIECE) {
        file.write_all(piece)?;
        written += piece.len();
        match file.sync_data() {
            Err(error) if written < image.len() => return Err(error),
            _ => told(written),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drives_are_found_among_devices_only() {
        let mounts =
            b"sysfs /sys sysfs rw 0 0\n/dev/sda1 / ext4 rw 0 0\nnas:/x /media/nas nfs rw\n\
            /dev/sdb1 /media/a\\040club/RPI-RP2 vfat rw 0 0\n/dev/sdc1 /mnt/a\\b vfat rw 0 0\n";
        let at = ["/", "/media/a club/RPI-RP2", "/mnt/a\\b"].map(PathBuf::from);
        assert_eq!(of_devices(mounts), at);
        assert!(mounted().is_ok());
    }

    #[test]
    fn a_drive_is_known_by_what_it_says() {
        let directory = tempfile::tempdir().expect("a directory");
        assert!(!is_one(directory.path()));
        let info = directory.path().join(INFO);
        fs::write(&info, "UF2 Bootloader v1.0\r\nBoard-ID: RP2350\r\n").expect("written");
        assert!(!is_one(directory.path()));
        let text = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n";
        fs::write(&info, text).expect("written");
        assert!(is_one(directory.path()));
    }

    #[test]
    fn an_image_is_copied_piece_by_piece() {
        let directory = tempfile::tempdir().expect("a directory");
        let image: Vec<u8> = (0..40_000u32).map(|n| n as u8).collect();
        let mut told = Vec::new();
        copy(&image, directory.path(), |bytes| told.push(bytes)).expect("copied");
        assert_eq!(told, [16_384, 32_768, 40_000]);
        let there = fs::read(directory.path().join("firmware.uf2")).expect("it is there");
        assert_eq!(there, image);
        assert!(copy(&image, &directory.path().join("none"), |_| {}).is_err());
    }
}
