//! Tells the program from which commit it is built: `arbiterd --version` says so.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=ARBITERD_COMMIT");
    for of_git in ["HEAD", "logs/HEAD"] {
        // Named only where it is there: what is missing would have everything built anew each time.
        if let Some(path) = git(&["rev-parse", "--git-path", of_git])
            && std::path::Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let given = std::env::var("ARBITERD_COMMIT").ok();
    let commit = given.or_else(|| git(&["rev-parse", "--short=10", "HEAD"]));
    let version = env!("CARGO_PKG_VERSION");
    match commit.filter(|commit| !commit.is_empty()) {
        Some(commit) => println!("cargo::rustc-env=ARBITERD_VERSION={version} ({commit})"),
        None => println!("cargo::rustc-env=ARBITERD_VERSION={version}"),
    }
}

/// What git answers; `None` where there is no repository, such as in a source archive.
fn git(arguments: &[&str]) -> Option<String> {
    let answer = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(answer.stdout).ok()?;
    answer.status.success().then(|| text.trim().to_owned())
}
