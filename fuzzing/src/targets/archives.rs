//! Arbitrary bytes as a zip and as a tar, plain or compressed.

use lookalike_corpus::{Corpus, Input, Item, Options};

pub(crate) fn fuzz(bytes: &[u8]) {
    for name in ["x.zip", "x.tar"] {
        let path = std::env::temp_dir().join(format!("lookalike-fuzz-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).expect("a place for the archive");
        let open = |batch_files: usize| {
            let options = Options { archives: true, max_size: 1 << 20, batch_files, ..Options::default() };
            Corpus::open(vec![Input::Path(path.clone())], options).expect("it is there")
        };
        let corpus = open(64);
        let whole = read(&corpus);
        // how members are packed into batches must not be seen
        assert_eq!(read(&open(1)), whole);
        let damage = whole.iter().any(|item| matches!(item, Item::Skipped(skipped) if skipped.reason.is_damage()));
        for item in &whole {
            let Item::Document(document) = item else { continue };
            corpus.fetch(&document.place, &mut |again| match again {
                Item::Document(again) => assert_eq!(again, *document),
                Item::Skipped(skipped) => assert!(damage, "{skipped:?}"),
            });
        }
    }
}

fn read(corpus: &Corpus) -> Vec<Item<'static>> {
    let mut reader = corpus.reader();
    let mut items = Vec::new();
    while let Some(batch) = reader.next() {
        batch.expect("a file can be read again").read(&mut |item| items.push(item.into_owned()));
    }
    items
}
