//! What `picotool info` tells of the image on a board.

use core::ffi::CStr;

use rp2040_hal::binary_info::consts::{
    ID_RP_PROGRAM_DESCRIPTION, ID_RP_PROGRAM_FEATURE, ID_RP_PROGRAM_NAME,
    ID_RP_PROGRAM_VERSION_STRING, TAG_RASPBERRY_PI,
};
use rp2040_hal::binary_info::{EntryAddr, str};

const NAME: &CStr = text(concat!(env!("FIRMWARE_NAME"), "\0"));
const VERSION: &CStr = text(concat!(env!("FIRMWARE_VERSION"), "\0"));

const SQUARES: &CStr = if cfg!(feature = "matrix") {
    c"squares: ranks on GP0 to GP7, files on GP8 to GP15"
} else if cfg!(feature = "shift-register") {
    c"squares: clock on GP10, data on GP12, latch on GP13, tail on GP11; GP9 open"
} else {
    c"squares: address on GP2 to GP5, enables on GP6 to GP9, level on GP26"
};

const LAMPS: &CStr = if cfg!(feature = "lamps") {
    c"lamps: clock on GP18, data on GP19, storage clock on GP22"
} else {
    c"lamps: none"
};

const CONTROLS: &CStr = if cfg!(feature = "dgt3000") {
    c"clock: SDA on GP16, SCL on GP17, Black at its left with GP28 to ground; buttons on GP20 \
      (White's) and GP21"
} else {
    c"lever on GP16 (White's end) and GP17, buttons on GP20 (White's) and GP21"
};

#[expect(
    unsafe_code,
    reason = "picotool looks for them between two marks that the linker sets"
)]
#[unsafe(link_section = ".bi_entries")]
#[used]
static ENTRIES: [EntryAddr; 6] = [
    str!(TAG_RASPBERRY_PI, ID_RP_PROGRAM_NAME, NAME),
    str!(TAG_RASPBERRY_PI, ID_RP_PROGRAM_VERSION_STRING, VERSION),
    str!(
        TAG_RASPBERRY_PI,
        ID_RP_PROGRAM_DESCRIPTION,
        c"a chess board's sensors, for arbiterd"
    ),
    str!(TAG_RASPBERRY_PI, ID_RP_PROGRAM_FEATURE, SQUARES),
    str!(TAG_RASPBERRY_PI, ID_RP_PROGRAM_FEATURE, CONTROLS),
    str!(TAG_RASPBERRY_PI, ID_RP_PROGRAM_FEATURE, LAMPS),
];

const fn text(with_its_end: &str) -> &CStr {
    match CStr::from_bytes_with_nul(with_its_end.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a text has one zero, at its end"),
    }
}
