//! What documents are read as when their names say nothing.

use super::{run, section, write};
use crate::PassagesOptions;
use lookalike_core::recipe::{PassageRecipe, Reading};

const PROGRAM: &str = "import java.util.Scanner;\npublic class Main {\n  public static void main(String[] args) {\n    Scanner in = new Scanner(System.in);\n    int sum = 0;\n    while (in.hasNextInt()) {\n      sum += in.nextInt();\n    }\n    System.out.println(sum);\n  }\n}\n";
const PROSE: &str = "The main class of a ship is public knowledge; it says how she was built, and what she may carry.\n\
    Whoever returns from a voyage writes it into the book, if the weather allows it, or else a day later.\n";

fn auto() -> PassagesOptions {
    PassageRecipe::new(&Reading::Auto, None, None).unwrap().into()
}

#[test]
fn content_decides_where_the_name_says_nothing() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("a.java", PROGRAM),
        ("b.txt", PROGRAM),
        ("c", PROGRAM),
        ("d.unknown", PROGRAM),
        ("e.txt", PROSE),
        ("f", PROSE),
        ("g.md", PROGRAM),
        ("h.py", PROGRAM),
        ("i", "x := [1](2){3};\ny := [2](4){5};\nz := x ** y // 3;\n(((((((([[[[[[]]]]]]))))))));\n"),
        ("j.txt", "x := [1](2){3};\ny := [2](4){5};\nz := x ** y // 3;\n(((((((([[[[[[]]]]]]))))))));\n"),
    ] {
        write(dir.path(), name, text);
    }
    let scan = run(dir.path(), &auto());
    let read: Vec<(&str, &str)> =
        section(&scan).submissions.iter().map(|s| (s.name.as_str(), s.files[0].language)).collect();
    let expected = [
        ("a.java", "java"),
        ("b.txt", "java"),
        ("c", "java"),
        ("d.unknown", "java"),
        ("e.txt", "text"),
        ("f", "text"),
        ("g.md", "text"),
        ("h.py", "python"),
        ("i", "other"),
        ("j.txt", "text"),
    ];
    assert_eq!(read, expected);
    let same: Vec<Option<usize>> = section(&scan).submissions.iter().map(|s| s.same_as).take(4).collect();
    assert_eq!(same, [None, Some(0), Some(0), Some(0)], "programs find each other whatever they are called");
    let warnings = section(&scan).warnings.join("\n");
    assert!(warnings.contains("4 submissions are read as java, 4 as text (e.txt and 3 more)"), "{warnings}");
}
