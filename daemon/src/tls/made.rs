//! Certificates that the daemon makes: an authority of its own that is good for this network only,
//! and a certificate of it for the names and addresses that the machine has now.
//!
//! Browsers take a certificate for 397 days at most (CA/Browser Forum Baseline Requirements 6.3.2);
//! it is made anew a month before its end, and when the machine has another address.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use jiff::{Span, Zoned};
use nix::ifaddrs::getifaddrs;
use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DnType, ExtendedKeyUsagePurpose,
    GeneralSubtree, IsCa, Issuer, KeyPair, KeyUsagePurpose, NameConstraints, PublicKeyData,
    date_time_ymd,
};
use serde::{Deserialize, Serialize};

use super::TlsError;
use crate::store::create_dir;

/// Days for which a certificate is made, a day in the past included for clocks that are slow.
const DAYS: i32 = 390;
/// Days before its end when it is made anew.
const EARLY: i32 = 30;
/// Years for which the authority is made.
const YEARS: i32 = 10;
/// Domains that are nobody's in the internet (RFC 6761, 6762, 8375; ICANN's `internal`).
const DOMAINS: [&str; 5] = ["local", "localhost", "lan", "internal", "home.arpa"];
/// Networks that are nobody's in the internet (RFC 1122, 1918, 3927, 4193, 4291, 6598).
const NETWORKS: [(IpAddr, u8); 9] = [
    (IpAddr::V4(Ipv4Addr::new(10, 0, 0, 0)), 8),
    (IpAddr::V4(Ipv4Addr::new(127, 0, 0, 0)), 8),
    (IpAddr::V4(Ipv4Addr::new(172, 16, 0, 0)), 12),
    (IpAddr::V4(Ipv4Addr::new(192, 168, 0, 0)), 16),
    (IpAddr::V4(Ipv4Addr::new(169, 254, 0, 0)), 16),
    (IpAddr::V4(Ipv4Addr::new(100, 64, 0, 0)), 10),
    (IpAddr::V6(Ipv6Addr::LOCALHOST), 128),
    (IpAddr::V6(Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0)), 7),
    (IpAddr::V6(Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0)), 10),
];

/// What the certificates at hand were made for.
#[derive(Serialize, Deserialize, PartialEq, Eq, Default)]
struct About {
    /// Names and addresses besides those that are nobody's for which the authority may speak.
    authority: Vec<String>,
    /// Names and addresses of the certificate.
    names: Vec<String>,
    /// Its last day.
    until: Date,
}

/// The addresses of this machine.
pub fn addresses() -> Vec<IpAddr> {
    let mut all: Vec<IpAddr> = getifaddrs()
        .into_iter()
        .flatten()
        .filter_map(|interface| {
            let address = interface.address?;
            let v4 = address.as_sockaddr_in().map(|address| address.ip().into());
            v4.or_else(|| address.as_sockaddr_in6().map(|address| address.ip().into()))
        })
        .collect();
    all.sort();
    all.dedup();
    all
}

/// The authority's certificate, as PEM.
pub(super) fn authority(dir: &Path) -> Option<String> {
    fs::read_to_string(dir.join("ca.crt")).ok()
}

/// The files of a certificate that fits, with its key; both are made where there is none.
pub(super) fn leaf(
    dir: &Path,
    names: &[String],
    listen: IpAddr,
) -> Result<(PathBuf, PathBuf), TlsError> {
    let (cert, key) = (dir.join("leaf.crt"), dir.join("leaf.key"));
    create_dir(dir).map_err(|e| TlsError::Made(e.to_string()))?;
    // Two programs that begin in one directory make one certificate, and not halves of two.
    let _held = held(dir).map_err(|e| TlsError::Made(e.to_string()))?;
    let about = fs::read_to_string(dir.join("about.json")).unwrap_or_default();
    let about: About = serde_json::from_str(&about).unwrap_or_default();
    let today = Zoned::now().date();
    let own = own_names(names, listen);
    let abroad: Vec<String> = own
        .iter()
        .filter(|name| !is_nobodys(name))
        .cloned()
        .collect();
    let files = ["ca.crt", "ca.key"].map(|name| dir.join(name));
    let has_authority = files.iter().all(|file| file.exists());
    let speaks = abroad.iter().all(|name| about.authority.contains(name));
    if !has_authority || !speaks {
        if has_authority {
            tracing::warn!(
                "the service has another name: a new authority is made; devices that trust the \
                 old one must be told to trust it"
            );
        }
        make_authority(dir, &abroad, today)?;
    } else if about.names == own
        && days(today, about.until) > EARLY
        && cert.exists()
        && key.exists()
    {
        return Ok((cert, key));
    }
    let authority = if speaks && has_authority {
        about.authority
    } else {
        abroad
    };
    let until = make_leaf(dir, &own, today)?;
    let about = About {
        authority,
        names: own,
        until,
    };
    let text = serde_json::to_string(&about).map_err(|e| TlsError::Made(e.to_string()))?;
    write(&dir.join("about.json"), &text)?;
    Ok((cert, key))
}

/// The directory as this program's alone, until the file is closed.
fn held(dir: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let file = options.create(true).append(true).mode(0o600);
    let file = file.open(dir.join("lock"))?;
    file.lock()?;
    Ok(file)
}

/// Names and addresses by which this machine is reached.
fn own_names(names: &[String], listen: IpAddr) -> Vec<String> {
    // Of the world's IPv6 addresses a machine has another one every day, each good for a new
    // authority: those are left out.
    let own = addresses().into_iter();
    let own = own.map(|address| (address.is_ipv4(), address.to_string()));
    let own = own
        .filter(|(is_v4, name)| *is_v4 || is_nobodys(name))
        .map(|(_, name)| name);
    let listen = (!listen.is_unspecified()).then(|| listen.to_string());
    let host = nix::unistd::gethostname()
        .ok()
        .and_then(|name| name.into_string().ok());
    let host = host.filter(|name| !name.is_empty() && !name.contains('.'));
    let host = host.map(|name| format!("{}.local", name.to_ascii_lowercase()));
    let mut all: Vec<String> = own.chain(listen).chain(host).collect();
    all.extend(["localhost".to_owned(), "arbiter.local".to_owned()]);
    all.extend(names.iter().map(|name| name.to_ascii_lowercase()));
    all.sort();
    all.dedup();
    all
}

/// Whether a name or an address is nobody's in the internet.
fn is_nobodys(name: &str) -> bool {
    match name.parse::<IpAddr>() {
        Ok(address) => NETWORKS
            .iter()
            .any(|(network, bits)| is_in(address, *network, *bits)),
        Err(_) => DOMAINS.iter().any(|domain| {
            let before = name.strip_suffix(domain);
            before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
        }),
    }
}

fn is_in(address: IpAddr, network: IpAddr, bits: u8) -> bool {
    let bits = u32::from(bits);
    match (address, network) {
        (IpAddr::V4(a), IpAddr::V4(n)) => (a.to_bits() ^ n.to_bits()).leading_zeros() >= bits,
        (IpAddr::V6(a), IpAddr::V6(n)) => (a.to_bits() ^ n.to_bits()).leading_zeros() >= bits,
        _ => false,
    }
}

fn make_authority(dir: &Path, abroad: &[String], today: Date) -> Result<(), TlsError> {
    let key = KeyPair::generate().map_err(made)?;
    let mut params = authority_params(&key);
    let networks = NETWORKS.map(|(network, bits)| {
        GeneralSubtree::IpAddress(CidrSubnet::from_addr_prefix(network, bits))
    });
    let domains = DOMAINS.map(|domain| GeneralSubtree::DnsName(domain.to_owned()));
    let abroad = abroad.iter().map(|name| match name.parse::<IpAddr>() {
        Ok(address) => {
            let bits = if address.is_ipv4() { 32 } else { 128 };
            GeneralSubtree::IpAddress(CidrSubnet::from_addr_prefix(address, bits))
        }
        Err(_) => GeneralSubtree::DnsName(name.clone()),
    });
    params.name_constraints = Some(NameConstraints {
        permitted_subtrees: networks.into_iter().chain(domains).chain(abroad).collect(),
        excluded_subtrees: Vec::new(),
    });
    span(
        &mut params,
        today,
        today.saturating_add(Span::new().years(YEARS)),
    );
    let cert = params.self_signed(&key).map_err(made)?;
    write(&dir.join("ca.key"), &key.serialize_pem())?;
    write(&dir.join("ca.crt"), &cert.pem())
}

/// What is the same of an authority whenever it signs.
fn authority_params(key: &KeyPair) -> CertificateParams {
    let mut params = CertificateParams::default();
    let number = access::squares(&access::digest(key.der_bytes()), 4).replace(' ', "");
    let name = format!("The electronic arbiter {number}");
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

/// Makes the certificate and says its last day.
fn make_leaf(dir: &Path, names: &[String], today: Date) -> Result<Date, TlsError> {
    let file = dir.join("ca.key");
    let pem = fs::read_to_string(&file).map_err(|e| TlsError::File(file.clone(), e.to_string()))?;
    let authority = KeyPair::from_pem(&pem).map_err(made)?;
    let issuer = Issuer::new(authority_params(&authority), authority);
    let key = KeyPair::generate().map_err(made)?;
    let mut params = CertificateParams::new(names).map_err(made)?;
    params
        .distinguished_name
        .push(DnType::CommonName, "arbiterd");
    params.is_ca = IsCa::ExplicitNoCa;
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let until = today.saturating_add(Span::new().days(DAYS));
    span(&mut params, today, until);
    let cert = params.signed_by(&key, &issuer).map_err(made)?;
    let chain = cert.pem() + &self::authority(dir).unwrap_or_default();
    write(&dir.join("leaf.key"), &key.serialize_pem())?;
    write(&dir.join("leaf.crt"), &chain)?;
    Ok(until)
}

fn made(error: rcgen::Error) -> TlsError {
    TlsError::Made(error.to_string())
}

fn days(from: Date, to: Date) -> i32 {
    from.until(to).map_or(0, |span| span.get_days())
}

/// From the day before `today`, for clocks that are slow, to the last day.
fn span(params: &mut CertificateParams, today: Date, until: Date) {
    let ((y, m, d), (to_y, to_m, to_d)) =
        (ymd(today.saturating_sub(Span::new().days(1))), ymd(until));
    params.not_before = date_time_ymd(y, m, d);
    params.not_after = date_time_ymd(to_y, to_m, to_d);
}

/// Year, month and day.
fn ymd(date: Date) -> (i32, u8, u8) {
    (
        date.year().into(),
        date.month().unsigned_abs(),
        date.day().unsigned_abs(),
    )
}

/// Writes a file as a whole that only its owner reads.
fn write(file: &Path, text: &str) -> Result<(), TlsError> {
    let fresh = file.with_extension("new");
    let written = || -> io::Result<()> {
        let _not_there = fs::remove_file(&fresh);
        let mut options = OpenOptions::new();
        let mut out = options
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&fresh)?;
        out.write_all(text.as_bytes())?;
        out.sync_all()?;
        fs::rename(&fresh, file)
    };
    written().map_err(|e| TlsError::File(file.to_owned(), e.to_string()))
}
