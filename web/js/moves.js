// Text that stands elsewhere: equal runs among the words that the alignment in order left over.

import { Windows } from './windows.js';

/** Places of the same window that are tried: a text of one word repeated has a hundred thousand. */
const PLACES = 4;
/** What one round cannot give because its words were taken, the next may. */
const ROUNDS = 4;

/**
 * Longest runs first; no word is given twice.
 * @param {Int32Array} a
 * @param {Int32Array} b
 * @param {import('./align.js').Run[]} aligned
 * @param {number} [least]  words of a moved run; shorter ones are everywhere
 * @returns {import('./align.js').Run[]}
 */
export function movedRuns(a, b, aligned, least = 8) {
  const takenA = new Uint8Array(a.length);
  const takenB = new Uint8Array(b.length);
  const take = (/** @type {import('./align.js').Run} */ run) => {
    takenA.fill(1, run.a, run.a + run.length);
    takenB.fill(1, run.b, run.b + run.length);
  };
  aligned.forEach(take);
  /** @type {import('./align.js').Run[]} */
  const moved = [];
  for (let round = 0; round < ROUNDS; round++) {
    const found = candidates(a, b, takenA, takenB, least).sort((x, y) => y.length - x.length || x.a - y.a);
    const before = moved.length;
    for (const run of found) {
      const free = longestFree(run, takenA);
      if (free.length < least) continue;
      take(free);
      moved.push(free);
    }
    if (moved.length === before) break;
  }
  return moved;
}

/**
 * For each stretch of b, read from left to right, the longest equal stretch of a. They do not overlap in b; they may in a.
 * @param {Int32Array} a @param {Int32Array} b @param {Uint8Array} takenA @param {Uint8Array} takenB @param {number} least
 */
function candidates(a, b, takenA, takenB, least) {
  /** @type {import('./align.js').Run[]} */
  const found = [];
  const windows = new Windows(a, least);
  const next = new Int32Array(a.length).fill(-1);
  const last = new Int32Array(a.length);
  const known = new Uint8Array(a.length);
  let any = false;
  forFree(takenA, least, (i) => {
    const first = windows.add(i);
    any = true;
    if (first === i) last[i] = i;
    else if (known[first] + 1 < PLACES) {
      next[last[first]] = i;
      last[first] = i;
      known[first] += 1;
    }
  });
  if (!any) return found;
  let passed = 0;
  forFree(takenB, least, (j) => {
    if (j < passed) return;
    let best = 0;
    let at = -1;
    for (let i = windows.find(b, j); i >= 0; i = next[i]) {
      let length = least;
      while (i + length < a.length && j + length < b.length && takenA[i + length] === 0 && takenB[j + length] === 0
        && a[i + length] === b[j + length]) length += 1;
      if (length > best) [best, at] = [length, i];
    }
    if (best === 0) return;
    found.push({ a: at, b: j, length: best });
    passed = j + best;
  });
  return found;
}

/** Calls back with each place where a window of free words begins. @param {Uint8Array} taken @param {number} least @param {(at: number) => void} each */
function forFree(taken, least, each) {
  let free = 0;
  for (let end = 0; end < taken.length; end++) {
    free = taken[end] === 0 ? free + 1 : 0;
    if (free >= least) each(end - least + 1);
  }
}

/** The longest part of a run whose words in a are free still. @param {import('./align.js').Run} run @param {Uint8Array} takenA */
function longestFree(run, takenA) {
  let [best, bestFrom, from] = [0, 0, 0];
  for (let i = 0; i <= run.length; i++) {
    if (i < run.length && takenA[run.a + i] === 0) continue;
    if (i - from > best) [best, bestFrom] = [i - from, from];
    from = i + 1;
  }
  return { a: run.a + bestFrom, b: run.b + bestFrom, length: best };
}
