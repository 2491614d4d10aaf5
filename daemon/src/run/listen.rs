//! The addresses at which the daemon listens, and those at which it is reached.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::RunError;
use crate::http;
use crate::tls::addresses;

/// How often it is looked whether the machine has come into another network.
const LOOK: Duration = Duration::from_secs(10);

/// Takes the console's address.
pub fn bind(address: SocketAddr) -> Result<TcpListener, RunError> {
    bind_as(address, "[http] listen")
}

/// Takes an address that this key of the configuration names.
pub(super) fn bind_as(address: SocketAddr, key: &str) -> Result<TcpListener, RunError> {
    let refused = |error: std::io::Error| {
        let what = match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                format!("in use by another program: stop it, or choose another address in {key}")
            }
            std::io::ErrorKind::AddrNotAvailable => {
                format!("not an address of this machine: choose another in {key}")
            }
            std::io::ErrorKind::PermissionDenied => {
                format!("not permitted: choose a port above 1023 in {key}")
            }
            _ => error.to_string(),
        };
        RunError::Address { address, what }
    };
    let listener = TcpListener::bind(address).map_err(refused)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Serves the meters until the shutdown, where that is configured.
pub(super) fn measured(
    address: Option<SocketAddr>,
    shutdown: &CancellationToken,
) -> Result<(), RunError> {
    let Some(address) = address else {
        return Ok(());
    };
    let listener = bind_as(address, "[http] metrics")?;
    let address = listener.local_addr()?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    tracing::info!("meters for Prometheus at http://{address}/metrics");
    tokio::spawn(http::serve_metrics(listener, shutdown.clone()));
    Ok(())
}

/// Where whoever listens at `address` is reached: at every address that this machine has in a
/// network, where it listens at all of them; at least at one.
pub(super) fn reached_at(address: SocketAddr) -> Vec<SocketAddr> {
    let at = |ip| SocketAddr::new(ip, address.port());
    if !address.ip().is_unspecified() {
        return vec![address];
    }
    let of_network = |ip: &IpAddr| match ip {
        IpAddr::V4(ip) => !ip.is_loopback() && !ip.is_link_local(),
        IpAddr::V6(ip) => address.is_ipv6() && !ip.is_loopback() && !ip.is_unicast_link_local(),
    };
    let all: Vec<SocketAddr> = addresses().into_iter().filter(of_network).map(at).collect();
    match all.is_empty() {
        true => vec![at(match address {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        })],
        false => all,
    }
}

/// Tells, until the shutdown, the addresses that come later: a machine that has just been switched
/// on, or is carried to another room, gets its address in a network when the daemon runs already.
pub(super) async fn tell_later(
    scheme: &'static str,
    address: SocketAddr,
    shutdown: CancellationToken,
) {
    let mut told = reached_at(address);
    while shutdown.run_until_cancelled(sleep(LOOK)).await.is_some() {
        for address in untold(&mut told, reached_at(address)) {
            tracing::info!("console at {scheme}://{address}/");
        }
    }
}

/// Those of the addresses `now` that a phone can open and nobody was told.
fn untold(told: &mut Vec<SocketAddr>, now: Vec<SocketAddr>) -> Vec<SocketAddr> {
    let is_new = |address: &&SocketAddr| !told.contains(address) && !address.ip().is_loopback();
    let new = now.iter().filter(is_new).copied().collect();
    *told = now;
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_listens_everywhere_is_reached_somewhere() {
        for everywhere in ["0.0.0.0:8443", "[::]:8443"] {
            let reached = reached_at(everywhere.parse().unwrap());
            assert!(!reached.is_empty());
            for address in reached {
                assert!(!address.ip().is_unspecified(), "{everywhere}: {address}");
                assert_eq!(address.port(), 8443);
            }
        }
        let one: SocketAddr = "192.0.2.7:8080".parse().unwrap();
        assert_eq!(reached_at(one), [one]);
    }

    #[test]
    fn an_address_that_comes_later_is_told_once() {
        let at = |text: &str| vec![text.parse::<SocketAddr>().unwrap()];
        let (alone, hall) = (at("127.0.0.1:8443"), at("192.0.2.7:8443"));
        let mut told = alone.clone();
        assert_eq!(untold(&mut told, hall.clone()), hall);
        assert_eq!(untold(&mut told, hall.clone()), []);
        assert_eq!(untold(&mut told, alone), [], "no phone can open that");
        assert_eq!(untold(&mut told, hall.clone()), hall, "it is back");
    }
}
