//! From a record to a document, or to the reason why it is none.

use std::borrow::Cow;

use super::damage::record_id;
use super::head::Head;
use super::http::Response;
use super::media::{Media, essence};
use crate::document::{Body, Document, Item};
use crate::options::Options;
use crate::place::Place;
use crate::skipped::{Reason, Skipped};

/// A record that may be a document: its head, and the bytes behind it.
pub(super) struct Capture {
    pub(super) row: u64,
    pub(super) head: Head,
    pub(super) block: Vec<u8>,
}

impl Capture {
    /// What it is called: by the field that is asked for, if it has that, else by its address.
    pub(super) fn id(head: &Head, options: &Options, label: &str, row: u64) -> String {
        let id = head.get(&options.id_field).filter(|id| !id.is_empty()).or_else(|| head.target());
        id.map_or_else(|| record_id(label, row), str::to_owned)
    }

    pub(super) fn read(&self, options: &Options, label: &str, place: Place, sink: &mut dyn FnMut(Item<'_>)) {
        let id = Self::id(&self.head, options, label, self.row);
        let field = |name: &Option<String>| name.as_ref().and_then(|name| self.head.get(name)).map(Cow::Borrowed);
        sink(match self.body(options) {
            Ok(body) => Item::Document(Document {
                id: Cow::Owned(id),
                category: field(&options.category_field),
                rank: field(&options.rank_field),
                body,
                place,
                known: None,
            }),
            Err(reason) => Item::Skipped(Skipped { id, reason }),
        });
    }

    fn body(&self, options: &Options) -> Result<Body<'_>, Reason> {
        let identified = || self.head.get("WARC-Identified-Payload-Type").map(Cow::Borrowed);
        let (content_type, response) = if self.head.kind() == "response" {
            let response = Response::parse(&self.block).ok_or_else(not_http)?;
            (response.get("Content-Type").filter(|name| !name.is_empty()).or_else(identified), Some(response))
        } else {
            (self.head.get("Content-Type").map(Cow::Borrowed).or_else(identified), None)
        };
        let content_type = content_type.as_deref();
        let media = Media::of(content_type);
        if media == Media::Other {
            return Err(Reason::NotText(essence(content_type.unwrap_or_default())));
        }
        let payload = match response {
            Some(response) => response.payload(options.max_size)?,
            None => Cow::Borrowed(&self.block[..]),
        };
        options.check_size(payload.len() as u64)?;
        Ok(media.body(payload, content_type))
    }
}

pub(super) fn not_http() -> Reason {
    Reason::BadRecord("expected an HTTP status line at the beginning of the response".into())
}
