use super::super::{Config, HUB_EXAMPLE, Problem, read};
use super::*;

const BOARD: &str = "[[board]]\nid = 'b01'\nport = '/dev/ttyUSB0'\n";
const KEY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn lines(problems: Vec<Problem>) -> Vec<String> {
    let line = |p: Problem| format!("{}: {p}", p.line);
    problems.into_iter().map(line).collect()
}

fn of_hall(hub: &str) -> Result<Option<Wishes>, Vec<String>> {
    let text = format!("[hub]\n{hub}\n{BOARD}");
    let config = Config::parse(&text, Path::new("/etc/arbiter"));
    config.map(|config| config.hub).map_err(lines)
}

fn of_hub(text: &str) -> Result<Config, Vec<String>> {
    read::hub(text, Path::new("/etc/arbiter")).map_err(lines)
}

#[test]
fn a_hall_without_a_hub_has_none() {
    let config = Config::parse(BOARD, Path::new("")).unwrap();
    assert_eq!((config.hub, config.halls), (None, None));
}

#[test]
fn a_hall_is_told_its_hub_with_paths_that_start_at_the_file() {
    let wishes = of_hall(
        "name = 'main'\naddress = 'wss://hub.lan:8443'\nkey = 'hub.key'\nauthority = 'ca.crt'",
    );
    let expected = Wishes {
        name: "main".to_owned(),
        address: "wss://hub.lan:8443".to_owned(),
        key: "/etc/arbiter/hub.key".into(),
        authority: Some("/etc/arbiter/ca.crt".into()),
        orders: Vec::new(),
    };
    assert_eq!(wishes, Ok(Some(expected)));
    for near in ["ws://127.0.0.1:9", "ws://localhost:9", "ws://[::1]:9"] {
        let text = format!("name = 'main'\naddress = '{near}'\nkey = 'k'");
        assert!(of_hall(&text).is_ok(), "{near}");
    }
}

#[test]
fn an_address_that_others_could_listen_to_is_refused() {
    let complaint = |address: &str, more: &str| {
        let text = format!("name = 'main'\naddress = '{address}'\nkey = 'k'\n{more}");
        of_hall(&text).expect_err(address).join("\n")
    };
    let authority = "authority = 'ca.crt'";
    for (address, more, what) in [
        (
            "ws://hub.lan:8080",
            "",
            "3: `hub.address`: anybody could read that",
        ),
        (
            "wss://hub.lan:8443",
            "",
            "3: `hub.address`: needs `authority`",
        ),
        (
            "ws://127.0.0.1:9",
            authority,
            "3: `hub.address`: goes without TLS",
        ),
        (
            "hub.lan",
            authority,
            "3: `hub.address`: `hub.lan` is not the address of a hub",
        ),
        ("https://hub.lan", authority, "is not the address of a hub"),
    ] {
        let said = complaint(address, more);
        assert!(said.contains(what), "{said}");
    }
    let all = of_hall("name = 'a b'\nwho = 'x'").unwrap_err().join("\n");
    for what in [
        "1: `hub.address`: is missing",
        "1: `hub.key`: is missing",
        "3: `hub.who`: no such key; known here: name, address, key, authority, orders",
    ] {
        assert!(all.contains(what), "{all}");
    }
}

#[test]
fn the_example_of_a_hub_is_right() {
    let config = of_hub(HUB_EXAMPLE).unwrap();
    assert_eq!(config.privacy.minors_under, Some(18));
    let halls = config.halls.unwrap();
    let names: Vec<&str> = halls.iter().map(|hall| hall.name.as_str()).collect();
    assert_eq!(names, ["main", "juniors"]);
    assert!(config.boards.is_empty());
}

#[test]
fn a_hub_is_told_what_is_wrong_with_its_halls() {
    let one = format!("[[hall]]\nname = 'main'\nkey = '{KEY}'\n");
    for (text, what) in [
        (String::new(), "0: `hall`: no hall is known"),
        (
            "[[hall]]\nname = 'main'\n".to_owned(),
            "1: `hall`: needs a `name` and a `key`",
        ),
        (
            "[[hall]]\nname = '../x'\nkey = 'secret'\n".to_owned(),
            "3: `hall.key`: is not what `arbiterd hub key` prints",
        ),
        (
            "[[hall]]\nname = '../x'\nkey = 'secret'\n".to_owned(),
            "2: `hall.name`: `../x` is no id",
        ),
        (
            format!("{one}{one}"),
            "4: `hall`: has the name or the key of hall `main`",
        ),
        (
            format!("{one}{}", one.replace("main", "Main").replace("e3", "f3")),
            "4: `hall`: has the name or the key of hall `main`",
        ),
        (format!("{one}{BOARD}"), "4: `board`: no such key"),
    ] {
        let said = of_hub(&text).expect_err(&text).join("\n");
        assert!(said.contains(what), "{said}");
    }
}

#[test]
fn orders_are_taken_of_roles_that_order_something() {
    let of = |orders: &str| {
        let text = format!("name = 'main'\naddress = 'ws://[::1]:9'\nkey = 'k'\norders = {orders}");
        of_hall(&text).map(|hub| hub.expect("a hub").orders)
    };
    assert_eq!(
        of("['chief', 'sector']"),
        Ok(vec![Role::Chief, Role::Sector])
    );
    for (orders, what) in [
        ("['viewer']", "5: `hub.orders`: a viewer orders nothing"),
        ("['chef']", "5: `hub.orders`: `chef` is no role"),
    ] {
        let said = of(orders).expect_err(orders).join("\n");
        assert!(said.contains(what), "{said}");
    }
}

#[test]
fn a_table_is_of_one_hall() {
    let of = |main: &str, juniors: &str| {
        let other = KEY.replace('e', "f");
        of_hub(&format!(
            "[[hall]]\nname = 'main'\nkey = '{KEY}'\ntables = '{main}'\n\
             [[hall]]\nname = 'juniors'\nkey = '{other}'\ntables = '{juniors}'\n"
        ))
    };
    let halls = of("1-10,31-40", "11-30")
        .expect("a hub")
        .halls
        .expect("halls");
    let has = |n: usize, table| halls[n].tables.iter().any(|tables| tables.include(table));
    assert!(has(0, 35) && !has(0, 11) && has(1, 11));
    for (juniors, what) in [
        (
            "10-20",
            "8: `hall.tables`: hall `main` has tables 1-10 already",
        ),
        ("many", "8: `hall.tables`: `many` names no tables"),
    ] {
        let said = of("1-10", juniors).expect_err(juniors).join("\n");
        assert!(said.contains(what), "{said}");
    }
}

const NATS: &str = "[nats]\naddress = 'tls://a.lan:4222, tls://b.lan:4222'\nkey = 'nats.key'\n\
                    authority = 'ca.crt'\n";

#[test]
fn a_hub_and_its_halls_are_told_where_the_nats_server_is() {
    let one = format!("[[hall]]\nname = 'main'\nkey = '{KEY}'\n");
    let config = of_hub(&format!("{NATS}days = 3\nmegabytes = 7\n{one}")).unwrap();
    let expected = Rules {
        address: "tls://a.lan:4222, tls://b.lan:4222".to_owned(),
        key: "/etc/arbiter/nats.key".into(),
        authority: Some("/etc/arbiter/ca.crt".into()),
        age: Duration::from_hours(72),
        bytes: 7 << 20,
        replicas: 1,
    };
    let listens = |address: &str| {
        let address = address.to_owned();
        let rules = Rules {
            address,
            ..expected.clone()
        };
        rules.listens().to_string()
    };
    for (address, listen) in [
        ("tls://127.0.0.1:4333, tls://b.lan:4222", "0.0.0.0:4333"),
        ("tls://hub.lan", "0.0.0.0:4222"),
        ("nats://localhost:9", "127.0.0.1:9"),
        ("nats://[::1]:9", "[::1]:9"),
    ] {
        assert_eq!(listens(address), listen);
    }
    assert_eq!(config.nats, Some(expected));
    assert_eq!(of_hub(&one).unwrap().nats, None);
    let authority = "key = 'k'\nauthority = 'ca.crt'";
    for hall in [
        format!("name = 'main'\naddress = 'tls://a.lan:4222,tls://b.lan:4222'\n{authority}"),
        "name = 'main'\naddress = 'nats://127.0.0.1:4222'\nkey = 'k'".to_owned(),
    ] {
        assert!(of_hall(&hall).is_ok(), "{hall}");
    }
    for (address, more, what) in [
        ("nats://hub.lan:4222", "", "anybody could read that"),
        ("tls://hub.lan:4222", "", "needs `authority`"),
        (
            "tls://a.lan:4222, wss://b.lan",
            "authority = 'ca.crt'",
            "`wss://b.lan` is not the address of a NATS server",
        ),
    ] {
        let text = format!("name = 'main'\naddress = '{address}'\nkey = 'k'\n{more}");
        let said = of_hall(&text).expect_err(address).join("\n");
        assert!(said.contains(what), "{said}");
    }
}

#[test]
fn a_hub_is_told_what_is_wrong_with_its_nats_server() {
    let one = format!("[[hall]]\nname = 'main'\nkey = '{KEY}'\n");
    for (text, what) in [
        (
            format!("[nats]\nkey = 'k'\n{one}"),
            "1: `nats`: needs an `address` and a `key`",
        ),
        (
            format!("{NATS}replicas = 2\n{one}"),
            "1: `nats.replicas`: must be 1, or 3 or 5",
        ),
        (
            format!("{NATS}days = 0\n{one}"),
            "1: `nats.days`: must be 1 at least",
        ),
        (
            format!("{NATS}subject = 'x'\n{one}"),
            "5: `nats.subject`: no such key",
        ),
        (
            format!("{one}nkey = 'SUAB'\n"),
            "4: `hall.nkey`: is not what `arbiterd hub key` prints",
        ),
    ] {
        let said = of_hub(&text).expect_err(&text).join("\n");
        assert!(said.contains(what), "{said}");
    }
}
