//! One file of a log, made again as it was.

use crate::context::{ActContext, cannot};
use crate::file_system::{FileKind, FileStatus};
use crate::log::Intent;
use crate::options::ActionKind;
use crate::paths::check_folders;
use lookalike_corpus::id_of;
use std::io;
use std::path::Path;

/// How a file is restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RestoreMethod {
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

impl RestoreMethod {
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Already => "is as it was",
            Self::CopyOver => "a separate copy of the kept file again",
            Self::CopyNew => "a copy of the kept file",
            Self::MoveBack | Self::DropMoved => "moved back",
        }
    }
}

impl ActContext<'_> {
    /// Looks how a file can be restored, with everything that can be known before anything is touched.
    pub(crate) fn examine(&self, intent: &Intent) -> Result<RestoreMethod, String> {
        let there = self.look(&intent.path)?;
        let method = match (intent.action, there) {
            (ActionKind::Move | ActionKind::Trash, _) => self.examine_moved(intent, there)?,
            (ActionKind::Remove, None) => RestoreMethod::CopyNew,
            (_, None) => return Err("is gone since then".to_owned()),
            (ActionKind::Hardlink | ActionKind::Symlink, Some(status))
                if self.is_link(intent, &intent.path, status)? =>
            {
                RestoreMethod::CopyOver
            }
            // a clone looks like any copy: it is made one
            (ActionKind::Reflink, Some(_))
                if self.has_content(intent, &intent.path)? && self.has_content(intent, &intent.kept)? =>
            {
                RestoreMethod::CopyOver
            }
            (_, Some(_)) if self.has_content(intent, &intent.path)? => return Ok(RestoreMethod::Already),
            _ => return Err("something else is there now".to_owned()),
        };
        if matches!(method, RestoreMethod::CopyNew | RestoreMethod::CopyOver)
            && !self.has_content(intent, &intent.kept)?
        {
            return Err(format!("the kept file {} has changed since then", id_of(&intent.kept)));
        }
        let lowest = check_folders(self.files, Path::new("/"), &intent.path, false)?;
        self.files.may_change(&lowest).map_err(cannot("change names in", &lowest))?;
        Ok(method)
    }

    fn examine_moved(&self, intent: &Intent, there: Option<FileStatus>) -> Result<RestoreMethod, String> {
        let to = destination_of(intent)?;
        let is_it = |status: &FileStatus| {
            (status.kind, status.bytes, status.modified) == (FileKind::File, intent.bytes, intent.modified)
        };
        match (there, self.look(to)?) {
            (None, Some(moved)) if is_it(&moved) => Ok(RestoreMethod::MoveBack),
            (None, Some(_)) => Err(format!("{} has changed since it was moved there", id_of(to))),
            (None, None) => Err(format!("neither it nor {} is there", id_of(to))),
            (Some(there), None) if is_it(&there) => Ok(RestoreMethod::Already),
            (Some(there), Some(moved)) if is_it(&there) && is_it(&moved) && self.is_equal(&intent.path, to)? => {
                Ok(RestoreMethod::DropMoved)
            }
            (Some(_), _) => Err("something else is there now".to_owned()),
        }
    }

    /// Whether a file has the content that the duplicate had.
    pub(crate) fn has_content(&self, intent: &Intent, path: &Path) -> Result<bool, String> {
        if self.look(path)?.is_none_or(|status| status.kind != FileKind::File || status.bytes != intent.bytes) {
            return Ok(false);
        }
        let (mut file, _) = self.open(path)?;
        Ok(self.hash(&mut file)? == intent.content)
    }

    /// Restores a file. What is copied is made under the name `copy` first.
    pub(crate) fn restore(&self, intent: &Intent, method: RestoreMethod, copy: &Path) -> Result<(), String> {
        let path = &intent.path;
        let new_copy = |from: &Path| self.copy(from, copy, &intent.content, intent.attributes(), intent.modified);
        match method {
            RestoreMethod::Already => self.remove_info(intent),
            RestoreMethod::CopyOver => {
                new_copy(&intent.kept)?;
                match self.look(path)? {
                    Some(status) if self.is_link(intent, path, status)? => self.put_in_place(intent, copy),
                    Some(_) if intent.action == ActionKind::Reflink && self.has_content(intent, path)? => {
                        self.put_in_place(intent, copy)
                    }
                    _ => Err("something else is there now".to_owned()),
                }
            }
            RestoreMethod::CopyNew => {
                check_folders(self.files, Path::new("/"), path, true)?;
                new_copy(&intent.kept)?;
                self.rename_new(copy, path).map_err(cannot("make", path))
            }
            RestoreMethod::MoveBack => {
                let to = destination_of(intent)?;
                check_folders(self.files, Path::new("/"), path, true)?;
                match self.rename_new(to, path) {
                    Err(e) if e.kind() == io::ErrorKind::CrossesDevices => {
                        new_copy(to)?;
                        self.rename_new(copy, path).map_err(cannot("make", path))?;
                        let folder = path.parent().unwrap_or(Path::new("/"));
                        self.files.sync_folder(folder).map_err(cannot("sync", folder))?;
                        self.drop_moved(intent, to)
                    }
                    result => result.map_err(cannot("move back", to)),
                }?;
                self.remove_info(intent)
            }
            RestoreMethod::DropMoved => {
                self.drop_moved(intent, destination_of(intent)?)?;
                self.remove_info(intent)
            }
        }
    }

    /// Removes the moved file after it was copied back.
    fn drop_moved(&self, intent: &Intent, to: &Path) -> Result<(), String> {
        if self.is_equal(to, &intent.path)? {
            return self.remove_copy(to, &intent.path);
        }
        Err(format!("{} was changed at this moment", id_of(to)))
    }

    /// Removes what an undo that did not come to its end has left under the name `copy`: the link that was replaced, or a copy.
    pub(crate) fn clear(&self, intent: &Intent, copy: &Path) -> Result<(), String> {
        self.find_folder(intent)?;
        let Some(status) = self.look(copy)? else { return Ok(()) };
        let is_link = matches!(intent.action, ActionKind::Hardlink | ActionKind::Symlink)
            && self.is_link(intent, copy, status)?;
        match intent.action {
            _ if is_link => self.remove_name(copy),
            ActionKind::Move | ActionKind::Trash => self.discard(copy, destination_of(intent)?),
            _ => self.discard(copy, &intent.kept),
        }
    }
}

fn destination_of(intent: &Intent) -> Result<&Path, String> {
    intent.to.as_deref().ok_or_else(|| "the log does not say where it was moved to".to_owned())
}
