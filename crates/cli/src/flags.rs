//! Flags that verbs share. Help, man page and completions are generated from these definitions.

use crate::sizes;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use lookalike::exchange::is_exchange;
use lookalike::index::{Index, Lens, lens};
use lookalike::{
    Candidates, CorpusOptions, FeatureHasher, Input, Linkage, MAX_WINDOW, Policy, Sampling, ScanOptions, ShingleRecipe,
    default_memory,
};
use std::path::{Path, PathBuf};

/// Where documents come from and which are read.
#[expect(clippy::struct_excessive_bools, reason = "each is one independent switch of the command line")]
#[derive(Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct DocumentFlags {
    /// Folders, files, JSONL files (.jsonl, .ndjson, also .gz or .zst); - is JSONL on standard input
    #[arg(value_name = "PATH", required_unless_present = "stdin")]
    paths: Vec<PathBuf>,
    /// Read a list of paths from standard input, one a line
    #[arg(long)]
    stdin: bool,
    /// With --stdin: paths end with NUL, as find -print0 writes them
    #[arg(short = '0', long = "null", requires = "stdin")]
    null: bool,
    /// JSONL field with the document's id; where it is missing the id is file:line
    #[arg(long, value_name = "FIELD", default_value = "id")]
    id: String,
    /// JSONL field with the document's text
    #[arg(long, value_name = "FIELD", default_value = "text")]
    text: String,
    /// Read hidden files and folders too
    #[arg(long)]
    hidden: bool,
    /// Do not obey .gitignore and .ignore files
    #[arg(long)]
    no_ignore: bool,
    /// Follow symbolic links
    #[arg(long)]
    follow_links: bool,
    /// Stay on the file system of each folder
    #[arg(long)]
    one_fs: bool,
    /// Read only files that match (may be repeated)
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Leave out files and folders that match (may be repeated); wins over --include
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Leave out documents smaller than this
    #[arg(long, value_name = "SIZE", default_value = "0", value_parser = sizes::parse)]
    min_size: u64,
    /// Leave out documents larger than this
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = sizes::parse)]
    max_size: u64,
}

impl DocumentFlags {
    /// The first path that is an exchange file. What is called one and is none is damaged, or a mistake.
    pub(crate) fn exchange_file(&self) -> Result<Option<&PathBuf>> {
        let called = |path: &&PathBuf| path.extension().is_some_and(|e| e == "lka") && path.is_file();
        if let Some(path) = self.paths.iter().filter(called).find(|path| !is_exchange(path)) {
            bail!(
                "{}: expected an exchange file, found something else or a damaged one; make it again with lookalike sketch, or \
                 rename it if it is a document",
                path.display()
            );
        }
        Ok(self.paths.iter().find(|path| is_exchange(path)))
    }

    pub(crate) fn inputs(&self) -> Vec<Input> {
        let paths = self.paths.iter().map(|path| match path.to_str() {
            Some("-") => Input::Stdin,
            _ => Input::Path(path.clone()),
        });
        let list = self.stdin.then_some(Input::PathList { nul: self.null });
        paths.chain(list).collect()
    }

    /// What is read, as the user called it.
    pub(crate) fn names(&self) -> Vec<String> {
        let paths = self.paths.iter().map(|path| match path.to_str() {
            Some("-") => "standard input".to_owned(),
            _ => path.display().to_string(),
        });
        paths.chain(self.stdin.then(|| "paths of standard input".to_owned())).collect()
    }

    /// Where that is on this machine.
    pub(crate) fn place(&self) -> Vec<String> {
        let whole = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone()).display().to_string();
        self.paths.iter().map(whole).collect()
    }

    pub(crate) fn options(&self) -> CorpusOptions {
        CorpusOptions {
            hidden: self.hidden,
            no_ignore: self.no_ignore,
            follow_links: self.follow_links,
            one_fs: self.one_fs,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            min_size: self.min_size,
            max_size: self.max_size,
            id_field: self.id.clone(),
            text_field: self.text.clone(),
            ..CorpusOptions::default()
        }
    }

    /// The same, without a result of ours that lies in one of the folders, an index or an exchange file: it is no document.
    pub(crate) fn options_without(&self, result: &Path) -> CorpusOptions {
        let whole = |path: &Path| path.canonicalize().ok();
        // it may not be there yet
        let parent = whole(lookalike::atomic::parent(result));
        let result = whole(result).or_else(|| Some(parent?.join(result.file_name()?)));
        let within = |path: &PathBuf| Some(result.as_ref()?.strip_prefix(whole(path)?).ok()?.to_str()?.to_owned());
        let mut options = self.options();
        options.exclude.extend(self.paths.iter().filter_map(within).filter(|path| !path.is_empty()).map(literal));
        options
    }
}

/// The same, and what stands for the text of a document.
#[derive(Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct InputFlags {
    #[command(flatten)]
    pub(crate) documents: DocumentFlags,
    /// JSONL field with an array of strings or numbers that are the document's features
    #[arg(long, value_name = "FIELD", conflicts_with_all = ["text", "format", "words"])]
    features: Option<String>,
}

impl InputFlags {
    pub(crate) fn inputs(&self) -> Vec<Input> {
        self.documents.inputs()
    }

    pub(crate) fn options(&self) -> CorpusOptions {
        CorpusOptions { features_field: self.features.clone(), ..self.documents.options() }
    }

    /// The same, without an index that lies in one of the folders.
    pub(crate) fn options_without(&self, index: &Path) -> CorpusOptions {
        CorpusOptions { features_field: self.features.clone(), ..self.documents.options_without(index) }
    }

    pub(crate) fn brings_features(&self) -> bool {
        self.features.is_some()
    }
}

/// A glob that matches one path.
fn literal(path: String) -> String {
    let special = |c| matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\');
    if !path.contains(special) {
        return path;
    }
    path.chars().map(|c| if special(c) { format!("[{c}]") } else { c.to_string() }).collect()
}

/// How documents become shingles and sketches.
#[derive(Args)]
#[command(next_help_heading = "Lens")]
pub(crate) struct ShingleFlags {
    /// Words in a shingle [default: 10]
    #[arg(short, long, value_name = "W", value_parser = clap::value_parser!(u8).range(1..=MAX_WINDOW as i64))]
    words: Option<u8>,
    /// What the sketch keeps: nested:SIZE, min:S or mod:M [default: nested:100]
    #[arg(long, value_name = "KIND:N")]
    sketch: Option<Sampling>,
}

/// A secret of the user's.
#[derive(Args)]
#[command(next_help_heading = "Lens")]
pub(crate) struct KeyFlag {
    /// Secret that decides what is sampled, so that nobody can craft text to evade it; also LOOKALIKE_KEY
    #[arg(
        long,
        value_name = "SECRET",
        env = "LOOKALIKE_KEY",
        hide_env_values = true,
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) key: String,
}

/// How documents become features and sketches.
#[derive(Args)]
#[command(next_help_heading = "Lens")]
pub(crate) struct LensFlags {
    #[command(flatten)]
    shingles: ShingleFlags,
    #[command(flatten)]
    key: KeyFlag,
    /// Format of all documents; auto goes by file name, then by content [default: auto]
    #[arg(long, value_enum)]
    format: Option<FormatFlag>,
}

/// An index that is there already.
#[derive(Args)]
pub(crate) struct IndexFlags {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Secret that the index was made with, if it was made with one; also LOOKALIKE_KEY
    #[arg(
        long,
        value_name = "SECRET",
        env = "LOOKALIKE_KEY",
        hide_env_values = true,
        default_value = "",
        hide_default_value = true
    )]
    key: String,
}

impl IndexFlags {
    pub(crate) fn path(&self) -> &Path {
        &self.index
    }

    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// Opens it for questions.
    pub(crate) fn open(&self) -> Result<Index> {
        Ok(Index::open(&self.index, &self.key)?)
    }

    /// Opens it for its names, sweeps and numbers, whatever it keeps.
    pub(crate) fn open_any(&self) -> Result<Index> {
        if lens(&self.index)? == Lens::Shingles { self.open() } else { Ok(Index::open_names(&self.index)?) }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum FormatFlag {
    Auto,
    Html,
    Markdown,
    Text,
}

impl LensFlags {
    pub(crate) fn recipe(&self, features: bool) -> ShingleRecipe {
        self.shingles.recipe(features, self.format, self.key())
    }

    /// The recipe, where a flag is not given as in `base`.
    pub(crate) fn recipe_like(&self, base: ShingleRecipe) -> ShingleRecipe {
        self.shingles.recipe_like(base, self.format, self.key())
    }

    pub(crate) fn key(&self) -> &str {
        &self.key.key
    }

    /// How documents are read.
    pub(crate) fn format(&self) -> FormatFlag {
        self.format.unwrap_or(FormatFlag::Auto)
    }

    /// How documents are read, if that was said.
    pub(crate) fn given_format(&self) -> Option<FormatFlag> {
        self.format
    }

    /// Which of them were given that only the shingles lens has.
    pub(crate) fn given_of_shingles(&self) -> [(&'static str, bool); 2] {
        self.shingles.given()
    }

    /// Which of them were given, the key aside.
    pub(crate) fn given(&self) -> [(&'static str, bool); 3] {
        let [words, sketch] = self.shingles.given();
        [words, sketch, ("--format", self.format.is_some())]
    }
}

impl ShingleFlags {
    pub(crate) fn recipe(&self, features: bool, format: Option<FormatFlag>, key: &str) -> ShingleRecipe {
        self.recipe_like(if features { ShingleRecipe::features() } else { ShingleRecipe::words(10) }, format, key)
    }

    fn recipe_like(&self, mut recipe: ShingleRecipe, format: Option<FormatFlag>, key: &str) -> ShingleRecipe {
        if !recipe.is_features() {
            recipe.w = self.words.map_or(recipe.w, usize::from);
            if let Some(format) = format {
                format.name().clone_into(&mut recipe.format);
            }
        }
        recipe.sampling = self.sketch.unwrap_or(recipe.sampling);
        recipe.key = (!key.is_empty()).then(|| FeatureHasher::key_name(key));
        recipe
    }

    /// Which of them were given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 2] {
        [("-w", self.words.is_some()), ("--sketch", self.sketch.is_some())]
    }
}

impl FormatFlag {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Html => "html",
            Self::Markdown => "markdown",
            Self::Text => "text",
        }
    }
}

/// Which pairs are links, and how links make clusters.
#[derive(Args)]
#[command(next_help_heading = "Policy")]
pub(crate) struct PolicyFlags {
    #[command(flatten)]
    pub(crate) links: LinkFlags,
    #[command(flatten)]
    pub(crate) linkage: LinkageFlags,
}

/// How links make clusters.
#[derive(Args)]
#[command(next_help_heading = "Policy")]
pub(crate) struct LinkageFlags {
    /// How links make clusters [default: star]
    #[arg(long, value_enum)]
    linkage: Option<LinkageFlag>,
}

/// Which pairs are links.
#[derive(Args)]
#[command(next_help_heading = "Policy")]
pub(crate) struct LinkFlags {
    /// Least resemblance of two documents in a cluster, from 0 to 1 [default: 0.5]
    #[arg(long, value_name = "SHARE")]
    threshold: Option<f64>,
    /// Also take documents of which at least this share is inside another: off, or from 0 to 1 [default: off]
    #[arg(long, value_name = "SHARE")]
    contained: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum LinkageFlag {
    /// Every member is compared with the representative
    Star,
    /// Connected components: chains join what does not resemble
    Single,
}

impl PolicyFlags {
    /// The policy, where a flag is not given as in `base`.
    pub(crate) fn policy(&self, base: Policy) -> Result<Policy> {
        Ok(self.linkage.policy(self.links.policy(base)?))
    }
}

impl LinkageFlags {
    /// The policy, where the flag is not given as in `base`.
    pub(crate) fn policy(&self, base: Policy) -> Policy {
        let linkage = match self.linkage {
            None => base.linkage,
            Some(LinkageFlag::Star) => Linkage::Star,
            Some(LinkageFlag::Single) => Linkage::Single,
        };
        Policy { linkage, ..base }
    }
}

impl LinkFlags {
    /// The policy, where a flag is not given as in `base`.
    pub(crate) fn policy(&self, base: Policy) -> Result<Policy> {
        let contained = self.contained.as_deref().map_or(Ok(base.contained), containment)?;
        Ok(Policy { threshold: self.threshold.unwrap_or(base.threshold), contained, ..base })
    }

    /// Which of them were given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 2] {
        [("--threshold", self.threshold.is_some()), ("--contained", self.contained.is_some())]
    }
}

/// A value of --contained.
pub(crate) fn containment(text: &str) -> Result<Option<f64>> {
    match (text, text.parse()) {
        ("off", _) => Ok(None),
        (_, Ok(share)) => Ok(Some(share)),
        _ => bail!("--contained: expected off or a share such as 0.9, found {text:?}"),
    }
}

/// What a run may use of the machine.
#[derive(Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct MachineFlags {
    /// Memory to stay within [default: half of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = sizes::parse)]
    memory: Option<u64>,
    /// Threads; 0 is one for each core
    #[arg(long, short = 'j', value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Folder for spill files [default: the system's]
    #[arg(long, value_name = "DIR")]
    tmp: Option<PathBuf>,
}

impl MachineFlags {
    /// Options with these limits.
    pub(crate) fn limit(&self, options: ScanOptions) -> ScanOptions {
        let memory = self.memory.unwrap_or_else(default_memory);
        ScanOptions { memory, threads: self.threads, tmp: self.tmp.clone(), ..options }
    }
}

/// How the scan goes about it.
#[derive(Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct RunFlags {
    #[command(flatten)]
    pub(crate) machine: MachineFlags,
    /// Do not verify: report estimates with their 95 % intervals
    #[arg(long)]
    pub(crate) estimate: bool,
    /// How pairs are found [default: shingles]
    #[arg(long, value_enum)]
    candidates: Option<CandidatesFlag>,
    #[command(flatten)]
    common: CommonFlag,
    /// Compare whole documents: such shingles count like any other (and no templates are reported)
    #[arg(long)]
    pub(crate) whole: bool,
    /// Keep sketches and pairs (of the chunks lens: chunks) in this new folder, for lookalike recluster
    #[arg(long, value_name = "RUN")]
    pub(crate) save: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum CandidatesFlag {
    /// By counting common shingles of the sketches
    Shingles,
    /// By one common super shingle: less work; misses containment and some near pairs
    Super,
}

/// What is too common to tell anything.
#[derive(Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct CommonFlag {
    /// Ignore a shingle that more documents than this have [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    common: Option<u32>,
}

impl CommonFlag {
    pub(crate) fn common(&self) -> u32 {
        self.common.unwrap_or(ScanOptions::default().common)
    }

    pub(crate) fn given(&self) -> [(&'static str, bool); 1] {
        [("--common", self.common.is_some())]
    }
}

impl RunFlags {
    pub(crate) fn common(&self) -> u32 {
        self.common.common()
    }

    pub(crate) fn candidates(&self) -> Candidates {
        match self.candidates {
            None | Some(CandidatesFlag::Shingles) => Candidates::Shingles,
            Some(CandidatesFlag::Super) => Candidates::Super,
        }
    }

    /// Which of those were given that only the shingles lens has.
    pub(crate) fn given(&self) -> [(&'static str, bool); 4] {
        [
            ("--estimate", self.estimate),
            ("--candidates", self.candidates.is_some()),
            ("--common", self.common.common.is_some()),
            ("--whole", self.whole),
        ]
    }
}
