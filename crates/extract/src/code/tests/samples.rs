//! A small program in each language of the table that has a grammar.

/// `(name of the row, program)`. Each has a comment, a branch, a call, a number, a string and names, if the language has.
pub(super) const SAMPLES: [(&str, &str); 22] = [
    (
        "python",
        "import os\n\n# twice\ndef twice(x: int, *rest):\n    \"\"\"Says it.\"\"\"\n    if x > 1 and not rest:\n        print(f\"{x} is {2 * x}\", 'a')\n    else:\n        return None\n",
    ),
    (
        "java",
        "package a.b;\nimport java.util.List;\n/** A class. */\nclass A {\n  int twice(int x) {\n    if (x > 1.5) { return 2 * x; } // so\n    for (String s : list) print(\"a\" + 'b', true, null);\n    return x++;\n  }\n}\n",
    ),
    (
        "c",
        "#include <stdio.h>\n#define TWO 2\n/* twice */\nint twice(int x) {\n  if (x > 1) { return TWO * x; }\n  printf(\"%d\\n\", 'a');\n  return s->field;\n}\n",
    ),
    (
        "cpp",
        "#include <vector>\n// twice\ntemplate <class T> class A : public B {\n  int twice(const T& x) { for (auto y : x) { std::cout << 2 * y << \"a\"; } return nullptr; }\n};\n",
    ),
    (
        "csharp",
        "using System;\n// twice\nclass A {\n  int Twice(int x) {\n    if (x > 1) { Console.WriteLine($\"{x} is {2 * x}\", 'a', \"b\"); }\n    return 1;\n  }\n}\n",
    ),
    (
        "javascript",
        "import a from 'b';\n// twice\nfunction twice(x) {\n  if (x > 1) { return `${x} is ${2 * x}`; }\n  const f = (y) => y.z + /a+/g;\n  return null;\n}\n",
    ),
    (
        "typescript",
        "import a from 'b';\n// twice\nfunction twice(x: number): string {\n  if (x > 1) { return `${x} is ${2 * x}`; }\n  const f = (y: A) => y.z;\n  return null;\n}\n",
    ),
    ("tsx", "// twice\nfunction Twice(x: number) {\n  return <b title=\"a\">two {2 * x}</b>;\n}\n"),
    (
        "go",
        "package main\n\nimport \"fmt\"\n\n// twice\nfunc twice(x int) int {\n\tif x > 1 {\n\t\tfmt.Println(\"a\", 'b', `c`, 2*x)\n\t}\n\treturn x\n}\n",
    ),
    (
        "rust",
        "use std::fmt;\n\n/// Twice.\nfn twice<'a>(x: &'a u32) -> u32 {\n    if *x > 1 { println!(\"{}\", 'a'); }\n    x.max(2) * 2\n}\n",
    ),
    (
        "php",
        "<?php\n// twice\nfunction twice($x) {\n  if ($x > 1) { echo \"$x is two\", 'a'; }\n  return 2 * $x->field;\n}\n",
    ),
    (
        "ruby",
        "require 'a'\n# twice\ndef twice(x)\n  if x > 1\n    puts \"#{x} is #{2 * x}\", :b\n  end\n  @y = [1, nil]\nend\n",
    ),
    (
        "kotlin",
        "import a.b\n// twice\nfun twice(x: Int): Int {\n  if (x > 1) { println(\"$x is ${2 * x}\") }\n  return x.y\n}\n",
    ),
    (
        "scala",
        "import a.b\n// twice\nobject A {\n  def twice(x: Int): Int = {\n    if (x > 1) println(s\"$x is ${2 * x}\")\n    x match { case 1 => 'a' }\n  }\n}\n",
    ),
    (
        "swift",
        "import A\n// twice\nfunc twice(_ x: Int) -> Int {\n  if x > 1 { print(\"\\(x) is two\") }\n  return 2 * x\n}\n",
    ),
    (
        "bash",
        "#!/bin/bash\n# twice\ntwice() {\n  if [ \"$1\" -gt 1 ]; then\n    echo \"$1 is\" $((2 * x)) | sort -n\n  fi\n}\ntwice 3 > out.txt\n",
    ),
    (
        "sql",
        "-- twice\nSELECT a, 2 * b AS c FROM t JOIN u ON t.id = u.id WHERE a > 1 AND b = 'x' ORDER BY c;\nINSERT INTO t (a) VALUES (1);\n",
    ),
    (
        "r",
        "library(a)\n# twice\ntwice <- function(x, y = TRUE) {\n  if (x > 1) {\n    print(paste(\"a\", 2 * x))\n  }\n  x$field[1]\n}\n",
    ),
    (
        "lua",
        "local a = require(\"a\")\n-- twice\nlocal function twice(x)\n  if x > 1 then\n    print(\"a\", 2 * x, nil)\n  end\n  return a.b\nend\n",
    ),
    (
        "html",
        "<!doctype html>\n<!-- twice -->\n<p class=\"a\">Two &amp; two <br/></p>\n<script>let x = 2 * y; // so\n</script>\n",
    ),
    (
        "css",
        "/* twice */\n@media screen { p.a > b:hover, #c { color: red; margin: 2px 0; background: url(\"a\") #fff; } }\n",
    ),
    (
        "haskell",
        "module A where\nimport Data.List\n-- twice\ntwice :: Int -> Int\ntwice x\n  | x > 1 = 2 * x\n  | otherwise = length \"a\" + f 'b'\n",
    ),
];
