//! One action on one file, step by step.
//!
//! First all is checked. Then the intent is logged. Then the duplicate is put aside under a temporary name: in exchange for the link that
//! takes its place, or, where it is to vanish, by a rename. Whatever had the name at that moment is now out of reach of others and is
//! checked again. Only then is it removed or moved on. If anything is wrong it is put back ([`crate::rollback`]).

use crate::context::{ActContext, cannot};
use crate::file_system::{FileKind, FileStatus};
use crate::log::{Intent, Log};
use crate::options::ActionKind;
use crate::paths::{check_folders, relative_path, temporary_path};
use crate::plan::{PlannedFile, change_since_scan};
use lookalike_corpus::id_of;
use std::io;
use std::path::Path;

/// A duplicate that may be acted on.
pub(crate) struct CheckedAction {
    pub(crate) intent: Intent,
    /// Names that it has.
    pub(crate) duplicate: FileStatus,
    kept: FileStatus,
}

impl ActContext<'_> {
    /// Everything that can be known before anything is touched.
    pub(crate) fn check(
        &self,
        action: ActionKind,
        destination: Option<&Path>,
        duplicate: &PlannedFile,
        kept: &PlannedFile,
        bytes: u64,
    ) -> Result<CheckedAction, String> {
        let reported = &duplicate.reported;
        let near = duplicate.decided.is_some();
        let (mut kept_file, kept_status) = self.open(&kept.reported.path)?;
        let kept_bytes = if near { kept_status.bytes } else { bytes };
        if let Some(reason) = change_since_scan(&kept_status, kept_bytes, kept.modified) {
            return Err(format!("the kept file {} {reason}", kept.reported.id));
        }
        let (mut file, status) = self.open(&reported.path)?;
        if let Some(reason) = change_since_scan(&status, bytes, duplicate.modified) {
            return Err(reason);
        }
        if status.is_same_file(&kept_status) {
            return Err("is the same file as the kept one by now".to_owned());
        }
        if status.may_be_same_file(&kept_status) {
            return Err("may be the kept file itself, seen through another mount".to_owned());
        }
        if action == ActionKind::Hardlink && !status.is_same_device(&kept_status) {
            return Err("is on another device than the kept file; a symbolic link would do".to_owned());
        }
        if action == ActionKind::Reflink && !status.is_same_device(&kept_status) {
            return Err("is on another device than the kept file, and only files of one device share blocks".to_owned());
        }
        self.files.may_change(reported.folder()).map_err(cannot("change names in", reported.folder()))?;
        let to = match (destination, action) {
            (Some(trash), ActionKind::Trash) => Some(self.trash_place(trash, &reported.path)?),
            (folder, _) => folder.map(|folder| reported.below(folder)),
        };
        if let (Some(to), Some(top)) = (&to, destination) {
            let lowest = check_folders(self.files, top, to, false)?;
            self.files.may_change(&lowest).map_err(cannot("make names in", &lowest))?;
            if self.look(to)?.is_some() {
                return Err(format!("{} exists already, and nothing is overwritten", id_of(to)));
            }
        }
        let content = match &duplicate.decided {
            None => {
                let content = self.equal(&mut file, &mut kept_file)?;
                content.ok_or("has not the same content as the kept file")?
            }
            Some(decided) => {
                let changed = |hash: &str, decided: &str| decided.is_empty() || !hash.starts_with(decided);
                if changed(&self.hash(&mut kept_file)?, kept.decided.as_deref().unwrap_or_default()) {
                    return Err(format!("the kept file {} has changed since it was decided upon", kept.reported.id));
                }
                let content = self.hash(&mut file)?;
                if changed(&content, decided) {
                    return Err("has changed since it was decided upon".to_owned());
                }
                content
            }
        };
        let intent = Intent {
            n: 0,
            action,
            path: reported.path.clone(),
            kept: kept.reported.path.clone(),
            temporary: temporary_path(reported.folder()),
            target: (action == ActionKind::Symlink).then(|| relative_path(reported.folder(), &kept.reported.path)),
            copy: match action {
                ActionKind::Reflink => Some(temporary_path(reported.folder())),
                _ => to.as_deref().and_then(Path::parent).map(temporary_path),
            },
            to,
            bytes,
            modified: duplicate.modified,
            mode: status.attributes.mode,
            uid: status.attributes.uid,
            gid: status.attributes.gid,
            content,
            near,
        };
        Ok(CheckedAction { intent, duplicate: status, kept: kept_status })
    }

    /// Returns when the kept file would survive a power cut: what remains must be on the disk before another goes.
    pub(crate) fn sync_kept(&self, kept: &Path) -> Result<(), String> {
        let (file, _) = self.open(kept)?;
        self.files.sync(&file).map_err(cannot("sync", kept))
    }

    /// Does it, with the log written before and after.
    pub(crate) fn act(&self, log: &mut Log<'_>, checked: &mut CheckedAction, top: Option<&Path>) -> Result<(), String> {
        log.intend(&mut checked.intent)?;
        let n = checked.intent.n;
        let Err(reason) = self.change(checked, top) else {
            log.done(n);
            return Ok(());
        };
        match self.roll_back(&checked.intent) {
            Ok(true) => {
                log.done(n);
                Ok(())
            }
            Ok(false) => {
                log.back(n);
                Err(reason)
            }
            // the log still says that it was begun, so that an undo can try again
            Err(stuck) => Err(format!("{reason}; then {stuck}; undoing the log tries again")),
        }
    }

    fn change(&self, checked: &CheckedAction, top: Option<&Path>) -> Result<(), String> {
        let intent = &checked.intent;
        match intent.action {
            ActionKind::Hardlink | ActionKind::Symlink => self.replace(checked),
            ActionKind::Reflink => self.replace_by_clone(checked),
            ActionKind::Remove => {
                self.put_aside(intent)?;
                self.recheck(checked)?;
                self.remove_name(&intent.temporary)
            }
            ActionKind::Move | ActionKind::Trash => self.move_away(checked, top),
        }
    }

    /// The link is made under the temporary name and changes places with the duplicate.
    fn replace(&self, checked: &CheckedAction) -> Result<(), String> {
        let intent = &checked.intent;
        self.make_link(checked, &intent.temporary)?;
        match self.files.exchange(&intent.temporary, &intent.path) {
            Ok(()) => {}
            // No exchange on this file system: for a moment the name is missing, but nothing can be lost that way.
            Err(e) if e.kind() == io::ErrorKind::Unsupported => {
                self.remove_name(&intent.temporary)?;
                self.put_aside(intent)?;
                self.make_link(checked, &intent.path)?;
            }
            Err(e) => return Err(cannot("replace", &intent.path)(e)),
        }
        self.recheck(checked)?;
        self.remove_name(&intent.temporary)
    }

    /// A link to the kept file under a new name.
    fn make_link(&self, checked: &CheckedAction, new: &Path) -> Result<(), String> {
        let intent = &checked.intent;
        match &intent.target {
            Some(target) => self.files.symlink(target, new),
            None => self.files.hard_link(&intent.kept, new),
        }
        .map_err(|e| match e.kind() {
            io::ErrorKind::CrossesDevices => format!("{e}: no hard link is possible; a symbolic link would do"),
            _ => format!("cannot link to the kept file: {e}"),
        })?;
        let end = self.files.look_through(new).map_err(cannot("look at", new))?;
        if end.is_some_and(|end| end.is_same_file(&checked.kept)) {
            return Ok(());
        }
        Err("the kept file was replaced by another".to_owned())
    }

    /// The clone is made under one temporary name, and the duplicate waits under another: a clone looks like any file, so names must tell
    /// which is which. The name is missing for a moment.
    fn replace_by_clone(&self, checked: &CheckedAction) -> Result<(), String> {
        let intent = &checked.intent;
        let Some(clone) = &intent.copy else { return Err("has no name for its clone".to_owned()) };
        self.make_clone(intent, clone)?;
        // to itself: it exists already, and whether the file system knows such renames is told before anything is touched
        if self.files.rename_new(clone, clone).is_err_and(|e| e.kind() == io::ErrorKind::Unsupported) {
            return Err(
                "this file system cannot rename without replacing what is there; a hard link would do".to_owned()
            );
        }
        self.put_aside(intent)?;
        self.recheck(checked)?;
        self.files.rename_new(clone, &intent.path).map_err(cannot("make", &intent.path))?;
        self.remove_name(&intent.temporary)
    }

    /// A file of its own with the blocks of the kept one, and with the rights and the time of the duplicate.
    fn make_clone(&self, intent: &Intent, new: &Path) -> Result<(), String> {
        let (kept, _) = self.open(&intent.kept)?;
        let file = self.files.create(new).map_err(cannot("make", new))?;
        self.files.reflink(&kept, &file).map_err(|e| match e.kind() {
            io::ErrorKind::Unsupported => {
                "this file system cannot share blocks between files: expected one such as Btrfs, \
                                           XFS or bcachefs; a hard link would do"
                    .to_owned()
            }
            _ => format!("cannot share blocks with the kept file: {e}"),
        })?;
        self.files.finish(&file, intent.attributes(), intent.modified).map_err(cannot("write", new))?;
        self.files.sync(&file).map_err(cannot("write", new))?;
        // what counts is what it holds
        let (mut file, _) = self.open(new)?;
        if self.hash(&mut file)? == intent.content {
            return Ok(());
        }
        Err("the kept file no longer has the content that it had".to_owned())
    }

    /// The duplicate gets its temporary name.
    fn put_aside(&self, intent: &Intent) -> Result<(), String> {
        self.files.rename(&intent.path, &intent.temporary).map_err(cannot("rename", &intent.path))
    }

    /// What was put aside is the file that was checked, unchanged, and the kept file is at its place with the same content. Since
    /// it is looked for after the duplicate was put aside, two runs can never each remove what the other keeps.
    fn recheck(&self, checked: &CheckedAction) -> Result<(), String> {
        let intent = &checked.intent;
        let (mut aside, status) = self.open(&intent.temporary)?;
        let (mut kept, kept_status) = self.open(&intent.kept)?;
        let was = (checked.duplicate.identity(), checked.duplicate.bytes, checked.duplicate.modified);
        if (status.identity(), status.bytes, status.modified) != was {
            return Err("was changed or replaced while it was worked on".to_owned());
        }
        if !kept_status.is_same_file(&checked.kept) || kept_status.kind != FileKind::File {
            return Err("the kept file was replaced by another".to_owned());
        }
        // A name of the duplicate has changed, and with it the time of its inode. If that of the kept file has too, both are one file, seen
        // through two mounts. A hard link is made on one device, and touches the kept file.
        if intent.action != ActionKind::Hardlink && kept_status.touched != checked.kept.touched {
            return Err(
                "the kept file was touched at this moment, or is the same file, seen through another mount".to_owned()
            );
        }
        if intent.near {
            let is_same = self.hash(&mut aside)? == intent.content;
            return if is_same { Ok(()) } else { Err("was changed while it was worked on".to_owned()) };
        }
        match self.equal(&mut aside, &mut kept)? {
            Some(_) => Ok(()),
            None => Err("no longer has the same content as the kept file".to_owned()),
        }
    }

    fn move_away(&self, checked: &CheckedAction, top: Option<&Path>) -> Result<(), String> {
        let intent = &checked.intent;
        let (Some(to), Some(copy), Some(top)) = (&intent.to, &intent.copy, top) else {
            return Err("has no destination".to_owned());
        };
        check_folders(self.files, top, to, true)?;
        if intent.action == ActionKind::Trash {
            self.write_info(intent, top)?;
        }
        self.put_aside(intent)?;
        self.recheck(checked)?;
        match self.rename_new(&intent.temporary, to) {
            Err(e) if e.kind() == io::ErrorKind::CrossesDevices => {
                self.copy(&intent.temporary, copy, &intent.content, intent.attributes(), intent.modified)?;
                self.rename_new(copy, to).map_err(cannot("make", to))?;
                let folder = to.parent().unwrap_or(top);
                self.files.sync_folder(folder).map_err(cannot("sync", folder))?;
                self.remove_name(&intent.temporary)
            }
            result => result.map_err(cannot("move to", to)),
        }
    }
}

/// What changes for a duplicate that becomes a link, beside its content staying the same.
pub(crate) fn attribute_change(checked: &CheckedAction) -> Option<String> {
    let (own, kept) = (checked.duplicate.attributes, checked.kept.attributes);
    let is_link = matches!(checked.intent.action, ActionKind::Hardlink | ActionKind::Symlink);
    if !is_link || own == kept {
        return None;
    }
    Some(if own.mode == kept.mode {
        "will belong to the owner of the kept file".to_owned()
    } else {
        format!("will have the rights of the kept file: {:04o}, not {:04o}", kept.mode, own.mode)
    })
}
