//! In how many documents a feature may be before it is frequent: so many of all, and a share of those of one folder, so that the menu of
//! one site is told from content among a hundred other sites.

use crate::Error;
use crate::lens::shingles::options::ShinglesOptions;
use crate::run::catalogue::Catalogue;
use crate::run::duplicates::DuplicateGroups;
use crate::run::postings::Posting;
use rustc_hash::FxHashMap;

/// More folders than this are no sites.
const MAX_FOLDERS: usize = 1 << 16;

pub struct FrequencyLimits {
    max_df: u32,
    folders: Option<Folders>,
}

/// The folders right below the one that all documents are in.
struct Folders {
    /// By document.
    folder: Vec<u32>,
    /// By folder: in how many of its documents a feature may be.
    limits: Vec<u32>,
    /// By folder: documents of the list that is looked at.
    counts: Vec<u32>,
    least: u32,
}

impl FrequencyLimits {
    pub fn new(options: &ShinglesOptions, catalogue: &Catalogue, duplicates: &DuplicateGroups) -> Result<Self, Error> {
        let max_df = options.max_documents(catalogue.len() - duplicates.all().len());
        let folders = match options.max_share {
            Some(_) => Folders::new(options, catalogue, duplicates)?,
            None => None,
        };
        Ok(Self { max_df, folders })
    }

    /// In how many documents of all.
    pub fn max_df(&self) -> u32 {
        self.max_df
    }

    /// Whether a feature that these documents have is frequent.
    pub fn is_frequent(&mut self, list: &[Posting]) -> bool {
        list.len() > self.max_df as usize || self.folders.as_mut().is_some_and(|folders| folders.is_frequent(list))
    }
}

impl Folders {
    /// None where there are no two folders, or none with enough documents.
    fn new(
        options: &ShinglesOptions,
        catalogue: &Catalogue,
        duplicates: &DuplicateGroups,
    ) -> Result<Option<Self>, Error> {
        let common = common_folder(catalogue)?;
        let mut names: FxHashMap<String, u32> = FxHashMap::default();
        let mut folder = Vec::with_capacity(catalogue.len());
        let mut sizes: Vec<usize> = Vec::new();
        catalogue.for_each_entry(|entry| {
            let name = entry.id[common..].split_once('/').map_or("", |(first, _)| first);
            let next = names.len() as u32;
            let number = match names.get(name) {
                Some(number) => *number,
                // the last one is for all others, and has no limit
                None if names.len() == MAX_FOLDERS => next,
                None => *names.entry(name.to_owned()).or_insert(next),
            };
            sizes.resize(sizes.len().max(number as usize + 1), 0);
            sizes[number as usize] += usize::from(duplicates.is_canonical(folder.len() as u32));
            folder.push(number);
            Ok::<_, Error>(())
        })?;
        let mut limits: Vec<u32> = sizes.iter().map(|documents| options.max_documents(*documents)).collect();
        if let Some(others) = limits.get_mut(MAX_FOLDERS) {
            *others = u32::MAX;
        }
        let least = limits.iter().copied().min().unwrap_or(u32::MAX);
        // what is frequent in the only folder is frequent in all
        let folders = Self { folder, counts: vec![0; limits.len()], limits, least };
        Ok((folders.limits.len() > 1).then_some(folders))
    }

    fn is_frequent(&mut self, list: &[Posting]) -> bool {
        if list.len() <= self.least as usize {
            return false;
        }
        let mut is_frequent = false;
        for posting in list {
            let folder = self.folder[posting.document as usize] as usize;
            self.counts[folder] += 1;
            is_frequent |= self.counts[folder] > self.limits[folder];
        }
        for posting in list {
            self.counts[self.folder[posting.document as usize] as usize] = 0;
        }
        is_frequent
    }
}

/// Bytes of the folder that all documents are in, if their ids are paths.
fn common_folder(catalogue: &Catalogue) -> Result<usize, Error> {
    let mut common: Option<String> = None;
    catalogue.for_each_entry(|entry| {
        let folder = &entry.id[..entry.id.rfind('/').map_or(0, |at| at + 1)];
        let common = common.get_or_insert_with(|| folder.to_owned());
        while !folder.starts_with(common.as_str()) {
            let above = common[..common.len() - 1].rfind('/').map_or(0, |at| at + 1);
            common.truncate(above);
        }
        Ok::<_, Error>(())
    })?;
    Ok(common.unwrap_or_default().len())
}
