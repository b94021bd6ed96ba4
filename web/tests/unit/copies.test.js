// What the page of `copies` computes: clusters, places, segments, folds, colours, lists, words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byChance, few, rare, reach, reasoning, ruleWords, whyPair, whyPassage } from '../../js/copies/explain.js';
import { CopiesModel } from '../../js/copies/model.js';
import { Names } from '../../js/copies/names.js';
import { expectedAt } from '../../js/copies/parts/threshold.js';
import { span } from '../../js/copies/parts/timeline.js';
import { lineStarts, unitsOf } from '../../js/copies/places.js';
import { selectPairs, wantedPairs } from '../../js/copies/filters.js';
import { arrange } from '../../js/copies/arrange.js';
import { Sheet, foldLines } from '../../js/copies/sheet.js';
import { median } from '../../js/copies/views/overview.js';
import { passagesOf } from '../../js/copies/views/submission.js';
import { colour } from '../../js/hues.js';
import { Bridge, cover } from '../../js/sides.js';
import { cohort, plainClusters } from '../cohort.js';
import { dice } from '../dice.js';

const { page, texts } = cohort();
const model = new CopiesModel(page);
const report = page.report.passages;

/** The sheet of a submission, without the page around it. @param {number} at */
function sheetOf(at) {
  const files = report.submissions[at].files.map((f, file) => {
    const text = texts[page.contents[model.firstFile[at] + file]];
    return { text, at: unitsOf(text) };
  });
  return new Sheet(files, report.submissions[at].files.map((f) => f.excluded ?? []));
}

test('clusters at the threshold of the report are those of the report', () => {
  assert.ok(report.clusters.length >= 2);
  assert.deepEqual(model.at(model.scanned).map((c) => c.submissions), report.clusters.map((c) => c.submissions));
  model.at(model.scanned).forEach((c, at) => {
    assert.equal(c.pairs.length, report.clusters[at].pairs);
    assert.ok(Math.abs(c.mean - report.clusters[at].mean) < 1e-12);
  });
});

test('clusters at any threshold are those that one finds by walking', () => {
  for (let t = 5; t <= 100; t += 5) {
    const [found, plain] = [model.at(t / 100), plainClusters(report, t / 100)];
    assert.deepEqual(found.map((c) => c.submissions), plain.map((c) => c.submissions), `${t}%`);
    assert.equal(model.above(t / 100), model.pairs.filter((p) => p.similarity >= t / 100).length);
  }
});

test('where the list of pairs was cut, the clusters of the report still hold at its threshold', () => {
  const few = structuredClone(page);
  few.report.passages.pairs = few.report.passages.pairs.slice(0, 3);
  const cut = new CopiesModel(few);
  assert.ok(!cut.complete(cut.scanned) && cut.complete(0.9));
  assert.deepEqual(cut.clusters.map(({ submissions, count, mean }) => ({ submissions, pairs: count, mean })), report.clusters);
  assert.ok(cut.at(0.6).every((c) => c.pairs.length === c.count));
});

test('who has the tokens of another is told so, and no pair is made that the report does not have', () => {
  const late = report.submissions.findIndex((s) => s.same_as !== undefined);
  const same = model.pairs.filter((p) => p.same);
  assert.deepEqual(same.map((p) => [p.a, p.b, p.similarity]), [[report.submissions[late].same_as, late, 1]]);
  assert.match(whyPair(model, same[0], ['Anna', 'Zoé']).join(), /^Anna and Zoé have exactly the same tokens.*layout or comments\./);
  assert.equal(model.pairs.length, report.pairs.length);
  // all of it was given: the report has no such pair, whatever the tokens
  const without = structuredClone(page);
  without.report.passages.pairs = without.report.passages.pairs.filter((p) => p.b !== late);
  assert.equal(new CopiesModel(without).pair(same[0].a, late), null);
});

test('a pair below the least similarity, there for a long passage, does not lower the line', () => {
  const long = structuredClone(page);
  const last = long.report.passages.pairs.at(-1);
  assert.ok(last !== undefined);
  last.similarity = 0.01;
  for (const all of [0, 100]) {
    long.report.passages.pairs_all = long.report.passages.pairs.length + all;
    assert.equal(new CopiesModel(long).from, long.report.passages.rules.min_similarity);
  }
  assert.match(ruleWords(long.report.passages).join(' '), /Pairs from 5% similarity on, and below that those with a long passage, are listed/);
  assert.match(ruleWords(report).join(' '), /Names of identifiers and values of literals count by kind.*Comments do not count.*Pairs from 5% similarity on are listed/);
  assert.doesNotMatch(ruleWords({ ...report, recipes: [{ ...report.recipes[0], family: 'prose' }] }).join(' '), /identifiers|Comments/);
});

test('a cohort too small to tell says nothing of chance', () => {
  const small = structuredClone(page);
  for (const row of [...small.report.passages.calibration.table, ...small.report.passages.pairs]) row.expected = null;
  const tiny = new CopiesModel(small);
  assert.equal(few(null), '–');
  assert.match(byChance(null), /does not tell/);
  assert.ok([0.05, 0.17, 0.5, 0.99].every((t) => expectedAt(tiny, t) === null));
});

test('prose is told in words, and a passage in which few of them agree is no evidence by its length', () => {
  const essays = structuredClone(page);
  essays.report.passages.recipes = [{ family: 'prose', k: 3, t: 5, files: 1 }];
  const of = new CopiesModel(essays);
  const place = { file: 0, start: 0, end: 1, line: 1, last_line: 1 };
  const why = (/** @type {number} */ tokens, /** @type {number} */ equal) => whyPassage(of, { a: place, b: place, tokens, equal, submissions: 2 }, 'text');
  assert.match(why(180, 180), /Equal throughout.*Long: 13 times .*\(14 words\)/);
  assert.match(why(323, 10), /^10 of its 323 words have the same neighbours on both sides\. That is little: .*Read them\.$/);
  assert.match(reach(essays.report.passages.recipes[0]).join(), /^14 words.*20 words in a row/);
  assert.deepEqual(reach(report.recipes[0]), ['25 tokens', 'from 40 tokens in a row']);
});

test('bytes become places of strings, as the encoder counts', () => {
  const roll = dice(1);
  const letters = ['a', '\n', 'ß', 'ễ', '漢', '😀', '\t', 'é'];
  for (let round = 0; round < 60; round++) {
    const text = Array.from({ length: roll(1500) }, () => letters[roll(letters.length)]).join('');
    const units = unitsOf(text);
    let byte = 0;
    let at = 0;
    for (const character of text) {
      assert.equal(units(byte), at);
      byte += Buffer.byteLength(character);
      at += character.length;
    }
    assert.equal(units(byte), text.length);
    assert.equal(units(byte + 99), text.length);
    assert.deepEqual(lineStarts(text).length, text.split('\n').length);
  }
});

test('a stretch of the report is the same text on the sheet, on the same lines', () => {
  let seen = 0;
  for (const pair of report.pairs.slice(0, 30)) {
    for (const [at, key] of /** @type {[number, 'a' | 'b'][]} */ ([[pair.a, 'a'], [pair.b, 'b']])) {
      const sheet = sheetOf(at);
      for (const passage of pair.passages) {
        const { file, start, end, line, last_line } = passage[key];
        const text = texts[page.contents[model.firstFile[at] + file]];
        const [from, to] = sheet.stretch(passage[key]);
        assert.equal(sheet.shown.slice(from, to), Buffer.from(text).subarray(start, end).toString());
        assert.deepEqual([sheet.line(from), sheet.line(to - 1), sheet.fileAt(from)], [line, last_line, file]);
        seen += 1;
      }
    }
  }
  assert.ok(seen > 100);
});

test('a text that is not here, or is cut, breaks nothing', () => {
  const sheet = new Sheet([null, { text: 'ab\ncd', at: unitsOf('ab\ncd') }], [[[0, 9]], [[3, 90]]]);
  assert.equal(sheet.shown, 'ab\ncd\n');
  assert.deepEqual(sheet.stretch({ file: 0, start: 4, end: 9, line: 1, last_line: 1 }), [0, 0]);
  assert.deepEqual(sheet.stretch({ file: 1, start: 3, end: 900, line: 2, last_line: 9 }), [3, 5]);
  assert.deepEqual(sheet.given, [[3, 5]]);
  assert.deepEqual(sheet.stretch({ file: 7, start: 0, end: 3, line: 1, last_line: 1 }), [6, 6]);
});

test('segments cover the text, and each place shows the longest passage that holds it', () => {
  const roll = dice(2);
  for (let round = 0; round < 300; round++) {
    const length = 1 + roll(60);
    const stretch = () => { const from = roll(length); return /** @type {[number, number]} */ ([from, from + roll(length - from + 1)]); };
    const places = Array.from({ length: roll(7) }, stretch);
    const given = Array.from({ length: roll(3) }, stretch).filter(([x, y]) => x < y).sort((x, y) => x[0] - y[0]).reduce((/** @type {[number, number][]} */ all, g) => (all.length > 0 && all[all.length - 1][1] > g[0] ? all : [...all, g]), []);
    const found = cover(length, places.map(([from, to], passage) => ({ from, to, passage, difference: -1 })), given);
    let end = 0;
    for (const { from, to, passage, given: grey } of found) {
      assert.equal(from, end);
      end = to;
      for (let at = from; at < to; at++) {
        assert.equal(passage, places.findIndex(([x, y]) => x <= at && at < y));
        assert.equal(grey, given.some(([x, y]) => x <= at && at < y));
      }
    }
    assert.equal(end, length);
  }
});

test('what is folded is whole lines of one file, and never a passage', () => {
  const pair = report.pairs[0];
  for (const [at, key] of /** @type {[number, 'a' | 'b'][]} */ ([[pair.a, 'a'], [pair.b, 'b']])) {
    const sheet = sheetOf(at);
    const places = pair.passages.map((p) => sheet.stretch(p[key]));
    const found = foldLines(sheet, places, 10);
    assert.ok(found.length > 0);
    let last = 0;
    for (const { from, to, number, words } of found) {
      assert.ok(from >= last && from < to && number >= 10);
      last = to;
      assert.ok(from === 0 || sheet.shown[from - 1] === '\n');
      assert.equal(sheet.fileAt(from), sheet.fileAt(to - 1));
      assert.equal(sheet.shown.slice(from, to).split('\n').length - 1, words);
      assert.ok(places.every(([x, y]) => y <= from || x >= to));
    }
  }
  const alone = sheetOf(0);
  const whole = foldLines(alone, [], 0);
  assert.deepEqual(whole.map(({ from, to }) => [from, to]), [[0, alone.shown.length]]);
});

test('no two neighbours have one colour: on the left, on the right, by length', () => {
  const roll = dice(3);
  for (let round = 0; round < 200; round++) {
    const items = Array.from({ length: roll(40) }, (_, at) => ({ at, hue: -1 }));
    const shuffled = () => items.map((item) => ({ item, key: roll(1_000_000) })).sort((x, y) => x.key - y.key).map(({ item }) => item);
    const orders = [shuffled(), shuffled()];
    colour(items, orders);
    for (const order of [items, ...orders]) for (let at = 1; at < order.length; at++) assert.notEqual(order[at].hue, order[at - 1].hue);
    assert.ok(items.every(({ hue }) => hue >= 0 && hue < 7));
  }
});

test('passages are numbered by length, out of order where they cross, and ribbons lead across', () => {
  const text = 'abcdefghij\n'.repeat(9);
  const sheet = new Sheet([{ text, at: unitsOf(text) }], [[]]);
  const s = (/** @type {number} */ start, /** @type {number} */ end) => ({ file: 0, start, end, line: 1, last_line: 1 });
  const shared = [{ a: s(0, 30), b: s(50, 80), equal: 30 }, { a: s(60, 80), b: s(10, 30), equal: 20 }, { a: s(85, 95), b: s(85, 95), equal: 10 }];
  const { comparison: { passages, ...rest }, words } = arrange(shared, sheet, sheet);
  assert.deepEqual(passages.map((p) => [p.number, p.moved, words.a.from[p.a[0]], words.b.from[p.b[0]], words.a.to[p.a[1] - 1]]), [[0, false, 0, 50, 30], [1, true, 60, 11, 80], [2, false, 85, 85, 95]]);
  const side = (/** @type {'a' | 'b'} */ key) => ({ key, shown: sheet.shown, ...words[key] });
  const bridge = new Bridge(side('a'), side('b'), { passages, ...rest });
  assert.equal(bridge.across('a', 0), 50);
  assert.equal(bridge.across('a', 30), 80);
  assert.equal(bridge.across('b', 90), 90);
  let before = 0;
  for (let at = 0; at <= text.length; at++) {
    const there = bridge.across('a', at);
    assert.ok(there >= before, 'scrolling down never scrolls up');
    before = there;
  }
});

test('lists: order, group, cluster, verdict, search', () => {
  const names = new Names(model);
  model.threshold = model.scanned;
  const none = { get: () => undefined };
  const ask = (/** @type {string} */ query, verdicts = /** @type {any} */ (none)) => selectPairs(model, names, verdicts, wantedPairs(new URLSearchParams(query)));
  assert.equal(ask('').length, model.above(model.scanned));
  assert.equal(ask('below=1').length, model.pairs.length);
  for (const [sort, value] of /** @type {[string, (p: import('../../js/copies/types.js').Pair) => number][]} */ ([['longest', (p) => p.longest], ['overlap', (p) => p.overlap], ['passages', (p) => p.passages_all], ['rarity', (p) => p.rarity], ['share', (p) => Math.max(p.share_a, p.share_b)]])) {
    const values = ask(`sort=${sort}&below=1`).map(value);
    assert.deepEqual(values, [...values].sort((x, y) => y - x), sort);
  }
  const least = ask('sort=expected').map((p) => p.expected ?? NaN);
  assert.deepEqual(least, [...least].sort((x, y) => x - y));
  for (const wrong of ['constructor', '__proto__', 'x']) assert.deepEqual(ask(`sort=${wrong}&dir=up&label=-3&cluster=1e9`.replace('&cluster=1e9', '')), ask(''), wrong);
  const [label] = model.labels[1];
  const group = ask('label=1&below=1');
  assert.ok(group.length > 0 && group.every((p) => [p.a, p.b].some((s) => report.submissions[s].label === label)));
  const cluster = ask(`cluster=${report.clusters[1].submissions[0]}&below=1`);
  assert.ok(cluster.length > 0 && cluster.every((p) => [p.a, p.b].every((s) => report.clusters[1].submissions.includes(s))));
  assert.ok(ask('q=KOWALSKI').every((p) => [p.a, p.b].some((s) => report.submissions[s].full_name === 'Anna Kowalski')));
  const decided = { get: (/** @type {any} */ p) => (p === model.pairs[0] ? { verdict: 'copied' } : p === model.pairs[1] ? { verdict: 'again' } : undefined) };
  assert.deepEqual(ask('verdict=decided', decided), [model.pairs[0]]);
  assert.equal(ask('verdict=undecided', decided).length, ask('').length - 1, 'what is looked at again is open');
});

test('what is expected by chance is the number of a model, and never less than one in a hundred', () => {
  for (const expected of [1e-30, 0.01, 0.02, 0.7, 7, 1234]) {
    const told = byChance(expected);
    assert.match(told, expected <= 0.01 ? /^Fewer than 0\.01 pairs/ : /^About [\d.,]+ pairs/);
    assert.match(told, /expected by chance .* a model: it assumes one exercise, no public code, and submissions that were written independently/);
    assert.doesNotMatch(told, /thousand|cohorts|not one/);
  }
  // a dossier's findings are what can be read in it, and no model's
  assert.doesNotMatch(model.pairs.flatMap((pair) => whyPair(model, pair, ['a', 'b'])).join(' '), /chance|expected/);
});

test('what other submissions have too is said of a pair', () => {
  const pair = model.pairs.find((p) => !p.same);
  assert.ok(pair !== undefined);
  const told = (/** @type {number} */ share) => whyPair(model, { ...pair, shared_by_others: share }, ['a', 'b']).join(' ');
  assert.match(told(0.8), /80% of what they share is in passages that other submissions have too: public or given code, or what a larger group copied\./);
  assert.doesNotMatch(told(0.4), /public/);
});

test('pairs at the threshold of the report are as many as it says, listed or not', () => {
  const cut = structuredClone(page);
  cut.report.passages.pairs = cut.report.passages.pairs.slice(0, 3);
  assert.deepEqual(new CopiesModel(cut).striking(model.scanned), { pairs: report.calibration.striking, all: true });
  assert.deepEqual(model.striking(0.5), { pairs: model.above(0.5), all: true });
});

test('numbers in words', () => {
  assert.deepEqual([0.01, 0.0001, 0.02, 3.14159, 42.4, 12345].map(few), ['< 0.01', '< 0.01', '0.02', '3.1', '42', '12,345']);
  const place = { file: 0, start: 0, end: 1, line: 1, last_line: 1 };
  assert.match(whyPassage(model, { a: place, b: place, tokens: 250, equal: 250, submissions: 2 }, 'python'), /The same token by token\. Nobody else has all of it.*Long: 10 times/);
  assert.match(whyPassage(model, { a: place, b: place, tokens: 30, equal: 26, submissions: 20 }, 'python'), /26 of its 30 tokens are equal; 4 stand in gaps\. All of it is in 18 other submissions at most: it may be public or given code\. Short/);
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([]), 0);
  assert.deepEqual([30, 90, 7000, 90_000, 40_000_000].map(span), ['30 seconds', '2 minutes', '2 hours', '1 day', '1 year']);
});

test('no sentence on a passage contradicts one on the pair', () => {
  const place = { file: 0, start: 0, end: 1, line: 1, last_line: 1 };
  const passage = { a: place, b: place, tokens: 3278, equal: 3278, submissions: 3 };
  const pair = { ...report.pairs[0], same: false, rarity: 0.37, shared_by_others: 0.9, passages: [passage], passages_all: 1 };
  const said = [...whyPair(model, pair, ['A', 'B']), whyPassage(model, passage, 'python')].join(' ');
  assert.match(said, /rarity 0\.37: piece by piece, about 15 of \d+ submissions have it, in the mean\./);
  assert.match(said, /All of it is in 1 other submission at most\./);
  assert.doesNotMatch(said, /many others|weighs/);
  assert.match(rare(model, 1), /hardly anybody else/);
  assert.match(rare(model, 0), new RegExp(`about ${report.submissions.length} of ${report.submissions.length} submissions`));
});

test('the engine\'s sentences have separators, and say which pairs they count', () => {
  const other = structuredClone(page);
  other.report.passages.pairs_possible = 79003;
  Object.assign(other.report.passages.calibration, { pairs: 71273, reasoning: ['Of 71273 pairs, 66.25% share nothing.', '2024.5 and 1000 more.'] });
  const [first, second] = reasoning(new CopiesModel(other));
  assert.match(first, /^Of 71,273 pairs, 66\.25% share nothing\. .* fewer than the 79,003 pairs that could be compared\.$/);
  assert.equal(second, '2024.5 and 1,000 more.');
});

test('what chance would make at a threshold is read from the table', () => {
  for (const { threshold, expected } of report.calibration.table) assert.equal(expectedAt(model, threshold), expected);
  assert.equal(expectedAt(model, 0.175), expectedAt(model, 0.17), 'between two it is the larger');
  assert.equal(expectedAt(model, 0.001), null);
});

test('the passages of a person are those of all pairs, each once', () => {
  const all = passagesOf(model, 12);
  const keys = all.map(({ place }) => `${place.file}/${place.start}/${place.end}`);
  assert.equal(new Set(keys).size, keys.length);
  assert.ok(all.every((p, at) => at === 0 || p.tokens <= all[at - 1].tokens));
  assert.ok(all.every((p) => p.pairs.every((pair) => pair.a === 12 || pair.b === 12)));
});
