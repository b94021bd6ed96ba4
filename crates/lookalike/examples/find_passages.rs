//! Finds who copied what from whom: `cargo run -p lookalike --example find_passages -- FOLDER`, or without a folder for a small cohort.
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use lookalike::{Input, PassagesOptions, Scanner, parser};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // `cargo build -p lookalike-parser` puts it where it is found; without it programs are read word by word
    if let Some(program) = parser::find_program(std::env::current_exe()?.parent())? {
        parser::use_program(&program);
    }
    let folder = tempfile::tempdir()?;
    let own =
        |seed: u32| (0..60).fold(String::new(), |text, at| text + &format!("w{} ", (seed * 7919 + at * at * 31) % 997));
    std::fs::write(folder.path().join("ann.txt"), own(1) + &own(2))?;
    std::fs::write(folder.path().join("bob.txt"), own(3) + &own(2))?;
    let input = std::env::args_os().nth(1).map_or_else(|| folder.path().into(), Into::into);
    let scan = Scanner::new(PassagesOptions::default()).run(vec![Input::Path(input)])?;
    let section = scan.report().passages().expect("a report of this lens");
    for pair in &section.pairs {
        let [a, b] = [pair.a, pair.b].map(|at| &section.submissions[at].name);
        println!("{a} and {b}: similarity {:.2}, {} passages", pair.similarity, pair.passages.len());
    }
    Ok(())
}
