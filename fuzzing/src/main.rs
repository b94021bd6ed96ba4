//! The entry point that libFuzzer calls: runs the target that `FUZZ_TARGET` names on each input.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_fuzz::targets::Target;
use std::sync::LazyLock;

static TARGET: LazyLock<&Target> = LazyLock::new(Target::from_environment);

fuzz_target!(init: TARGET.prepare(), |bytes: &[u8]| (TARGET.run)(bytes));
