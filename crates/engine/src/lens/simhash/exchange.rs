//! Fingerprints in an exchange file, and in a saved run: of each document its length, what tells identical ones, its words, its category
//! and its fingerprint.

use crate::Error;
use crate::lens::shingles::sketching::conceal;
use crate::lens::simhash::reading::{FingerprintCollector, FingerprintedDocument, Fingerprints};
use crate::progress::Cancel;
use crate::run::catalogue::{Catalogue, Entry};
use crate::run::exchange::{self, Header, Names, put_id};
use lookalike_core::bits::FingerprintBits;
use lookalike_core::lens::Lens;
use lookalike_corpus::{Place, put_varint, take_varint};
use lookalike_store::Spool;
use std::path::Path;

/// Writes the file.
pub fn write<F: FingerprintBits>(
    mut spool: Spool,
    catalogue: &Catalogue,
    Fingerprints { fingerprints, categories, read, empty }: &Fingerprints<F>,
    recipe: &str,
    (names, key): (Names, &str),
) -> Result<(), Error> {
    let documents = catalogue.len() as u64;
    let header = Header {
        documents,
        bytes: catalogue.bytes,
        features: documents,
        empty: *empty,
        ..Header::new(Lens::Simhash, recipe, names)
    };
    header.begin(&mut spool)?;
    let (mut record, mut document) = (Vec::new(), 0);
    catalogue.for_each_entry(|entry| {
        put_id(&entry.id, names, key, &mut record);
        put_varint(entry.bytes, &mut record);
        let identity = if document < *read { conceal(entry.content, key) } else { entry.content };
        record.extend(identity.to_le_bytes());
        put_varint(u64::from(catalogue.sizes[document]), &mut record);
        record.extend(categories[document].to_le_bytes());
        fingerprints[document].put_le_bytes(&mut record);
        document += 1;
        spool.append(&record).map(drop)
    })?;
    spool.finish()?;
    Ok(())
}

/// Takes over the documents of an exchange file, whose recipe must be this one, under the name of a folder if one is given.
pub fn read<F: FingerprintBits>(
    path: &Path,
    folder: Option<&str>,
    recipe: &str,
    cancel: &Cancel,
    collector: &mut FingerprintCollector<F>,
) -> Result<(), Error> {
    let header =
        exchange::read(path, (Lens::Simhash, Some(recipe)), folder, cancel, |id, record| match document(id, record) {
            Some(document) => collector.take_exchanged(document).map(|()| true),
            None => Ok(false),
        })?;
    collector.take_empty(header.empty);
    Ok(())
}

fn document<F: FingerprintBits>(id: String, mut record: &[u8]) -> Option<FingerprintedDocument<F>> {
    let bytes = take_varint(&mut record)?;
    let (content, mut record) = record.split_first_chunk()?;
    let words = u32::try_from(take_varint(&mut record)?).ok()?;
    let (category, record) = record.split_first_chunk()?;
    let (parts, rest) = record.as_chunks::<8>();
    let parts: Vec<u64> = parts.iter().map(|part| u64::from_le_bytes(*part)).collect();
    let fingerprint = (parts.len() == F::WORDS && rest.is_empty()).then(|| F::from_words(&parts))?;
    let content = u128::from_le_bytes(*content);
    let entry = Entry { id, bytes, content, lexical: 0, place: Place::Stream, body: None };
    Some(FingerprintedDocument { entry, words, fingerprint, category: u64::from_le_bytes(*category), body: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lens::simhash::options::SimhashOptions;
    use crate::lens::simhash::recluster::recluster;
    use crate::report::Report;
    use crate::{Error, Input, OptionName, Scanner};

    fn text(seed: u64) -> String {
        let word = |at: u64| (seed + 1).wrapping_mul(at + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50;
        (0..400).map(|at| word(at).to_string()).collect::<Vec<_>>().join(" ")
    }

    /// Two owners: the same texts, or with an end of their own; and something too short.
    fn owners(dir: &Path) -> impl Fn(&str) -> Input {
        let write = |name: String, body: String| {
            let path = dir.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, body).unwrap();
        };
        for at in 0..6 {
            write(format!("a/{at}.txt"), text(at));
            write(format!("b/{at}.txt"), if at < 2 { text(at) } else { format!("{} and so on {at}", text(at)) });
        }
        write("b/short.txt".into(), "few words".into());
        write("b/none.txt".into(), String::new());
        move |name: &str| Input::Path(dir.join(name))
    }

    /// Clusters without the folders that documents are in.
    fn clusters(report: &Report) -> Vec<Vec<(String, Option<u32>)>> {
        let file = |id: &str| id.rsplit('/').next().unwrap().to_owned();
        let members = |at: usize| {
            let cluster = &report.clusters[at];
            let mut all: Vec<_> = cluster.members.iter().map(|member| (file(&member.id), member.distance)).collect();
            all.push((file(&cluster.representative), None));
            all.sort();
            all
        };
        let mut all: Vec<_> = (0..report.clusters.len()).map(members).collect();
        all.sort();
        all
    }

    #[test]
    fn owners_compare_fingerprints() {
        let dir = tempfile::tempdir().unwrap();
        let input = owners(dir.path());
        for (key, bits) in [("", 64), ("secret", 64), ("", 128)] {
            let mut options = SimhashOptions { distance: 7, ..SimhashOptions::default() };
            options.recipe.bits = bits;
            let scanner = Scanner::new(options.clone()).key(key);
            let [a, b, all] = ["a", "b", "all"].map(|name| dir.path().join(format!("{name}-{key}{bits}.lka")));
            let made = scanner.sketch(vec![input("a")], Names::Plain, &a).unwrap();
            assert_eq!((made.documents, exchange::lens_of(&a).unwrap()), (6, Lens::Simhash));
            scanner.sketch(vec![input("b")], Names::Plain, &b).unwrap();
            scanner.sketch(vec![Input::Path(a.clone()), Input::Path(b.clone())], Names::Plain, &all).unwrap();
            let both = scanner.run(vec![input("a"), input("b")]).unwrap().into_report();
            assert!(both.clusters.len() > 2 && both.head.summary.identical == 2, "{:?}", both.clusters);
            for inputs in [vec![a.clone(), b.clone()], vec![a.clone(), dir.path().join("b")], vec![all]] {
                let joined = scanner.run(inputs.into_iter().map(Input::Path).collect()).unwrap().into_report();
                assert_eq!(clusters(&joined), clusters(&both), "{key} {bits}");
                assert_eq!(joined.head.summary, both.head.summary);
            }
            let other = Scanner::new(SimhashOptions::default());
            let refused = other.key("another").run(vec![Input::Path(a.clone())]).err();
            assert!(matches!(refused, Some(Error::WrongRecipe { .. })), "{refused:?}");
            let without = SimhashOptions { max_df: Some(3), ..options };
            let refused = Scanner::new(without).key(key).run(vec![Input::Path(a)]).err();
            assert!(matches!(refused, Some(Error::Conflict(OptionName::MaxDf, OptionName::Exchange))), "{refused:?}");
        }
        let bytes = std::fs::read(dir.path().join("a-secret64.lka")).unwrap();
        let content = blake3::hash(text(0).as_bytes());
        assert!(!bytes.windows(16).any(|window| window == &content.as_bytes()[..16]), "content cannot be guessed");
    }

    #[test]
    fn a_saved_run_is_clustered_again_with_any_distance() {
        let dir = tempfile::tempdir().unwrap();
        let input = owners(dir.path());
        for (key, saved) in [("", 3), ("secret", 0)] {
            let at = |distance: u32| {
                let options = SimhashOptions { distance, ..SimhashOptions::default() };
                Scanner::new(options).key(key).run(vec![input("a"), input("b")]).unwrap()
            };
            let run = dir.path().join(format!("run-{key}"));
            at(saved).save(&run).unwrap();
            for distance in [0, 1, 3, 7] {
                let mut again = recluster(&run, |options| options.distance = distance).unwrap();
                let mut scanned = at(distance).into_report();
                // where a document is in the catalogue of a run is its own matter
                for report in [&mut again, &mut scanned] {
                    let clusters = report.clusters.iter_mut();
                    clusters.for_each(|cluster| {
                        cluster.document = 0;
                        cluster.members.iter_mut().for_each(|member| member.document = 0);
                    });
                    report.head.phases = Vec::new();
                }
                assert_eq!(again.clusters, scanned.clusters, "{distance}");
                assert_eq!(again.head.summary, scanned.head.summary);
                assert_eq!(again.skipped, scanned.skipped);
                assert_eq!(format!("{:?}", again.section), format!("{:?}", scanned.section));
            }
            assert!(recluster(&run, |options| options.distance = 99).is_err());
            let same =
                crate::recluster(&run, |policy| policy, &crate::lens::chunks::templates::TemplateList::default());
            assert_eq!(clusters(&same.unwrap()), clusters(at(saved).report()));
        }
    }
}
