// Passages: what a reader would call "the same text", small changes inside included. And the differences, to step through.

import { align } from './align.js';
import { colour } from './hues.js';
import { movedRuns } from './moves.js';

/**
 * A stretch of both texts, in words; one side may be empty.
 * @typedef {object} Stretch
 * @property {[number, number]} a
 * @property {[number, number]} b
 */

/**
 * @typedef {object} Passage
 * @property {number} number        place in the order of the left text, from 0
 * @property {[number, number]} a   words of the left text
 * @property {[number, number]} b   words of the right text
 * @property {import('./align.js').Run[]} runs  the equal words in it, rising
 * @property {number} equal         how many those are
 * @property {boolean} moved        whether it stands out of order
 * @property {number} hue           0 to 6
 */

/**
 * @typedef {Stretch & { inside: number }} Difference  `inside` is the passage it is in, or -1
 */

/**
 * @typedef {object} Comparison
 * @property {Passage[]} passages       in the order of the left text
 * @property {Difference[]} differences in the order of the left text, as far as there is one
 * @property {number} shareA            of the left words that are in passages and equal
 * @property {number} shareB
 * @property {number} equal             words
 */

/** Words between runs that are one passage, unless something else is asked for. */
const NEAR = 8;
/** A passage has at least this many equal words, unless they are all that a side has, or a whole line. */
const LEAST = 4;

/**
 * What is known of the two sides beside their words.
 * @typedef {object} More
 * @property {Uint8Array} [linesA]  by word, whether a line begins with it, and one more for the end
 * @property {Uint8Array} [linesB]
 * @property {boolean} [items]      they are sets: each item counts, wherever it stands
 * @property {number} [near]        runs this near to each other, on both sides, are one passage
 */

/**
 * @param {Int32Array} a
 * @param {Int32Array} b
 * @param {More} [more]
 * @returns {Comparison}
 */
export function compare(a, b, { linesA, linesB, items = false, near = NEAR } = {}) {
  const aligned = align(a, b);
  const runs = [...aligned, ...movedRuns(a, b, aligned, items ? 1 : undefined)].sort((x, y) => x.a - y.a);
  // a title of two words is no chance
  const lines = (/** @type {Passage} */ p) => p.a.every((at) => linesA?.[at] === 1) && p.b.every((at) => linesB?.[at] === 1);
  const passages = join(runs, near).filter((p) => items || p.equal >= LEAST || p.equal === a.length || p.equal === b.length || lines(p));
  passages.forEach((passage, number) => { passage.number = number; });
  markMoved(passages, b.length);
  colour(passages, [[...passages].sort((x, y) => x.b[0] - y.b[0])]);
  const equal = passages.reduce((sum, p) => sum + p.equal, 0);
  const share = (/** @type {number} */ of) => (of === 0 ? 0 : equal / of);
  return { passages, differences: differencesOf(passages, a.length, b.length), shareA: share(a.length), shareB: share(b.length), equal };
}

/** Joins runs that follow one another closely on both sides. @param {import('./align.js').Run[]} runs by place in a @param {number} most words between them @returns {Passage[]} */
function join(runs, most) {
  /** @type {Map<number, number>} which run, by place in a, comes next in b */
  const nextInB = new Map();
  const byB = runs.map((_, at) => at).sort((x, y) => runs[x].b - runs[y].b);
  byB.forEach((at, place) => { nextInB.set(at, byB[place + 1] ?? -1); });
  /** @type {Passage[]} */
  const passages = [];
  runs.forEach((run, at) => {
    const last = passages[passages.length - 1];
    const near = last !== undefined && nextInB.get(at - 1) === at && run.a - last.a[1] <= most && run.b - last.b[1] <= most;
    if (near) {
      last.a[1] = run.a + run.length;
      last.b[1] = run.b + run.length;
      last.runs.push(run);
      last.equal += run.length;
    } else {
      passages.push({ number: 0, a: [run.a, run.a + run.length], b: [run.b, run.b + run.length], runs: [run], equal: run.length, moved: false, hue: 0 });
    }
  });
  return passages;
}

/** Passages outside the heaviest chain in order have moved. @param {Passage[]} passages by place in a @param {number} sizeB */
export function markMoved(passages, sizeB) {
  // a Fenwick tree of the heaviest chain that ends at or before a place of b
  const best = new Int32Array(sizeB + 2).fill(-1);
  const weight = new Float64Array(passages.length);
  const before = new Int32Array(passages.length);
  let top = -1;
  passages.forEach((passage, at) => {
    let from = -1;
    for (let i = passage.b[0]; i > 0; i -= i & -i) if (best[i] >= 0 && (from < 0 || weight[best[i]] > weight[from])) from = best[i];
    before[at] = from;
    weight[at] = passage.equal + (from < 0 ? 0 : weight[from]);
    for (let i = passage.b[1]; i < best.length; i += i & -i) if (best[i] < 0 || weight[at] > weight[best[i]]) best[i] = at;
    if (top < 0 || weight[at] > weight[top]) top = at;
    passage.moved = true;
  });
  for (let at = top; at >= 0; at = before[at]) passages[at].moved = false;
}

/**
 * What is in no run: changes inside passages, and the text between them. A change of both sides is one difference.
 * @param {Passage[]} passages @param {number} sizeA @param {number} sizeB
 */
function differencesOf(passages, sizeA, sizeB) {
  /** @type {Difference[]} */
  const all = [];
  for (const { runs, number } of passages) {
    for (let at = 1; at < runs.length; at++) {
      const [last, run] = [runs[at - 1], runs[at]];
      all.push({ a: [last.a + last.length, run.a], b: [last.b + last.length, run.b], inside: number });
    }
  }
  const inOrder = passages.filter((p) => !p.moved);
  const moved = passages.filter((p) => p.moved);
  const cutsA = moved.map((p) => p.a);
  const cutsB = moved.map((p) => p.b).sort((x, y) => x[0] - y[0]);
  let [atA, atB] = [0, 0];
  for (let at = 0; at <= inOrder.length; at++) {
    const [last, next] = [inOrder[at - 1], inOrder[at]];
    const [fromA, fromB] = last === undefined ? [0, 0] : [last.a[1], last.b[1]];
    const [toA, toB] = next === undefined ? [sizeA, sizeB] : [next.a[0], next.b[0]];
    const left = pieces(fromA, toA, cutsA, atA);
    const right = pieces(fromB, toB, cutsB, atB);
    [atA, atB] = [left.next, right.next];
    for (let k = 0; k < Math.max(left.list.length, right.list.length); k++) {
      const a = left.list[k] ?? [toA, toA];
      all.push({ a, b: right.list[k] ?? [toB, toB], inside: -1 });
    }
  }
  return all.sort((x, y) => x.a[0] - y.a[0] || x.b[0] - y.b[0]);
}

/**
 * A stretch without what moved out of it or into it.
 * @param {number} from @param {number} to @param {[number, number][]} cuts rising @param {number} next the first cut that is not before it
 */
function pieces(from, to, cuts, next) {
  /** @type {[number, number][]} */
  const list = [];
  while (next < cuts.length && cuts[next][0] < to) {
    if (cuts[next][0] > from) list.push([from, cuts[next][0]]);
    from = cuts[next][1];
    next += 1;
  }
  if (from < to) list.push([from, to]);
  return { list, next };
}
