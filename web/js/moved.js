// Text that stands elsewhere: equal runs among the words that the alignment in order left over.

import { Windows } from './windows.js';

/** A moved run has at least this many words; shorter ones are everywhere. */
const LEAST = 8;
/** Places of the same window that are tried: a text of one word repeated has a hundred thousand. */
const PLACES = 4;
/** What one round cannot give because its words were taken, the next may. */
const ROUNDS = 4;

/**
 * Longest runs first; no word is given twice.
 * @param {Int32Array} a
 * @param {Int32Array} b
 * @param {import('./align.js').Run[]} aligned
 * @returns {import('./align.js').Run[]}
 */
export function movedRuns(a, b, aligned) {
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
    const found = candidates(a, b, takenA, takenB).sort((x, y) => y.length - x.length || x.a - y.a);
    const before = moved.length;
    for (const run of found) {
      const free = longestFree(run, takenA);
      if (free.length < LEAST) continue;
      take(free);
      moved.push(free);
    }
    if (moved.length === before) break;
  }
  return moved;
}

/**
 * For each stretch of b, read from left to right, the longest equal stretch of a. They do not overlap in b; they may in a.
 * @param {Int32Array} a @param {Int32Array} b @param {Uint8Array} takenA @param {Uint8Array} takenB
 */
function candidates(a, b, takenA, takenB) {
  /** @type {import('./align.js').Run[]} */
  const found = [];
  const windows = new Windows(a, LEAST);
  const next = new Int32Array(a.length).fill(-1);
  const last = new Int32Array(a.length);
  const known = new Uint8Array(a.length);
  let any = false;
  forFree(takenA, (i) => {
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
  forFree(takenB, (j) => {
    if (j < passed) return;
    let best = 0;
    let at = -1;
    for (let i = windows.find(b, j); i >= 0; i = next[i]) {
      let length = LEAST;
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

/** Calls back with each place where a window of free words begins. @param {Uint8Array} taken @param {(at: number) => void} each */
function forFree(taken, each) {
  let free = 0;
  for (let end = 0; end < taken.length; end++) {
    free = taken[end] === 0 ? free + 1 : 0;
    if (free >= LEAST) each(end - LEAST + 1);
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
