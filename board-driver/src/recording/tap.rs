//! A line whose bytes are recorded as they pass, before anybody sees them.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::SharedRecorder;
use crate::transport::Line;

/// A recorded line.
pub(crate) struct Tap {
    pub(crate) line: Box<dyn Line>,
    pub(crate) recorder: SharedRecorder,
}

impl Line for Tap {
    fn set_baud(&mut self, baud: u32) -> io::Result<()> {
        self.line.set_baud(baud)
    }
}

impl AsyncRead for Tap {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.line).poll_read(cx, buf))?;
        let new = &buf.filled()[before..];
        if !new.is_empty() {
            self.recorder.received(Instant::now(), new);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Tap {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let count = ready!(Pin::new(&mut self.line).poll_write(cx, buf))?;
        self.recorder.sent(Instant::now(), &buf[..count]);
        Poll::Ready(Ok(count))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.line).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.line).poll_shutdown(cx)
    }
}
