//! Owner, age and permissions of files, for tables.

use lookalike::path_of;
use lookalike_report::FileAttributes;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Looks files up by their ids.
pub(crate) struct FileTable {
    base: PathBuf,
    /// Names of users by their numbers.
    users: HashMap<u32, String>,
}

impl FileTable {
    /// Ids that are relative count from this folder.
    pub(crate) fn new(base: Option<&str>) -> Self {
        let passwd = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
        let user = |line: &str| {
            let mut fields = line.split(':');
            let name = fields.next()?;
            Some((fields.nth(1)?.parse().ok()?, name.to_owned()))
        };
        Self { base: base.map(path_of).unwrap_or_default(), users: passwd.lines().filter_map(user).collect() }
    }

    /// What the disk tells of a file; none if it is not there.
    pub(crate) fn attributes(&self, id: &str) -> Option<FileAttributes> {
        let path = self.base.join(path_of(id));
        let found = path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
        let modified = found.modified().ok().map(|time| match time.duration_since(UNIX_EPOCH) {
            Ok(after) => after.as_nanos() as i64,
            Err(before) => -(before.duration().as_nanos() as i64),
        });
        let (owner, permissions) = self.rights(&path, &found);
        Some(FileAttributes { modified, owner, permissions })
    }

    #[cfg(unix)]
    fn rights(&self, _: &Path, found: &std::fs::Metadata) -> (String, String) {
        use std::os::unix::fs::MetadataExt;
        let owner = self.users.get(&found.uid()).cloned().unwrap_or_else(|| found.uid().to_string());
        (owner, permissions(found.mode()))
    }

    #[cfg(not(unix))]
    fn rights(&self, _: &Path, found: &std::fs::Metadata) -> (String, String) {
        (String::new(), if found.permissions().readonly() { "read-only" } else { "" }.to_owned())
    }
}

/// Rights as `ls -l` writes them: `rw-r-----`.
#[cfg(unix)]
fn permissions(mode: u32) -> String {
    let mut text = String::with_capacity(9);
    for (shift, special, letter) in [(6, 0o4000, 's'), (3, 0o2000, 's'), (0, 0o1000, 't')] {
        let bits = mode >> shift;
        text.push(if bits & 4 != 0 { 'r' } else { '-' });
        text.push(if bits & 2 != 0 { 'w' } else { '-' });
        text.push(match (bits & 1 != 0, mode & special != 0) {
            (true, true) => letter,
            (false, true) => letter.to_ascii_uppercase(),
            (true, false) => 'x',
            (false, false) => '-',
        });
    }
    text
}

#[cfg(all(test, unix))]
mod tests {
    use super::permissions;

    #[test]
    fn rights_as_ls_writes_them() {
        assert_eq!(
            [0o640, 0o755, 0o4711, 0o1777, 0o2060].map(permissions),
            ["rw-r-----", "rwxr-xr-x", "rws--x--x", "rwxrwxrwt", "---rwS---"]
        );
    }
}
