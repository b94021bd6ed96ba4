//! Fingerprints in Parquet: the types of columns, row groups, and damage.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common::{Read, problem, read, read_all};
use lookalike_hamming::FingerprintBits;
use lookalike_hamming::file::{Digits, FileOptions, FileProblem, FingerprintReader, IdKind, Position};
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::data_type::{
    ByteArray, ByteArrayType, DataType, FixedLenByteArray, FixedLenByteArrayType, Int32Type, Int64Type,
};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

/// The values of one column in one row group.
enum Values {
    Long(Vec<i64>),
    Int(Vec<i32>),
    Text(Vec<String>),
    Fixed(Vec<Vec<u8>>),
    /// Null where the level is 0.
    Nulls(Vec<i64>, Vec<i16>),
}

fn put<T: DataType>(group: &mut SerializedRowGroupWriter<'_, Vec<u8>>, values: &[T::T], levels: Option<&[i16]>) {
    let mut column = group.next_column().unwrap().expect("as many columns as the schema has");
    column.typed::<T>().write_batch(values, levels, None).unwrap();
    column.close().unwrap();
}

fn table(columns: &str, groups: Vec<Vec<Values>>, properties: WriterProperties) -> Vec<u8> {
    let schema = parse_message_type(&format!("message table {{ {columns} }}")).unwrap();
    let mut file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties)).unwrap();
    for columns in groups {
        let mut group = file.next_row_group().unwrap();
        for values in columns {
            match values {
                Values::Long(values) => put::<Int64Type>(&mut group, &values, None),
                Values::Int(values) => put::<Int32Type>(&mut group, &values, None),
                Values::Nulls(values, levels) => put::<Int64Type>(&mut group, &values, Some(&levels)),
                Values::Text(values) => {
                    let values: Vec<ByteArray> = values.iter().map(|text| text.as_str().into()).collect();
                    put::<ByteArrayType>(&mut group, &values, None);
                }
                Values::Fixed(values) => {
                    let values: Vec<_> = values.into_iter().map(FixedLenByteArray::from).collect();
                    put::<FixedLenByteArrayType>(&mut group, &values, None);
                }
            }
        }
        group.close().unwrap();
    }
    file.into_inner().unwrap()
}

fn plain(columns: &str, groups: Vec<Vec<Values>>) -> Vec<u8> {
    table(columns, groups, WriterProperties::default())
}

fn file(folder: &Path, bytes: &[u8]) -> PathBuf {
    crate::common::at(folder, "a.parquet", bytes)
}

fn read_with<P: FingerprintBits>(bytes: &[u8], options: &FileOptions) -> Result<Read<P>, FileProblem> {
    let folder = tempfile::tempdir().unwrap();
    read(&file(folder.path(), bytes), options).map_err(problem)
}

fn read_plain(bytes: &[u8]) -> Result<Read<u64>, FileProblem> {
    read_with(bytes, &FileOptions::default())
}

fn numbers(count: u64) -> Vec<u64> {
    (0..count).map(|row| (row + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
}

fn longs(numbers: &[u64]) -> Values {
    Values::Long(numbers.iter().map(|&number| number.cast_signed()).collect())
}

#[test]
fn integers_binary_and_hex_give_the_same() {
    let all = numbers(1000);
    let fixed = Values::Fixed(all.iter().map(|number| number.to_le_bytes().to_vec()).collect());
    let hex = Values::Text(all.iter().map(|number| format!("{number:016x}")).collect());
    let prefixed = Values::Text(all.iter().map(|number| format!("0x{number:016X}")).collect());
    for (columns, values) in [
        ("required int64 fingerprint;", longs(&all)),
        ("required int64 simhash (INTEGER(64,false));", longs(&all)),
        (
            "optional int64 fingerprint (UINT_64);",
            Values::Nulls(all.iter().map(|&it| it.cast_signed()).collect(), vec![1; 1000]),
        ),
        ("required fixed_len_byte_array(8) fingerprint;", fixed),
        ("required binary fingerprint (STRING);", hex),
        ("required binary fingerprint;", prefixed),
    ] {
        let read = read_plain(&plain(columns, vec![vec![values]])).unwrap();
        assert_eq!((read.fingerprints, read.kind), (all.clone(), IdKind::Rows), "{columns}");
    }
    let wide: Vec<u128> = all.iter().map(|&number| u128::from(number) * u128::from(number)).collect();
    let fixed = Values::Fixed(wide.iter().map(|number| number.to_le_bytes().to_vec()).collect());
    let hex = Values::Text(wide.iter().map(|number| format!("{number:032x}")).collect());
    for (columns, values) in
        [("required fixed_len_byte_array(16) fingerprint;", fixed), ("required binary fingerprint (STRING);", hex)]
    {
        let read = read_with::<u128>(&plain(columns, vec![vec![values]]), &FileOptions::default()).unwrap();
        assert_eq!(read.fingerprints, wide, "{columns}");
    }
}

#[test]
fn text_without_all_digits_wants_a_word_from_the_user() {
    let bytes = plain("required binary fingerprint (STRING);", vec![vec![Values::Text(vec!["10".into()])]]);
    assert!(matches!(read_plain(&bytes), Err(FileProblem::Mixed { at: Position::Row(0), .. })));
    let with = |digits| {
        read_with::<u64>(&bytes, &FileOptions { digits: Some(digits), ..FileOptions::default() }).unwrap().fingerprints
    };
    assert_eq!((with(Digits::Hex), with(Digits::Decimal)), (vec![16], vec![10]));
}

#[test]
fn ids_come_from_their_column() {
    let three = || Values::Long(vec![1, 2, 3]);
    let read = read_plain(&plain(
        "required int64 id; required int64 fingerprint;",
        vec![vec![Values::Long(vec![9, 8, 7]), three()]],
    ));
    assert_eq!(read.unwrap().ids, [9, 8, 7]);
    let bytes = plain(
        "required int64 fingerprint; required int32 id (UINT_32);",
        vec![vec![three(), Values::Int(vec![-1, 0, 1])]],
    );
    assert_eq!(read_plain(&bytes).unwrap().ids, [u64::from(u32::MAX), 0, 1]);
    let bytes =
        plain("required int64 fingerprint; required int32 id;", vec![vec![three(), Values::Int(vec![0, -1, 1])]]);
    assert!(matches!(read_plain(&bytes), Err(FileProblem::BadId { at: Position::Row(1), .. })));
    let words = || Values::Text(["a", "", "c d"].map(Into::into).to_vec());
    let bytes = plain(
        "required int64 fingerprint; required binary url (STRING); required int64 id;",
        vec![vec![three(), words(), three()]],
    );
    assert_eq!(read_plain(&bytes).unwrap().ids, [1, 2, 3]);
    let options = FileOptions { id_field: Some("url".into()), ..FileOptions::default() };
    let read = read_with::<u64>(&bytes, &options).unwrap();
    assert_eq!(read.names, [(0, "a".to_owned()), (1, String::new()), (2, "c d".to_owned())]);
    assert!(read.ids.is_empty());
    let rows = FileOptions { ids: Some(IdKind::Rows), ..options.clone() };
    assert_eq!(read_with::<u64>(&bytes, &rows).unwrap().kind, IdKind::Rows);
    let wrong = FileOptions { ids: Some(IdKind::Numbers), ..options };
    assert!(matches!(read_with::<u64>(&bytes, &wrong), Err(FileProblem::Column { .. })));
}

#[test]
fn columns_that_will_not_do_are_named() {
    let one = || Values::Long(vec![1]);
    let bytes = plain("required int64 hash; required group a { required int64 b; }", vec![vec![one(), one()]]);
    let wanted = "fingerprint or simhash".to_owned();
    assert_eq!(
        read_plain(&bytes),
        Err(FileProblem::NoColumn { wanted, found: "hash, a.b".into(), role: "fingerprints" })
    );
    let field = |field: &str| FileOptions { field: Some(field.into()), ..FileOptions::default() };
    assert_eq!(read_with::<u64>(&bytes, &field("hash")).unwrap().fingerprints, [1]);
    assert_eq!(read_with::<u64>(&bytes, &field("a.b")).unwrap().fingerprints, [1]);
    assert!(matches!(read_with::<u128>(&bytes, &field("hash")), Err(FileProblem::Column { .. })), "64 bits are no 128");
    let ids = FileOptions { id_field: Some("x".into()), ..field("hash") };
    assert!(matches!(read_with::<u64>(&bytes, &ids), Err(FileProblem::NoColumn { role: "ids", .. })));
    for (columns, values) in [
        ("required int32 fingerprint;", Values::Int(vec![1])),
        ("required int64 fingerprint (TIMESTAMP_MILLIS);", one()),
        ("required fixed_len_byte_array(7) fingerprint;", Values::Fixed(vec![vec![0; 7]])),
    ] {
        assert!(
            matches!(read_plain(&plain(columns, vec![vec![values]])), Err(FileProblem::Column { .. })),
            "{columns}"
        );
    }
    let bytes = plain("required int64 fingerprint; required int64 id (TIMESTAMP_MILLIS);", vec![vec![one(), one()]]);
    assert!(matches!(read_plain(&bytes), Err(FileProblem::Column { column, .. }) if column == "id"));
    let bytes = plain("optional int64 fingerprint;", vec![vec![Values::Nulls(vec![1, 3], vec![1, 0, 1])]]);
    assert_eq!(read_plain(&bytes), Err(FileProblem::Null { column: "fingerprint".into(), row: 1 }));
}

#[test]
fn row_groups_are_parts() {
    let all = numbers(300_000);
    let cuts = [0, 10, 10, 150_000, 290_000, 300_000];
    let group = |cut: &[usize]| vec![longs(&all[cut[0]..cut[1]]), longs(&all[cut[0]..cut[1]])];
    let columns = "required int64 fingerprint; required int64 id (UINT_64);";
    let zstd = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default()));
    let zstd = zstd.set_writer_version(WriterVersion::PARQUET_2_0).build();
    let bytes = table(columns, cuts.windows(2).map(group).collect(), zstd);
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), &bytes);
    for count in [1, 2, 3, 4, 100] {
        let (mut seen, mut seen_ids) = (Vec::new(), Vec::new());
        let parts = FingerprintReader::<u64>::parts(&path, count, &FileOptions::default()).unwrap();
        assert!(parts.len() <= count && (count == 1 || parts.len() > 1));
        for part in parts {
            assert_eq!(part.first_row(), seen.len() as u64);
            let len = part.len();
            assert_ne!(len, Some(0));
            let read = read_all(part).unwrap();
            assert_eq!(len, Some(read.fingerprints.len() as u64));
            seen.extend(read.fingerprints);
            seen_ids.extend(read.ids);
        }
        assert_eq!((&seen, &seen_ids), (&all, &all));
    }
    let empty = plain("required int64 fingerprint;", Vec::new());
    let path = file(folder.path(), &empty);
    let parts = FingerprintReader::<u64>::parts(&path, 4, &FileOptions::default()).unwrap();
    assert_eq!((parts.len(), parts[0].len()), (1, Some(0)));
}

#[test]
fn every_compression_is_read() {
    let all = numbers(5000);
    for codec in
        [Compression::SNAPPY, Compression::GZIP(GzipLevel::default()), Compression::LZ4_RAW, Compression::UNCOMPRESSED]
    {
        let properties = WriterProperties::builder().set_compression(codec).build();
        let bytes = table("required int64 fingerprint;", vec![vec![longs(&all)]], properties);
        assert_eq!(read_plain(&bytes).unwrap().fingerprints, all, "{codec}");
    }
}

#[test]
fn what_is_no_parquet_is_refused() {
    for bytes in
        [&b""[..], b"PAR1", b"PAR1PAR1", &[b'x'; 1000], b"PAR1\xff\xff\xff\xffPAR1", b"PAR1\xff\xff\xff\x7fPAR1"]
    {
        assert!(matches!(read_plain(bytes), Err(FileProblem::Damaged(_))), "{bytes:?}");
    }
}

/// Bytes changed and files cut anywhere: an answer or an error, never a panic, never more memory than the file is worth.
#[test]
fn damage_is_an_error_and_never_a_panic() {
    let all = numbers(400);
    let names = || Values::Text(all.iter().map(|number| format!("n{}", number % 7)).collect());
    let columns = "optional int64 fingerprint; required binary id (STRING);";
    let nullable = || Values::Nulls(all.iter().map(|&it| it.cast_signed()).collect(), vec![1; 400]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let check = |bytes: &[u8]| {
        // Overwriting a file waits for the disk on some systems; a new one does not.
        let _ = fs::remove_file(&path);
        fs::write(&path, bytes).unwrap();
        if let Ok(read) = read::<u64>(&path, &FileOptions::default()) {
            assert!(read.fingerprints.len() <= 1000, "no rows out of nothing: {}", read.fingerprints.len());
        }
    };
    let snappy = WriterProperties::builder().set_compression(Compression::SNAPPY);
    let plain =
        WriterProperties::builder().set_writer_version(WriterVersion::PARQUET_2_0).set_dictionary_enabled(false);
    for properties in [snappy.build(), plain.build()] {
        let bytes = table(columns, vec![vec![nullable(), names()]], properties);
        check(&bytes);
        let step = (bytes.len() / 700).max(1);
        for place in (0..bytes.len()).step_by(step).chain(bytes.len().saturating_sub(500)..bytes.len()) {
            for with in [bytes[place] ^ 1, bytes[place] ^ 0x80, 0, 0xff] {
                let mut damaged = bytes.clone();
                damaged[place] = with;
                check(&damaged);
            }
            check(&bytes[..place]);
        }
    }
}
