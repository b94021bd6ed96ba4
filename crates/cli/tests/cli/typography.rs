//! The same words in another dress: typographic signs, and the formats that a page is kept in.

use crate::command::{at, scan_json};
use crate::dir::Dir;

const TEXT: &str =
    "It's the user's guide, and we don't know what you're doing here - so that's all we'll say: 1/2 of it...\n";

const MARKDOWN: &str = r#"---
title: Guide
---
# The user's "guide" {#guide}

Don't panic -- it's *really* easy... See [the docs](https://example.org/x_y "title") and **bold** words.

- one, isn't it?
- two & three

1. step one
2. step two

| left | right |
|------|-------|
| it's | here  |

```sh
echo 'hi'
```

Line one\
line two. ![A picture](x.png)
"#;

const HTML: &str = r#"<!doctype html><html><head><meta charset="utf-8"></head><body>
<h1 id="guide">The user’s “guide”</h1>
<p>Don’t panic – it’s <em>really</em> easy… See <a href="https://example.org/x_y" title="title">the docs</a> and <strong>bold</strong> words.</p>
<ul><li>one, isn’t it?</li><li>two &amp; three</li></ul>
<ol><li>step one</li><li>step two</li></ol>
<table><tr><th>left</th><th>right</th></tr><tr><td>it’s</td><td>here</td></tr></table>
<pre><code>echo 'hi'
</code></pre>
<p>Line one<br>line two. <img src="x.png" alt="A picture"></p>
</body></html>
"#;

const PLAIN: &str = "The user's 'guide'

Don't panic - it's really easy... See the docs and bold words.

  * one, isn't it?
  * two & three

  - step one
  - step two

left    right
it's    here

    echo 'hi'

Line one
line two.
";

#[test]
fn typographic_signs_make_no_difference() {
    let dir = Dir::new();
    dir.write("a.txt", TEXT);
    dir.write("b.txt", TEXT.replace('\'', "’").replace("1/2", "½").replace("...", "…").replace(" - ", " — "));
    let compared = at(&dir, &["compare", "a.txt", "b.txt", "--json"]).json();
    assert_eq!(compared["class"], "lexical", "{compared}");
    assert_eq!(compared["resemblance"], 1.0, "{compared}");
}

#[test]
fn html_markdown_and_text_of_a_page_are_the_same_words() {
    let dir = Dir::new();
    dir.write("page.md", MARKDOWN);
    dir.write("page.html", HTML);
    dir.write("page.txt", PLAIN);
    let report = scan_json([dir.path()]);
    let members = report["clusters"][0]["members"].as_array().expect("a cluster");
    assert_eq!(members.len(), 2, "{report}");
    assert!(members.iter().all(|member| member["class"] == "lexical"), "{members:?}");
}
