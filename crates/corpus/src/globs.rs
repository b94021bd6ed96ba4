//! Include and exclude globs.

use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::error::{Error, GlobRole};
use crate::options::Options;

/// The compiled globs of the options.
#[derive(Debug)]
pub(crate) struct Globs {
    /// None: everything is included.
    include: Option<GlobSet>,
    exclude: GlobSet,
}

impl Globs {
    pub(crate) fn new(options: &Options) -> Result<Globs, Error> {
        let include = if options.include.is_empty() {
            None
        } else {
            // A folder is included by what is below it, for only files are asked.
            Some(compile(GlobRole::Include, &options.include, |dir| format!("{dir}/**"))?)
        };
        // A folder is excluded by itself, for then it is never entered.
        let exclude = compile(GlobRole::Exclude, &options.exclude, str::to_owned)?;
        Ok(Globs { include, exclude })
    }

    /// Whether a file, by its path relative to the root of the walk, is wanted as far as `include` goes.
    pub(crate) fn includes(&self, relative: &Path) -> bool {
        self.include.as_ref().is_none_or(|set| matches(set, relative))
    }

    /// Whether a file or folder is unwanted.
    pub(crate) fn excludes(&self, relative: &Path) -> bool {
        matches(&self.exclude, relative)
    }
}

fn matches(set: &GlobSet, relative: &Path) -> bool {
    !set.is_empty() && (set.is_match(relative) || relative.file_name().is_some_and(|name| set.is_match(name)))
}

fn compile(role: GlobRole, globs: &[String], of_dir: impl Fn(&str) -> String) -> Result<GlobSet, Error> {
    let wrong = |glob: &str, error: &globset::Error| Error::Glob {
        role,
        glob: glob.to_owned(),
        message: error.kind().to_string(),
    };
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let plain = glob.strip_prefix("./").unwrap_or(glob);
        let pattern = match plain.strip_suffix('/') {
            Some(dir) => of_dir(dir),
            None => plain.to_owned(),
        };
        let compiled = GlobBuilder::new(&pattern).literal_separator(true).build();
        set.add(compiled.map_err(|error| wrong(glob, &error))?);
    }
    set.build().map_err(|error| wrong(&globs.join(" "), &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(include: &[&str], exclude: &[&str]) -> Result<Globs, Error> {
        let owned = |globs: &[&str]| globs.iter().map(|&glob| glob.to_owned()).collect();
        Globs::new(&Options { include: owned(include), exclude: owned(exclude), ..Options::default() })
    }

    #[test]
    fn names_match_at_any_depth_and_paths_from_the_root() {
        let set = globs(&["*.txt", "src/*.rs", "docs/"], &[]).unwrap();
        for path in ["a.txt", "x/y/a.txt", "src/a.rs", "docs/x/y.bin"] {
            assert!(set.includes(Path::new(path)), "{path}");
        }
        for path in ["a.rs", "src/x/a.rs", "other/src/a.rs", "docs"] {
            assert!(!set.includes(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn exclusion_names_folders_with_or_without_a_slash() {
        let set = globs(&[], &["node_modules/", "./tmp", "a/**/z"]).unwrap();
        for path in ["node_modules", "x/node_modules", "tmp", "a/b/c/z", "a/z"] {
            assert!(set.excludes(Path::new(path)), "{path}");
        }
        assert!(!set.excludes(Path::new("a/zz")));
        assert!(set.includes(Path::new("anything")));
    }

    #[test]
    fn a_broken_glob_is_named() {
        let error = globs(&[], &["ok", "[a"]).unwrap_err().to_string();
        assert!(error.contains("exclude") && error.contains("[a"), "{error}");
    }
}
