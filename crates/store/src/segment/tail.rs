//! The end of a segment: which parts it has and where.

use super::{ALIGN, BLOCK, Entry, Footer, KINDS, MAGIC, SUM, SegmentFile, tail_sum};

/// Where the parts of a file begin.
#[derive(Debug, Clone, Copy)]
pub(super) struct TailLayout {
    pub(super) level1: usize,
    pub(super) level2: usize,
    pub(super) table: usize,
    pub(super) footer: usize,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) offset: u64,
    pub(super) length: u64,
}

/// Checks a file from level 2 on and says where its parts and sections are. Nothing in it is believed before it is compared.
pub(super) fn check_tail(map: &[u8], file: &SegmentFile) -> Result<(TailLayout, Vec<Place>), (usize, String)> {
    let footer_at = map.len() - size_of::<Footer>();
    let footer: Footer = bytemuck::pod_read_unaligned(&map[footer_at..]);
    if footer.magic != MAGIC {
        let (expected, found) = (MAGIC.escape_ascii(), footer.magic.escape_ascii());
        return Err((footer_at, format!("expected a segment with the mark {expected}, found {found}")));
    }
    if footer.checksum != file.checksum {
        let found =
            format!("expected the segment with checksum {:016x}, found {:016x}", file.checksum, footer.checksum);
        return Err((map.len() - SUM, found));
    }
    let parts = parts(&footer, footer_at).ok_or_else(|| (footer_at, "impossible lengths in the footer".to_owned()))?;
    let sum = tail_sum(&map[parts.level2..]);
    if sum != footer.checksum {
        let found = format!("expected checksum {:016x} of table and footer, found {sum:016x}", footer.checksum);
        return Err((parts.level2, found));
    }
    let mut places = Vec::new();
    for (number, entry) in map[parts.table..parts.footer].chunks_exact(size_of::<Entry>()).enumerate() {
        let Entry { kind, offset, length, .. } = bytemuck::pod_read_unaligned(entry);
        let fits = offset.checked_add(length).is_some_and(|end| end <= footer.data);
        if kind >= KINDS || !offset.is_multiple_of(ALIGN as u64) || !fits {
            return Err((parts.table + number * size_of::<Entry>(), "impossible place of a section".to_owned()));
        }
        places.resize(places.len().max(kind as usize + 1), Place::default());
        places[kind as usize] = Place { offset, length };
    }
    Ok((parts, places))
}

/// Where the parts are, if they fill the file exactly.
fn parts(footer: &Footer, footer_at: usize) -> Option<TailLayout> {
    let level1 = usize::try_from(footer.data).ok().filter(|data| data.is_multiple_of(ALIGN))?;
    let level2 = level1.checked_add(level1.div_ceil(BLOCK) * SUM)?;
    let table = level2.checked_add((level2 - level1).div_ceil(BLOCK) * SUM)?;
    let entries = usize::try_from(footer.sections).ok()?.checked_mul(size_of::<Entry>())?;
    (table.checked_add(entries)? == footer_at).then_some(TailLayout { level1, level2, table, footer: footer_at })
}
