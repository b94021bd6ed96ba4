//! Builds an index on disk and asks it for a text: `cargo run -p lookalike --example query_index`.
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use lookalike::index::{IndexWriter, Query, QueryOptions};
use lookalike::{Index, Input, ShinglesOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let page = "an index keeps sketches of documents on disk and answers which of them are like another one";
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("pages.index");
    IndexWriter::new(&path).build(ShinglesOptions::default(), vec![Input::texts([page, "another page"])], None)?;
    let index = Index::open(&path, "")?;
    let text = format!("{page}, and says when it was seen");
    let result = index.query(&Query::Text { id: "new", text: &text }, &QueryOptions::default())?;
    for found in result.matches.shingles().map_or(&[][..], |found| &found.matches) {
        println!(
            "document {} was seen as {}: resemblance {:.2}",
            found.content,
            found.seen[0].url,
            found.best_resemblance()
        );
    }
    Ok(())
}
