//! What the tests of fingerprint files share.

pub(crate) mod prints;
