//! One action on one file, step by step.
//!
//! First all is checked. Then the intent is logged. Then the duplicate is put aside under a temporary name: in exchange for the link that
//! takes its place, or, where it is to vanish, by a rename. Whatever had the name at that moment is now out of reach of others and is
//! checked again. Only then is it removed or moved on. If anything is wrong it is put back ([`super::back`]).

use super::Verb;
use super::content::{Hand, cannot};
use super::files::{Kind, Seen};
use super::log::{Intent, Log};
use super::place::{folders, relative, temporary};
use super::plan::{Candidate, changed};
use lookalike_corpus::id_of;
use std::io;
use std::path::Path;

/// A duplicate that may be acted on.
pub(super) struct Checked {
    pub(super) intent: Intent,
    /// Names that it has.
    pub(super) duplicate: Seen,
    kept: Seen,
}

impl Hand<'_> {
    /// Everything that can be known before anything is touched.
    pub(super) fn check(
        &self,
        action: Verb,
        destination: Option<&Path>,
        duplicate: &Candidate,
        kept: &Candidate,
        bytes: u64,
    ) -> Result<Checked, String> {
        let place = &duplicate.place;
        let (mut kept_file, kept_seen) = self.open(&kept.place.path)?;
        if let Some(reason) = changed(&kept_seen, bytes, kept.modified) {
            return Err(format!("the kept file {} {reason}", kept.place.id));
        }
        let (mut file, seen) = self.open(&place.path)?;
        if let Some(reason) = changed(&seen, bytes, duplicate.modified) {
            return Err(reason);
        }
        if seen.is_same_file(&kept_seen) {
            return Err("is the same file as the kept one by now".to_owned());
        }
        if action == Verb::Hardlink && !seen.is_same_device(&kept_seen) {
            return Err("is on another device than the kept file; --symlink would do".to_owned());
        }
        self.files.may_change(place.folder()).map_err(cannot("change names in", place.folder()))?;
        let to = destination.map(|folder| place.below(folder));
        if let (Some(to), Some(top)) = (&to, destination) {
            let lowest = folders(self.files, top, to, false)?;
            self.files.may_change(&lowest).map_err(cannot("make names in", &lowest))?;
            if self.look(to)?.is_some() {
                return Err(format!("{} exists already, and nothing is overwritten", id_of(to)));
            }
        }
        let content = self.equal(&mut file, &mut kept_file)?;
        let content = content.ok_or("has not the same content as the kept file")?;
        let intent = Intent {
            n: 0,
            action,
            path: place.path.clone(),
            kept: kept.place.path.clone(),
            temporary: temporary(place.folder()),
            target: (action == Verb::Symlink).then(|| relative(place.folder(), &kept.place.path)),
            copy: to.as_deref().and_then(Path::parent).map(temporary),
            to,
            bytes,
            modified: duplicate.modified,
            mode: seen.rights.mode,
            uid: seen.rights.uid,
            gid: seen.rights.gid,
            content,
        };
        Ok(Checked { intent, duplicate: seen, kept: kept_seen })
    }

    /// Returns when the kept file would survive a power cut: what remains must be on the disk before another goes.
    pub(super) fn secure(&self, kept: &Path) -> Result<(), String> {
        let (file, _) = self.open(kept)?;
        self.files.sync(&file).map_err(cannot("sync", kept))
    }

    /// Does it, with the log written before and after.
    pub(super) fn act(&self, log: &mut Log<'_>, checked: &mut Checked, top: Option<&Path>) -> Result<(), String> {
        log.intend(&mut checked.intent)?;
        let n = checked.intent.n;
        let Err(reason) = self.change(checked, top) else {
            log.done(n);
            return Ok(());
        };
        match self.take_back(&checked.intent) {
            Ok(true) => {
                log.done(n);
                Ok(())
            }
            Ok(false) => {
                log.back(n);
                Err(reason)
            }
            // the log still says that it was begun, so that an undo can try again
            Err(stuck) => Err(format!("{reason}; then {stuck}; lookalike act --undo tries again")),
        }
    }

    fn change(&self, checked: &Checked, top: Option<&Path>) -> Result<(), String> {
        let intent = &checked.intent;
        match intent.action {
            Verb::Hardlink | Verb::Symlink => self.replace(checked),
            Verb::Remove => {
                self.put_aside(intent)?;
                self.recheck(checked)?;
                self.drop_name(&intent.temporary)
            }
            Verb::Move => self.move_away(checked, top),
        }
    }

    /// The link is made under the temporary name and changes places with the duplicate.
    fn replace(&self, checked: &Checked) -> Result<(), String> {
        let intent = &checked.intent;
        self.make_link(checked, &intent.temporary)?;
        match self.files.exchange(&intent.temporary, &intent.path) {
            Ok(()) => {}
            // No exchange on this file system: for a moment the name is missing, but nothing can be lost that way.
            Err(e) if e.kind() == io::ErrorKind::Unsupported => {
                self.drop_name(&intent.temporary)?;
                self.put_aside(intent)?;
                self.make_link(checked, &intent.path)?;
            }
            Err(e) => return Err(cannot("replace", &intent.path)(e)),
        }
        self.recheck(checked)?;
        self.drop_name(&intent.temporary)
    }

    /// A link to the kept file under a new name.
    fn make_link(&self, checked: &Checked, new: &Path) -> Result<(), String> {
        let intent = &checked.intent;
        match &intent.target {
            Some(target) => self.files.symlink(target, new),
            None => self.files.hard_link(&intent.kept, new),
        }
        .map_err(|e| match e.kind() {
            io::ErrorKind::CrossesDevices => format!("{e}: no hard link is possible; --symlink would do"),
            _ => format!("cannot link to the kept file: {e}"),
        })?;
        let end = self.files.look_through(new).map_err(cannot("look at", new))?;
        if end.is_some_and(|end| end.is_same_file(&checked.kept)) {
            return Ok(());
        }
        Err("the kept file was replaced by another".to_owned())
    }

    /// The duplicate gets its temporary name.
    fn put_aside(&self, intent: &Intent) -> Result<(), String> {
        self.files.rename(&intent.path, &intent.temporary).map_err(cannot("rename", &intent.path))
    }

    /// What was put aside is the file that was checked, unchanged, and the kept file is at its place with the same content. Since
    /// it is looked for after the duplicate was put aside, two runs can never each remove what the other keeps.
    fn recheck(&self, checked: &Checked) -> Result<(), String> {
        let intent = &checked.intent;
        let (mut aside, seen) = self.open(&intent.temporary)?;
        let (mut kept, kept_seen) = self.open(&intent.kept)?;
        let was = (checked.duplicate.identity(), checked.duplicate.bytes, checked.duplicate.modified);
        if (seen.identity(), seen.bytes, seen.modified) != was {
            return Err("was changed or replaced while it was worked on".to_owned());
        }
        if !kept_seen.is_same_file(&checked.kept) || kept_seen.kind != Kind::File {
            return Err("the kept file was replaced by another".to_owned());
        }
        match self.equal(&mut aside, &mut kept)? {
            Some(_) => Ok(()),
            None => Err("no longer has the same content as the kept file".to_owned()),
        }
    }

    fn move_away(&self, checked: &Checked, top: Option<&Path>) -> Result<(), String> {
        let intent = &checked.intent;
        let (Some(to), Some(copy), Some(top)) = (&intent.to, &intent.copy, top) else {
            return Err("has no place to go to".to_owned());
        };
        folders(self.files, top, to, true)?;
        self.put_aside(intent)?;
        self.recheck(checked)?;
        match self.rename_new(&intent.temporary, to) {
            Err(e) if e.kind() == io::ErrorKind::CrossesDevices => {
                self.copy(&intent.temporary, copy, &intent.content, intent.rights(), intent.modified)?;
                self.rename_new(copy, to).map_err(cannot("make", to))?;
                let folder = to.parent().unwrap_or(top);
                self.files.sync_folder(folder).map_err(cannot("sync", folder))?;
                self.drop_name(&intent.temporary)
            }
            result => result.map_err(cannot("move to", to)),
        }
    }

    /// Another name for a file that nobody but us knows by the old one; never replaces what has the new name.
    pub(super) fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        use io::ErrorKind::{AlreadyExists, CrossesDevices, NotFound};
        match self.files.rename_new(from, to) {
            Err(e) if e.kind() == io::ErrorKind::Unsupported => {}
            result => return result,
        }
        match self.files.hard_link(from, to) {
            Ok(()) => self.files.remove(from),
            Err(e) if matches!(e.kind(), AlreadyExists | CrossesDevices | NotFound) => Err(e),
            // neither this nor hard links: looking first is the best there is
            Err(_) if self.files.look(to)?.is_some() => Err(AlreadyExists.into()),
            Err(_) => self.files.rename(from, to),
        }
    }

    pub(super) fn drop_name(&self, path: &Path) -> Result<(), String> {
        self.files.remove(path).map_err(cannot("remove", path))
    }
}

/// What changes for a duplicate that becomes a link, beside its content staying the same.
pub(super) fn note(checked: &Checked) -> Option<String> {
    let (own, kept) = (checked.duplicate.rights, checked.kept.rights);
    let is_link = matches!(checked.intent.action, Verb::Hardlink | Verb::Symlink);
    if !is_link || own == kept {
        return None;
    }
    Some(if own.mode == kept.mode {
        "will belong to the owner of the kept file".to_owned()
    } else {
        format!("will have the rights of the kept file: {:04o}, not {:04o}", kept.mode, own.mode)
    })
}
