//! `lookalike serve`: an HTTP service over indexes and stores of fingerprints.

#[cfg(feature = "server")]
mod service;

use crate::args::Spec;
use crate::verb::Verb;
#[cfg(feature = "server")]
use service::run;

pub(super) const SPEC: Spec = Spec::new(
    Verb::Serve,
    "serve",
    "Serve indexes and stores of fingerprints over HTTP: ask them, and change them while they are asked",
    run,
)
.long(
    "Each INDEX is a folder: an index of any lens, a store of fingerprints, or a saved run of chunks. It is a collection, whose name is the \
     last part of its path: requests to /v1/collections/NAME/... are of this one. Answers are those of the command's --json.

It listens on this machine only, unless --listen says otherwise; then it needs --token-file. What was answered is safe: a crash does not \
     undo it. Ctrl-C, SIGTERM and SIGHUP finish the requests that are under way. GET /v1/openapi.json describes the whole API.",
)
.after(
    "Examples:
  lookalike serve pages.index seen                                   an index and a store, on http://127.0.0.1:7777
  curl -s 'http://127.0.0.1:7777/v1/collections/seen/check?fingerprint=0123456789abcdef'
  curl -s --data-binary @draft.html -H 'Content-Type: text/html' http://127.0.0.1:7777/v1/collections/pages.index/query
  lookalike serve pages.index --listen 0.0.0.0:7777 --token-file tokens.txt --host near.example
  lookalike serve pages.index --read-only                            nothing is changed, no lock is taken
  lookalike serve pages.index --texts                                the page at / shows documents side by side",
);

#[cfg(not(feature = "server"))]
fn run(_: &crate::args::Args) -> anyhow::Result<u8> {
    anyhow::bail!(lookalike::built_without!("the server", "server"))
}
