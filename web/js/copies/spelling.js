// What differs inside passages: tokens that count as equal and are spelt differently, and what stands on one side only. Renamed variables are the
// evidence of disguise.

import { align } from '../align.js';
import { NAME, NUMBER, STRING } from './lexemes.js';

/**
 * The words of one side: numbers that are equal for equal spelling, and for words that count as equal.
 * @typedef {object} Spelt
 * @property {Int32Array} exact
 * @property {Int32Array} loose
 * @property {ArrayLike<number>} kind  as in lexemes.js
 *
 * A name that stands for another: numbers of their spellings, and where: word of the left, word of the right.
 * @typedef {{ a: number, b: number, words: [number, number][] }} Renamed
 *
 * @typedef {object} Inside
 * @property {import('../align.js').Run[]} runs  what counts as equal, rising
 * @property {import('../passages.js').Stretch[]} differences  rising
 * @property {[number, number][]} names  words that are names on both sides and stand for each other, spelt alike or not
 */

/** All names are one to the engine, and all literals; so they are here. @param {number} kind @param {number} exact */
export function looseId(kind, exact) {
  return kind === NAME ? -1 : kind === NUMBER || kind === STRING ? -2 : exact;
}

/**
 * Where one side has more, what stands before the gap may as well stand behind it: it goes where it is spelt alike.
 * @param {Spelt} a @param {Spelt} b @param {import('../align.js').Run[]} runs  changed
 */
function settle(a, b, runs) {
  for (let at = runs.length - 2; at >= 0; at--) {
    const [run, next] = [runs[at], runs[at + 1]];
    while (run.length > 0) {
      const [i, j] = [run.a + run.length - 1, run.b + run.length - 1];
      const left = a.exact[i] !== b.exact[j] && next.a === i + 1 && a.exact[i] === b.exact[next.b - 1];
      const right = a.exact[i] !== b.exact[j] && next.b === j + 1 && b.exact[j] === a.exact[next.a - 1];
      if (!left && !right) break;
      run.length -= 1;
      [next.a, next.b, next.length] = [next.a - 1, next.b - 1, next.length + 1];
    }
  }
  return runs.filter((run) => run.length > 0);
}

/**
 * What differs in one passage.
 * @param {Spelt} a @param {Spelt} b
 * @param {[number, number]} inA  words of the passage @param {[number, number]} inB
 * @returns {Inside}
 */
export function inside(a, b, inA, inB) {
  const [[a0, a1], [b0, b1]] = [inA, inB];
  const aligned = align(a.loose.subarray(a0, a1), b.loose.subarray(b0, b1));
  const runs = settle(a, b, aligned.map((run) => ({ a: run.a + a0, b: run.b + b0, length: run.length })));
  /** @type {import('../passages.js').Stretch[]} */
  const differences = [];
  /** @type {[number, number][]} */
  const names = [];
  let [x, y] = [a0, b0];
  const close = (/** @type {number} */ toA, /** @type {number} */ toB) => {
    // before the first word and behind the last there is no place for what only the other side has
    const edge = (x === a0 && toA === a0) || (y === b0 && toB === b0) || (toA === a1 && x === a1) || (toB === b1 && y === b1);
    if ((toA > x || toB > y) && !edge) differences.push({ a: [x, toA], b: [y, toB] });
  };
  for (const run of runs) {
    for (let at = 0; at < run.length; at++) {
      const [i, j] = [run.a + at, run.b + at];
      if (a.kind[i] === NAME && b.kind[j] === NAME) names.push([i, j]);
      if (a.exact[i] !== b.exact[j]) continue;
      close(i, j);
      [x, y] = [i + 1, j + 1];
    }
  }
  close(a1, b1);
  return { runs, differences, names };
}

/**
 * Which names stand for which others, most often first; `of` counts how often the first stands in passages at all.
 * @param {Spelt} a @param {Spelt} b
 * @param {[number, number][]} names  pairs of words, as `inside` finds them
 * @returns {(Renamed & { of: number })[]}
 */
export function renamesOf(a, b, names) {
  /** @type {Map<string, Renamed>} */
  const found = new Map();
  /** @type {Map<number, number>} */
  const all = new Map();
  for (const [i, j] of names) {
    const [x, y] = [a.exact[i], b.exact[j]];
    all.set(x, (all.get(x) ?? 0) + 1);
    if (x === y) continue;
    const key = `${x} ${y}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { a: x, b: y, words: [[i, j]] });
    else known.words.push([i, j]);
  }
  return [...found.values()].map((renamed) => ({ ...renamed, of: all.get(renamed.a) ?? 0 })).sort((p, q) => q.words.length - p.words.length || p.words[0][0] - q.words[0][0]);
}
