//! Finds which of some texts in memory look alike: `cargo run -p lookalike --example scan_texts`.
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use lookalike::{Error, Input, Scanner, ShingleRecipe};

fn main() -> Result<(), Error> {
    let texts = [
        "the quick brown fox jumps over the lazy dog and then goes home to sleep until the morning",
        "the quick brown fox jumps over the lazy dog and then goes home to sleep until the evening",
        "nothing at all that any of the others has said before",
    ];
    // shingles of four words, for texts as short as these
    let scan = Scanner::new(lookalike::Recipe::from(ShingleRecipe::words(4))).run(vec![Input::texts(texts)])?;
    for cluster in &scan.report().clusters {
        for member in &cluster.members {
            println!("text {} is like text {}: {:?}", member.id, cluster.representative, member.resemblance);
        }
    }
    Ok(())
}
