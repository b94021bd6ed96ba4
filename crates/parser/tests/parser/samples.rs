//! The smallest documents of each office format that hold some paragraphs.
#![expect(clippy::format_collect, clippy::format_push_string, reason = "small texts, and easy to read")]

use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A zip archive of parts; the first is not packed, as `mimetype` must not be.
pub(crate) fn package(parts: &[(&str, String)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (at, (name, text)) in parts.iter().enumerate() {
        let method = if at == 0 { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        zip.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn each(paragraphs: &[&str], around: impl Fn(&str) -> String) -> String {
    paragraphs.iter().map(|paragraph| around(&escape(paragraph))).collect()
}

fn types() -> (&'static str, String) {
    ("[Content_Types].xml", "<Types/>".to_owned())
}

/// The relations of a part: ids, kinds and targets.
pub(crate) fn relations(of: &[(&str, &str, &str)]) -> String {
    let relation = |(id, kind, target): &(&str, &str, &str)| {
        format!("<Relationship Id='{id}' Type='http://x/relationships/{kind}' Target='{target}'/>")
    };
    format!("<Relationships>{}</Relationships>", of.iter().map(relation).collect::<String>())
}

pub(crate) fn docx_of(body: &str) -> Vec<u8> {
    package(&[
        types(),
        ("_rels/.rels", relations(&[("r1", "officeDocument", "word/document.xml")])),
        (
            "word/document.xml",
            format!("<?xml version='1.0'?><w:document xmlns:w='w'><w:body>{body}</w:body></w:document>"),
        ),
    ])
}

pub(crate) fn docx(paragraphs: &[&str]) -> Vec<u8> {
    docx_of(&each(paragraphs, |text| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")))
}

pub(crate) fn xlsx(rows: &[&[&str]]) -> Vec<u8> {
    let strings: Vec<&str> = rows.iter().flat_map(|row| row.iter().copied()).collect();
    let mut number = 0;
    let mut cell = || {
        number += 1;
        format!("<c t='s'><v>{}</v></c>", number - 1)
    };
    let sheet: String =
        rows.iter().map(|row| format!("<row>{}</row>", row.iter().map(|_| cell()).collect::<String>())).collect();
    package(&[
        types(),
        ("_rels/.rels", relations(&[("r1", "officeDocument", "xl/workbook.xml")])),
        (
            "xl/workbook.xml",
            "<workbook xmlns:r='r'><sheets><sheet name='Data' r:id='r1'/></sheets></workbook>".to_owned(),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            relations(&[("r1", "worksheet", "worksheets/sheet1.xml"), ("r2", "sharedStrings", "sharedStrings.xml")]),
        ),
        ("xl/sharedStrings.xml", format!("<sst>{}</sst>", each(&strings, |text| format!("<si><t>{text}</t></si>")))),
        ("xl/worksheets/sheet1.xml", format!("<worksheet><sheetData>{sheet}</sheetData></worksheet>")),
    ])
}

/// A slide for each paragraph; the notes of the first are `notes`.
pub(crate) fn pptx(slides: &[&str], notes: &str) -> Vec<u8> {
    let ids: String = (0..slides.len()).map(|at| format!("<p:sldId id='{at}' r:id='s{at}'/>")).collect();
    let targets: Vec<(String, String)> =
        (0..slides.len()).map(|at| (format!("s{at}"), format!("slides/slide{}.xml", slides.len() - at))).collect();
    let listed: Vec<(&str, &str, &str)> =
        targets.iter().map(|(id, part)| (id.as_str(), "slide", part.as_str())).collect();
    let slide = |text: &str| format!("<p:sld><a:p><a:r><a:t>{}</a:t></a:r></a:p></p:sld>", escape(text));
    let mut parts = vec![
        types(),
        ("_rels/.rels", relations(&[("r1", "officeDocument", "ppt/presentation.xml")])),
        (
            "ppt/presentation.xml",
            format!("<p:presentation xmlns:r='r'><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"),
        ),
        ("ppt/_rels/presentation.xml.rels", relations(&listed)),
        ("ppt/notesSlides/notes1.xml", slide(notes)),
    ];
    let names: Vec<String> = targets.iter().map(|(_, part)| format!("ppt/{part}")).collect();
    parts.extend(names.iter().zip(slides).map(|(name, text)| (name.as_str(), slide(text))));
    let notes_of = format!("ppt/slides/_rels/slide{}.xml.rels", slides.len());
    parts.push((&notes_of, relations(&[("n", "notesSlide", "../notesSlides/notes1.xml")])));
    package(&parts)
}

pub(crate) fn odt_of(body: &str) -> Vec<u8> {
    package(&[
        ("mimetype", "application/vnd.oasis.opendocument.text".to_owned()),
        (
            "content.xml",
            format!("<office:document-content><office:body>{body}</office:body></office:document-content>"),
        ),
    ])
}

pub(crate) fn odt(paragraphs: &[&str]) -> Vec<u8> {
    odt_of(&each(paragraphs, |text| format!("<text:p>{text}</text:p>\n")))
}

pub(crate) fn html(paragraphs: &[&str]) -> String {
    format!("<html><body>{}</body></html>", each(paragraphs, |text| format!("<p>{text}</p>\n")))
}

/// A chapter for each paragraph.
pub(crate) fn epub(chapters: &[&str]) -> Vec<u8> {
    let names: Vec<String> = (0..chapters.len()).map(|at| format!("OEBPS/text/chapter {at}.xhtml")).collect();
    let item =
        |at: usize| format!("<item id='c{at}' href='text/chapter%20{at}.xhtml' media-type='application/xhtml+xml'/>");
    let items: String = (0..chapters.len()).rev().map(item).collect();
    let spine: String = (0..chapters.len()).map(|at| format!("<itemref idref='c{at}'/>")).collect();
    let mut parts = vec![
        ("mimetype", "application/epub+zip".to_owned()),
        (
            "META-INF/container.xml",
            "<container><rootfiles><rootfile full-path='OEBPS/book.opf'/></rootfiles></container>".to_owned(),
        ),
        ("OEBPS/book.opf", format!("<package><manifest>{items}</manifest><spine>{spine}</spine></package>")),
    ];
    let chapter = |text: &str| html(&[text]).replace("<body>", "<head><title>chapter.xhtml</title></head><body>");
    parts.extend(names.iter().zip(chapters).map(|(name, text)| (name.as_str(), chapter(text))));
    package(&parts)
}

pub(crate) fn email(subject: &str, paragraphs: &[&str]) -> String {
    format!(
        "From: a@example.org\r\nSubject: {subject}\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{}",
        paragraphs.join("\r\n\r\n")
    )
}

/// A PDF of one page with this content.
pub(crate) fn pdf_of(content: &str) -> Vec<u8> {
    pdf_with(&format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()), &[])
}

/// The same with the whole object of the content, and objects from number 6 on.
pub(crate) fn pdf_with(content: &str, more: &[String]) -> Vec<u8> {
    let resources = "<< /Font << /F1 5 0 R >> /XObject << /X1 6 0 R >> >>";
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources {resources} >>"),
        content.to_owned(),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    let mut file = "%PDF-1.4\n".to_owned();
    let mut places = Vec::new();
    for (at, object) in objects.iter().map(String::as_str).chain(more.iter().map(String::as_str)).enumerate() {
        places.push(file.len());
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", at + 1));
    }
    let xref = file.len();
    file.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", places.len() + 1));
    for place in &places {
        file.push_str(&format!("{place:010} 00000 n \n"));
    }
    file.push_str(&format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{xref}\n%%EOF\n", places.len() + 1));
    file.into_bytes()
}

/// Lines of at most so many words, 14 points apart.
pub(crate) fn pdf(paragraphs: &[&str]) -> Vec<u8> {
    let mut content = "BT /F1 12 Tf 14 TL 72 720 Td\n".to_owned();
    for paragraph in paragraphs {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        for line in words.chunks(9) {
            content.push_str(&format!("({}) Tj T*\n", line.join(" ").replace('(', "\\(").replace(')', "\\)")));
        }
    }
    pdf_of(&(content + "ET"))
}
