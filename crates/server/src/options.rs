//! Options of a server: its collections, its tokens and its limits.

use crate::tokens::Tokens;
use lookalike::Resources;
use std::path::PathBuf;
use std::time::Duration;

/// Options of a server.
#[derive(Clone, Debug, Default)]
pub struct ServerOptions {
    /// The folders: indexes, stores of fingerprints, saved runs of chunks.
    pub indexes: Vec<PathBuf>,
    /// The secret behind features and fingerprints; empty for none.
    pub key: String,
    /// Nothing is changed, and no lock is taken.
    pub read_only: bool,
    /// Texts of documents are shown, where the originals can still be read.
    pub texts: bool,
    /// The tokens of clients; none if every client may ask.
    pub tokens: Option<Tokens>,
    /// Names by which the server is known, beside `localhost` and addresses.
    pub hosts: Vec<String>,
    /// Limits of requests.
    pub limits: Limits,
    /// Memory and threads of what is done in the background.
    pub resources: Resources,
}

/// Limits of requests. Beyond them, requests are refused.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a body, and of a line of a batch.
    pub body: usize,
    /// Bytes of an upload that goes to the disk.
    pub upload: u64,
    /// Until the answer begins.
    pub time: Duration,
    /// Until the head of a request is there, and until the next one comes.
    pub head_time: Duration,
    /// The time for which a client may take nothing of an answer, or send no line of a batch.
    pub idle_time: Duration,
    /// The time that a body may take, beside what its bytes take at the least rate.
    pub body_time: Duration,
    /// Requests under way. Half of them may be of one client: of one token, or without tokens, of one address.
    pub requests: usize,
    /// Open connections. Half of them may be of one address, but for this machine.
    pub connections: usize,
    /// Headers of a request.
    pub headers: usize,
    /// Jobs that are kept, those that wait among them.
    pub jobs: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 16 << 20,
            upload: 1 << 30,
            time: Duration::from_mins(1),
            head_time: Duration::from_secs(30),
            idle_time: Duration::from_secs(30),
            body_time: Duration::from_secs(10),
            requests: 512,
            connections: 1024,
            headers: 64,
            jobs: 32,
        }
    }
}
