//! A Markdown document and the HTML page made of it hold the same words.

use lookalike_extract::{Format, PageRules, visible_of_str};

fn words(source: &str, format: Format) -> Vec<String> {
    let mut scratch = String::new();
    let text = visible_of_str(source, Some(format), &PageRules::WHOLE, &mut scratch).text;
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

const MARKDOWN: &str = r#"---
title: not part of the page
---
# Finding *near*-duplicates {#finding}

![The way of *data*](way.png) Broder's method [compares](https://example.org/paper "The paper") **shingles**, see
`shingle()` and un**believ**able &amp; caf&eacute; \*starred\*.[^1]

| lens | paper |
|------|:-----:|
| shingles | Broder |
| simhash | Manku |

> A quote over
> two lines

1. first
2. second
   - inner ~~struck~~
- [x] done

```rust
fn main() {}
```

<div class="note">
A note in <em>HTML</em> &lt; Markdown
</div>

<!-- a comment
over lines -->
Last words <br> here<sup>2</sup>.

[^1]: A footnote.
"#;

const HTML: &str = r#"<!DOCTYPE html>
<html><body><h1 id="finding">Finding <em>near</em>-duplicates</h1>
<p><img src="way.png" alt="The way of data"> Broder's method <a href="https://example.org/paper" title="The paper">compares</a> <strong>shingles</strong>, see
<code>shingle()</code> and un<strong>believ</strong>able &amp; café *starred*.</p>
<table><thead><tr><th>lens</th><th>paper</th></tr></thead><tbody><tr><td>shingles</td><td>Broder</td></tr><tr><td>simhash</td><td>Manku</td></tr></tbody></table>
<blockquote><p>A quote over
two lines</p></blockquote>
<ol><li>first</li><li>second<ul><li>inner <del>struck</del></li></ul></li></ol>
<ul><li><input type="checkbox" checked>done</li></ul>
<pre><code class="language-rust">fn main() {}
</code></pre>
<div class="note">A note in <em>HTML</em> &lt; Markdown</div>
<script>var hidden = "<p>words</p>";</script>
<p>Last words <br> here<sup>2</sup>.</p>
<p>A footnote.</p></body></html>"#;

#[test]
fn same_words() {
    let markdown = words(MARKDOWN, Format::Markdown);
    assert_eq!(markdown, words(HTML, Format::Html));
    assert!(markdown.contains(&"unbelievable".to_owned()));
    assert!(markdown.contains(&"here2".to_owned()));
}
