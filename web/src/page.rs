//! The file around the page: one HTML document with everything in it.

use base64::prelude::{BASE64_STANDARD, Engine};
use base64::write::EncoderWriter;
use sha2::{Digest, Sha256};
use std::io::{self, Write};

/// A page that is being written: texts first, then the data, which say where each text is, so that none of it is held. Both are base64, which
/// holds nothing that HTML could mistake for markup.
pub struct PageWriter<'a> {
    out: &'a mut dyn Write,
    script: String,
}

impl<'a> PageWriter<'a> {
    /// Begins a page with the title that shows before the page does. Its policy allows our own script and style by their hashes and nothing
    /// else: no other script, no request, no frame.
    pub fn begin(out: &'a mut dyn Write, title: &str) -> io::Result<Self> {
        let (script, style) = (crate::script(), crate::style());
        let hash = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text));
        let policy = format!(
            "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'; \
             require-trusted-types-for 'script'; trusted-types 'none'",
            hash(&script),
            hash(&style)
        );
        write!(
            out,
            "<!doctype html>\n<html lang=\"en\" data-theme=\"auto\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"generator\" content=\"lookalike\">\n\
             <title>{}</title>\n<style>{style}</style>\n</head>\n<body>\n\
             <noscript>This report is drawn by the script in this file; allow it to run. It loads nothing from anywhere.</noscript>\n\
             <script type=\"application/octet-stream\" id=\"texts\">",
            escape(title)
        )?;
        Ok(Self { out, script })
    }

    /// Adds a block of texts, in base64.
    pub fn text(&mut self, block: &str) -> io::Result<()> {
        self.out.write_all(block.as_bytes())
    }

    /// Ends the page with its data, which `fill` writes: JSON, packed with gzip.
    pub fn finish(self, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let Self { out, script } = self;
        out.write_all(b"</script>\n<script type=\"application/octet-stream\" id=\"data\">")?;
        let mut encoder = EncoderWriter::new(&mut *out, &BASE64_STANDARD);
        fill(&mut encoder)?;
        encoder.finish()?;
        drop(encoder);
        write!(out, "</script>\n<script>{script}</script>\n</body>\n</html>\n")
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_the_script_and_the_style_that_are_there() {
        let mut out = Vec::new();
        let mut page = PageWriter::begin(&mut out, "</title><script>").unwrap();
        page.text("QUJD").unwrap();
        page.finish(|out| out.write_all(b"data")).unwrap();
        let html = String::from_utf8(out).unwrap();
        assert!(html.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"));
        let between = |from: &str, to: &str| html.split(from).nth(1).unwrap().split(to).next().unwrap();
        for (tag, end, name) in [("<script>", "</script>", "script-src"), ("<style>", "</style>", "style-src")] {
            let hash = BASE64_STANDARD.encode(Sha256::digest(between(tag, end)));
            assert!(html.contains(&format!("{name} 'sha256-{hash}'")), "{name}");
        }
        assert_eq!(between("id=\"texts\">", "</script>"), "QUJD");
        assert_eq!(between("id=\"data\">", "</script>"), BASE64_STANDARD.encode("data"));
    }
}
