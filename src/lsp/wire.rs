//! Messages over a pipe: a head that says how many bytes follow, and JSON.
//!
//! What is no message is told to the editor and passed over; reading goes on with the next. Only a head that cannot be
//! read ends it: nobody can tell where the next message begins.

use std::io::{self, BufRead, Read, Write};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Sender, unbounded};
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::Value;

/// The method under which the server hears of bytes that are no message.
pub(super) const UNREADABLE: &str = "$/unreadable";

/// A longer message is passed over unread.
const MAX_BYTES: u64 = 64 << 20;
/// A longer line of a head is none.
const MAX_HEAD: u64 = 4096;

/// The threads that read and write; see [`connect`].
#[derive(Debug)]
pub struct Wire {
    writer: JoinHandle<()>,
}

impl Wire {
    /// Waits until everything is written. The connection must be dropped before.
    pub fn finish(self) {
        // A writer that came to an end by itself has nobody to write to.
        let _ = self.writer.join();
    }
}

/// A connection over two streams, such as standard input and output.
///
/// ```
/// use std::io::Cursor;
/// use nisi::lsp::{Ended, connect, serve};
///
/// let body = r#"{"jsonrpc":"2.0","method":"exit"}"#;
/// let input = format!("Content-Length: {}\r\n\r\n{body}", body.len());
/// let (connection, wire) = connect(Cursor::new(input.into_bytes()), std::io::sink());
/// assert_eq!(serve(&connection, || None), Ended::Cut);
/// drop(connection);
/// wire.finish();
/// ```
pub fn connect(input: impl BufRead + Send + 'static, mut output: impl Write + Send + 'static) -> (Connection, Wire) {
    let (to_client, outgoing) = unbounded::<Message>();
    let (incoming, from_client) = unbounded();
    // The reader is not waited for: it may stand at a stream that never ends.
    thread::spawn(move || read(input, &incoming));
    let writer = thread::spawn(move || {
        while let Ok(message) = outgoing.recv() {
            if message.write(&mut output).and_then(|()| output.flush()).is_err() {
                return;
            }
        }
    });
    (Connection { sender: to_client, receiver: from_client }, Wire { writer })
}

fn read(mut input: impl BufRead, incoming: &Sender<Message>) {
    while let Ok(Some(length)) = head(&mut input) {
        let Ok(body) = body(&mut input, length) else { return };
        let too_long = || unreadable(&format!("a message of {length} bytes, and at most {MAX_BYTES} are read"));
        let message = body.map_or_else(too_long, |body| message(&body));
        if incoming.send(message).is_err() {
            return;
        }
    }
}

/// The length that a head states; nothing at the end of the stream.
fn head(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.by_ref().take(MAX_HEAD).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() && length.is_some() {
            return Ok(length);
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = Some(value.trim().parse().map_err(|_| io::ErrorKind::InvalidData)?);
        }
    }
}

/// The bytes of a message; nothing where there are too many, which are passed over.
fn body(input: &mut impl BufRead, length: u64) -> io::Result<Option<Vec<u8>>> {
    let mut part = input.by_ref().take(length);
    if length > MAX_BYTES {
        io::copy(&mut part, &mut io::sink())?;
        return Ok(None);
    }
    let mut bytes = Vec::new();
    part.read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(Some(bytes)) }
}

/// The message of some bytes. One with an id and no method is a request for nothing, so that it is answered.
fn message(body: &[u8]) -> Message {
    let value: Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(error) => return unreadable(&format!("a message is no JSON: {error}")),
    };
    let id = value.get("id").cloned().map(serde_json::from_value::<RequestId>);
    match (serde_json::from_value(value), id) {
        (Ok(message), _) => message,
        (Err(_), Some(Ok(id))) => Request { id, method: String::new(), params: Value::Null }.into(),
        (Err(_), _) => unreadable("a message is neither a request nor an answer nor a notification"),
    }
}

fn unreadable(why: &str) -> Message {
    Message::Notification(Notification { method: UNREADABLE.into(), params: Value::String(why.into()) })
}
