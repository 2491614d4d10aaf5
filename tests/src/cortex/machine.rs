//! QEMU as a process, with its monitor.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};

/// No answer of the monitor takes longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where the RAM of the emulated chip begins, and how much of it the image has
/// (`firmware/qemu/memory.x`).
const RAM: (u32, usize) = (0x2000_0000, 4096);

/// What start-up code paints the free RAM with (crate cortex-m-rt, feature `paint-stack`).
const PAINT: u8 = 0xcc;

/// An emulated board. It is switched off when this is dropped.
#[derive(Debug)]
pub struct Machine {
    child: Child,
    monitor: Mutex<BufReader<UnixStream>>,
    array: UnixStream,
    /// The board's line to its host: a pseudo-terminal.
    pub port: PathBuf,
    dir: tempfile::TempDir,
}

impl Machine {
    /// An image of `ci/bare-metal.sh`.
    ///
    /// # Panics
    /// With what to do, where it has not been built.
    pub fn image(name: &str) -> PathBuf {
        let program = std::env::current_exe().unwrap_or_default();
        let target = program.ancestors().nth(3).unwrap_or(Path::new("target"));
        let image = target.join("images").join(name).with_extension("bin");
        assert!(
            image.is_file(),
            "no {}: run `bash ci/bare-metal.sh {name}`",
            image.display()
        );
        image
    }

    /// The version of QEMU, major and minor.
    ///
    /// # Panics
    /// When there is no QEMU.
    pub fn version() -> (u32, u32) {
        let said = Command::new("qemu-system-arm")
            .arg("--version")
            .output()
            .expect("qemu-system-arm runs")
            .stdout;
        let said = String::from_utf8_lossy(&said).into_owned();
        let mut numbers = said
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|number| number.parse().ok());
        (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
    }

    /// Switches a board on. `options` are QEMU's.
    ///
    /// # Panics
    /// With what to do, when there is no QEMU.
    pub fn start(image: &str, options: &[&str]) -> Machine {
        let image = Machine::image(image);
        let dir = tempfile::tempdir().expect("a directory");
        let [(array_listens, array), (monitor_listens, monitor)] =
            ["array", "monitor"].map(|name| {
                let path = dir.path().join(name);
                (
                    UnixListener::bind(&path).expect("a socket"),
                    path.display().to_string(),
                )
            });
        let mut command = Command::new("qemu-system-arm");
        command.args([
            "-machine",
            "lm3s6965evb",
            "-display",
            "none",
            "-chardev",
            "pty,id=host",
        ]);
        command.args([
            "-chardev",
            &format!("socket,id=array,path={array}"),
            "-qmp",
            &format!("unix:{monitor}"),
        ]);
        command
            .args([
                "-serial",
                "chardev:host",
                "-serial",
                "chardev:array",
                "-kernel",
            ])
            .arg(image)
            .args(options);
        let log = std::fs::File::create(dir.path().join("log")).expect("a log");
        let child = command
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log"))
            .stderr(log)
            .spawn();
        let child = child
            .expect("qemu-system-arm runs: `apt-get install qemu-system-arm` (./ci.sh does it)");
        let [array, monitor] = [array_listens, monitor_listens].map(|listens| accept(&listens));
        monitor.set_read_timeout(Some(PATIENCE)).expect("a socket");
        let monitor = Mutex::new(BufReader::new(monitor));
        let mut machine = Machine {
            child,
            monitor,
            array,
            port: PathBuf::new(),
            dir,
        };
        machine.ask("qmp_capabilities", &json!({}));
        machine.port = machine.host_port();
        machine
    }

    fn host_port(&self) -> PathBuf {
        let lines = self.ask("query-chardev", &json!({}));
        let host = lines
            .as_array()
            .into_iter()
            .flatten()
            .find(|line| line["label"] == "host");
        let port = host.and_then(|line| line["filename"].as_str()?.strip_prefix("pty:"));
        PathBuf::from(port.unwrap_or_else(|| panic!("no pseudo-terminal in {lines}")))
    }

    /// The line of the sensor array.
    ///
    /// # Panics
    /// When there are no files to be had.
    pub fn array(&self) -> UnixStream {
        self.array.try_clone().expect("a socket")
    }

    /// Presses the reset button.
    pub fn reset(&self) {
        self.ask("system_reset", &json!({}));
    }

    /// How many bytes of RAM were never touched: between the fixed places and the deepest stack.
    ///
    /// # Panics
    /// When the memory cannot be read.
    pub fn untouched_ram(&self) -> usize {
        let file = self.dir.path().join("ram");
        self.ask(
            "pmemsave",
            &json!({ "val": RAM.0, "size": RAM.1, "filename": file }),
        );
        let ram = std::fs::read(file).expect("the RAM");
        ram.split(|byte| *byte != PAINT)
            .map(<[u8]>::len)
            .max()
            .unwrap_or(0)
    }

    /// What the monitor answers. Format: QEMU Machine Protocol specification.
    fn ask(&self, command: &str, arguments: &Value) -> Value {
        let mut monitor = self.monitor.lock().expect("one at a time");
        let question = json!({ "execute": command, "arguments": arguments });
        writeln!(monitor.get_mut(), "{question}").unwrap_or_else(|e| panic!("{command}: {e}"));
        loop {
            let mut line = String::new();
            let length = monitor
                .read_line(&mut line)
                .unwrap_or_else(|e| panic!("{command}: {e}"));
            assert!(length > 0, "QEMU has ended:\n{}", self.log());
            let mut answer: Value = serde_json::from_str(&line).expect("JSON");
            assert!(answer["error"].is_null(), "{command}: {}", answer["error"]);
            // Greeting and events come on the same line.
            if answer.get("return").is_some() {
                return answer["return"].take();
            }
        }
    }

    /// Everything QEMU has said.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.dir.path().join("log")).unwrap_or_default()
    }
}

fn accept(listens: &UnixListener) -> UnixStream {
    let (send, receive) = std::sync::mpsc::channel();
    let listens = listens.try_clone().expect("a socket");
    std::thread::spawn(move || send.send(listens.accept()));
    let (stream, _) = receive
        .recv_timeout(PATIENCE)
        .expect("QEMU connects in time")
        .expect("a connection");
    stream
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _already_gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}
