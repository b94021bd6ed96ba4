//! The file around a page: one HTML document with everything in it.

use crate::Page;
use base64::prelude::{BASE64_STANDARD, Engine};
use base64::write::EncoderWriter;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::io::{self, Write};

/// What shows before the page does: it stands in the file before all that has to be unpacked.
#[derive(Clone, Debug)]
pub struct Opening<'a> {
    /// The name of the window.
    pub title: &'a str,
    /// What the page is about.
    pub heading: &'a str,
    /// What was found, in a line.
    pub counts: &'a str,
}

/// A page that is being written: texts first, then the data, which say where each text is, so that none of it is held. Both are base64, which
/// holds nothing that HTML could mistake for markup.
pub struct PageWriter<'a> {
    out: &'a mut dyn Write,
}

impl<'a> PageWriter<'a> {
    /// Begins a page: what shows at once, and its script, packed. The policy allows our own script and style by their hashes and nothing
    /// else: no other script, no request, no frame. The opener needs a name (`trusted-types`) to run what it unpacked, and that has its
    /// hash in the policy too.
    pub fn begin(out: &'a mut dyn Write, page: Page, opening: &Opening<'_>) -> io::Result<Self> {
        let (opener, script, style) = (crate::joined("opener.js"), page.script(), crate::style());
        let policy = policy(&[&opener, &script], &style, "lookalike");
        head(out, opening.title, &policy, &style, &opener)?;
        write!(
            out,
            "{}<main class=\"opening\"><h1>{}</h1><p>{}</p><p class=\"muted waiting\" role=\"status\">Opening the report …</p></main>\n\
             <noscript>This report is drawn by the script in this file; allow it to run. It loads nothing from anywhere.</noscript>\n\
             <script type=\"application/octet-stream\" id=\"script\">{}</script>\n\
             <script type=\"application/octet-stream\" id=\"texts\">",
            top(""),
            escape(opening.heading),
            escape(opening.counts),
            packed(&script)?
        )?;
        Ok(Self { out })
    }

    /// Adds a block of texts, in base64.
    pub fn text(&mut self, block: &str) -> io::Result<()> {
        self.out.write_all(block.as_bytes())
    }

    /// Ends the page with its data, which `fill` writes: JSON, packed with gzip.
    pub fn finish(self, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let Self { out } = self;
        out.write_all(b"</script>\n<script type=\"application/octet-stream\" id=\"data\">")?;
        let mut encoder = EncoderWriter::new(&mut *out, &BASE64_STANDARD);
        fill(&mut encoder)?;
        encoder.finish()?;
        drop(encoder);
        write!(out, "</script>\n</body>\n</html>\n")
    }
}

/// Writes a page that is markup already, in the frame of the others: its script knows the choice of colours and nothing else. `what` says what
/// it is about, `style` comes after ours, `body` goes into its middle.
pub fn write_plain(
    out: &mut dyn Write,
    title: &str,
    what: &str,
    style: &str,
    body: &str,
    foot: &str,
) -> io::Result<()> {
    let script = crate::joined("plain.js");
    let style = format!("{}{style}", crate::STYLES[0].1);
    head(out, title, &policy(&[&script], &style, "'none'"), &style, &script)?;
    write!(out, "{}<main id=\"main\">\n{body}</main>\n<footer>{}</footer>\n</body>\n</html>\n", top(what), escape(foot))
}

/// The policy of the page that a server serves: its own files, and questions to where it came from.
pub const SERVED_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// The shell of the page that a server serves. Its script and style are files beside it, so that it may stand below any path.
pub fn served_page() -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\" data-theme=\"auto\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" content=\"lookalike\">\n\
         <title>lookalike</title>\n<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"page.css\">\n\
         <script src=\"page.js\" defer></script>\n</head>\n<body>\n{}<main class=\"opening\" id=\"main\">\
         <p class=\"muted waiting\" role=\"status\">Asking the server …</p></main>\n\
         <noscript>This page is drawn by its script; allow it to run.</noscript>\n</body>\n</html>\n",
        top("")
    )
}

fn policy(scripts: &[&str], style: &str, trusted: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)));
    let scripts: Vec<String> = scripts.iter().map(|text| hash(text)).collect();
    format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'; trusted-types {trusted}",
        scripts.join(" "),
        hash(style)
    )
}

/// Up to the beginning of the body.
fn head(out: &mut dyn Write, title: &str, policy: &str, style: &str, script: &str) -> io::Result<()> {
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\" data-theme=\"auto\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"generator\" content=\"lookalike\">\n\
         <title>{}</title>\n<style>{style}</style>\n<script>{script}</script>\n</head>\n<body>\n",
        escape(title)
    )
}

/// The line at the top, as `shell.js` draws it.
fn top(what: &str) -> String {
    format!(
        "<header class=\"top\"><span class=\"brand\"><span class=\"mark\" aria-hidden=\"true\">≈</span>lookalike</span>\
         <span class=\"what\"><bdi>{}</bdi></span></header>\n",
        escape(what)
    )
}

/// Packed with gzip, in base64.
fn packed(text: &str) -> io::Result<String> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(text.as_bytes())?;
    Ok(BASE64_STANDARD.encode(packer.finish()?))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of script that a page may carry, as they are in the file.
    const MAX_SCRIPT: usize = 200_000;

    fn between<'a>(html: &'a str, from: &str, to: &str) -> &'a str {
        html.split(from).nth(1).unwrap().split(to).next().unwrap()
    }

    fn hash(text: &str) -> String {
        BASE64_STANDARD.encode(Sha256::digest(text))
    }

    fn page(page: Page, title: &str) -> String {
        let mut out = Vec::new();
        let opening = Opening { title, heading: "<docs>", counts: "3 documents" };
        let mut page = PageWriter::begin(&mut out, page, &opening).unwrap();
        page.text("QUJD").unwrap();
        page.finish(|out| out.write_all(b"data")).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn unpacked(base64: &str) -> String {
        io::read_to_string(flate2::read::GzDecoder::new(&BASE64_STANDARD.decode(base64).unwrap()[..])).unwrap()
    }

    #[test]
    fn the_policy_names_the_scripts_and_the_style_that_are_there() {
        let html = page(Page::Scan, "</title><script>");
        assert!(html.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"));
        let policy = between(&html, "Content-Security-Policy\" content=\"", "\"");
        let opener = hash(between(&html, "<script>", "</script>"));
        let script = hash(&unpacked(between(&html, "id=\"script\">", "</script>")));
        let style = hash(between(&html, "<style>", "</style>"));
        assert!(
            policy.contains(&format!("script-src 'sha256-{opener}' 'sha256-{script}'; style-src 'sha256-{style}';"))
        );
        assert_eq!(between(&html, "id=\"texts\">", "</script>"), "QUJD");
        assert_eq!(between(&html, "id=\"data\">", "</script>"), BASE64_STANDARD.encode("data"));
    }

    #[test]
    fn what_shows_at_once_comes_before_what_is_unpacked() {
        let html = page(Page::Copies, "docs");
        assert!(html.find("<h1>&lt;docs&gt;</h1><p>3 documents</p>").unwrap() < html.find("id=\"script\"").unwrap());
    }

    #[test]
    fn a_page_carries_little_script() {
        for kind in [Page::Scan, Page::Copies, Page::Calibration] {
            let html = page(kind, "");
            let carried =
                between(&html, "<script>", "</script>").len() + between(&html, "id=\"script\">", "</script>").len();
            assert!(carried <= MAX_SCRIPT, "{kind:?}: {carried} bytes");
        }
    }

    #[test]
    fn a_plain_page_has_the_frame_and_a_policy() {
        let mut out = Vec::new();
        write_plain(&mut out, "a <b>", "in <c>", "p {}", "<p>d</p>", "e").unwrap();
        let html = String::from_utf8(out).unwrap();
        assert!(
            html.contains("<title>a &lt;b&gt;</title>")
                && html.contains("<bdi>in &lt;c&gt;</bdi>")
                && html.contains("<p>d</p>")
        );
        let policy = between(&html, "Content-Security-Policy\" content=\"", "\"");
        for (name, tag) in [("script-src", "script"), ("style-src", "style")] {
            let hash = hash(between(&html, &format!("<{tag}>"), &format!("</{tag}>")));
            assert!(policy.contains(&format!("{name} 'sha256-{hash}'")), "{name}");
        }
    }
}
