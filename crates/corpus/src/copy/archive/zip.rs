//! Zip: files are copied as they are compressed, after a look at their checksums.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;

use zip::read::Config;
use zip::unstable::read::ZipIterable;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::Choice;
use crate::archive::zip_name;
use crate::copy::{CopyError, unreadable, unsupported};
use crate::file;
use crate::member::{Meter, check_zip_extent};

pub(super) fn copy(from: &Path, to: File, choice: &mut Choice<'_, '_>) -> Result<(), CopyError> {
    check_names(from)?;
    let mut zip = ZipArchive::new(open(from)?).map_err(|error| damaged(from, &error))?;
    let mut out = ZipWriter::new(BufWriter::new(to));
    out.set_raw_comment(zip.comment().into()).map_err(written)?;
    for index in 0..zip.len() {
        let entry = zip.by_index_data(index).map_err(|error| damaged(from, &error))?;
        let name = zip_name(&entry);
        let (is_file, method) = (!entry.is_dir() && !entry.is_symlink(), entry.compression());
        if entry.encrypted() {
            let reason = format!("{name} is encrypted; unpack the archive with its password and name the folder");
            return Err(unsupported(from, reason));
        }
        if is_file && !choice.keeps(&name) {
            continue;
        }
        let of_member = |error: &dyn std::fmt::Display| {
            unreadable(from, Some(name.clone()), format!("the zip is damaged or cut short: {error}"))
        };
        // Other compressions cannot be checked here: such members are copied as they are.
        if matches!(method, CompressionMethod::Stored | CompressionMethod::Deflated) {
            let mut member = zip.by_index(index).map_err(|error| of_member(&error))?;
            let size = member.size();
            // No more is unpacked than the size in the directory.
            let read = io::copy(&mut io::Read::take(&mut member, size.saturating_add(1)), &mut io::sink());
            let read = read.map_err(|error| of_member(&error))?;
            if read != size {
                return Err(of_member(&format!("expected {size} bytes, found {read}")));
            }
        }
        let member = zip.by_index_raw(index).map_err(|error| of_member(&error))?;
        out.raw_copy_file(member).map_err(written)?;
    }
    out.finish().map_err(written)?.flush().map_err(CopyError::Write)
}

/// Two members with one name cannot be kept apart, and too many names cannot be held.
fn check_names(from: &Path) -> Result<(), CopyError> {
    let (file, metadata) = file::open(from).map_err(|reason| CopyError::from((from, reason)))?;
    let meter = Meter::new(metadata.len());
    let mut file = BufReader::new(file);
    let extent = check_zip_extent(&mut file);
    let mut zip = ZipIterable::try_new(file, Config::default()).map_err(|error| damaged(from, &error))?;
    extent.map_err(|error| unreadable(from, None, format!("the zip is damaged: {error}")))?;
    let mut names = HashSet::new();
    for entry in zip.files().map_err(|error| damaged(from, &error))? {
        let entry = entry.map_err(|error| damaged(from, &error))?;
        if !meter.list(entry.name_raw().len()) {
            let reason = meter.limit_reached().map_or_else(String::new, |reason| reason.to_string());
            return Err(unsupported(from, reason));
        }
        if !names.insert(entry.name_raw().to_vec()) {
            let reason = format!("two members are called {}; unpack the archive and name the folder", zip_name(&entry));
            return Err(unsupported(from, reason));
        }
    }
    Ok(())
}

fn open(from: &Path) -> Result<BufReader<File>, CopyError> {
    Ok(BufReader::new(file::open(from).map_err(|reason| CopyError::from((from, reason)))?.0))
}

fn damaged(from: &Path, error: &dyn std::fmt::Display) -> CopyError {
    unreadable(from, None, format!("the directory of the zip is damaged or cut off: {error}"))
}

fn written(error: zip::result::ZipError) -> CopyError {
    CopyError::Write(error.into())
}
