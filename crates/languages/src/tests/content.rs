//! Languages are told by content where names say nothing.

use super::samples;
use crate::{Language, languages};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn told(text: &str) -> Option<&'static str> {
    Language::by_content(text).map(Language::name)
}

#[test]
fn every_sample_is_told_without_its_name() {
    for (language, text) in samples() {
        assert_eq!(told(text), Some(language.name()), "{text}");
        let windows = text.replace('\n', "\r\n");
        assert_eq!(told(&format!("\u{feff}{windows}")), Some(language.name()), "with the line ends of Windows");
    }
}

#[test]
fn no_telltale_is_twice_in_a_row_and_those_of_any_case_are_in_lower_case() {
    for row in languages() {
        let all: Vec<&str> = [row.telltales.sure, row.telltales.likely].concat();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "{}", row.name());
        let is_lower = |telltale: &&str| !row.caseless || telltale.to_lowercase() == **telltale;
        assert!(
            all.iter().all(|telltale| !telltale.starts_with('*') && !telltale.is_empty() && is_lower(telltale)),
            "{}",
            row.name()
        );
    }
}

#[test]
fn an_interpreter_tells_the_language() {
    for (text, name) in [
        ("#!/bin/sh\nls", "bash"),
        ("#!/usr/bin/env python3.11\nx", "python"),
        ("#! /usr/bin/env -S A=b node --x\nx", "javascript"),
        ("#!/usr/bin/Rscript\nx", "r"),
        ("#!/bin/ksh", "bash"),
        ("#!/usr/bin/perl -w\n", "perl"),
    ] {
        assert_eq!(told(text), Some(name), "{text}");
    }
    for text in ["#!", "#!/usr/bin/env", "#!/bin/unheard-of\nx", "#!/bin/other\nx", " #!/bin/sh"] {
        assert_eq!(told(text), None, "{text}");
    }
}

/// Programs of pairs of languages that look alike.
#[test]
fn close_languages_are_told_apart() {
    for (name, text) in [
        (
            "c",
            "#include <stdio.h>\nint main(void) {\n  int a[3] = {1, 2, 3};\n  printf(\"%d\\n\", a[0]);\n  return 0;\n}\n",
        ),
        (
            "cpp",
            "#include<cstdio>\nusing namespace std;\nint main(){\n  int n; scanf(\"%d\",&n);\n  printf(\"%d\\n\",n);\n}\n",
        ),
        ("cpp", "#include <iostream>\nclass A {\npublic:\n  int x;\n};\nint main() { std::cout << 1; }\n"),
        ("javascript", "const a = require('b');\nfunction f(x) { return x === 1; }\nmodule.exports = { f };\n"),
        (
            "typescript",
            "interface A { x: number; }\nexport function f(a: A): string {\n  const b = a.x;\n  return `${b}`;\n}\n",
        ),
        ("java", "public class A {\n  public static void main(String[] args) {\n    System.out.println(1);\n  }\n}\n"),
        (
            "csharp",
            "namespace A {\n  public class B {\n    public static void Main(string[] args) {\n      Console.WriteLine(1);\n    }\n  }\n}\n",
        ),
        ("kotlin", "fun main() {\n  val n = readLine()!!.toInt()\n  for (i in 0 until n) println(i)\n}\n"),
        ("scala", "object Main extends App {\n  val n = 3\n  def f(x: Int): Int = x + n\n  println(f(1))\n}\n"),
        ("python", "n = int(input())\nprint(n * 2)\n"),
        ("ruby", "class A\n  attr_reader :x\n  def initialize(x)\n    @x = x\n  end\nend\nputs A.new(1).x\n"),
        ("perl", "use strict;\nmy $x = shift;\nforeach my $y (@{$x}) {\n  print \"$y\\n\" if $y =~ /a/;\n}\n"),
        ("notebook", "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"import os\"]}]}"),
    ] {
        assert_eq!(told(text), Some(name), "{text}");
    }
}

#[test]
fn prose_and_data_are_no_language() {
    for text in [
        "",
        "\n\n",
        "The class is public: import what you need from java, and return it (for free) to the main office.\n",
        "Of arms and the man I sing,\nwho first from Troy,\nby fate an exile,\ncame to Italy;\n",
        "Die Klasse ist öffentlich; man kann sie von außen sehen (und benutzen), wenn man will.\n",
        "これは文章です。クラスとは何かを説明します。\n",
        "From: a@b.c\nTo: d@e.f\nSubject: int main\n\nDear all,\n\nplease return the books, or else; thanks!\n",
        "name,year,city\nAnn,1999,Rome\nBob,2001,Oslo\n",
        "2024-01-01 10:00:00 [main] INFO a.b.C - started (pid=12)\n2024-01-01 10:00:01 [main] WARN a.b.C - slow (ms=40)\n",
        "Permission is hereby granted, free of charge, to any person obtaining a copy of this software (the \"Software\"), to\n\
         deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge;\n",
        "# Title\n\nHow a program begins in C, which is a language that many people know:\n\n```c\n#include <stdio.h>\nint main(void) {\n  \
         printf(\"x\");\n}\n```\n",
        "In C one writes\n\n    int main() {\n\nand goes on with the statements of the program, each of which ends with a mark;\n\
         the whole is then translated by a compiler and run by the machine, which is what everybody wants in the end.\n",
        "{\"name\": \"a\", \"values\": [1, 2, 3], \"import\": {\"class\": null}}\n",
        "[package]\nname = \"a\"\nversion = \"1.0\"\n\n[dependencies]\nserde = { version = \"1\" }\n",
    ] {
        assert_eq!(told(text), None, "{text}");
    }
}

#[test]
fn long_comments_do_not_make_prose_of_a_program() {
    let licence = "This file is free for everybody to use and to change as they like.\n".repeat(40);
    let comments = format!("# {}", licence.replace('\n', "\n# "));
    assert_eq!(told(&format!("/*\n{licence}*/\n{}", samples()[1].1)), Some("java"));
    assert_eq!(told(&format!("{comments}\n\"\"\"\n{licence}\"\"\"\n{}", samples()[0].1)), Some("python"));
}

proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,200}", unit in "[\"'\\\\/*#{}\\-\\[\\]\n a=:]{1,6}", times in 0usize..200) {
        let _ = Language::by_content(&text);
        let _ = Language::by_content(&(text + &unit.repeat(times)));
    }

    /// What stands behind the first 64 KiB counts for nothing, whatever the border cuts through.
    #[test]
    fn only_the_head_counts(fill in "[ä語a]{1,3}", tail in "\\PC{0,50}") {
        let head = format!("#{}\n", fill.repeat((1 << 16) / fill.len() + 1));
        prop_assert_eq!(told(&head), None);
        prop_assert_eq!(told(&format!("{head}{tail}{}", samples()[0].1)), None);
    }
}
