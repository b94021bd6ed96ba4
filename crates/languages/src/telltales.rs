//! What gives a language away to one who does not know the name of the file: a column of the table.
//!
//! A telltale is looked for in an outline (`outline.rs`): lines without what stands around them, spaces only between words, strings empty and
//! comments gone. `\n` is the border of a line and `*` stands for anything within one. Words are whole. Those of a language that
//! may be written in any case are in lower case.

/// The telltales of one language. A language that continues another of its family (C++, C) says only what it adds.
#[derive(Debug)]
pub(super) struct Telltales {
    /// Seldom seen in other languages.
    pub(super) sure: &'static [&'static str],
    /// Seen in a few others, too.
    pub(super) likely: &'static [&'static str],
}

pub(super) const NONE: Telltales = Telltales { sure: &[], likely: &[] };

pub(super) const PYTHON: Telltales = Telltales {
    sure: &[
        "(input())", "\"\".join(", "\nfrom.*import ", "\ndef *):\n", "\ndef *)->*:\n", "\nfrom * import ",
        "\nelif *:\n", "\nif __name__==", "\nclass *:\n", "\nexcept*:\n", "\nfor * in *:\n", "\nwith * as *:\n",
        "__init__", "\ntry:\n", "\nelse:\n", "\nwhile *:\n", "\nif *:\n", "map(int,", "=int(input(", "=input(",
        "print(f\"\"", "\nimport sys\n", "\nimport os\n", "\nimport re\n", "\nimport math\n", "\nimport numpy",
        " not in ", "[::-1]", "for * in range(",
    ],
    likely: &[
        "=True", "=False", "True\n", "False\n", "None\n", "=None", "\nprint(", "\nimport ", "len(", ".append(",
        "\npass\n", "\nraise ", "\ndel ", "input()", "self.", "lambda *:", "if * else ", ".split()", "[1:]",
        "[-1]",
    ],
};

pub(super) const JAVA: Telltales = Telltales {
    sure: &[
        "private String ", "public String ", "extends Exception", "static final ", "public static String ",
        "static public ", "byte[]", "(byte)", "\nimport java.", "\nimport javax.", "System.out.",
        "void main(String", "System.in", "\n@Override\n", "ArrayList<", "String[]", ")throws ", "String args[]",
        "Integer.parseInt(", "\npackage *;\n", "\nimport *.*;\n", "boolean ", ".equals(", "catch(*Exception ",
        "System.exit(", "for(String ", "final int ", "final String ", "private final ",
    ],
    likely: &[
        "extends *{\n", "implements *{\n", "public class ", "public static ", "private static ", "public void ",
        "public int ", "private int ", "\nString *;\n", ".length()", "null", "static int ", "final ",
        "new String(", ".charAt(", "class *{\n", "=new *(", ".length;", "this.", "\npublic *(", "\nprivate *;\n",
        "\nimport *;\n", "double[]", "int[]", "char[]", "static void ", "Math.",
    ],
};

pub(super) const C: Telltales = Telltales {
    sure: &[
        "\n#include<*.h>\n", "\n#include\"", "\nint main(", "\nprintf(", "\nscanf(", "malloc(", "\ntypedef ",
        "\n#define ", "\n#ifdef ", "\n#ifndef ", "\n#endif", "\nmain(", "FILE*", "const char*", "struct *{\n", "(void)",
        "void*", "\nvoid main(", "char*",
    ],
    likely: &[
        "\n#include", "\nint ", "\nvoid ", "const ", "static ", "sizeof(", "->", "unsigned ", "NULL", "size_t ",
        "extern ", "\nchar *[", "\nlong long ", "struct ", "strlen(", "strcmp(", "fprintf(", "int*", "exit(",
    ],
};

pub(super) const CPP: Telltales = Telltales {
    sure: &[
        "std::", "cout<<", "cin>>", "\nusing namespace ", "\ntemplate<", "\npublic:\n", "\nprivate:\n",
        "\nprotected:\n", "nullptr", "<bits/stdc++.h>", "\n#include<iostream>", "\n#include<vector>",
        "\n#include<string>", "\n#include<algorithm>", "\n#include<map>", "\n#include<set>", "\n#include<cmath>",
        "\n#include<cstdio>", "\n#include<cstring>", "\n#include<cstdlib>", "\n#include<memory>", "\n#include<fstream>",
        "\n#include<sstream>", "\n#include<iomanip>", "\n#include<queue>", "\n#include<stack>", "\n#include<list>",
        "\n#include<functional>", "\n#include<utility>", "static_cast<", "\nclass *:public ", "endl;", "\nnamespace *{",
        "virtual ", "\nvector<", "unordered_map<",
    ],
    likely: &[
        "::", "vector<", "auto ", "constexpr ", "<<endl", "\nstring *;\n", "delete[]",
    ],
};

pub(super) const CSHARP: Telltales = Telltales {
    sure: &[
        "\nusing System", "Console.", "void Main(", "foreach(var ", "{get;", "get;set;", "=$\"\"", "($\"\"",
        "public override ", "IEnumerable<", "public string ", "internal ", "async Task", "int.Parse(", "Convert.",
        "private readonly ", "\n#region", "foreach(string ", "foreach(int ", "static string ", "out int ", "ref int ",
        "List<string>", "sealed ", "string[]", ".ToString(",
    ],
    likely: &[
        "\nusing *.*;\n", "\nnamespace ", "\nforeach(* in ", "public class ", "public static ", "public int ",
        "private ", "bool ", "string ", "=new *(", "null", "var *=new ", "decimal ", ".Length", ".Add(", ".Count",
        "int[]", "static void ", "this.", "class *\n{\n", "public void ", ".Split(",
    ],
};

pub(super) const JAVASCRIPT: Telltales = Telltales {
    sure: &[
        "\nconstructor(", "\nexports.", "console.log(", "===", "!==", "document.", "module.exports",
        "\nexport default ", "\nimport * from'", "\nimport * from\"\"", "\nimport{*}from", "async function",
        "=require(", "=function(", "(function(", ",function(", "addEventListener(", "\nconst *=", "\nlet *=*;\n",
        "typeof ", "undefined", "=>{\n", "'use strict'", "new Promise(", "window.", "=await ", "\nexport function ",
        "\nexport const ", "\nvar *;\n",
    ],
    likely: &[
        "${", "extends *{\n", "\nfunction *(*){", "function(", "=>", "null", "return `", "return`", ".forEach(",
        ".map(", ".length", "\nlet ", "\nconst ", "\nvar ", "JSON.", "Math.", "})", "this.", "className=", ".push(",
        "\nreturn *;\n",
    ],
};

pub(super) const TYPESCRIPT: Telltales = Telltales {
    sure: &[
        ":string", ":number", ":boolean", "):void", ":any", "\nexport interface ", "\nexport type ", "\nimport type",
        "Promise<", ":Array<", ":Record<", "\ntype *=", "as const", "\nexport enum ", "export abstract ", "\ndeclare ",
        ":unknown",
    ],
    likely: &[
        "\ninterface *{", "readonly ", "private *:", "public *:", "?:", " as ", "<T>", "\nenum ",
    ],
};

pub(super) const TSX: Telltales = Telltales {
    sure: &[
        "return<", "return(\n<", "</", "className=", "onClick={", "=>(\n<", "React.FC",
    ],
    likely: &[
        "/>\n", "={*}>",
    ],
};

pub(super) const GO: Telltales = Telltales {
    sure: &[
        "\npackage main\n", "\nimport(\n", "\nimport\"\"\n", "fmt.", "\nfor *:=", "\ndefer ", "go func", "err!=nil",
        "\ntype * struct{\n", "\ntype * interface{", "[]string", "[]int", "[]byte", "map[string]", ":=range ",
        "\nif *:=*;", "chan ", "\nfunc(", "func main(){\n",
    ],
    likely: &[
        ":=", "\npackage *\n", "\nfunc *{\n", "nil", "make(", "\nvar ", "func(", "len(", "append(", " struct{",
        "\nreturn *\n",
    ],
};

pub(super) const RUST: Telltales = Telltales {
    sure: &[
        "\nuse *::*;\n", "\nfn *{", "\npub fn ", "let mut ", "\nimpl ", "\nimpl<", "println!(", "&self", "&mut ",
        "\n#[", ".unwrap()", "pub struct ", "pub enum ", "&str", ":u32", ":i32", ":u64", ":i64", "usize", "fn *)->*{",
        "vec![", "Some(", "String::", "::new()", "format!(", "Ok(", "\nmod *;\n", "&'", "\nmatch *{\n", "pub(crate)",
        "fn main(){\n", "io::stdin()",
    ],
    likely: &[
        "->", "\nlet *=*;\n", "Vec<", "Option<", "Result<", "None", ".iter()", "self.", "=>", "::", "Self", "\nuse ",
        "\nstruct ", "\nenum ", "fn ",
    ],
};

/// In lower case, as all of a language that may be written in any case.
pub(super) const PHP: Telltales = Telltales {
    sure: &[
        "<?php", "<?=", "$this->", "function *($", "foreach($", "isset($", "public function ", "private function ",
        "protected function ", "$_get", "$_post", "\necho$", "as$*=>$", "array(", "\n$*=new ", "if(!$", "if($",
        "\nnamespace *\\",
    ],
    likely: &[
        "\necho", "\n$*=*;\n", "=>", "->", "$", "::", "\nuse *\\", "count($", "return$", "null", "for($", "elseif(",
    ],
};

pub(super) const RUBY: Telltales = Telltales {
    sure: &[
        "\ndef *)\n", "\nputs", "\nrequire'", "\nrequire\"\"", "\nrequire_relative", "attr_accessor", "attr_reader",
        ".each do", " do|", ")do|", "{|*|", "\nelsif ", "\nunless ", "\nrescue", ".nil?", ".times", ".empty?", ".to_i",
        ".to_s", "gets.", "\n@*=", "\nmodule *\n", "\nclass *<*\n", "\nclass *\ndef ", ".map(&:", "end\nend\n",
        "\ndef self.",
    ],
    likely: &[
        "\nend\n", "\ndef *\n", "nil", ".new", "=>", "#{", "\nbegin\n", "@", "\nclass *\n", ".each", "self.", "|\n",
        "\nwhen ", " unless ", "\nif *\n",
    ],
};

pub(super) const KOTLIN: Telltales = Telltales {
    sure: &[
        "\nfun *{\n", "\nfun main(", "fun *):", "override fun ", "private fun ", "data class ", "companion object",
        "listOf(", "arrayOf(", "mutableListOf(", "readLine()!!", "\nimport kotlin", "lateinit ", "suspend fun ",
        " until ", "\nval *:*=", "private val ", "when(*){\n", "\nwhen{\n", "readln(", "\nfun *)=", "?.let",
    ],
    likely: &[
        "!!", "\nval *=", "\nvar *=", "println(", "?.", ":Int", ":String", "?:", "\nimport *.*\n", "->", ".toInt()",
        "it.", "null", "\npackage *.*\n", "internal ", "\nobject ",
    ],
};

pub(super) const SCALA: Telltales = Telltales {
    sure: &[
        "\nobject *{\n", "\nobject * extends ", "\ndef *={\n", "\ndef *):*=", "\ncase *=>", " match{", ")match{",
        "extends App", "case class ", "\ntrait ", "\nimport scala.", "s\"\"", "List[", "Array[", "Option[", "Map[",
        "Seq[", ":Unit", "override def ", "lazy val ", "sealed trait ", "implicit ", "def main(", "\nimport *._\n",
        "for{\n", "private def ", "\nimport *.{*}\n",
    ],
    likely: &[
        "\nval *=", "\nvar *=", "println(", ":Int", ":String", "<-", "=>", "\nimport *.*\n", "\npackage *.*\n",
        "yield ", " with ", "None", "Some(",
    ],
};

pub(super) const SWIFT: Telltales = Telltales {
    sure: &[
        "\nfunc *)->*{\n", "\nimport Foundation\n", "\nimport UIKit\n", "\nimport SwiftUI\n", "guard let ", "\nguard ",
        "if let *=", "(_ ", "\nextension *{\n", "\nprotocol *{\n", "override func ", "private func ", "@IBOutlet",
        "\ncase .", "..<", "1...", "0...", "mutating ", "\nlet *:*=", "\ninit(", "\nvar *:*{\n", "func *:*){\n",
        "@State", "\nstruct *:*{\n",
    ],
    likely: &[
        "\nfunc *{\n", "\nlet *=*\n", "\nvar *=*\n", ":Int", ":String", ":Double", "nil", "?.", "print(", "->", "self.",
        "\nimport *\n", ":[", "??", "\nif *{\n", "\nswitch *{\n",
    ],
};

pub(super) const BASH: Telltales = Telltales {
    sure: &[
        "\nfi\n", ";then\n", "\nthen\n", "\ndone\n", "\nesac\n", ";do\n", "\nif[", "\nelif[", "=$(", "|grep ", "|awk",
        "|sed", "|sort", ";;\n", "$@", "$#", "\nset-e", "\nset-euo", ">/dev/null", "2>&1", "\nsudo ",
        "\nfor * in *;do\n", "=${", "\nwhile[", "]];", "\nlocal *=$", "$((", "\nexport *=", "\nmkdir-p",
        "\ncase * in\n", "\"\"-gt ", "\"\"-eq ",
    ],
    likely: &[
        "\necho", "$(", "${", "$1", "$2", "\nfunction ", "(){\n", "\nlocal ", "\nread ", "-eq ", "-ne ", "-lt ", "-gt ",
        "\ncd ", "[-z", "[-f", "\nexit ", "$?", "\ndo\n", "\nelse\n",
    ],
};

pub(super) const SQL: Telltales = Telltales {
    sure: &[
        "group by", "order by", "\ncreate function ", "\nalter extension ", "\ncreate operator ", "\ngrant *on ",
        "\njoin * on ", "\nselect * from ", "\ninsert into ", "\ncreate table ", "\nupdate * set ", "\ndelete from ",
        "\nalter table ", "\ndrop table ", "primary key", "varchar(", "\ncreate view ", "left join ", "inner join ",
        "foreign key", "\ncreate index", "\ncreate database ", "\nwith * as(", "varchar2(", "\ncreate or replace ",
    ],
    likely: &[
        "\nselect", "\nfrom", "\nwhere", "\nset", "\nand *=", "\ncreate ", "\nalter ", "end as ", "as decimal",
        "language sql", "as *\n", "not null", "values(", "count(", "references ", "sum(", "is null", "on *.*=*.*",
    ],
};

pub(super) const R: Telltales = Telltales {
    sure: &[
        "<-function(", "\nlibrary(", "<-c(", "%>%", "data.frame(", "ggplot(", "read.csv(", "%in%", "is.na(",
        "set.seed(", "for(* in *:", "for(* in seq", "apply(", "=c(", "paste(", "paste0(", "nrow(", "ncol(", "<-NULL",
        "<-read", "%%", "<-matrix(",
    ],
    likely: &[
        "<-", "TRUE", "FALSE", "=function(", "\nrequire(", "rep(", "seq(", "length(", "NULL", "matrix(", "}else{",
        "mean(", "summary(", "print(", "cat(", "$", "na.rm=", "plot(", "sum(",
    ],
};

pub(super) const LUA: Telltales = Telltales {
    sure: &[
        "\nlocal *=", "\nlocal function ", "~=", "\nfunction *)\n", "ipairs(", "pairs(", "io.write(", "io.read(",
        "table.insert(", "string.format(", "\nelseif * then\n", "\nif * then\n", "\nif *)then\n", "\nwhile * do\n",
        "\nrepeat\n", "\nfor *=*,* do\n", "\nend)\n", "math.floor(", "tostring(", "tonumber(",
    ],
    likely: &[
        "=require", "\nend\n", "then\n", "nil", " do\n", "\nuntil ", "self.", "\nreturn *\n", "\nprint(", "\nlocal ",
    ],
};

pub(super) const HTML: Telltales = Telltales {
    sure: &[
        "<!doctype html", "<!DOCTYPE html", "<html", "<body", "<head>", "<div", "</div>", "</p>", "<a href=", "<table",
        "<ul", "</li>", "</span>", "<script", "</h1>", "</h2>", "<img ", "<title>", "<form", "<meta ", "<link ", "<td>",
        "<tr>", "<input ", "<button",
    ],
    likely: &[
        "<p>", "<br>", "<br/>", "<p ", "</a>", "</b>", "</", "class=\"\"", "id=\"\"", "&nbsp;", "&amp;",
    ],
};

pub(super) const CSS: Telltales = Telltales {
    sure: &[
        "\n@media ", "color:", "margin:", "padding:", "font-size:", "font-family:", "background:", "background-color:",
        ":hover", "\nbody{\n", "text-align:", "px;", "\n@import ", "\n@font-face", "border:", "display:", "rgba(",
        "font-weight:", "em;", "rem;", "margin-top:", "margin-bottom:",
    ],
    likely: &[
        "\n.*{\n", "\n#*{\n", "width:", "height:", "position:", "float:", "px ", "%;\n", ":before", ":after",
        "!important", "\nh1",
    ],
};

pub(super) const HASKELL: Telltales = Telltales {
    sure: &[
        "\nmodule * where\n", "\nimport qualified ", "\nimport Data.", "\nimport Control.", "\nimport System.IO",
        "::*->", "\ndata *=", "\n|*=", "=do\n", "deriving", "\nmain::IO", "\nmain=", "putStrLn", "\nnewtype ",
        "\ninstance * where\n", "mapM_", "<$>", ">>=", "foldr ", "\n|otherwise", "\\*->", "::IO", "::Int",
    ],
    likely: &[
        "\nwhere\n", " of\n", "::", "<-", "->", "otherwise", "where ", "\nlet ", "\nimport ", "$", "++", "Maybe",
        "\ntype *=", "\ncase ", "[x]", "(x:xs)", "\nin ",
    ],
};

pub(super) const PERL: Telltales = Telltales {
    sure: &[
        "\nuse strict;", "\nuse warnings;", "\nmy$", "\nmy(", "\nmy@", "\nmy%", "foreach my$", "=~", "<STDIN>", "=@_;",
        "=shift;", "qw(", "\nsub *{\n", "->{", "keys%", "chomp", "\n1;\n", "scalar(@",
    ],
    likely: &[
        "\nprint\"\"", "elsif(", "\n$*=*;\n", "\n@*=", "$_", "@_", "\nuse *::*;\n", "my$", "eq'", "eq\"\"", "die\"\"",
        "\nuse ", "::", "push@", "\nforeach",
    ],
};
