//! Reads the bodies of requests: in time, within the largest length, and within what the service may hold.

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;

use crate::engine::{Slot, Slots};
use crate::problem::Problem;

/// What was taken of a client, with the room that it has.
pub struct Taken {
    /// The bytes.
    pub bytes: Bytes,
    /// The room for them.
    pub slot: Slot,
}

/// Reads a body piece by piece.
pub struct BodyReader {
    stream: BodyDataStream,
    timeout: Duration,
    rest: Bytes,
}

impl BodyReader {
    /// `timeout` is the time that may pass until the next piece comes.
    pub fn new(body: Body, timeout: Duration) -> BodyReader {
        BodyReader {
            stream: body.into_data_stream(),
            timeout,
            rest: Bytes::new(),
        }
    }

    /// The next piece.
    async fn piece(&mut self) -> Result<Option<Bytes>, Problem> {
        let piece = tokio::time::timeout(self.timeout, self.stream.next()).await;
        let slow = |_| {
            let seconds = self.timeout.as_secs_f64();
            Problem::new("too-slow", format!("nothing came for {seconds} s"))
        };
        match piece.map_err(slow)? {
            None => Ok(None),
            Some(Ok(piece)) => Ok(Some(piece)),
            Some(Err(error)) => {
                let message = format!("the body cannot be read: {error}");
                Err(Problem::new("bad-request", message))
            }
        }
    }

    /// All of it.
    pub async fn all(mut self, most: usize, slots: &Slots) -> Result<Taken, Problem> {
        let mut slot = Slot::default();
        let mut bytes = BytesMut::new();
        while let Some(piece) = self.piece().await? {
            if bytes.len() + piece.len() > most {
                return Err(too_large(most));
            }
            slots.more(&mut slot, piece.len())?;
            bytes.extend_from_slice(&piece);
        }
        Ok(Taken {
            bytes: bytes.freeze(),
            slot,
        })
    }

    /// The next line, without its end; none after the last. A line that is too long cannot be skipped.
    pub async fn line(&mut self, most: usize, slots: &Slots) -> Result<Option<Taken>, Problem> {
        let mut slot = Slot::default();
        let mut line = BytesMut::new();
        loop {
            let end = memchr::memchr(b'\n', &self.rest);
            let found = self.rest.split_to(end.unwrap_or(self.rest.len()));
            if line.len() + found.len() > most {
                return Err(too_large(most));
            }
            slots.more(&mut slot, found.len())?;
            line.extend_from_slice(&found);
            if end.is_some() {
                self.rest = self.rest.split_off(1);
                break;
            }
            match self.piece().await? {
                Some(piece) => self.rest = piece,
                None if line.is_empty() => return Ok(None),
                None => break,
            }
        }
        if line.last() == Some(&b'\r') {
            line.truncate(line.len() - 1);
        }
        Ok(Some(Taken {
            bytes: line.freeze(),
            slot,
        }))
    }
}

fn too_large(most: usize) -> Problem {
    Problem::new("too-large", format!("more than {most} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_are_found_across_pieces() {
        let pieces = ["a", "b\nc\r\n", "\n", "", "dd", "d"];
        let stream = futures_util::stream::iter(pieces.map(Ok::<_, std::io::Error>));
        let mut reader = BodyReader::new(Body::from_stream(stream), Duration::from_secs(1));
        let slots = Slots::new(1, 1 << 20);
        let mut lines = Vec::new();
        while let Some(line) = reader.line(3, &slots).await.unwrap() {
            lines.push(String::from_utf8(line.bytes.to_vec()).unwrap());
        }
        assert_eq!(lines, ["ab", "c", "", "ddd"]);
    }

    #[tokio::test]
    async fn too_much_is_refused_as_it_comes() {
        let endless = || {
            let pieces =
                futures_util::stream::repeat(Ok::<_, std::convert::Infallible>("xxxxxxxxxxxxxxxx"));
            BodyReader::new(Body::from_stream(pieces), Duration::from_secs(1))
        };
        let slots = Slots::new(1, 1 << 20);
        let name = |problem: Option<Problem>| problem.map(|problem| problem.name().to_string());
        let large = endless().all(1000, &slots).await.err();
        assert_eq!(name(large).as_deref(), Some("too-large"));
        let large = endless().line(1000, &slots).await.err();
        assert_eq!(name(large).as_deref(), Some("too-large"));
        let full = endless().all(usize::MAX, &slots).await.err();
        assert_eq!(name(full).as_deref(), Some("busy"));
    }

    #[tokio::test(start_paused = true)]
    async fn who_sends_nothing_is_not_waited_for() {
        let never =
            Body::from_stream(futures_util::stream::pending::<Result<Bytes, std::io::Error>>());
        let reader = BodyReader::new(never, Duration::from_secs(15));
        let slow = reader.all(10, &Slots::new(1, 10)).await.err().unwrap();
        assert_eq!(slow.name(), "too-slow");
    }
}
