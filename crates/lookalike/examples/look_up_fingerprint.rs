//! Looks a fingerprint up among others: `cargo run -p lookalike --example look_up_fingerprint`.
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use lookalike::hamming::store::{OnlineStore, StoreOptions};
use lookalike::{Cancel, Input, ScanOptions, Silent, SimhashOptions, simhash};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let page = "fingerprints of pages that differ in a few words differ in a few bits only ".repeat(20);
    let texts = [page.clone(), page + "indeed", "something else".into()];
    let (scan, options) = (ScanOptions::default(), SimhashOptions::default());
    let mut fingerprints: Vec<u64> = Vec::new();
    simhash::fingerprint(vec![Input::texts(texts)], &scan, &options, (&Silent, &Cancel::default()), |one| {
        fingerprints.push(one.fingerprint);
        Ok(())
    })?;
    let folder = tempfile::tempdir()?;
    let store: OnlineStore<u64> = OnlineStore::open(&folder.path().join("pages"), &StoreOptions::default())?;
    for (id, fingerprint) in (0..).zip(&fingerprints) {
        store.insert(*fingerprint, id)?;
    }
    for found in store.near(fingerprints[0], 3, 10)?.matches {
        println!("page {} differs in {} bits", found.id, found.distance);
    }
    Ok(())
}
