//! What the disk tells of a file beside its content: for whoever cleans up.

use lookalike::utc;

/// What a file has beside its content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileAttributes {
    /// When it was changed last, in nanoseconds since 1970.
    pub modified: Option<i64>,
    /// Whose it is: a name, or a number where nobody knows the name.
    pub owner: String,
    /// What may be done with it, as `ls -l` writes it.
    pub permissions: String,
}

/// Tells them by the id of a file; none for what is not a file of this machine, or is gone.
pub type Attributes<'a> = dyn Fn(&str) -> Option<FileAttributes> + 'a;

impl FileAttributes {
    /// When it was changed last.
    pub(crate) fn date(&self) -> String {
        self.modified.map_or_else(String::new, |nanoseconds| utc(nanoseconds.div_euclid(1_000_000_000)))
    }
}
