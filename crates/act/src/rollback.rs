//! The way back of an action that was begun: after a failure, or after the process was killed.
//!
//! The intent names everything that may be there; what is there tells how far it came. Nothing is removed but links that act made, and copies
//! of what is still there under another name.

use crate::context::{ActContext, cannot};
use crate::file_system::{FileKind, FileStatus};
use crate::log::Intent;
use crate::options::ActionKind;
use lookalike_corpus::id_of;
use lookalike_store::Cancel;
use std::io;
use std::path::Path;

/// How a file gets its name again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RollbackMethod {
    /// The name is free.
    Rename,
    /// It has it already, beside the temporary one.
    Drop,
    /// The link that act made has it.
    Exchange,
}

impl ActContext<'_> {
    /// Puts the duplicate back to its name. True if it turns out that the action was done but for the log.
    pub(crate) fn roll_back(&self, intent: &Intent) -> Result<bool, String> {
        // also after Ctrl-C
        let context = ActContext { cancel: &Cancel::default(), ..*self };
        context.find_folder(intent)?;
        match intent.action {
            ActionKind::Hardlink | ActionKind::Symlink => context.roll_back_link(intent),
            ActionKind::Remove => {
                let was_aside = context.put_back(intent)?;
                Ok(!was_aside && context.look(&intent.path)?.is_none())
            }
            ActionKind::Move => context.roll_back_move(intent),
            ActionKind::Reflink => context.roll_back_reflink(intent),
            ActionKind::Trash => {
                let is_done = context.roll_back_move(intent)?;
                if !is_done {
                    context.remove_info(intent)?;
                }
                Ok(is_done)
            }
        }
    }

    /// Where a whole folder is missing, a disk may be: nothing can be said about what was in it.
    pub(crate) fn find_folder(&self, intent: &Intent) -> Result<(), String> {
        let folder = intent.path.parent().unwrap_or(Path::new("/"));
        match self.look(folder)? {
            Some(status) if status.kind == FileKind::Folder => Ok(()),
            _ => Err(format!("was interrupted, and its folder {} is not there now", id_of(folder))),
        }
    }

    /// Whether this is the link that the action makes.
    pub(crate) fn is_link(&self, intent: &Intent, path: &Path, status: FileStatus) -> Result<bool, String> {
        match &intent.target {
            Some(target) if status.kind == FileKind::Symlink => {
                Ok(&self.files.target(path).map_err(cannot("look at", path))? == target)
            }
            Some(_) => Ok(false),
            None => Ok(self.look(&intent.kept)?.is_some_and(|kept| kept.is_same_file(&status))),
        }
    }

    fn roll_back_link(&self, intent: &Intent) -> Result<bool, String> {
        if let Some(aside) = self.look(&intent.temporary)? {
            if self.is_link(intent, &intent.temporary, aside)? {
                // made, but never put in place
                if intent.target.is_none() && aside.links < 2 {
                    return Err(format!("{} is the only name of its file", id_of(&intent.temporary)));
                }
                self.remove_name(&intent.temporary)?;
            } else {
                self.put_back(intent)?;
            }
        }
        match self.look(&intent.path)? {
            Some(status) => self.is_link(intent, &intent.path, status),
            None => Ok(false),
        }
    }

    /// How what waits under the temporary name can get its name again; none if nothing waits.
    pub(crate) fn rollback_method(&self, intent: &Intent) -> Result<Option<RollbackMethod>, String> {
        let (aside, path) = (&intent.temporary, &intent.path);
        let Some(status) = self.look(aside)? else { return Ok(None) };
        let is_link = matches!(intent.action, ActionKind::Hardlink | ActionKind::Symlink);
        match self.look(path)? {
            None => Ok(Some(RollbackMethod::Rename)),
            Some(there) if there.is_same_file(&status) => Ok(Some(RollbackMethod::Drop)),
            Some(there) if is_link && self.is_link(intent, path, there)? => Ok(Some(RollbackMethod::Exchange)),
            // Two separate files with the same content: one of them is too many. The kept file was replaced, so that the link no
            // longer shows as one; or somebody has made the duplicate again.
            Some(there)
                if (status.kind, there.kind) == (FileKind::File, FileKind::File) && self.is_equal(aside, path)? =>
            {
                let is_original = there.modified == intent.modified;
                Ok(Some(if is_original { RollbackMethod::Drop } else { RollbackMethod::Exchange }))
            }
            Some(_) => Err(format!("{} has what was {}, where something else is now", id_of(aside), id_of(path))),
        }
    }

    /// What waits under the temporary name, if anything does, gets its name again. Tells whether something did.
    fn put_back(&self, intent: &Intent) -> Result<bool, String> {
        let (aside, path) = (&intent.temporary, &intent.path);
        match self.rollback_method(intent)? {
            None => return Ok(false),
            Some(RollbackMethod::Drop) => self.remove_copy(aside, path)?,
            Some(RollbackMethod::Exchange) => self.put_in_place(intent, aside)?,
            Some(RollbackMethod::Rename) => {
                let failed = |e| format!("cannot rename {} back to {}: {e}", id_of(aside), id_of(path));
                self.rename_new(aside, path).map_err(failed)?;
            }
        }
        Ok(true)
    }

    /// What has the name `new` takes the place of the link that act made, or of what has the same content.
    pub(crate) fn put_in_place(&self, intent: &Intent, new: &Path) -> Result<(), String> {
        let path = &intent.path;
        match self.files.exchange(new, path) {
            Ok(()) => {}
            // the link was looked at a moment ago; here that must do
            Err(e) if e.kind() == io::ErrorKind::Unsupported => {
                return self.files.rename(new, path).map_err(cannot("replace", path));
            }
            Err(e) => return Err(cannot("replace", path)(e)),
        }
        let is_link =
            self.look(new).and_then(|status| status.map_or(Ok(false), |status| self.is_link(intent, new, status)));
        // a clone is known by its content, whatever has the name by now
        let is_clone = intent.action == ActionKind::Reflink && matches!(self.has_content(intent, new), Ok(true));
        if is_clone || matches!(is_link, Ok(true)) || matches!(self.is_equal(new, path), Ok(true)) {
            return self.remove_name(new);
        }
        // somebody was faster: what came out is theirs
        self.files.exchange(new, path).map_err(cannot("replace", path))?;
        Err(format!("{} was changed at this moment", id_of(path)))
    }

    /// Whether the file or its clone has the name is all the same: both have the content, the rights and the time. But if somebody wrote
    /// to the file before it was put aside, it is theirs, and goes back.
    fn roll_back_reflink(&self, intent: &Intent) -> Result<bool, String> {
        let (aside, path) = (&intent.temporary, &intent.path);
        let waits = self.look(aside)?.is_some();
        if let Some(clone) = &intent.copy {
            let whole = [&intent.kept, aside, path].into_iter().find(|whole| self.is_prefix(clone, whole) == Ok(true));
            self.discard(clone, whole.unwrap_or(&intent.kept))?;
        }
        if !waits {
            return Ok(false);
        }
        match self.look(path)? {
            None => self.rename_new(aside, path).map_err(cannot("rename back", aside))?,
            Some(_) if self.is_equal(aside, path)? => self.remove_copy(aside, path)?,
            // the clone has the name; what it holds is in the kept file
            Some(_) if self.has_content(intent, path)? && self.has_content(intent, &intent.kept)? => {
                self.files.rename(aside, path).map_err(cannot("replace", path))?;
            }
            Some(_) => {
                return Err(format!("{} has what was {}, where something else is now", id_of(aside), id_of(path)));
            }
        }
        Ok(false)
    }

    fn roll_back_move(&self, intent: &Intent) -> Result<bool, String> {
        let (Some(to), Some(copy)) = (&intent.to, &intent.copy) else {
            return Err("the log does not say where it was moved to".to_owned());
        };
        let aside = self.look(&intent.temporary)?;
        let source = if aside.is_some() { &intent.temporary } else { to };
        self.discard(copy, source)?;
        if self.put_back(intent)? {
            // what somebody else has put there meanwhile stays
            let is_copy = |moved: FileStatus| moved.kind == FileKind::File && moved.modified == intent.modified;
            if self.look(to)?.is_some_and(is_copy) && self.is_equal(to, &intent.path)? {
                self.remove_copy(to, &intent.path)?;
            }
            return Ok(false);
        }
        self.has_moved(intent)
    }

    /// Whether a file that does not wait under a temporary name is at its new place.
    pub(crate) fn has_moved(&self, intent: &Intent) -> Result<bool, String> {
        let to = intent.to.as_deref().unwrap_or(&intent.path);
        match (self.look(&intent.path)?, self.look(to)?) {
            // somebody else was here
            (None, None) => Ok(false),
            (Some(there), Some(_)) => Ok(there.modified != intent.modified),
            (there, _) => Ok(there.is_none()),
        }
    }

    /// Removes a copy that was being made of `source`, if there is one. What is no copy of it stays.
    pub(crate) fn discard(&self, copy: &Path, source: &Path) -> Result<(), String> {
        if self.look(copy)?.is_none() {
            return Ok(());
        }
        if self.is_prefix(copy, source)? {
            return self.remove_copy(copy, source);
        }
        Err(format!("{} is no copy of {}: look at it and remove it by hand", id_of(copy), id_of(source)))
    }
}
