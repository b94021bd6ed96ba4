//! One file of a log, made again as it was.

use super::Verb;
use super::content::{Hand, cannot};
use super::files::{Kind, Seen};
use super::log::Intent;
use super::place::folders;
use lookalike_corpus::id_of;
use std::io;
use std::path::Path;

/// How a file is restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// It is as it was.
    Already,
    /// A copy of the kept file takes the place of the link.
    CopyOver,
    /// A copy of the kept file gets the name.
    CopyNew,
    /// The moved file is moved back.
    MoveBack,
    /// It was copied back already; the moved one goes.
    DropMoved,
}

impl Way {
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Already => "is as it was",
            Self::CopyOver => "a separate copy of the kept file again",
            Self::CopyNew => "a copy of the kept file",
            Self::MoveBack | Self::DropMoved => "moved back",
        }
    }
}

impl Hand<'_> {
    /// Looks how a file can be restored, with everything that can be known before anything is touched.
    pub(super) fn examine(&self, intent: &Intent) -> Result<Way, String> {
        let there = self.look(&intent.path)?;
        let way = match (intent.action, there) {
            (Verb::Move, _) => self.examine_moved(intent, there)?,
            (Verb::Remove, None) => Way::CopyNew,
            (_, None) => return Err("is gone since then".to_owned()),
            (Verb::Hardlink | Verb::Symlink, Some(seen)) if self.is_link(intent, &intent.path, seen)? => Way::CopyOver,
            (_, Some(_)) if self.has_content(intent, &intent.path)? => return Ok(Way::Already),
            _ => return Err("something else is there now".to_owned()),
        };
        if matches!(way, Way::CopyNew | Way::CopyOver) && !self.has_content(intent, &intent.kept)? {
            return Err(format!("the kept file {} has changed since then", id_of(&intent.kept)));
        }
        let lowest = folders(self.files, Path::new("/"), &intent.path, false)?;
        self.files.may_change(&lowest).map_err(cannot("change names in", &lowest))?;
        Ok(way)
    }

    fn examine_moved(&self, intent: &Intent, there: Option<Seen>) -> Result<Way, String> {
        let to = moved(intent)?;
        let is_it = |seen: &Seen| (seen.kind, seen.bytes, seen.modified) == (Kind::File, intent.bytes, intent.modified);
        match (there, self.look(to)?) {
            (None, Some(moved)) if is_it(&moved) => Ok(Way::MoveBack),
            (None, Some(_)) => Err(format!("{} has changed since it was moved there", id_of(to))),
            (None, None) => Err(format!("neither it nor {} is there", id_of(to))),
            (Some(there), None) if is_it(&there) => Ok(Way::Already),
            (Some(there), Some(moved)) if is_it(&there) && is_it(&moved) && self.is_equal(&intent.path, to)? => {
                Ok(Way::DropMoved)
            }
            (Some(_), _) => Err("something else is there now".to_owned()),
        }
    }

    /// Whether a file has the content that the duplicate had.
    fn has_content(&self, intent: &Intent, path: &Path) -> Result<bool, String> {
        if self.look(path)?.is_none_or(|seen| seen.kind != Kind::File || seen.bytes != intent.bytes) {
            return Ok(false);
        }
        let (mut file, _) = self.open(path)?;
        Ok(self.hash(&mut file)? == intent.content)
    }

    /// Restores a file. What is copied is made under the name `copy` first.
    pub(super) fn restore(&self, intent: &Intent, way: Way, copy: &Path) -> Result<(), String> {
        let path = &intent.path;
        let new_copy = |from: &Path| self.copy(from, copy, &intent.content, intent.rights(), intent.modified);
        match way {
            Way::Already => Ok(()),
            Way::CopyOver => {
                new_copy(&intent.kept)?;
                match self.look(path)? {
                    Some(seen) if self.is_link(intent, path, seen)? => self.put_in_place(intent, copy),
                    _ => Err("something else is there now".to_owned()),
                }
            }
            Way::CopyNew => {
                folders(self.files, Path::new("/"), path, true)?;
                new_copy(&intent.kept)?;
                self.rename_new(copy, path).map_err(cannot("make", path))
            }
            Way::MoveBack => {
                let to = moved(intent)?;
                folders(self.files, Path::new("/"), path, true)?;
                match self.rename_new(to, path) {
                    Err(e) if e.kind() == io::ErrorKind::CrossesDevices => {
                        new_copy(to)?;
                        self.rename_new(copy, path).map_err(cannot("make", path))?;
                        let folder = path.parent().unwrap_or(Path::new("/"));
                        self.files.sync_folder(folder).map_err(cannot("sync", folder))?;
                        self.drop_moved(intent, to)
                    }
                    result => result.map_err(cannot("move back", to)),
                }
            }
            Way::DropMoved => self.drop_moved(intent, moved(intent)?),
        }
    }

    /// Removes the moved file after it was copied back.
    fn drop_moved(&self, intent: &Intent, to: &Path) -> Result<(), String> {
        if self.is_equal(to, &intent.path)? {
            return self.drop_name(to);
        }
        Err(format!("{} was changed at this moment", id_of(to)))
    }

    /// Removes what an undo that did not come to its end has left under the name `copy`: the link that was replaced, or a copy.
    pub(super) fn clear(&self, intent: &Intent, copy: &Path) -> Result<(), String> {
        self.find_folder(intent)?;
        let Some(seen) = self.look(copy)? else { return Ok(()) };
        let is_link = matches!(intent.action, Verb::Hardlink | Verb::Symlink) && self.is_link(intent, copy, seen)?;
        match intent.action {
            _ if is_link => self.drop_name(copy),
            Verb::Move => self.discard(copy, moved(intent)?),
            _ => self.discard(copy, &intent.kept),
        }
    }
}

fn moved(intent: &Intent) -> Result<&Path, String> {
    intent.to.as_deref().ok_or_else(|| "the log does not say where it was moved to".to_owned())
}
