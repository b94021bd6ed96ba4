//! E-mails: the subject, then what a reader sees of the body. Attachments are not read.

use mail_parser::{MessageParser, PartType};

use lookalike_extract::{ExtractError, Format, PageRules};

use super::bounded_text::BoundedText;
use super::damaged;

pub(super) fn read(bytes: &[u8], out: &mut BoundedText) -> Result<(), ExtractError> {
    let message = MessageParser::default().parse(bytes).ok_or_else(|| damaged(out.format(), &"it has no header"))?;
    out.push(message.subject().unwrap_or_default())?;
    let mut scratch = String::new();
    // parts that have a plain and a marked-up form are here in the plain one
    for part in message.text_bodies() {
        out.separate();
        match &part.body {
            PartType::Text(text) => out.push(text)?,
            PartType::Html(page) => {
                out.push(
                    lookalike_extract::visible_of_str(page, Some(Format::Html), &PageRules::WHOLE, &mut scratch).text,
                )?;
            }
            _ => {}
        }
    }
    Ok(())
}
