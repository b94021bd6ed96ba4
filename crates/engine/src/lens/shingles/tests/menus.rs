//! Sites whose pages share a menu, of a tenth to nine tenths of each page, in an element that says so or in one that says nothing.

use super::*;

const PAGES: usize = 60;
const BODY: usize = 120;

/// Pages of their own words, and near-copies of every sixth.
fn site(menu: usize, element: &str) -> BTreeMap<String, String> {
    let mut dice = Dice(menu as u64);
    let menu = dice.words(menu).join(" ");
    let page = |body: &[String]| {
        format!("<!doctype html><html><body><{element}>{menu}</{}><p>{}</html>", &element[..3], body.join(" "))
    };
    let mut all = BTreeMap::new();
    for at in 0..PAGES {
        let mut body = dice.words(BODY);
        all.insert(format!("p{at:02}"), page(&body));
        if at % 6 == 0 {
            body[40] = "changed".into();
            all.insert(format!("p{at:02}-copy"), page(&body));
        }
    }
    all
}

/// The pairs of ids that are together in a cluster of two; anything else fails.
fn pairs(documents: &BTreeMap<String, String>, options: &TestOptions<ShinglesOptions>) -> Vec<String> {
    let report = run(jsonl(documents, false), options, 2).report;
    let mut found = Vec::new();
    for cluster in &report.clusters {
        assert_eq!(cluster.members.len(), 1, "{}: {:?}", cluster.representative, cluster.members);
        let (a, b) = (&cluster.representative, &cluster.members[0].id);
        assert_eq!(a.trim_end_matches("-copy"), b.trim_end_matches("-copy"));
        found.push(a.trim_end_matches("-copy").to_owned());
    }
    found.sort();
    found
}

#[test]
fn pages_are_told_apart_by_what_they_say() {
    let expected: Vec<String> = (0..PAGES).step_by(6).map(|at| format!("p{at:02}")).collect();
    let options = options(|o| o.max_share = Some(0.5));
    for share in [10, 30, 50, 70, 80, 90] {
        let menu = BODY * share / (100 - share);
        for element in ["nav", "div class=sidebar", "div"] {
            assert_eq!(pairs(&site(menu, element), &options), expected, "{share}% in <{element}>");
        }
    }
}

/// Three sites of one folder each: no menu is on half of all pages, and every one on all of its site.
#[test]
fn the_menu_of_one_site_among_others() {
    let expected: Vec<String> = (0..PAGES).step_by(6).map(|at| format!("p{at:02}")).collect();
    let mut all = BTreeMap::new();
    for (at, menu) in [300, 400, 500].into_iter().enumerate() {
        all.extend(site(menu, "div").into_iter().map(|(id, page)| (format!("sites/s{at}/{id}"), page)));
    }
    let options = options(|o| o.max_share = Some(0.5));
    let found = pairs(&all, &options);
    let by_site = |at: usize| expected.iter().map(move |id| format!("sites/s{at}/{id}"));
    assert_eq!(found, (0..3).flat_map(by_site).collect::<Vec<_>>());
    // the folders tell: under other names it is one site, and the menus hold it together
    let mixed = all.into_iter().map(|(id, page)| (id.replace('/', "-"), page)).collect();
    let report = run(jsonl(&mixed, false), &options, 2).report;
    assert!(report.clusters[0].members.len() > PAGES / 2, "{}", report.clusters.len());
}

/// Without a share nothing is frequent in a small site: then the report says what one cluster shares that holds nearly all.
#[test]
fn a_cluster_that_holds_most_documents_is_remarked_on() {
    let report = run(jsonl(&site(1000, "div"), false), &options(|_| {}), 2).report;
    assert_eq!(report.clusters[0].members.len() + 1, PAGES + PAGES / 6);
    let dominant = report.shingles().unwrap().dominant.as_ref().unwrap();
    assert!(dominant.documents > 60 && dominant.shingles >= 900, "{dominant:?}");
    let quiet = run(jsonl(&site(1000, "nav"), false), &options(|_| {}), 2).report;
    let quiet = quiet.shingles().unwrap();
    assert!(quiet.dominant.is_none());
    assert_eq!(quiet.frame.pages as usize, PAGES + PAGES / 6);
}

/// Copies of one page that were changed here and there are near-copies, not a menu with nothing below.
#[test]
fn copies_of_one_page_do_not_vanish_as_a_menu() {
    let mut dice = Dice(3);
    let body = dice.words(300);
    let copies = (0..50).map(|at| {
        let mut copy = body.clone();
        copy[dice.roll(300)] = format!("x{at}");
        copy[dice.roll(300)] = format!("y{at}");
        (format!("c{at:02}"), copy.join(" "))
    });
    let report = run(jsonl(&copies.collect(), false), &options(|o| o.max_share = Some(0.5)), 2).report;
    assert_eq!(report.head.summary.clustered, 50);
}

/// Pages of a menu and a few words resemble those that are hardly more than the menu, and not each other.
#[test]
fn pages_that_resemble_only_the_plainest_find_them() {
    let mut dice = Dice(5);
    let menu = dice.words(90);
    let page = |dice: &mut Dice, own: usize| [menu.clone(), dice.words(own)].concat().join(" ");
    let mut all = BTreeMap::new();
    for at in 0..60 {
        let own = 19 + dice.roll(6);
        all.insert(format!("page{at:02}"), page(&mut dice, own));
        all.insert(format!("plain{at:02}"), page(&mut dice, at % 8));
    }
    let options = options(|o| (o.include_boilerplate, o.max_df, o.policy.linkage) = (true, 20, Linkage::Single));
    let options = TestOptions {
        lens: ShinglesOptions { policy: Policy { threshold: 0.7, ..options.policy }, ..options.lens },
        ..options
    };
    let report = run(jsonl(&all, false), &options, 2).report;
    assert_eq!(report.clusters.len(), 1);
    assert_eq!(report.clusters[0].members.len() + 1, all.len());
}
