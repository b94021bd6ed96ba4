//! Who copied what from whom: submissions and the passages that they share.
#![cfg_attr(not(test), expect(dead_code, reason = "the verb that asks is built beside this"))]

mod info;
mod submissions;
