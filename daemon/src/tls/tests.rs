use std::net::Ipv4Addr;
use std::os::unix::fs::PermissionsExt;

use super::*;

fn source(dir: &Path, names: &[&str]) -> Source {
    Source::Made {
        dir: dir.join("tls"),
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        listen: Ipv4Addr::LOCALHOST.into(),
    }
}

#[test]
fn what_is_made_is_kept_and_its_owners_only() {
    let dir = tempfile::tempdir().unwrap();
    let first = Tls::start(source(dir.path(), &[])).unwrap();
    let again = Tls::start(source(dir.path(), &[])).unwrap();
    assert_eq!(first.squares(), again.squares());
    assert_eq!(first.squares().split(' ').count(), 8);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&dir.path().join("tls")), 0o700);
    for file in fs::read_dir(dir.path().join("tls")).unwrap() {
        let file = file.unwrap().path();
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

/// `arbiterd hub` and `arbiterd hub nats-config` may begin at once in an empty directory.
#[test]
fn those_who_begin_at_once_have_one_certificate() {
    let dir = tempfile::tempdir().unwrap();
    let begin = || Tls::start(source(dir.path(), &[])).unwrap().squares();
    let squares: Vec<String> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|_| scope.spawn(begin)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(squares.iter().all(|one| *one == squares[0]), "{squares:?}");
}

#[test]
fn another_name_of_the_network_keeps_the_authority_and_one_of_the_world_does_not() {
    let dir = tempfile::tempdir().unwrap();
    let first = Tls::start(source(dir.path(), &[])).unwrap();
    let authority = first.authority();
    let near = Tls::start(source(dir.path(), &["hall.local"])).unwrap();
    assert_ne!(near.squares(), first.squares());
    assert_eq!(near.authority(), authority);
    let far = Tls::start(source(dir.path(), &["chess.example"])).unwrap();
    assert_ne!(far.authority(), authority);
    let again = Tls::start(source(dir.path(), &["chess.example"])).unwrap();
    assert_eq!(again.squares(), far.squares());
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let (cert, key) = (dir.path().join("own.crt"), dir.path().join("own.key"));
    let files = Source::Files {
        cert: cert.clone(),
        key: key.clone(),
    };
    let complaint = |source: &Source| Tls::start(source.clone()).unwrap_err().to_string();
    assert!(complaint(&files).contains("own.crt"));
    fs::write(&cert, "nothing").unwrap();
    assert!(
        complaint(&files).contains("no certificate"),
        "{}",
        complaint(&files)
    );
    Tls::start(source(dir.path(), &[])).unwrap();
    fs::copy(dir.path().join("tls/leaf.crt"), &cert).unwrap();
    assert!(complaint(&files).contains("own.key"));
    // A key of something else.
    fs::copy(dir.path().join("tls/ca.key"), &key).unwrap();
    assert!(
        complaint(&files).contains("cannot be used"),
        "{}",
        complaint(&files)
    );
    fs::copy(dir.path().join("tls/leaf.key"), &key).unwrap();
    let tls = Tls::start(files).unwrap();
    assert!(tls.is_brought() && tls.authority().is_none());
}
