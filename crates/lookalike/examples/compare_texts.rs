//! Compares two texts: `cargo run -p lookalike --example compare_texts`.
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use lookalike::{CompareOptions, Error, ShingleRecipe, compare_texts};

fn main() -> Result<(), Error> {
    let old = "a text that somebody wrote some years ago and then published on a page of his own";
    let new = "a text that somebody wrote some years ago and then published on a page of her own, with more to say";
    let options = CompareOptions { recipe: ShingleRecipe::words(3), ..CompareOptions::default() };
    let comparison = compare_texts(old, new, &options)?;
    println!("{}", comparison.sentence);
    if let Some(shingles) = comparison.shingles {
        println!("resemblance {:.2}", shingles.resemblance);
        println!("{:.0}% of the old text is in the new one", 100.0 * shingles.a_in_b);
    }
    Ok(())
}
