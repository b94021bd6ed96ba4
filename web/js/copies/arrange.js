// The passages of a pair as the reader wants them: in words of both sides, with what differs inside. They are numbered as in the report, longest first.

import { colour } from '../hues.js';
import { markMoved } from '../passages.js';
import { Lexicon, wordsOf } from '../words.js';
import { COMMENT } from './lexemes.js';
import { inside, looseId } from './spelling.js';

/**
 * @typedef {import('./sheet.js').Sheet} Sheet
 * @typedef {import('./types.js').Stretch} Stretch
 * @typedef {import('./spelling.js').Spelt & { from: Int32Array, to: Int32Array }} SheetWords
 */

/** Passages that are looked into; a report lists fewer. */
const LOOKED_INTO = 5000;

/**
 * The words of a sheet. Where a passage begins or ends inside one, it is cut; a passage without any has one that is empty.
 * @param {Sheet} sheet @param {[number, number][]} places  of passages @param {Lexicon} lexicon
 * @returns {{ words: SheetWords, ranges: [number, number][] }}  by passage: its words
 */
function wordsIn(sheet, places, lexicon) {
  const cuts = [...new Set(places.flat())].sort((x, y) => x - y);
  /** @type {{ from: number, to: number, kind: number, exact: number, passage: number }[]} */
  const list = [];
  let next = 0;
  const add = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ kind, /** @type {number} */ known) => {
    while (next < cuts.length && cuts[next] <= from) next += 1;
    if (next >= cuts.length || cuts[next] >= to) {
      list.push({ from, to, kind, exact: known >= 0 ? known : lexicon.number(`=${sheet.shown.slice(from, to)}`), passage: -1 });
      return;
    }
    const cut = cuts[next];
    add(from, cut, kind, -1);
    add(cut, to, kind, -1);
  };
  sheet.files.forEach((read, file) => {
    if (read === null) return;
    const start = sheet.starts[file];
    const { lexemes = null } = read;
    if (lexemes === null) {
      const { ids, from, to } = wordsOf(read.text, lexicon);
      ids.forEach((id, at) => add(start + from[at], start + to[at], COMMENT, id));
    } else {
      lexemes.kind.forEach((kind, at) => { if (kind !== COMMENT) add(start + lexemes.from[at], start + lexemes.to[at], kind, -1); });
    }
  });
  const starts = list.map((word) => word.from);
  places.forEach(([from, to], passage) => {
    const at = firstFrom(starts, from);
    if (at === list.length || list[at].from >= to) list.push({ from, to: from, kind: COMMENT, exact: -10 - passage, passage });
  });
  list.sort((x, y) => x.from - y.from || x.to - y.to);
  const sorted = list.map((word) => word.from);
  const own = new Map(list.flatMap((word, at) => (word.passage >= 0 ? [/** @type {[number, number]} */ ([word.passage, at])] : [])));
  const ranges = places.map(([from, to], passage) => {
    const alone = own.get(passage);
    return /** @type {[number, number]} */ (alone === undefined ? [firstFrom(sorted, from), firstFrom(sorted, to)] : [alone, alone + 1]);
  });
  const column = (/** @type {(word: typeof list[0]) => number} */ of) => Int32Array.from(list, of);
  return { words: { from: column((w) => w.from), to: column((w) => w.to), kind: column((w) => w.kind), exact: column((w) => w.exact), loose: column((w) => looseId(w.kind, w.exact)) }, ranges };
}

/** The first of rising numbers that is not below a value. @param {ArrayLike<number>} rising @param {number} value */
function firstFrom(rising, value) {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * @param {{ a: Stretch, b: Stretch, equal: number }[]} shared
 * @param {Sheet} a @param {Sheet} b
 */
export function arrange(shared, a, b) {
  const places = { a: shared.map((p) => a.stretch(p.a)), b: shared.map((p) => b.stretch(p.b)) };
  const lexicon = new Lexicon();
  const [left, right] = [wordsIn(a, places.a, lexicon), wordsIn(b, places.b, lexicon)];
  const ranks = { a: ranked(places.a), b: ranked(places.b) };
  // which of them stand out of order is told by their order alone: they may overlap
  const shells = shared.map(({ equal }, number) => {
    const [x, y] = [ranks.a[number], ranks.b[number]];
    return { number, a: /** @type {[number, number]} */ ([x, x + 1]), b: /** @type {[number, number]} */ ([y, y + 1]), runs: [], equal, moved: false, hue: 0 };
  });
  const [byA, byB] = (/** @type {const} */ (['a', 'b'])).map((key) => [...shells].sort((x, y) => x[key][0] - y[key][0]));
  markMoved(byA, shells.length);
  colour(shells, [byA, byB]);
  /** @type {import('../passages.js').Difference[]} */
  const differences = [];
  /** @type {[number, number][][]} by passage: names that stand for each other */
  const names = [];
  /** @type {import('../passages.js').Passage[]} */
  const passages = shells.map((shell, number) => {
    const [inA, inB] = [left.ranges[number], right.ranges[number]];
    const empty = left.words.to[inA[0]] === left.words.from[inA[0]] || right.words.to[inB[0]] === right.words.from[inB[0]];
    const found = number < LOOKED_INTO && !empty ? inside(left.words, right.words, inA, inB) : { runs: [], differences: [], names: [] };
    names.push(found.names);
    for (const difference of found.differences) differences.push({ ...difference, inside: number });
    // the ends of a passage belong to each other, whatever stands there
    const runs = [{ a: inA[0], b: inB[0], length: 1 }, ...found.runs, { a: inA[1] - 1, b: inB[1] - 1, length: 1 }];
    return { ...shell, a: inA, b: inB, runs };
  });
  differences.sort((x, y) => x.a[0] - y.a[0] || x.b[0] - y.b[0]);
  const equal = passages.reduce((sum, p) => sum + p.equal, 0);
  return { comparison: { passages, differences, shareA: 0, shareB: 0, equal }, words: { a: left.words, b: right.words }, places, names };
}

/** By place, whose turn each is. @param {[number, number][]} places */
function ranked(places) {
  const order = places.map((_, at) => at).sort((x, y) => places[x][0] - places[y][0] || x - y);
  const ranks = new Array(places.length).fill(0);
  order.forEach((at, rank) => { ranks[at] = rank; });
  return ranks;
}

/**
 * What stays where that which is alike is folded: what differs inside passages, and what is in none.
 * @param {Sheet} sheet @param {'a' | 'b'} key @param {ReturnType<typeof arrange>} arranged
 * @returns {[number, number][]}
 */
export function unlike(sheet, key, { comparison, words, places }) {
  const { from, to } = words[key];
  /** @type {[number, number][]} */
  const stays = comparison.differences.map((d) => d[key]).map(([first, end]) => (first < end ? [from[first], to[end - 1]] : [to[first - 1], to[first - 1] + 1]));
  let at = 0;
  for (const [start, end] of [...places[key], /** @type {[number, number]} */ ([sheet.shown.length, sheet.shown.length])].sort((x, y) => x[0] - y[0])) {
    const gap = sheet.shown.slice(at, start);
    const bare = gap.trim();
    if (at < start && bare !== '') stays.push([at + gap.indexOf(bare), at + gap.indexOf(bare) + bare.length]);
    at = Math.max(at, end);
  }
  return stays;
}
