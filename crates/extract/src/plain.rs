//! Plain text: every character is visible.

use crate::sink::Sink;

/// Puts `source` into `sink` as it is.
pub(crate) fn extract<S: Sink>(source: &str, sink: &mut S) {
    sink.verbatim(source, 0);
}
