use super::*;

#[test]
fn the_picture_is_as_white_sees_it() {
    let reading = Reading {
        occupied: 1 << 4 | 1 << 63,
        dark: 1 << 63,
        stuck: 1 << 8,
        ..Reading::default()
    };
    let told = picture(&reading);
    let ranks: Vec<&str> = told.lines().collect();
    assert_eq!(ranks[0], "      8 . . . . . . . D");
    assert_eq!(
        ranks[6..],
        [
            "      2 ! . . . . . . .",
            "      1 . . . . L . . .",
            "        a b c d e f g h"
        ]
    );
    assert!(picture(&Reading::of(1)).contains("1 x ."));
}

#[test]
fn what_is_down_is_named() {
    assert_eq!(controls(Controls::from_lines(0)), "nothing is down");
    assert_eq!(
        controls(Controls::from_lines(0b1010)),
        "down: Black's end of the lever, Black's adjust button"
    );
}

#[test]
fn a_place_to_serve_that_cannot_be_had_is_told() {
    let told = serve(&Serve::Pty {
        link: "/nowhere/board".into(),
        group: None,
    })
    .unwrap_err();
    assert!(
        told.starts_with("/nowhere: make this directory first"),
        "{told}"
    );
    assert!(
        serve(&Serve::Port {
            path: "/nowhere/tty".into(),
            baud: 9600
        })
        .unwrap_err()
        .contains("dialout")
    );
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    assert!(serve(&Serve::Tcp(taken.local_addr().unwrap())).is_err());
}
