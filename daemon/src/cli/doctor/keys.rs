//! The keyboard.

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, read};
use tokio::sync::mpsc;

/// What a key asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Key {
    Quit,
    /// All counts from the beginning.
    Again,
    /// Ask the board what every square reads.
    Ask,
    Lamps,
    Calibrate,
    Mend,
    Test,
    Yes,
    /// The terminal has another size.
    Redraw,
    Other,
}

/// Keys as they are pressed.
pub(super) struct Keys(mpsc::Receiver<Key>);

impl Keys {
    /// Listens on a thread of its own, which ends with the program: reading a key cannot be called
    /// off. Without a keyboard there are no keys.
    pub(super) fn listen() -> Keys {
        let (to, keys) = mpsc::channel(16);
        std::thread::spawn(move || {
            while let Ok(event) = read() {
                if let Some(key) = meaning(&event)
                    && to.blocking_send(key).is_err()
                {
                    return;
                }
            }
        });
        Keys(keys)
    }

    pub(super) async fn next(&mut self) -> Option<Key> {
        match self.0.recv().await {
            Some(key) => Some(key),
            // Nobody can press anything; that is not the end.
            None => std::future::pending().await,
        }
    }
}

fn meaning(event: &Event) -> Option<Key> {
    let key = match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key,
        Event::Resize(..) => return Some(Key::Redraw),
        _ => return None,
    };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char('c') if control => Key::Quit,
        KeyCode::Char('l') if control => Key::Redraw,
        _ if control => Key::Other,
        KeyCode::Char('q') | KeyCode::Esc => Key::Quit,
        KeyCode::Char('r') => Key::Again,
        KeyCode::Char('s') => Key::Ask,
        KeyCode::Char('l') => Key::Lamps,
        KeyCode::Char('c') => Key::Calibrate,
        KeyCode::Char('m') => Key::Mend,
        KeyCode::Char('t') => Key::Test,
        KeyCode::Char('y') => Key::Yes,
        _ => Key::Other,
    })
}
