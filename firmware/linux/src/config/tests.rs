use super::*;

const SMALL: &str = "serial-number = \"EA-1\"\n[serve]\npty = \"/tmp/board\"\n\
                     [expanders]\ndevice = \"/dev/i2c-1\"\n";

fn problem(text: &str) -> String {
    text.parse::<Config>().unwrap_err().to_string()
}

#[test]
fn what_is_left_out_is_usual() {
    let config: Config = SMALL.parse().unwrap();
    assert_eq!(
        config.serve,
        Serve::Pty {
            link: "/tmp/board".into(),
            group: None
        }
    );
    let Sensors::Expanders(expanders) = &config.sensors else {
        panic!("{config:?}")
    };
    assert_eq!(
        (expanders.addresses, expanders.active),
        (Addresses::Four([0x20, 0x21, 0x22, 0x23]), Active::Low)
    );
    assert_eq!((config.rate.hertz(), config.debounce.scans()), (500, 4));
}

#[test]
fn the_examples_are_read() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files: Vec<PathBuf> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(files.len(), 3, "one for each wiring: {files:?}");
    for file in files {
        Config::read(&file).unwrap();
    }
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    for (more, told) in [
        (
            "rank = 3\n",
            "6: unknown field `rank`, expected one of `device`, `addresses`, `active`",
        ),
        (
            "addresses = [32, 33, 34, 9]\n",
            "6: 0x09 is no address of an MCP23017: 0x20 to 0x27",
        ),
        (
            "addresses = [32, 33, 34, 33]\n",
            "6: address 0x21 is given twice",
        ),
        (
            "addresses = [32, 33, 34]\n",
            "6: 3 addresses; a board has four or five MCP23017",
        ),
        (
            "active = \"up\"\n",
            "6: unknown variant `up`, expected `low` or `high`",
        ),
        (
            "[scan]\nrate = 5\n",
            "7: 5 scans a second; write 20 to 2000",
        ),
        ("[scan]\ndebounce = 16\n", "7: 16 scans; write 1 to 15"),
        (
            "[scan]\ndebounce = 3\n",
            "[scan] `debounce` must be 4 or more with [expanders]",
        ),
        (
            "[hall]\ndevice = \"/dev/spidev0.0\"\nselect = [1, 2, 3, 4]\n",
            "one of [shift-registers], [expanders]",
        ),
    ] {
        let said = problem(&format!("{SMALL}{more}"));
        assert!(said.starts_with(told), "{said}");
    }
}

#[test]
fn hall_sensors_are_judged_by_what_is_given() {
    let hall = |keys: &str| {
        let part =
            format!("[hall]\ndevice = \"/dev/spidev0.0\"\nselect = [17, 27, 22, 23]\n{keys}");
        SMALL.replace("[expanders]\ndevice = \"/dev/i2c-1\"\n", &part)
    };
    let config: Config = hall("on = 90\ndark = \"raises\"\n").parse().unwrap();
    let Sensors::Hall(given) = &config.sensors else {
        panic!("{config:?}")
    };
    let settings = given.settings();
    assert_eq!(
        (settings.on, settings.off, settings.drift, settings.dark),
        (90, 60, 15, Polarity::Raises)
    );
    assert_eq!(config.rate.hertz(), 200);
    assert!(
        problem(&hall("on = 90\noff = 90\n")).starts_with("[hall] `off` must be less than `on`")
    );
}

#[test]
fn hosts_are_served_in_one_way() {
    let serve = |keys: &str| problem(&SMALL.replace("pty = \"/tmp/board\"", keys));
    assert_eq!(
        serve(""),
        "[serve] must name one of `port`, `pty` and `tcp`"
    );
    assert_eq!(
        serve("pty = \"a\"\ntcp = \"0.0.0.0:1\""),
        "[serve] must name one of `port`, `pty` and `tcp`"
    );
    assert_eq!(
        serve("pty = \"a\"\nbaud = 9600"),
        "[serve] `baud` is the speed of a `port`; leave it out"
    );
    assert_eq!(
        serve("tcp = \"0.0.0.0:1\"\ngroup = \"x\""),
        "[serve] `group` may open a `pty`; leave it out"
    );
    assert!(serve("tcp = \"here\"").starts_with("3: "));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let told = Config::read(Path::new("/nowhere/board.toml")).unwrap_err();
    assert_eq!(
        told,
        "/nowhere/board.toml: No such file or directory (os error 2)"
    );
}
