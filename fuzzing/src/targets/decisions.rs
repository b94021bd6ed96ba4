//! A decisions file from anywhere: JSON, CSV or neither.

use lookalike::report::Decision;

pub(crate) fn fuzz(bytes: &[u8]) {
    let Ok(decisions) = Decision::parse(bytes) else { return };
    // what was understood is understood again
    let again = serde_json::json!({ "decisions": 1, "clusters": decisions });
    assert_eq!(Decision::parse(again.to_string().as_bytes()).as_ref(), Ok(&decisions));
}
