//! How documents are compared: recipes and policies out of flags. What is not given stays as in a base.

use crate::args::Args;
use crate::values::MaxDf;
use anyhow::{Result, bail};
use lookalike::report::Policy;
use lookalike::{
    CodeTokens, DEFAULT_MAX_SHARE, FeatureHasher, MaxDf as MaxSubmissions, PassageRecipe, ShingleRecipe,
    ShinglesOptions, SimhashOptions, SimhashRecipe, TextRecipe,
};

pub(crate) fn key(args: &Args) -> String {
    args.get("key").unwrap_or_default()
}

fn key_name(args: &Args) -> Option<String> {
    let key = key(args);
    (!key.is_empty()).then(|| FeatureHasher::key_name(&key))
}

/// The recipe of shingles, or of the features that JSON lines bring.
pub(crate) fn shingles(args: &Args) -> ShingleRecipe {
    let brought = args.get::<String>("features-field").is_some();
    shingles_like(args, if brought { ShingleRecipe::features() } else { ShingleRecipe::words(10) })
}

pub(crate) fn shingles_like(args: &Args, mut recipe: ShingleRecipe) -> ShingleRecipe {
    if !recipe.is_features() {
        recipe.w = args.get::<u8>("words").map_or(recipe.w, usize::from);
        recipe.text = text_like(args, recipe.text);
    }
    recipe.sampling = args.get("sketch").unwrap_or(recipe.sampling);
    recipe.key = key_name(args);
    recipe
}

/// Text as `base` reads it, where flags do not say otherwise.
fn text_like(args: &Args, base: TextRecipe) -> TextRecipe {
    TextRecipe {
        format: args.get("format").unwrap_or(base.format),
        keep_boilerplate: args.get::<String>("boilerplate").map_or(base.keep_boilerplate, |said| said == "keep"),
        select: args.get("select").unwrap_or(base.select),
        drop: args.get("drop").unwrap_or(base.drop),
        fold: base.fold,
    }
}

/// Whether what very many documents share counts.
pub(crate) fn keeps_boilerplate(args: &Args) -> bool {
    args.get::<String>("boilerplate").is_some_and(|said| said == "keep")
}

/// Fingerprints as `base` makes them, where flags do not say otherwise.
pub(crate) fn simhash_like(args: &Args, base: &SimhashRecipe) -> Result<SimhashOptions> {
    let recipe = SimhashRecipe {
        text: text_like(args, base.text.clone()),
        bits: args.get("bits").unwrap_or(base.bits),
        ngrams: args.get("ngrams").unwrap_or(base.ngrams),
        weight: args.get("weight").unwrap_or(base.weight),
        idf: None,
        stop: args.get("stop-words").unwrap_or_else(|| base.stop.clone()),
        key: key_name(args),
    };
    let options = SimhashOptions::new(recipe);
    Ok(match args.path("idf") {
        Some(path) => options.with_idf(&path, &key(args))?,
        None => options,
    })
}

/// How submissions become tokens and k-gram fingerprints.
pub(crate) fn passages(args: &Args) -> Result<PassageRecipe> {
    let (k, t) = (args.get("kgram"), args.get("guarantee"));
    if let (Some(k), Some(t)) = (k, t)
        && t < k
    {
        bail!("-t {t}: expected at least -k {k}, found less; say a larger -t or a smaller -k");
    }
    let tokens = CodeTokens {
        identifiers: args.has("keep-identifiers"),
        literals: args.has("keep-literals"),
        comments: args.has("keep-comments"),
    };
    Ok(PassageRecipe::new(&args.value("lang"), k, t)?.with_code_tokens(tokens).with_key(&key(args)))
}

/// Which pairs are links, and how links make clusters.
pub(crate) fn policy(args: &Args, base: Policy) -> Policy {
    Policy {
        threshold: args.get("threshold").unwrap_or(base.threshold),
        contained: args.get("contained").unwrap_or(base.contained),
        linkage: args.get("linkage").unwrap_or(base.linkage),
        ..base
    }
}

/// The same of files: one share for both.
pub(crate) fn policy_of_files(args: &Args, base: Policy) -> Policy {
    let threshold = args.get("threshold").unwrap_or(base.threshold);
    Policy {
        threshold,
        contained: Some(threshold),
        min_shared: args.get("min-shared").unwrap_or(base.min_shared),
        linkage: args.get("linkage").unwrap_or(base.linkage),
        banding: None,
    }
}

/// `--max-df` of shingles in a scan: a number of documents, and a share of all.
pub(crate) fn max_df_shingles(args: &Args) -> (u32, Option<f64>) {
    match args.get("max-df") {
        // no number was said: whatever the size of a site, its menu is no content
        None => (ShinglesOptions::default().max_df, Some(DEFAULT_MAX_SHARE)),
        // without a limit every shingle of any document counts
        Some(MaxDf::Off) => (u32::MAX, None),
        Some(MaxDf::Documents(n)) => (n, None),
        Some(MaxDf::Share(share)) => (u32::MAX, Some(share)),
    }
}

/// `--max-df` of lenses that take a number of documents.
pub(crate) fn max_df_documents(args: &Args) -> Result<Option<u32>> {
    match args.get("max-df") {
        None | Some(MaxDf::Off) => Ok(None),
        Some(MaxDf::Documents(n)) => Ok(Some(n)),
        Some(MaxDf::Share(share)) => {
            bail!("--max-df {share}: this lens takes a number of documents, such as 1000; found a share")
        }
    }
}

/// `--max-df` of lenses that take a share of all documents.
pub(crate) fn max_df_share(args: &Args) -> Result<f64> {
    match args.value("max-df") {
        MaxDf::Off => Ok(1.0),
        MaxDf::Share(share) => Ok(share),
        MaxDf::Documents(n) => {
            bail!("--max-df {n}: this lens takes a share of all files, such as 0.5; found a number of documents")
        }
    }
}

/// `--max-df` of submissions.
pub(crate) fn max_df_submissions(args: &Args) -> Result<MaxSubmissions> {
    match args.get("max-df") {
        None => Ok(MaxSubmissions::default()),
        Some(MaxDf::Off) => Ok(MaxSubmissions::Off),
        Some(MaxDf::Share(share)) => Ok(MaxSubmissions::Share(share)),
        Some(MaxDf::Documents(1)) => {
            bail!("--max-df 1: expected at least 2 submissions, since what two share is looked for")
        }
        Some(MaxDf::Documents(n)) => Ok(MaxSubmissions::Submissions(n)),
    }
}
