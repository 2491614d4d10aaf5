//! A request as it comes over a line.

use std::collections::BTreeMap;
use std::io::Read;
use std::net::TcpStream;

use super::TOKEN;

#[derive(Debug)]
pub(super) struct Request {
    first: String,
    /// By name in small letters.
    head: BTreeMap<String, String>,
    pub(super) body: String,
}

impl Request {
    /// The next one of a line; `None` where that has ended.
    pub(super) fn read(line: &mut TcpStream) -> Option<Request> {
        let mut bytes = Vec::new();
        let mut byte = [0];
        while !bytes.ends_with(b"\r\n\r\n") {
            line.read_exact(&mut byte).ok()?;
            bytes.push(byte[0]);
        }
        let head = String::from_utf8(bytes).ok()?;
        let mut lines = head.trim_end().lines();
        let first = lines.next()?.to_owned();
        let field = |line: &str| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        };
        let head: BTreeMap<String, String> = lines.filter_map(field).collect();
        let length: usize = head.get("content-length")?.parse().ok()?;
        let mut body = vec![0; length];
        line.read_exact(&mut body).ok()?;
        Some(Request {
            first,
            head,
            body: String::from_utf8(body).ok()?,
        })
    }

    /// The round that is pushed to, or what is wrong, with the status that says so.
    pub(super) fn round(&self) -> Result<String, (u16, String)> {
        let field = |name: &str| self.head.get(name).map_or("", String::as_str);
        let words: Vec<&str> = self.first.split(' ').collect();
        let ["POST", path, "HTTP/1.1"] = words[..] else {
            return Err((404, format!("the first line is {}", self.first)));
        };
        let id = path.strip_prefix("/api/broadcast/round/");
        let id = id.and_then(|rest| rest.strip_suffix("/push"));
        let is_id = |id: &&str| id.len() == 8 && id.bytes().all(|b| b.is_ascii_alphanumeric());
        let id = id
            .filter(is_id)
            .ok_or((404, format!("the path is {path}")))?;
        if field("authorization") != format!("Bearer {TOKEN}") {
            return Err((401, "No such token".to_owned()));
        }
        let kind = field("content-type");
        if kind.split(';').next().map(str::trim) != Some("text/plain") {
            return Err((415, format!("the type is {kind}")));
        }
        if !kind.contains("utf-8") {
            return Err((415, "names would be read in another code page".to_owned()));
        }
        if field("user-agent").is_empty() {
            return Err((400, "nobody says who asks".to_owned()));
        }
        Ok(id.to_owned())
    }
}
