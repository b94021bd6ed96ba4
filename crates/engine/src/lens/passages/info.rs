//! `info.csv`: what is known of submissions beside their files, in the form that Dolos reads and Dodona writes.

use crate::Error;
use crate::run::date::seconds;
use lookalike_extract::{Format, PageRules};
use std::collections::BTreeMap;
use unicode_normalization::UnicodeNormalization;

/// The name under which it is found beside the submissions.
pub const INFO: &str = "info.csv";

/// What a file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// What the file is called.
    pub name: String,
    pub rows: Vec<InfoRow>,
    /// What it says that was not understood, each with its line.
    pub warnings: Vec<String>,
}

/// One row: a file or a folder, and what is known of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InfoRow {
    /// A path from the folder or archive that the submissions are in, as [`plain`] makes it.
    pub filename: String,
    /// The line in the file, from 1.
    pub line: u64,
    pub label: Option<String>,
    pub created_at: Option<Created>,
    pub full_name: Option<String>,
}

/// When something was handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    /// Since 1970, UTC.
    pub seconds: i64,
    /// As it stands in the file.
    pub text: String,
}

/// A path as paths are compared: one form of each letter, for macOS writes others; folders separated by `/`.
pub fn plain(path: &str) -> String {
    let path: String = path.trim().replace('\\', "/").nfc().collect();
    path.trim_start_matches("./").trim_end_matches('/').to_owned()
}

/// Reads such a file. `name` is what it is called in messages.
pub fn parse_info(bytes: &[u8], name: &str) -> Result<Info, Error> {
    parse(bytes, name).map_err(|reason| Error::Document { id: name.to_owned(), reason })
}

const EXPECTED: &str =
    "expected a table with a column \"filename\", and if you like \"label\", \"created_at\" and \"full_name\"";

fn parse(bytes: &[u8], name: &str) -> Result<Info, String> {
    // spreadsheets write UTF-16 and windows-1252 too
    let mut scratch = String::new();
    let text = lookalike_extract::visible_text(bytes, Some(Format::Text), &PageRules::WHOLE, &mut scratch);
    let text = text.map_err(|e| format!("{EXPECTED}, found something {e}; save it as CSV"))?;
    // Excel's own first line
    let (text, before) = match text.strip_prefix("sep=").and_then(|rest| rest.split_once('\n')) {
        Some((_, rest)) => (rest, 1),
        None => (text, 0),
    };
    let head = text.lines().next().unwrap_or_default();
    // spreadsheets of many countries write semicolons
    let named =
        |d: &u8| head.split(char::from(*d)).any(|cell| cell.trim().trim_matches('"').eq_ignore_ascii_case("filename"));
    let Some(delimiter) = [b',', b';', b'\t'].into_iter().find(named) else {
        let found = if head.trim().is_empty() { "nothing".into() } else { format!("{:?}", shortened(head)) };
        return Err(format!("line {}: {EXPECTED}, found {found}; name the columns in the first line", before + 1));
    };
    let mut table = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(text.as_bytes());
    let header = table.headers().map_err(|e| format!("{EXPECTED}: {e}"))?.clone();
    let columns = Columns::new(&header);
    let mut info = Info { name: name.to_owned(), ..Info::default() };
    let mut lines = BTreeMap::new();
    let mut lines_of = Lines { text: text.as_bytes(), at: 0, line: 1 };
    for row in table.records() {
        let row = row.map_err(|e| format!("{EXPECTED}: {e}"))?;
        let line = before + lines_of.at(row.position().map_or(0, csv::Position::byte));
        if row.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if row.iter().skip(header.len()).any(|cell| !cell.trim().is_empty()) {
            return Err(format!(
                "line {line}: expected {} cells, found {}; put a cell that has a {:?} in it between double quotes",
                header.len(),
                row.len(),
                char::from(delimiter)
            ));
        }
        let filename = plain(Columns::cell(&row, columns.filename));
        if filename.is_empty() {
            return Err(format!(
                "line {line}: expected the path of a file or folder in the column \"filename\", found nothing; fill it in or remove the line"
            ));
        }
        if let Some(first) = lines.insert(filename.clone(), line) {
            lines.insert(filename.clone(), first);
            info.warnings.push(format!(
                "{name}: line {line}: {filename} stands in line {first} already, which is the one that counts"
            ));
            continue;
        }
        let created = Columns::text(&row, columns.created_at);
        let created_at = created.and_then(|text| seconds(&text).map(|seconds| Created { seconds, text: text.clone() }).or_else(|| {
            info.warnings.push(format!(
                "{name}: line {line}: expected a date such as 2024-03-01 17:12:33 +0100, found {:?}; {filename} has none",
                shortened(&text)
            ));
            None
        }));
        let (label, full_name) = (Columns::text(&row, columns.label), Columns::text(&row, columns.full_name));
        info.rows.push(InfoRow { filename, line, label, created_at, full_name });
    }
    Ok(info)
}

/// Counts lines, because the parser counts empty ones and those of Windows with the line after them.
struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line of the first row at this byte or after it; not to be asked for an earlier one later.
    fn at(&mut self, byte: u64) -> u64 {
        let byte = (byte as usize).clamp(self.at, self.text.len());
        let blank = self.text[byte..].iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
        let passed = &self.text[self.at..byte + blank];
        self.line += passed.split(|b| *b == b'\n').count() as u64 - 1;
        self.at = byte + blank;
        self.line
    }
}

/// Where the columns are; others are not looked at.
struct Columns {
    filename: Option<usize>,
    label: Option<usize>,
    created_at: Option<usize>,
    full_name: Option<usize>,
}

impl Columns {
    fn new(header: &csv::StringRecord) -> Self {
        let place = |column: &str| header.iter().position(|name| name.trim().eq_ignore_ascii_case(column));
        Self {
            filename: place("filename"),
            label: place("label").or_else(|| place("labels")),
            created_at: place("created_at"),
            full_name: place("full_name"),
        }
    }

    fn cell(row: &csv::StringRecord, column: Option<usize>) -> &str {
        column.and_then(|at| row.get(at)).unwrap_or_default().trim()
    }

    fn text(row: &csv::StringRecord, column: Option<usize>) -> Option<String> {
        Some(Self::cell(row, column).to_owned()).filter(|text| !text.is_empty())
    }
}

/// As much of a text as a message can take.
fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn info(text: &str) -> Info {
        parse_info(text.as_bytes(), "info.csv").unwrap()
    }

    fn error(text: &str) -> String {
        parse_info(text.as_bytes(), "x/info.csv").unwrap_err().to_string()
    }

    #[test]
    fn as_dodona_writes_it() {
        let found = info(concat!(
            "filename,full_name,id,status,created_at,labels\n",
            "./1/jane.py,\"Doe, Jane\",7,correct,2019-07-23 17:12:33 +0200,group1\n",
            "\n",
            "2\\john.py,John,8,wrong,,\n",
        ));
        assert_eq!(found.warnings, [""; 0]);
        let created_at = Some(Created { seconds: 1_563_894_753, text: "2019-07-23 17:12:33 +0200".into() });
        let jane = InfoRow {
            filename: "1/jane.py".into(),
            line: 2,
            label: Some("group1".into()),
            created_at,
            full_name: Some("Doe, Jane".into()),
        };
        let john =
            InfoRow { filename: "2/john.py".into(), line: 4, full_name: Some("John".into()), ..InfoRow::default() };
        assert_eq!(found.rows, [jane, john]);
    }

    #[test]
    fn as_spreadsheets_write_it() {
        let text = "sep=;\r\n\"Filename\";Label;other\r\nJose\u{301}.py;\"a;b\"\r\n";
        let found = info(&format!("\u{feff}{text}"));
        assert_eq!(
            (&*found.rows[0].filename, found.rows[0].label.as_deref(), found.rows[0].line),
            ("José.py", Some("a;b"), 3)
        );
        let utf16: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(parse_info(&utf16, "info.csv").unwrap(), found);
    }

    #[test]
    fn dates_and_repeated_names_are_warnings() {
        let found = info("filename,created_at\na,yesterday\nb,2019-07-23\na,2019-07-23\n");
        assert_eq!(found.rows.len(), 2);
        assert_eq!((&found.rows[0].created_at, found.rows[1].created_at.is_some()), (&None, true));
        assert!(
            found.warnings[0].starts_with("info.csv: line 2: expected a date")
                && found.warnings[0].contains("yesterday")
        );
        assert!(found.warnings[1].starts_with("info.csv: line 4: a stands in line 2 already"));
        assert_eq!(found.warnings.len(), 2);
    }

    #[test]
    fn wrong_files_are_told_what_is_wrong() {
        for (text, told) in [
            ("", ["line 1", "found nothing"]),
            ("name,label\na,b\n", ["line 1", "found \"name,label\""]),
            ("filename,label\na,b\nc,d,e\n", ["line 3", "expected 2 cells, found 3"]),
            ("filename,label\na,b\n ,d\n", ["line 3", "found nothing"]),
            ("\0\u{1}\u{2}", ["expected a table", "found"]),
        ] {
            let error = error(text);
            assert!(error.starts_with("x/info.csv: ") && told.iter().all(|part| error.contains(part)), "{error}");
        }
        assert_eq!(info("filename\n").rows, []);
    }

    proptest! {
        #[test]
        fn any_bytes_give_an_answer(bytes: Vec<u8>, head: bool) {
            let bytes = if head { [b"filename,created_at\n", &*bytes].concat() } else { bytes };
            let _ = parse_info(&bytes, "info.csv");
        }

        #[test]
        fn any_cells_come_back(cells in prop::collection::vec(("[^/\\\\. \u{0}-\u{1f}]\\PC{0,9}", "\\PC{0,9}"), 0..6)) {
            // there are more kinds of space than that one
            let cells: Vec<_> = cells.into_iter().filter(|(name, _)| !plain(name).trim().is_empty()).collect();
            let mut table = csv::Writer::from_writer(Vec::new());
            table.write_record(["filename", "full_name"]).unwrap();
            for (name, full) in &cells {
                table.write_record([name, full]).unwrap();
            }
            let found = parse_info(&table.into_inner().unwrap(), "info.csv").unwrap();
            let mut known = std::collections::BTreeSet::new();
            let expected: Vec<_> = cells.iter().filter(|(name, _)| known.insert(plain(name))).collect();
            prop_assert_eq!(found.rows.len(), expected.len());
            for (row, (name, full)) in found.rows.iter().zip(expected) {
                prop_assert_eq!(&row.filename, &plain(name));
                prop_assert_eq!(row.full_name.as_deref().unwrap_or_default(), full.trim());
            }
        }
    }
}
