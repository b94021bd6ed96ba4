//! Office documents: what their readers find, and that it is the same in all of them.

use crate::samples::{self, docx, docx_of, email, epub, html, odt, odt_of, pdf, pdf_of, pdf_with, pptx, xlsx};
use lookalike_extract::{ExtractError, Format, PageRules, canonical_of_str, visible};
use lookalike_parser::office_text;
use proptest::prelude::*;

fn text(bytes: &[u8]) -> String {
    let format = Format::sniff(bytes);
    if format.is_office() {
        return office_text(bytes, format).unwrap();
    }
    visible(bytes, None, &PageRules::WHOLE, &mut String::new()).unwrap().text.to_owned()
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn each_is_recognised_without_a_name() {
    let some = ["Some words"];
    for (format, bytes) in [
        (Format::Docx, docx(&some)),
        (Format::Xlsx, xlsx(&[&some])),
        (Format::Pptx, pptx(&some, "")),
        (Format::Odf, odt(&some)),
        (Format::Epub, epub(&some)),
        (Format::Pdf, pdf(&some)),
        (Format::Email, email("", &some).into_bytes()),
    ] {
        assert_eq!(Format::sniff(&bytes), format);
        assert!(text(&bytes).contains("Some words"), "{format}");
        let shown = canonical_of_str(&text(&bytes), Some(format), &PageRules::WHOLE);
        assert_eq!((shown.text.as_str(), shown.format()), (text(&bytes).as_str(), format));
    }
    let archive = samples::package(&[("a.txt", "word/ xl/ ppt/".into()), ("sub/word/document.xml", String::new())]);
    assert_eq!(Format::sniff(&archive), Format::Text, "an archive of something else");
}

#[test]
fn word() {
    let body = "<w:p><w:pPr><w:tabs><w:tab w:val='left'/></w:tabs></w:pPr><w:r><w:t>One</w:t><w:tab/><w:t xml:space='preserve'> t&amp;wo &#233; </w:t></w:r>\
        <w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>\
        <w:p><mc:AlternateContent><mc:Choice><w:t>box</w:t></mc:Choice><mc:Fallback><w:t>box</w:t></mc:Fallback></mc:AlternateContent>\
        <w:r><w:br/><w:t>line</w:t></w:r><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>";
    assert_eq!(text(&docx_of(body)), "One\t t&wo é new\nbox\nline\n");
}

#[test]
fn spreadsheet() {
    let bytes = xlsx(&[&["Name", "Sum"], &["A & B", "12"], &[]]);
    assert_eq!(text(&bytes), "Data\nName\tSum\nA & B\t12\n");
}

#[test]
fn slides_come_in_their_order_with_their_notes() {
    assert_eq!(text(&pptx(&["First", "Second"], "Say this")), "First\nSay this\nSecond\n");
}

#[test]
fn open_document() {
    let body = "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h>Title</text:h>\n  \
        <text:p>One<text:s text:c='2'/>two<text:tab/>three<office:annotation><text:p>remark</text:p></office:annotation>\
        <text:line-break/>four</text:p>";
    assert_eq!(text(&odt_of(body)), "Title\nOne two\tthree\nfour\n");
}

#[test]
fn chapters_come_in_the_order_of_the_spine() {
    assert_eq!(words(&text(&epub(&["One.", "Two & more.", "Three."]))), ["One.", "Two", "&", "more.", "Three."]);
}

#[test]
fn mail() {
    let both = "From: a@b\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nMIME-Version: 1.0\r\n\
        Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\nContent-Type: multipart/alternative; boundary=a\r\n\r\n\
        --a\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
        K=F6ln\r\n--a\r\nContent-Type: text/html\r\n\r\n<p>Cologne</p>\r\n--a--\r\n\
        --m\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nSGVsbG8=\r\n--m--\r\n";
    assert_eq!(text(both.as_bytes()).trim(), "Grüße\nKöln");
    let page = "From: a@b\nMIME-Version: 1.0\nContent-Type: text/html\n\n<style>x</style><p>One &amp; two</p>";
    assert_eq!(text(page.as_bytes()).trim(), "One & two");
}

#[test]
fn pages_become_words_and_lines() {
    // words by gaps, letters that are moved a little, a word that goes on in the next line, an exponent, rotated text
    let content = "BT /F1 10 Tf 72 700 Td [(He) 20 (llo) -300 (wor) 10 (ld)] TJ 0 -12 Td (exam-) Tj 0 -12 Td (ple of well-) Tj \
        0 -12 Td (Known) Tj 0 -12 Td (x) Tj 4 Ts 7 0 0 7 90 652 Tm (2) Tj ET \
        q 0 1 -1 0 300 100 cm BT /F1 10 Tf 0 0 Td (side) Tj 30 0 Td (ways) Tj ET Q";
    assert_eq!(text(&pdf_of(content)), "Hello world\nexample of well-\nKnown\nx 2\nside ways\n");
}

#[test]
fn what_has_no_text_says_why() {
    let reason = |bytes: &[u8], format| office_text(bytes, format).unwrap_err().to_string();
    assert_eq!(
        reason(&pdf_of("q 100 0 0 100 0 0 cm Q"), Format::Pdf),
        "only images (a PDF of 1 page without text, such as a scan; recognise its text first)"
    );
    let nameless = "BT /F1 9 Tf (\\001\\002\\003) Tj ET";
    assert_eq!(
        reason(&pdf_of(nameless), Format::Pdf),
        "unknown letters (a PDF whose fonts do not say which letters they show)"
    );
    assert!(reason(b"%PDF-1.4\n", Format::Pdf).starts_with("damaged (not a PDF that can be read: "));
    assert_eq!(
        reason(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1rest", Format::Xlsx),
        "encrypted (an XLSX that needs a password, or one of Office before 2007)"
    );
    let locked = samples::package(&[
        ("mimetype", "application/vnd.oasis.opendocument.text".into()),
        ("META-INF/manifest.xml", "<m:manifest><m:encryption-data/></m:manifest>".into()),
        ("content.xml", "%$".into()),
    ]);
    assert_eq!(reason(&locked, Format::Odf), "encrypted (an OpenDocument that needs a password)");
    let empty = samples::package(&[("[Content_Types].xml", String::new())]);
    assert_eq!(reason(&empty, Format::Docx), "damaged (not a DOCX that can be read: word/document.xml is missing)");
    let old = visible(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", None, &PageRules::WHOLE, &mut String::new()).unwrap_err();
    assert!(old.to_string().starts_with("binary (Microsoft Office before 2007 or Outlook: not read; save it as"));
}

#[test]
fn bombs_are_not_unpacked() {
    let megabyte = "word ".repeat(1 << 18);
    let long = docx_of(&format!("<w:p><w:t>{}</w:t></w:p>", megabyte.repeat(5)));
    assert!(matches!(office_text(&long, Format::Docx), Err(ExtractError::TooMuchText { .. })));
    // space that is no text, more than 200 times the file
    let markup = docx_of(&" ".repeat(24 << 20));
    let reason = office_text(&markup, Format::Docx).unwrap_err().to_string();
    assert!(reason.contains("as bombs do"), "{reason}");
    // one string in very many cells
    let string = "x".repeat(30_000);
    let rows = "<row>".to_owned() + &"<c t='s'><v>0</v></c>".repeat(100_000) + "</row>";
    let sheet = samples::package(&[
        ("[Content_Types].xml", String::new()),
        ("xl/workbook.xml", "<w xmlns:r='r'><sheet name='a' r:id='1'/></w>".into()),
        (
            "xl/_rels/workbook.xml.rels",
            samples::relations(&[("1", "worksheet", "s.xml"), ("2", "sharedStrings", "t.xml")]),
        ),
        ("xl/t.xml", format!("<sst><si><t>{string}</t></si></sst>")),
        ("xl/s.xml", rows),
    ]);
    assert!(matches!(office_text(&sheet, Format::Xlsx), Err(ExtractError::TooMuchText { .. })));
    // entities are not expanded
    let entities = docx_of("<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><w:p><w:t>&b;</w:t></w:p>");
    assert_eq!(text(&entities), "\u{FFFD}\n");
}

/// A form that draws itself, and forms that draw the next one again and again.
#[test]
fn forms_that_draw_forms_end() {
    let form = |content: &str, next: usize| {
        format!(
            "<< /Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /Font << /F1 5 0 R >> \
             /XObject << /X1 {next} 0 R >> >> /Length {} >>\nstream\n{content}\nendstream",
            content.len()
        )
    };
    let page = "<< /Length 6 >>\nstream\n/X1 Do\nendstream";
    let itself = pdf_with(page, &[form("BT /F1 9 Tf (deep) Tj ET /X1 Do", 6)]);
    assert_eq!(text(&itself), "deep\n");
    let chain: Vec<String> = (7..17).map(|next| form(&"/X1 Do ".repeat(8), next)).collect();
    let reason = office_text(&pdf_with(page, &chain), Format::Pdf).unwrap_err().to_string();
    assert!(reason.contains("again and again"), "{reason}");
}

#[test]
fn nothing_that_is_cut_off_or_changed_panics() {
    let some = ["Some words of a text", "and more"];
    let samples = [
        (Format::Docx, docx(&some)),
        (Format::Xlsx, xlsx(&[&some])),
        (Format::Pptx, pptx(&some, "notes")),
        (Format::Odf, odt(&some)),
        (Format::Epub, epub(&some)),
        (Format::Pdf, pdf(&some)),
        (Format::Email, email("Subject", &some).into_bytes()),
    ];
    let is_crash = |bytes: &[u8], format| matches!(office_text(bytes, format), Err(ExtractError::Crashed { .. }));
    for (format, bytes) in samples {
        for at in 0..bytes.len() {
            assert!(!is_crash(&bytes[..at], format), "{format} of {at} bytes");
            let mut changed = bytes.clone();
            changed[at] ^= 0x55;
            assert!(!is_crash(&changed, format), "{format} with byte {at} changed");
        }
        for (other, bytes) in [(Format::Docx, docx(&some)), (Format::Pdf, pdf(&some)), (Format::Epub, epub(&some))] {
            assert!(format == other || !is_crash(&bytes, format), "{other} as {format}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The same paragraphs have the same words in every format.
    #[test]
    fn formats_agree(paragraphs in prop::collection::vec("[a-z]{1,9}( [A-Za-z(),.]{1,9}){0,20}", 1..6)) {
        let some: Vec<&str> = paragraphs.iter().map(String::as_str).collect();
        let expected = paragraphs.join("\n");
        for bytes in [docx(&some), odt(&some), epub(&some), pdf(&some), email("", &some).into_bytes(), html(&some).into_bytes()] {
            let read = text(&bytes);
            prop_assert_eq!(words(&read), words(&expected), "{}", Format::sniff(&bytes));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for format in [Format::Pdf, Format::Docx, Format::Odf, Format::Epub, Format::Email] {
            prop_assert_ne!(office_text(&bytes, format), Err(ExtractError::Crashed { format }));
        }
    }
}
