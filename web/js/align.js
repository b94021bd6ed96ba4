// Which words of two texts are equal, in order: the twin of crates/core/src/align.rs. Windows of words that stand once on
// both sides are anchors; their longest chain is extended to equal runs, and only the gaps are compared word by word.

import { Windows } from './windows.js';

/**
 * Words `a` to `a + length` of the first text are words `b` to `b + length` of the second.
 * @typedef {object} Run
 * @property {number} a
 * @property {number} b
 * @property {number} length
 */

/** Windows of this many words serve as anchors. */
const ANCHOR = 4;
/** Gaps up to this many words, both sides together, are compared word by word at once; longer ones look for anchors of their own. */
const SMALL = 400;
/**
 * A gap is compared in chunks of at most this many changed words, which bounds time and memory of Myers' algorithm. A chunk that
 * has more changes than equal words is the end: the rest stands as replaced.
 */
const CHANGES = 300;
/** How often a gap may look for anchors inside itself. */
const DEPTH = 5;
/** Equal runs from this length on always count; shorter ones may be chance. */
const FIRM = 8;

/**
 * Equal runs, rising on both sides.
 * @param {Int32Array} a
 * @param {Int32Array} b
 * @returns {Run[]}
 */
export function align(a, b) {
  /** @type {Run[]} */
  const runs = [];
  between({ a, b, runs }, 0, a.length, 0, b.length, DEPTH);
  return settle(runs, a.length, b.length);
}

/** @typedef {{ a: Int32Array, b: Int32Array, runs: Run[] }} Job */

/** @param {Job} job @param {number} a @param {number} b @param {number} length */
function push({ runs }, a, b, length) {
  if (length === 0) return;
  const last = runs[runs.length - 1];
  if (last !== undefined && last.a + last.length === a && last.b + last.length === b) last.length += length;
  else runs.push({ a, b, length });
}

/**
 * Aligns a stretch of each side.
 * @param {Job} job
 * @param {number} a0 @param {number} a1 @param {number} b0 @param {number} b1 @param {number} depth
 */
function between(job, a0, a1, b0, b1, depth) {
  const { a, b } = job;
  let head = 0;
  while (a0 + head < a1 && b0 + head < b1 && a[a0 + head] === b[b0 + head]) head += 1;
  push(job, a0, b0, head);
  a0 += head;
  b0 += head;
  let tail = 0;
  while (a0 < a1 - tail && b0 < b1 - tail && a[a1 - tail - 1] === b[b1 - tail - 1]) tail += 1;
  a1 -= tail;
  b1 -= tail;
  if (a0 < a1 && b0 < b1) {
    const chain = depth > 0 && a1 - a0 + b1 - b0 > SMALL ? anchors(a.subarray(a0, a1), b.subarray(b0, b1)) : [];
    if (chain.length > 0) {
      let [i, j] = [a0, b0];
      for (const anchor of chain) {
        const [x, y] = [a0 + anchor[0], b0 + anchor[1]];
        if (x < i || y < j) continue;
        // what is equal before the anchor is found as the tail of the gap, by the call
        between(job, i, x, j, y, depth - 1);
        let length = 0;
        while (x + length < a1 && y + length < b1 && a[x + length] === b[y + length]) length += 1;
        push(job, x, y, length);
        [i, j] = [x + length, y + length];
      }
      between(job, i, a1, j, b1, depth - 1);
    } else {
      let [i, j] = [a0, b0];
      while (i < a1 && j < b1) {
        const [x, y] = myers(job, i, a1, j, b1);
        if (x === i && y === j) break;
        [i, j] = [x, y];
      }
    }
  }
  push(job, a1, b1, tail);
}

/**
 * Windows that stand once on both sides: the longest chain in order.
 * @param {Int32Array} a @param {Int32Array} b
 * @returns {[number, number][]}
 */
function anchors(a, b) {
  if (a.length < ANCHOR || b.length < ANCHOR) return [];
  const windows = new Windows(a, ANCHOR);
  const count = a.length - ANCHOR + 1;
  // by first place in a: how often on each side, where in b
  const inA = new Uint8Array(count);
  const inB = new Uint8Array(count);
  const place = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const first = windows.add(i);
    if (inA[first] < 2) inA[first] += 1;
  }
  for (let j = 0; j + ANCHOR <= b.length; j++) {
    const first = windows.find(b, j);
    if (first < 0) continue;
    if (inB[first] < 2) inB[first] += 1;
    place[first] = j;
  }
  /** @type {[number, number][]} */
  const matches = [];
  for (let i = 0; i < count; i++) if (inA[i] === 1 && inB[i] === 1) matches.push([i, place[i]]);
  return longestChain(matches);
}

/** Longest subsequence whose second numbers rise. @param {[number, number][]} matches @returns {[number, number][]} */
function longestChain(matches) {
  /** @type {number[]} */
  const tails = [];
  const before = new Int32Array(matches.length);
  matches.forEach(([, j], at) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (matches[tails[middle]][1] < j) low = middle + 1;
      else high = middle;
    }
    before[at] = low === 0 ? -1 : tails[low - 1];
    tails[low] = at;
  });
  /** @type {[number, number][]} */
  const chain = [];
  for (let at = tails.length === 0 ? -1 : tails[tails.length - 1]; at >= 0; at = before[at]) chain.push(matches[at]);
  return chain.reverse();
}

/**
 * Myers' greedy algorithm with its whole trace, which the bound on changes keeps small. Tells how far it came.
 * @param {Job} job
 * @param {number} a0 @param {number} a1 @param {number} b0 @param {number} b1
 * @returns {[number, number]}
 */
function myers(job, a0, a1, b0, b1) {
  const { a, b } = job;
  const [n, m] = [a1 - a0, b1 - b0];
  const most = Math.min(CHANGES, n + m);
  const middle = most + 1;
  const reach = new Int32Array(2 * most + 3);
  /** @type {Int32Array[]} diagonals -d to d before step d */
  const trace = [];
  let [bestX, bestY] = [0, 0];
  for (let d = 0; d <= most; d++) {
    trace.push(reach.slice(middle - d - 1, middle + d + 2));
    [bestX, bestY] = [0, 0];
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && reach[middle + k - 1] < reach[middle + k + 1]);
      let x = down ? reach[middle + k + 1] : reach[middle + k - 1] + 1;
      let y = x - k;
      while (x < n && y < m && a[a0 + x] === b[b0 + y]) {
        x += 1;
        y += 1;
      }
      reach[middle + k] = x;
      if (x <= n && y <= m && x + y > bestX + bestY) [bestX, bestY] = [x, y];
      if (x >= n && y >= m) {
        walkBack(job, trace, a0, b0, n, m);
        return [a1, b1];
      }
    }
  }
  // of what is equal and what changed, the path so far has (x + y - changes) / 2 equal words
  if (bestX + bestY < 3 * most) return [a0, b0];
  walkBack(job, trace, a0, b0, bestX, bestY);
  return [a0 + bestX, b0 + bestY];
}

/** @param {Job} job @param {Int32Array[]} trace @param {number} a0 @param {number} b0 @param {number} n @param {number} m */
function walkBack(job, trace, a0, b0, n, m) {
  /** @type {Run[]} */
  const found = [];
  let [x, y] = [n, m];
  for (let d = trace.length - 1; d >= 0; d--) {
    const reach = trace[d];
    const middle = d + 1;
    const k = x - y;
    const down = k === -d || (k !== d && reach[middle + k - 1] < reach[middle + k + 1]);
    const before = down ? k + 1 : k - 1;
    const startX = d === 0 ? 0 : reach[middle + before] + (down ? 0 : 1);
    if (x > startX) found.push({ a: a0 + startX, b: b0 + startX - k, length: x - startX });
    if (d > 0) [x, y] = [reach[middle + before], reach[middle + before] - before];
  }
  for (const run of found.reverse()) push(job, run.a, run.b, run.length);
}

/**
 * Drops runs that are shorter than what differs on either hand: a lone "the" between two rewritten sentences is chance.
 * @param {Run[]} runs @param {number} sizeA @param {number} sizeB
 */
function settle(runs, sizeA, sizeB) {
  /** @type {Run[]} */
  const kept = [];
  const gap = (/** @type {Run | undefined} */ x, /** @type {Run | undefined} */ y) => Math.max(
    (y?.a ?? sizeA) - (x === undefined ? 0 : x.a + x.length),
    (y?.b ?? sizeB) - (x === undefined ? 0 : x.b + x.length));
  const chance = (/** @type {Run | undefined} */ next) => {
    const run = kept[kept.length - 1];
    return run.length < FIRM && run.length < gap(kept[kept.length - 2], run) && run.length < gap(run, next);
  };
  for (const run of runs) {
    while (kept.length > 0 && chance(run)) kept.pop();
    kept.push(run);
  }
  while (kept.length > 0 && chance(undefined)) kept.pop();
  return kept;
}
