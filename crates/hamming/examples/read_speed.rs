//! How fast a file of fingerprints is read: `cargo run --profile dist -p lookalike-hamming --example read_speed FILE [PARTS]`.
#![allow(clippy::print_stdout, reason = "an example shows what it measures")]

use std::path::PathBuf;
use std::time::Instant;

use lookalike_hamming::file::{FileError, FileOptions, FingerprintReader};

fn main() -> Result<(), FileError> {
    let mut arguments = std::env::args().skip(1);
    let path = PathBuf::from(arguments.next().unwrap_or_else(|| "-".to_owned()));
    let count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(1);
    let start = Instant::now();
    let parts = FingerprintReader::<u64>::parts(&path, count, &FileOptions::default())?;
    let sums = std::thread::scope(|scope| {
        let threads: Vec<_> = parts.into_iter().map(|part| scope.spawn(|| sum(part))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no part panics")).collect::<Result<Vec<_>, FileError>>()
    })?;
    let seconds = start.elapsed().as_secs_f64();
    let (rows, sum) = sums.iter().fold((0, 0), |(rows, sum), part| (rows + part.0, sum ^ part.1));
    let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
    let (rate, per) = (bytes as f64 / seconds / 1e9, rows as f64 / seconds / 1e6);
    println!("{rows} fingerprints, xor {sum:016x}, {seconds:.3} s, {rate:.2} GB/s, {per:.0} million a second");
    Ok(())
}

/// Their number and their xor: the least that can be done with all of them.
fn sum(mut part: FingerprintReader<u64>) -> Result<(u64, u64), FileError> {
    let (mut fingerprints, mut ids, mut rows, mut sum) = (Vec::new(), Vec::new(), 0, 0);
    loop {
        let read = part.next_batch(&mut fingerprints, &mut ids)?;
        if read == 0 {
            return Ok((rows, sum));
        }
        rows += read as u64;
        sum = fingerprints.iter().chain(&ids).fold(sum, |sum, fingerprint| sum ^ fingerprint);
    }
}
