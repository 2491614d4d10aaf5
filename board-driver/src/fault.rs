//! Why a board cannot be heard, in words an arbiter can act on.

use thiserror::Error;

/// A fault of a board or its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Which one, by a name that stays, such as `no-such-port`.
    pub kind: &'static str,
    /// What stands in the sentence, each by its name: with these it is said in another language.
    /// `squares` are a digit for a rank, a letter for a file, `e4` for one square, `*` for all.
    pub with: Vec<(&'static str, String)>,
    /// An English sentence without a stop.
    pub text: String,
}

impl Fault {
    /// A fault of this kind, in these words.
    pub fn new(kind: &'static str, text: impl Into<String>) -> Fault {
        let (with, text) = (Vec::new(), text.into());
        Fault { kind, with, text }
    }

    /// With this in its sentence.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Fault {
        self.with.push((name, value.to_string()));
        self
    }
}

/// Why a board cannot be heard. The text says what to do about it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FaultReason {
    /// There is no such port.
    #[error("{port}: no such port; is the board plugged in?")]
    NoSuchPort {
        /// As configured.
        port: String,
    },
    /// No USB device has this serial number.
    #[error("no USB serial port has the serial number `{serial}`; is the board plugged in?")]
    NoSuchUsb {
        /// As configured.
        serial: String,
    },
    /// Several USB devices have this serial number.
    #[error(
        "{ports} have the same USB serial number `{serial}`; \
         name this board by its `port` instead of `usb-serial`"
    )]
    SameUsb {
        /// As configured.
        serial: String,
        /// All of them.
        ports: String,
    },
    /// Another program has the port.
    #[error("{port}: in use by another program; close it")]
    Busy {
        /// As configured.
        port: String,
    },
    /// The user may not open the port.
    #[error("{port}: no permission to open it; add the user to the port's group (often `dialout`)")]
    NotPermitted {
        /// As configured.
        port: String,
    },
    /// It could not be opened for another reason.
    #[error("{port}: cannot be opened: {error}")]
    CannotOpen {
        /// As configured.
        port: String,
        /// What the system said.
        error: String,
    },
    /// Nobody answers at a network address.
    #[error(
        "tcp://{address}: cannot be reached: {error}; \
         is the board's computer running, and is the address right?"
    )]
    NotReached {
        /// As configured.
        address: String,
        /// What the system said.
        error: String,
    },
    /// The port went away.
    #[error("the board was unplugged")]
    Unplugged,
    /// The port was opened, and nothing came.
    #[error("nothing answers on the port; is the board switched on?")]
    NoAnswer,
    /// The board stopped speaking.
    #[error("the board has gone silent; check its power and its cable")]
    Silent,
    /// Bytes come, but no messages.
    #[error("only garbage is received; check the cable, the speed and which kind of board it is")]
    Garbage,
    /// Another kind of board answers than the one that was expected.
    #[error("this is a {is} board; write kind = \"{kind}\" for it")]
    OtherBoard {
        /// What it is.
        is: &'static str,
        /// The name of its kind in the configuration.
        kind: &'static str,
    },
    /// The board speaks another version of the protocol.
    #[error(
        "the board speaks version {theirs} of the protocol and this program version {ours}; \
         update the older one"
    )]
    WrongVersion {
        /// The board's.
        theirs: u8,
        /// This program's.
        ours: u8,
    },
    /// Many boards share the line, and it was not said which of them is meant.
    #[error(
        "boards {boards} share this line; configure each with kind = \"dgt-bus\" and its address"
    )]
    Shared {
        /// Their addresses.
        boards: String,
    },
    /// The board takes nothing off the line.
    #[error("the board does not read what it is sent; switch it off and on")]
    Deaf,
}

impl FaultReason {
    /// As a fault that can be said in any language.
    pub fn fault(&self) -> Fault {
        let of = |kind| Fault::new(kind, self.to_string());
        match self {
            FaultReason::NoSuchPort { port } => of("no-such-port").with("port", port),
            FaultReason::NoSuchUsb { serial } => of("no-such-usb").with("serial", serial),
            FaultReason::SameUsb { serial, ports } => {
                of("same-usb").with("serial", serial).with("ports", ports)
            }
            FaultReason::Busy { port } => of("busy").with("port", port),
            FaultReason::NotPermitted { port } => of("not-permitted").with("port", port),
            FaultReason::CannotOpen { port, error } => {
                of("cannot-open").with("port", port).with("error", error)
            }
            FaultReason::NotReached { address, error } => of("not-reached")
                .with("address", address)
                .with("error", error),
            FaultReason::Unplugged => of("unplugged"),
            FaultReason::NoAnswer => of("no-answer"),
            FaultReason::Silent => of("silent"),
            FaultReason::Garbage => of("garbage"),
            FaultReason::OtherBoard { is, kind } => {
                of("other-board").with("is", is).with("kind", kind)
            }
            FaultReason::WrongVersion { theirs, ours } => of("wrong-version")
                .with("theirs", theirs)
                .with("ours", ours),
            FaultReason::Shared { boards } => of("shared").with("boards", boards),
            FaultReason::Deaf => of("deaf"),
        }
    }
}
