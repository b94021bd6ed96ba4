//! What is served, to whom, and how much of it at once.

use crate::tokens::Tokens;
use lookalike::Resources;
use std::path::PathBuf;
use std::time::Duration;

/// What a server is told.
#[derive(Clone, Debug, Default)]
pub struct ServerOptions {
    /// The folders: indexes, stores of fingerprints, saved runs of chunks.
    pub indexes: Vec<PathBuf>,
    /// The secret behind features and fingerprints; empty for none.
    pub key: String,
    /// Nothing is changed, and no lock is taken.
    pub read_only: bool,
    /// Texts of documents are shown to who may ask, where the originals can still be read.
    pub texts: bool,
    /// Who may ask; none if everybody may.
    pub tokens: Option<Tokens>,
    /// Names by which the server is known, beside `localhost` and addresses.
    pub hosts: Vec<String>,
    /// How much at once.
    pub limits: Limits,
    /// Memory and threads of what is done in the background.
    pub resources: Resources,
}

/// How much at once. Beyond it, requests are refused; memory stays as it is.
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
    /// A client that takes or sends nothing for so long is let go.
    pub idle_time: Duration,
    /// Requests that are worked on.
    pub requests: usize,
    /// Connections that are open.
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
            requests: 512,
            connections: 1024,
            headers: 64,
            jobs: 32,
        }
    }
}
