use super::cluster::{Bounds, link};
use super::matches::{self, Point};
use super::*;
use crate::cluster::UnionFind;
use proptest::prelude::*;
use rustc_hash::FxHashMap;

fn content_word(word: u32) -> u32 {
    (word + 1) << FLAG_BITS
}

fn match_of(a: &[u32], b: &[u32], rules: &Rules) -> Vec<Passage> {
    passages(&SeedIndex::new(a, rules), a, &SeedIndex::new(b, rules), b, rules)
}

/// Words that stand nowhere else.
fn fresh(from: u32, many: u32) -> Vec<u32> {
    (from..from + many).map(content_word).collect()
}

fn holds(outer: &Range<u32>, inner: &Range<u32>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

#[test]
fn a_verbatim_copy_has_certain_ends() {
    let copied = fresh(0, 40);
    let a = [fresh(1000, 100), copied.clone(), fresh(2000, 100)].concat();
    let b = [fresh(3000, 7), copied, fresh(4000, 300)].concat();
    let rules = Rules::default();
    assert_eq!(match_of(&a, &b, &rules), [Passage { a: 100..140, b: 7..47, equal: 40 }]);
}

#[test]
fn a_shuffled_copy_with_replaced_words_is_found() {
    let original = fresh(0, 60);
    // neighbours change places, and each fifth word is another one
    let mut copied = original.clone();
    copied.chunks_mut(3).for_each(<[u32]>::reverse);
    copied.iter_mut().step_by(5).enumerate().for_each(|(i, word)| *word = content_word(5000 + i as u32));
    let a = [fresh(1000, 200), original, fresh(2000, 200)].concat();
    let b = [fresh(3000, 200), copied, fresh(4000, 200)].concat();
    let found = match_of(&a, &b, &Rules::default());
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].a.start.abs_diff(200) < 4 && found[0].a.end.abs_diff(260) < 4, "{found:?}");
    assert!(found[0].equal < 10, "hardly three words stand as they stood: {found:?}");
}

#[test]
fn a_summary_is_one_passage_though_its_words_come_from_far_apart() {
    let source = fresh(0, 900);
    let parts = [100..130, 400..430, 700..730];
    let summary: Vec<u32> = parts.iter().flat_map(|part| source[part.clone()].to_vec()).collect();
    let a = [fresh(2000, 100), summary, fresh(3000, 100)].concat();
    let rules = Rules { run: 1000, ..Rules::default() };
    assert_eq!(match_of(&a, &source, &rules), [Passage { a: 100..190, b: 100..730, equal: 90 }]);
    let narrow = Rules { wide: 100, ..rules };
    assert_eq!(match_of(&a, &source, &narrow).len(), 3);
}

#[test]
fn a_loose_passage_reaches_to_the_ends_of_its_sentences() {
    let mut original = fresh(0, 60);
    let mut copied = original.clone();
    // the first and the last five words were replaced, and so was each fourth between them
    for (i, word) in copied.iter_mut().enumerate().filter(|(i, _)| *i < 5 || *i >= 55 || i % 4 == 0) {
        *word = content_word(5000 + i as u32);
    }
    original[59] |= SENTENCE_END;
    copied[59] |= SENTENCE_END;
    let ending = |from| [fresh(from, 99), vec![content_word(from + 99) | SENTENCE_END]].concat();
    let a = [ending(1000), original, fresh(2000, 100)].concat();
    let b = [ending(3000), copied, fresh(4000, 100)].concat();
    let found = match_of(&a, &b, &Rules::default());
    assert_eq!((&found[0].a, &found[0].b), (&(100..160), &(100..160)));
    let short = match_of(&a, &b, &Rules { snap: 3, ..Rules::default() });
    assert!(short[0].a.start > 103 && short[0].a.end < 157, "{short:?}");
}

#[test]
fn function_words_seed_nothing_but_their_runs_are_told() {
    let function_words: Vec<u32> = fresh(0, 30).iter().map(|id| id | FUNCTION_WORD).collect();
    let a = [fresh(1000, 50), function_words[..19].to_vec(), fresh(2000, 50)].concat();
    let b = [function_words.clone(), fresh(3000, 50)].concat();
    assert_eq!(match_of(&a, &b, &Rules::default()), []);
    let a = [fresh(1000, 50), function_words[..20].to_vec(), fresh(2000, 50)].concat();
    assert_eq!(match_of(&a, &b, &Rules::default()), [Passage { a: 50..70, b: 0..20, equal: 20 }]);
}

#[test]
fn what_stands_twice_is_told_twice() {
    let copied = fresh(0, 50);
    let a = [fresh(1000, 60), copied.clone(), fresh(2000, 60)].concat();
    let b = [copied.clone(), fresh(3000, 400), copied].concat();
    let found = match_of(&a, &b, &Rules::default());
    assert_eq!(found, [Passage { a: 60..110, b: 0..50, equal: 50 }, Passage { a: 60..110, b: 450..500, equal: 50 }]);
}

#[test]
fn no_passage_crosses_a_border() {
    let mut a = fresh(0, 100);
    let b = a.clone();
    a[50] = 0;
    let found = match_of(&a, &b, &Rules::default());
    assert_eq!(found.iter().map(|p| p.a.clone()).collect::<Vec<_>>(), [0..50, 51..100]);
    assert_eq!(found.iter().map(|p| p.b.clone()).collect::<Vec<_>>(), [0..50, 51..100]);
    assert_eq!(match_of(&[0; 500], &[0; 500], &Rules::default()), []);
}

#[test]
fn documents_made_of_repetitions() {
    let rules = Rules::default();
    let period = |many: usize, length: u32| (0..many as u32).map(|i| content_word(i % length)).collect::<Vec<_>>();
    for (a, b) in [(100_000, 100_000), (100_000, 70_000), (100_000, 1_000), (50, 100_000)] {
        for length in [1, 2, 50, 999] {
            let (a, b) = (period(a, length), period(b, length));
            let found = match_of(&a, &b, &rules);
            assert!(found.len() < 200, "{} passages", found.len());
            let covered: usize = found.iter().map(|p| p.a.len()).max().unwrap();
            assert!(covered >= a.len().min(b.len()), "{covered} of {}", a.len());
        }
    }
    // nothing long in common
    assert_eq!(match_of(&period(100_000, 2), &period(100_000, 3), &rules), []);
    assert_eq!(match_of(&[], &period(10, 2), &rules), []);
}

#[test]
fn borders_everywhere() {
    let tokens: Vec<u32> = (0..100_000).map(|i| if i % 2 == 0 { 0 } else { content_word(i) }).collect();
    assert_eq!(match_of(&tokens, &tokens, &Rules::default()), []);
}

#[test]
fn extreme_rules_do_no_harm() {
    let a = fresh(0, 100);
    let none = Rules { reach: 0, often: 0, gap: 0, gram: 0, run: 0, key: 0, snap: u32::MAX, ..Rules::default() };
    let all =
        Rules { reach: 99, often: 99, gap: u32::MAX, join: u32::MAX, wide: u32::MAX, gram: 200, ..Rules::default() };
    for rules in [none, all] {
        assert_eq!(match_of(&a, &a, &rules), [Passage { a: 0..100, b: 0..100, equal: 100 }]);
    }
}

#[test]
fn golden_grams() {
    let found = grams(&[
        content_word(0),
        content_word(1) | FUNCTION_WORD,
        content_word(2),
        content_word(3) | SENTENCE_END,
        0,
        content_word(0),
        content_word(2),
    ]);
    assert_eq!(
        found.iter().map(|(hash, at)| (format!("{hash:016x}"), *at)).collect::<Vec<_>>(),
        [(GOLDEN_GRAM.into(), 0)]
    );
}
const GOLDEN_GRAM: &str = "5b59346e6b6f085a";

fn grams(tokens: &[u32]) -> Vec<(u64, u32)> {
    let mut found = Vec::new();
    for_each_gram(tokens, &Rules::default(), |hash, at| found.push((hash, at)));
    found
}

/// Few words, so that they repeat; some function words, some ending sentences, some borders.
fn document(longest: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec((0u32..60, 0u32..4), 0..longest).prop_map(|tokens| {
        tokens.into_iter().map(|(word, flags)| if word == 59 { 0 } else { content_word(word) | flags }).collect()
    })
}

fn small_rules() -> Rules {
    Rules {
        weight: 4.0,
        words: 4,
        grain: 1.0,
        gap: 4,
        join: 8,
        near: 8,
        wide: 30,
        gram: 3,
        run: 6,
        snap: 4,
        ..Rules::default()
    }
}

proptest! {
    #[test]
    fn passages_are_sane_whatever_the_documents(a in document(200), b in document(200)) {
        let rules = small_rules();
        let found = match_of(&a, &b, &rules);
        for p in &found {
            let (in_a, in_b) = (&a[p.a.start as usize..p.a.end as usize], &b[p.b.start as usize..p.b.end as usize]);
            prop_assert!(!in_a.is_empty() && !in_b.is_empty());
            prop_assert!(in_a.iter().chain(in_b).all(|id| id >> FLAG_BITS != 0), "a border inside {p:?}");
            prop_assert!(p.equal as usize <= in_a.len().min(in_b.len()));
        }
        for (i, p) in found.iter().enumerate() {
            for q in &found[..i] {
                let apart = |x: &Range<u32>, y: &Range<u32>| x.end <= y.start || y.end <= x.start;
                prop_assert!(apart(&p.a, &q.a) || apart(&p.b, &q.b), "{p:?} and {q:?}");
            }
        }
        prop_assert!(found.is_sorted_by_key(|p| (p.a.start, p.b.start)));
        let mut exchanged: Vec<_> = match_of(&b, &a, &rules).into_iter().map(Passage::swapped).collect();
        exchanged.sort_by_key(|p| (p.a.start, p.b.start));
        prop_assert_eq!(found, exchanged);
    }

    #[test]
    fn equal_runs_are_inside_passages(
        a in document(60), b in document(60), copied in prop::collection::vec(100u32..100_000, 20..60), function_words: bool, more in document(60),
    ) {
        let copied: Vec<u32> = copied.into_iter().map(|w| content_word(w) | u32::from(function_words && w % 3 != 0)).collect();
        let (in_a, in_b) = (a.len() as u32..(a.len() + copied.len()) as u32, b.len() as u32..(b.len() + copied.len()) as u32);
        let (a, b) = ([a, copied.clone(), more.clone()].concat(), [b, copied, more].concat());
        let found = match_of(&a, &b, &Rules::default());
        prop_assert!(found.iter().any(|p| holds(&p.a, &in_a) && holds(&p.b, &in_b)), "{in_a:?} {in_b:?} {found:?}");
    }

    #[test]
    fn grams_equal_a_look_at_each_row_of_words(tokens in document(60)) {
        let mut naive = Vec::new();
        let mut first = 0;
        for stretch in tokens.split(|id| token::word(*id) == 0) {
            let content = (first..).zip(stretch).filter(|(_, id)| *id & FUNCTION_WORD == 0);
            let content: Vec<(u32, u64)> = content.map(|(at, id)| (at, token::mix(u64::from(token::word(*id))))).collect();
            let sum = |words: &[(u32, u64)]| words.iter().fold(0u64, |sum, (_, word)| sum.wrapping_add(*word));
            naive.extend(content.windows(Rules::default().key).map(|words| (token::mix(sum(words)), words[0].0)));
            first += stretch.len() as u32 + 1;
        }
        prop_assert_eq!(grams(&tokens), naive);
    }

    #[test]
    fn what_is_too_little_is_no_passage(a in document(90), b in document(90), weight in 0f32..20.0) {
        let rules = Rules { weight, ..small_rules() };
        let [a_side, b_side] = [&a, &b].map(|tokens| SeedIndex::new(tokens, &rules));
        let points = matches::of_seeds(&a_side, &b_side, &rules);
        if weighs_too_little(&points, &rules) {
            prop_assert_eq!(from_points(points, &[], &a_side, &a, &b_side, &b, &rules), []);
        }
    }

    #[test]
    fn grams_do_not_care_for_order(words in prop::collection::vec(0u32..1000, 3..4), a in 0usize..3, b in 0usize..3) {
        let of = |words: &[u32]| grams(&words.iter().map(|w| content_word(*w)).collect::<Vec<_>>());
        let mut other = words.clone();
        other.swap(a, b);
        prop_assert_eq!(of(&words), of(&other));
        other[a] += 1;
        prop_assert_ne!(of(&words), of(&other));
    }

    #[test]
    fn clusters_equal_flooding(places in prop::collection::vec((0u32..60, 0u32..60, 0u8..4, 0u8..4), 0..60), gap in 1u32..8, border in 0u32..60) {
        let mut points: Vec<Point> = places
            .iter()
            .filter(|(x, _, far, _)| !(*x..=x + u32::from(*far)).contains(&border))
            .map(|(x, y, far_x, far_y)| Point { at: [*x, *y], far: [*far_x, *far_y], solid: false, weight: 1.0 })
            .collect();
        let mut a = SeedIndex::default();
        a.borders.push(border);
        let rules = Rules { gap, grain: 0.0, ..Rules::default() };
        let mut found: Vec<Vec<String>> = link(&mut points, &a, &SeedIndex::default(), &rules).into_iter().map(|c| names(&c.points)).collect();
        found.sort();
        prop_assert_eq!(found, flooded(&points, border, gap));
    }
}

fn names(points: &[Point]) -> Vec<String> {
    let mut names: Vec<_> = points.iter().map(|p| format!("{p:?}")).collect();
    names.sort();
    names
}

/// The same by holding every square against every other.
fn flooded(points: &[Point], border: u32, gap: u32) -> Vec<Vec<String>> {
    let mut squares: FxHashMap<(bool, u32, u32), Vec<Point>> = FxHashMap::default();
    for p in points {
        let beyond = p.at[0] >= border;
        let column = if beyond { (p.at[0] - border) / gap } else { p.at[0] / gap };
        squares.entry((beyond, column, p.at[1] / gap)).or_default().push(*p);
    }
    let mut squares: Vec<_> = squares.into_iter().collect();
    squares.sort_by_key(|(place, _)| *place);
    let mut sets = UnionFind::new(squares.len());
    for (i, ((beyond, column, row), here)) in squares.iter().enumerate() {
        for (j, ((other, c, r), there)) in squares.iter().enumerate() {
            let touch = beyond == other && column.abs_diff(*c) <= 1 && row.abs_diff(*r) <= 1;
            let (x, y) = (Bounds::of(here), Bounds::of(there));
            let near = (0..2).all(|s| x.0[s].start.max(y.0[s].start).saturating_sub(x.0[s].end.min(y.0[s].end)) <= gap);
            if touch && near {
                sets.union(i as u32, j as u32);
            }
        }
    }
    let mut clusters: Vec<Vec<Point>> = vec![Vec::new(); squares.len()];
    for (i, (_, points)) in squares.iter().enumerate() {
        clusters[sets.find(i as u32) as usize].extend(points);
    }
    let mut clusters: Vec<_> = clusters.iter().filter(|c| !c.is_empty()).map(|c| names(c)).collect();
    clusters.sort();
    clusters
}
