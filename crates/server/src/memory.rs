//! The memory of the server: what each part of its work may take, and the admission of requests.
//!
//! A request holds memory for its body while the body arrives, and for the work on it. One that finds too little left is refused, and may
//! be sent again: a request that waited while it holds a body could wait for another that does the same.

use crate::problem::Problem;
use crate::shares::{Client, Share, Shares};
use axum::http::StatusCode;
use lookalike::Resources;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of memory for a byte of a body: as it arrived, as it was read, as it is answered.
const PER_BODY_BYTE: u64 = 3;
/// The least memory in which documents are compared or become part of an index.
pub(crate) const MIN_MEMORY: u64 = 16 << 20;

/// Eighths of the memory of the server. Together they are all of it, with an eighth for parsers, which is half of what folds have.
const REQUESTS: u64 = 3;
const FOLDS: u64 = 2;
const JOBS: u64 = 2;
const EIGHTHS: u64 = 8;

/// The parts of the memory of the server.
pub(crate) struct Parts {
    /// Bytes for all requests together.
    pub(crate) requests: u64,
    /// For changes that become part of an index. One index at a time does that.
    pub(crate) folds: Resources,
    /// For the job that runs.
    pub(crate) jobs: Resources,
}

impl Parts {
    pub(crate) fn new(resources: &Resources) -> Self {
        let eighths = |number: u64| resources.memory / EIGHTHS * number;
        let part = |number| Resources { memory: eighths(number).max(MIN_MEMORY), ..resources.clone() };
        Self { requests: eighths(REQUESTS), folds: part(FOLDS), jobs: part(JOBS) }
    }
}

/// The memory of all requests. One client has half of it at most.
#[derive(Clone)]
pub(crate) struct Memory(Arc<Shares<Client>>);

impl Memory {
    /// For requests that may take this many bytes together.
    pub(crate) fn new(bytes: u64) -> Self {
        Self(Shares::new(bytes))
    }

    /// The memory of a new request of a client; none is taken yet.
    pub(crate) fn request(&self, client: Client) -> RequestMemory {
        RequestMemory { memory: self.clone(), client, body: Arc::default() }
    }

    /// Refuses what takes more than one client can have.
    fn check(&self, bytes: u64) -> Result<(), Problem> {
        let most = self.0.most_of_one();
        if bytes <= most {
            return Ok(());
        }
        // the memory of the server, so that half of the part for requests is enough
        let server = |bytes: u64| bytes.saturating_mul(2 * EIGHTHS).div_ceil(REQUESTS);
        let [needed, allowed] = [server(bytes), most * 2 * EIGHTHS / REQUESTS].map(|bytes| bytes.div_ceil(1 << 20));
        let detail = format!(
            "this takes a server with a memory of {needed} MB, and this one has {allowed} MB; send less, or start it with more"
        );
        Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "memory", detail))
    }
}

/// The memory of a request: of its body, and of the work on it.
#[derive(Clone)]
pub(crate) struct RequestMemory {
    memory: Memory,
    client: Client,
    body: Arc<Mutex<Option<Share<Client>>>>,
}

impl RequestMemory {
    fn body(&self) -> MutexGuard<'_, Option<Share<Client>>> {
        self.body.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes that its body holds.
    fn held(&self) -> u64 {
        self.body().as_ref().map_or(0, Share::amount)
    }

    fn take(&self, bytes: u64) -> Result<Share<Client>, Problem> {
        let busy = || Problem::busy("other requests, or others of yours, take all memory that is allowed; try again");
        self.memory.0.take(self.client.clone(), bytes).ok_or_else(busy)
    }

    /// Fails if a body of this many bytes could never be taken.
    pub(crate) fn check(&self, bytes: u64) -> Result<(), Problem> {
        self.memory.check(bytes.saturating_mul(PER_BODY_BYTE))
    }

    /// Takes memory for some bytes of the body more, of which `before` arrived earlier.
    pub(crate) fn more(&self, before: u64, bytes: u64) -> Result<(), Problem> {
        self.check(before + bytes)?;
        let share = self.take(bytes * PER_BODY_BYTE)?;
        let mut body = self.body();
        match &mut *body {
            Some(body) => body.merge(share),
            None => *body = Some(share),
        }
        Ok(())
    }

    /// Takes memory for work on the body.
    pub(crate) fn work(&self, bytes: u64) -> Result<Share<Client>, Problem> {
        self.memory.check(self.held().saturating_add(bytes))?;
        self.take(bytes)
    }

    /// Takes memory for work that can be done in less: what the body leaves of all that the client can have, at most.
    pub(crate) fn work_within(&self, bytes: u64) -> Result<Share<Client>, Problem> {
        self.take(bytes.min(self.memory.0.most_of_one().saturating_sub(self.held())))
    }

    /// The memory of the lines of a batch that are not complete; none is taken yet.
    pub(crate) fn line_reader(&self) -> Share<Client> {
        self.memory.0.nothing(self.client.clone())
    }

    /// Waits for the memory of some bytes of a line. For a reader of lines, which are answered meanwhile.
    pub(crate) async fn wait_for_line(&self, bytes: u64) -> Share<Client> {
        self.memory.0.wait(self.client.clone(), bytes * PER_BODY_BYTE).await
    }

    /// The memory of a line, which is a body of its own: that of its bytes, of what the lines of a batch hold.
    pub(crate) fn line(&self, held: &mut Share<Client>, bytes: u64) -> Self {
        let body = Arc::new(Mutex::new(Some(held.split(bytes * PER_BODY_BYTE))));
        Self { memory: self.memory.clone(), client: self.client.clone(), body }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u8) -> Client {
        Client::Token([number; 32])
    }

    fn server(megabytes: u64) -> Memory {
        let resources = Resources { memory: megabytes << 20, ..Resources::default() };
        Memory::new(Parts::new(&resources).requests)
    }

    /// The parts are all of the memory, and no more.
    #[test]
    fn parts_add_up() {
        for megabytes in [64, 100, 512, 4096] {
            let parts = Parts::new(&Resources { memory: megabytes << 20, ..Resources::default() });
            let parsers = parts.folds.memory / 2;
            let all = parts.requests + parts.folds.memory + parts.jobs.memory + parsers;
            assert!(all <= megabytes << 20 && all > (megabytes - 1) << 20, "{megabytes}: {all}");
        }
    }

    #[test]
    fn bodies_share_the_memory() {
        let memory = server(64);
        let (first, second) = (memory.request(client(1)), memory.request(client(1)));
        first.more(0, 3 << 20).unwrap();
        let busy = second.more(0, 3 << 20).unwrap_err();
        assert_eq!(busy.status(), StatusCode::SERVICE_UNAVAILABLE);
        second.more(0, 1 << 20).unwrap();
        drop(first);
        second.more(1 << 20, 2 << 20).unwrap();
    }

    /// However many bodies one client holds, there is room for those of another.
    #[test]
    fn one_client_leaves_memory_to_others() {
        let memory = server(512);
        let held: Vec<_> = (0..100).map(|_| memory.request(client(1))).collect();
        let taken = held.iter().filter(|body| body.more(0, 1 << 20).is_ok()).count();
        assert_eq!(taken, 32, "half of three eighths, at 3 bytes for each");
        memory.request(client(2)).more(0, 25 << 10).unwrap();
        assert!(memory.request(client(1)).more(0, 25 << 10).is_err());
    }

    /// The memory that is named is enough, for body and work together.
    #[test]
    fn a_request_that_never_fits_says_what_it_takes() {
        let named = |refused: &Problem| {
            assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
            let text = serde_json::to_string(refused).unwrap();
            let number = text.split("memory of ").nth(1).unwrap().split(' ').next().unwrap();
            number.parse::<u64>().unwrap()
        };
        for (megabytes, body, work) in [(64, 12 << 20, 0), (64, 680_000, 48 * 680_000), (100, 1, 999_999_999)] {
            let ask = |memory: &Memory| {
                let request = memory.request(client(1));
                request.check(body)?;
                request.more(0, body)?;
                request.work(work).map(drop)
            };
            let mut enough = megabytes;
            while let Err(refused) = ask(&server(enough)) {
                let next = named(&refused);
                assert!(next > enough, "{refused:?}");
                enough = next;
                // the body alone may be refused before the work is known
                assert!(enough < 20_000);
            }
            let request = server(megabytes).request(client(1));
            if request.more(0, body).is_ok() {
                assert_eq!(
                    named(&request.work(work).map(drop).unwrap_err()),
                    enough,
                    "the first that was named is enough"
                );
            }
            assert!(ask(&server(enough - 1)).is_err(), "{enough}");
        }
    }

    #[test]
    fn work_within_takes_what_the_body_leaves() {
        let memory = server(64);
        let request = memory.request(client(1));
        request.more(0, 3 << 20).unwrap();
        let work = request.work_within(1 << 30).unwrap();
        assert_eq!(work.amount() + (9 << 20), 12 << 20);
        assert_eq!(memory.request(client(2)).work_within(5).unwrap().amount(), 5);
    }
}
