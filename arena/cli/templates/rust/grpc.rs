// As much of gRPC as a bot needs, over HTTP/2: a message is a byte that says whether it is
// compressed, its length in four, and itself; the status comes behind the last one.

use bytes::{Buf, BufMut, Bytes, BytesMut};
use h2::server::SendResponse;
use h2::{RecvStream, SendStream};
use http::{HeaderMap, HeaderValue, Response};
use prost::Message;

// One message holds many turns: more than the 4 MiB that libraries take of their own accord.
const MAX_MESSAGE: usize = 64 << 20;
const PREFIX: usize = 5;

/// Why a call fails: a code of gRPC and a sentence.
pub struct Status(pub u8, pub String);

pub const UNKNOWN: u8 = 2;
pub const UNIMPLEMENTED: u8 = 12;
const RESOURCE_EXHAUSTED: u8 = 8;
const INTERNAL: u8 = 13;

/// What the caller says.
pub struct Inbox {
    body: RecvStream,
    received: BytesMut,
}

impl Inbox {
    pub fn new(body: RecvStream) -> Self {
        let received = BytesMut::new();
        Self { body, received }
    }

    /// The next message; none where the caller has said all. May be dropped while it waits.
    pub async fn next<M: Message + Default>(&mut self) -> Result<Option<M>, Status> {
        loop {
            if let Some(message) = self.whole()? {
                let read = M::decode(message);
                return read
                    .map(Some)
                    .map_err(|error| Status(INTERNAL, error.to_string()));
            }
            match self.body.data().await {
                Some(Ok(chunk)) => {
                    self.received.extend_from_slice(&chunk);
                    // Of the caller's window, which it would wait for otherwise.
                    let _ = self.body.flow_control().release_capacity(chunk.len());
                }
                Some(Err(error)) => return Err(Status(UNKNOWN, error.to_string())),
                None => return Ok(None),
            }
        }
    }

    fn whole(&mut self) -> Result<Option<Bytes>, Status> {
        if self.received.len() < PREFIX {
            return Ok(None);
        }
        let mut prefix = &self.received[..PREFIX];
        if prefix.get_u8() != 0 {
            return Err(Status(UNIMPLEMENTED, "a compressed message".into()));
        }
        let length = prefix.get_u32() as usize;
        if length > MAX_MESSAGE {
            return Err(Status(
                RESOURCE_EXHAUSTED,
                format!("a message of {length} bytes"),
            ));
        }
        if self.received.len() < PREFIX + length {
            return Ok(None);
        }
        self.received.advance(PREFIX);
        Ok(Some(self.received.split_to(length).freeze()))
    }
}

/// What the caller is told.
pub struct Outbox(SendStream<Bytes>);

impl Outbox {
    pub fn new(mut respond: SendResponse<Bytes>) -> Result<Self, h2::Error> {
        let mut head = Response::new(());
        let kind = HeaderValue::from_static("application/grpc");
        head.headers_mut().insert("content-type", kind);
        respond.send_response(head, false).map(Self)
    }

    /// What is wrong with a stream is told where it is read: nobody need look here.
    pub fn say(&mut self, message: &impl Message) {
        let mut bytes = BytesMut::with_capacity(PREFIX + message.encoded_len());
        bytes.put_u8(0);
        bytes.put_u32(message.encoded_len() as u32);
        message.encode(&mut bytes).expect("there is room for it");
        let _ = self.0.send_data(bytes.freeze(), false);
    }

    pub fn end(mut self, end: Result<(), Status>) {
        let Status(code, message) = end.err().unwrap_or(Status(0, String::new()));
        let plain = |b: u8| (b' '..=b'~').contains(&b) && b != b'%';
        let text = message.bytes().map(|b| match plain(b) {
            true => char::from(b).to_string(),
            false => format!("%{b:02X}"),
        });
        let mut trailers = HeaderMap::new();
        trailers.insert("grpc-status", HeaderValue::from(u16::from(code)));
        if let Ok(text) = HeaderValue::try_from(text.collect::<String>()) {
            trailers.insert("grpc-message", text);
        }
        let _ = self.0.send_trailers(trailers);
    }
}
