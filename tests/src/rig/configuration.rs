//! What a daemon is told of its hall.

use std::path::Path;

/// A configuration: the journal is in `store`, the console takes any free port, and there are these
/// boards.
pub fn configuration(store: &Path, boards: impl IntoIterator<Item = String>) -> String {
    let mut text = format!(
        "[http]\nlisten = \"127.0.0.1:0\"\n\n[store]\ndir = \"{}\"\n",
        store.display()
    );
    text.extend(boards);
    text
}

/// A board of a configuration, with `more` lines about it.
pub fn section(id: &str, port: &Path, more: &str) -> String {
    let port = port.display();
    format!("\n[[board]]\nid = \"{id}\"\nport = \"{port}\"\n{more}")
}
