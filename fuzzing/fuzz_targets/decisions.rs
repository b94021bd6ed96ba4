//! A decisions file from anywhere: JSON, CSV or neither.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike::report::Decision;

fuzz_target!(|bytes: &[u8]| {
    let Ok(decisions) = Decision::parse(bytes) else { return };
    // what was understood is understood again
    let again = serde_json::json!({ "decisions": 1, "clusters": decisions });
    assert_eq!(Decision::parse(again.to_string().as_bytes()).as_ref(), Ok(&decisions));
});
