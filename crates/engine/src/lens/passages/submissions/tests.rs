//! Submissions from ids as the reader makes them.

use crate::lens::passages::info::parse_info;
use crate::lens::passages::submissions::*;
use proptest::prelude::*;

fn grouping(roots: &[&str], per_folder: bool) -> Grouping {
    Grouping::new(&roots.iter().map(|root| (*root).to_owned()).collect::<Vec<_>>(), per_folder, None)
}

/// The submission of each document and what it is called there, `submission > file`.
fn told(grouping: &Grouping, ids: &[&str]) -> Vec<String> {
    let groups = grouping.group(ids.iter().copied());
    let told = |of: &Option<(u32, String)>| match of {
        Some((number, file)) => format!("{} > {file}", groups.submissions[*number as usize].name),
        None => "-".to_owned(),
    };
    groups.of.iter().map(told).collect()
}

#[test]
fn each_file_is_a_submission() {
    let ids = ["c/a.py", "c/sub/b.py", "c/info.csv", "c/z.zip!/x/y.py", "c/sub/info.csv"];
    let expected = ["a.py > a.py", "sub/b.py > b.py", "-", "z.zip!/x/y.py > y.py", "sub/info.csv > info.csv"];
    for root in ["c", "c/"] {
        assert_eq!(told(&grouping(&[root], false), &ids), expected);
    }
    assert_eq!(told(&grouping(&["."], false), &["a.py", "b/a.py"]), ["a.py > a.py", "b/a.py > a.py"]);
    assert_eq!(told(&grouping(&["x/a.py"], false), &["x/a.py"]), ["a.py > a.py"]);
}

#[test]
fn each_folder_or_archive_below_an_input_is_a_submission() {
    let ids = [
        "c/jane/a.py",
        "c/jane/lib/b.py",
        "c/john.zip!/src/a.py",
        "c/john.zip!/in.tgz!/b.py",
        "c/loose.py",
        "c/odd!/a.py",
    ];
    let expected = [
        "jane > a.py",
        "jane > lib/b.py",
        "john.zip > src/a.py",
        "john.zip > in.tgz!/b.py",
        "loose.py > loose.py",
        "odd! > a.py",
    ];
    assert_eq!(told(&grouping(&["c"], true), &ids), expected);
    // the same in one archive
    let packed: Vec<String> = ids.iter().map(|id| id.replacen("c/", "cohort.zip!/", 1)).collect();
    let packed: Vec<&str> = packed.iter().map(String::as_str).collect();
    assert_eq!(told(&grouping(&["cohort.zip"], true), &packed), expected);
}

#[test]
fn files_that_are_named_belong_to_their_folders() {
    let ids = ["c/jane/a.py", "c/jane/b.py", "c/john/a.py"];
    assert_eq!(told(&grouping(&ids, true), &ids), ["jane > a.py", "jane > b.py", "john > a.py"]);
    // all in one folder, in one inside another, in none
    assert_eq!(told(&grouping(&ids[..2], true), &ids[..2]), ["jane > a.py", "jane > b.py"]);
    let ids = ["c/a.py", "c/sub/a.py"];
    assert_eq!(told(&grouping(&ids, true), &ids), ["c > a.py", "sub > a.py"]);
    assert_eq!(told(&grouping(&["a.py", "b.py"], true), &["a.py", "b.py"]), ["a.py > a.py", "b.py > b.py"]);
}

#[test]
fn who_packs_a_folder_packs_its_name() {
    let ids = ["c.zip!/c/jane/a.py", "c.zip!/c/john/a.py", "c.zip!/info.csv", "c.zip!/c/loose.py"];
    let expected = ["c/jane > a.py", "c/john > a.py", "-", "c/loose.py > loose.py"];
    assert_eq!(told(&grouping(&["c.zip"], true), &ids), expected);
    // one archive in it is no folder
    assert_eq!(
        told(&grouping(&["c.zip"], true), &["c.zip!/j.zip!/a/b", "c.zip!/j.zip!/b/c"]),
        ["j.zip > a/b", "j.zip > b/c"]
    );
}

#[test]
fn several_inputs_never_mix() {
    let ids = ["x/2023/jane/a.py", "x/2024/jane/a.py", "x/2024/b.py"];
    let roots = grouping(&["x/2023", "x/2024"], true);
    assert_eq!(told(&roots, &ids), ["2023/jane > a.py", "2024/jane > a.py", "2024/b.py > b.py"]);
    let files = grouping(&["s/a/main.py", "s/b/main.py"], false);
    assert_eq!(told(&files, &["s/a/main.py", "s/b/main.py"]), ["a/main.py > main.py", "b/main.py > main.py"]);
    // archives of one person each, and of a class
    let ids = [
        "jane.zip!/main.py",
        "jane.zip!/lib/x.py",
        "john.zip!/p/main.py",
        "john.zip!/p/lib/x.py",
        "class.zip!/a/x.py",
        "class.zip!/b/x.py",
    ];
    let expected = [
        "jane.zip > main.py",
        "jane.zip > lib/x.py",
        "john.zip > p/main.py",
        "john.zip > p/lib/x.py",
        "class.zip!/a > x.py",
        "class.zip!/b > x.py",
    ];
    assert_eq!(told(&grouping(&["jane.zip", "john.zip", "class.zip"], true), &ids), expected);
    // inputs in each other, and lines that lie below none
    assert_eq!(told(&grouping(&["c", "c/d"], true), &["c/a/x", "c/d/b/x"]), ["c/a > x", "c/d/b > x"]);
    assert_eq!(told(&grouping(&["l.jsonl"], true), &["l.jsonl:7", "own/id"]), ["l.jsonl:7 > l.jsonl:7", "own/id > id"]);
}

fn owners(pattern: &str, names: &[&str]) -> Vec<Option<String>> {
    let roots = ["c".to_owned()];
    let grouping = Grouping::new(&roots, false, Some(owner_pattern(pattern).unwrap()));
    let ids: Vec<String> = names.iter().map(|name| format!("c/{name}")).collect();
    grouping.group(ids.iter().map(String::as_str)).submissions.into_iter().map(|who| who.owner).collect()
}

/// The patterns that the guide gives for what courses export.
#[test]
fn owners_are_found_in_names() {
    let some = |names: &[&str]| names.iter().map(|name| Some((*name).to_owned())).collect::<Vec<_>>();
    let canvas = r"^([^_]+)(?:_LATE)?_\d+_\d+_";
    let names = ["doejane_12345_67890_main.py", "doejane_LATE_12345_67891_main-1.py", "roejohn_12346_67892_my_file.py"];
    assert_eq!(owners(canvas, &names), some(&["doejane", "doejane", "roejohn"]));
    let moodle = r"^(.+?)_\d+_assignsubmission_";
    let names = [
        "Jane Doe_123456_assignsubmission_file_/x.py",
        "Jane Doe_123456_assignsubmission_onlinetext_/o.html",
        "Jo van_R_7_assignsubmission_file_/y.py",
    ];
    assert_eq!(owners(moodle, &names), some(&["Jane Doe", "Jane Doe", "Jo van_R"]));
    let blackboard = r"_([^_]+)_attempt_\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d";
    let names =
        ["Homework 1_jdoe_attempt_2024-03-01-17-12-33_main.py", "Homework 1_jdoe_attempt_2024-03-01-17-12-33.txt"];
    assert_eq!(owners(blackboard, &names), some(&["jdoe", "jdoe"]));
    // without a group the whole of it, and where nothing fits nobody
    assert_eq!(owners("^[a-z]+", &["jane1.py", "7.py"]), [Some("jane".to_owned()), None]);
    assert_eq!(owners("^( *)x", &["  x"]), [None]);
}

#[test]
fn a_wrong_pattern_is_told() {
    let error = owner_pattern("([a-z").unwrap_err().to_string();
    assert!(error.contains("([a-z") && error.contains("unclosed") && error.contains("expected"), "{error}");
}

fn with_info(grouping: &mut Grouping, info: &str, id: Option<&str>) {
    grouping.add_info(parse_info(info.as_bytes(), id.unwrap_or("given.csv")).unwrap(), id);
}

/// The full name of each submission.
fn full_names(grouping: &Grouping, ids: &[&str]) -> (Vec<String>, Vec<String>) {
    let groups = grouping.group(ids.iter().copied());
    let told = |who: &Who| format!("{}: {}", who.name, who.full_name.as_deref().unwrap_or("?"));
    (groups.submissions.iter().map(told).collect(), groups.warnings)
}

#[test]
fn rows_speak_of_files_by_path_or_by_name() {
    let mut files = grouping(&["c"], false);
    with_info(&mut files, "filename,full_name\na/x.py,Jane\nx/y.py,John\nz.py,Zoe\nno.py,Nobody\n", Some("c/info.csv"));
    let (told, warnings) = full_names(&files, &["c/a/x.py", "c/b/x.py", "c/y.py", "c/q/z.py", "c/info.csv"]);
    assert_eq!(told, ["a/x.py: Jane", "b/x.py: ?", "y.py: John", "q/z.py: Zoe"]);
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("1 of 4 rows") && warnings[0].contains("no.py (line 5)"), "{warnings:?}");
    // a name that two files have is nobody's: they would never be compared
    let mut files = grouping(&["c"], false);
    with_info(&mut files, "filename,full_name\nmain.py,Jane\n", None);
    assert_eq!(full_names(&files, &["c/a/main.py", "c/b/main.py"]).0, ["a/main.py: ?", "b/main.py: ?"]);
}

#[test]
fn rows_speak_of_folders_or_the_files_in_them() {
    let rows =
        "filename,full_name\njane,Jane\njohn/src/main.py,John\njohn/other.py,Later\nzoe.zip,Zoe\nmax.zip!/x.py,Max\n";
    let ids = ["c/jane/a.py", "c/john/src/main.py", "c/zoe.zip!/a.py", "c/max.zip!/x.py", "c/else/a.py"];
    let mut folders = grouping(&["c"], true);
    with_info(&mut folders, rows, Some("c/info.csv"));
    let (told, warnings) = full_names(&folders, &ids);
    assert_eq!(told, ["jane: Jane", "john: John", "zoe.zip: Zoe", "max.zip: Max", "else: ?"]);
    assert_eq!(warnings, [""; 0]);
}

#[test]
fn what_is_added_first_counts_and_inputs_keep_their_own() {
    let mut roots = grouping(&["x/1", "x/2"], false);
    with_info(&mut roots, "filename,full_name,label\n1/a.py,ExcludedStretch,\na.py,Both,\n", None);
    with_info(&mut roots, "filename,full_name,label\na.py,Own,L\n", Some("x/1/info.csv"));
    with_info(&mut roots, "filename,created_at\na.py,2019-07-23\n", Some("x/2/info.csv"));
    let groups = roots.group(["x/1/a.py", "x/2/a.py", "x/1/info.csv"]);
    let [one, two] = &groups.submissions[..] else { panic!() };
    assert_eq!(
        (one.full_name.as_deref(), one.label.as_deref(), one.created_at.is_some()),
        (Some("ExcludedStretch"), Some("L"), false)
    );
    assert_eq!((two.full_name.as_deref(), two.label.as_deref(), two.created_at.is_some()), (None, None, true));
    assert_eq!(one.owner.as_deref(), Some("ExcludedStretch"), "without a pattern the full name is the owner");
    assert!(groups.warnings.iter().any(|warning| warning.contains("several inputs")), "{:?}", groups.warnings);
}

#[test]
fn letters_of_other_systems_are_the_same() {
    let mut files = grouping(&["c.zip"], false);
    with_info(&mut files, "filename,full_name\nJosé.py,José\n", Some("c.zip!/info.csv"));
    assert_eq!(full_names(&files, &["c.zip!/Jose\u{301}.py"]).0, ["Jose\u{301}.py: José"]);
}

proptest! {
    /// Each document has one submission, names are as different as submissions, and a name with its file leads back to the id.
    #[test]
    fn nothing_is_lost_or_mixed(
        // files are called otherwise than folders, as on any disk
        ids in prop::collection::btree_set("((r|s|r/s|é)!?/([ab](\\.zip!|!)?/){0,3}|t\\.zip!/([ab]/){0,2})?[xy]", 0..20),
        roots in prop::sample::subsequence(vec!["r", "s", "r/s", "t.zip", "é", "."], 1..=6),
        per_folder: bool,
    ) {
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let groups = grouping(&roots, per_folder).group(ids.iter().copied());
        prop_assert_eq!(groups.of.len(), ids.len());
        let names: std::collections::BTreeSet<&str> = groups.submissions.iter().map(|who| &*who.name).collect();
        prop_assert_eq!(names.len(), groups.submissions.len());
        let mut files = std::collections::BTreeSet::new();
        for (id, of) in ids.iter().zip(&groups.of) {
            let (number, file) = of.as_ref().unwrap();
            let who = &groups.submissions[*number as usize];
            prop_assert!(id.ends_with(&**file));
            prop_assert!(id.contains(&*who.name));
            prop_assert!(!who.name.is_empty() && !file.is_empty());
            prop_assert!(files.insert((*number, file.clone())), "{} twice in {}", file, who.name);
        }
        if !per_folder {
            prop_assert_eq!(groups.submissions.len(), ids.len());
        }
    }
}
