//! The canonical form from the outside: encodings, formats, hostile documents, and what holds for any bytes.

mod encodings;
mod hostile;
mod html_oracle;
mod markdown_is_html;
mod properties;
