//! A bound on the lines of a server's output.
//!
//! The library leaves out a line that is too long and goes on, so that its call would wait in vain. Here the stream ends
//! instead, and whoever waits is told that the server was lost.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, ReadBuf};

pub(super) struct Bounded<R> {
    inner: R,
    most: usize,
    line: usize,
}

impl<R> Bounded<R> {
    pub(super) fn new(inner: R, most: usize) -> Self {
        Self { inner, most, line: 0 }
    }

    fn count(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.line = match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(newline) => bytes.len() - newline - 1,
            None => self.line + bytes.len(),
        };
        let too_long = || io::Error::new(io::ErrorKind::InvalidData, format!("a line of more than {} bytes", self.most));
        if self.line > self.most { Err(too_long()) } else { Ok(()) }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Bounded<R> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        let counted = self.count(&buffer.filled()[before..]);
        if counted.is_err() {
            // Who gets an error has read nothing.
            buffer.set_filled(before);
        }
        Poll::Ready(counted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    #[tokio::test]
    async fn lines_may_be_many_but_not_long() {
        for (text, fits) in [("1234\n1234\n1234\n", true), ("12345", true), ("1\n123456", false), ("123456", false)] {
            let mut read = String::new();
            let outcome = Bounded::new(text.as_bytes(), 5).read_to_string(&mut read).await;
            assert_eq!(outcome.is_ok(), fits, "{text:?}");
        }
    }
}
