//! Who may do what, tried on a running daemon over real TLS. Each test names the requirements of
//! OWASP ASVS 5.0 that it is about.

#![cfg(feature = "simulators")]

mod assigned;
mod entrance;
mod feed;
mod hall;
mod hostile;
mod later;
mod pages;
mod pairing;
mod passwords;
mod privacy;
mod results;
mod rights;
mod sessions;
mod written;
