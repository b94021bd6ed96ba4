// Which bytes two documents have in common, as the chunks lens counts them: runs of chunks that both have, wherever they stand.

import { compare } from './passages.js';

/**
 * The chunks of a text where it is shown: a number, first place and end of each. Equal chunks have equal numbers; one that does not count is like no other.
 * @typedef {object} Cut
 * @property {Int32Array} ids
 * @property {Int32Array} from
 * @property {Int32Array} to
 */

/** Bytes of a text, as most files are written. */
const utf8 = new TextEncoder();

/** @param {number[]} chunks  length and number, in turns @param {string} text @param {Map<number, number>} known @returns {Cut & { bytes: number[], counted: number }} */
function cutOf(chunks, text, known) {
  const size = chunks.length >> 1;
  const cut = { ids: new Int32Array(size), from: new Int32Array(size), to: new Int32Array(size), bytes: /** @type {number[]} */ ([]), counted: 0 };
  let at = 0;
  for (let chunk = 0; chunk < size; chunk++) {
    const [length, number] = [chunks[2 * chunk], chunks[2 * chunk + 1]];
    let id = number === 0 ? undefined : known.get(number);
    if (id === undefined) {
      id = known.size;
      // a key of its own for what is like no other
      known.set(number === 0 ? -1 - id : number, id);
    }
    [cut.ids[chunk], cut.from[chunk], cut.to[chunk]] = [id, at, at + length];
    cut.bytes.push(utf8.encode(text.slice(at, at + length)).length);
    if (number !== 0) cut.counted += cut.bytes[chunk];
    at += length;
  }
  return cut;
}

/**
 * @param {number[]} left  chunks of a text, as types.js says @param {number[]} right
 * @param {{ a: string, b: string }} texts  how they are written
 * @returns {{ a: Cut, b: Cut, comparison: import('./passages.js').Comparison }}  shares are of the bytes that count
 */
export function compareChunks(left, right, texts) {
  /** @type {Map<number, number>} */
  const known = new Map();
  const [a, b] = [cutOf(left, texts.a, known), cutOf(right, texts.b, known)];
  const comparison = compare(a.ids, b.ids, { items: true, near: 0 });
  const share = (/** @type {typeof a} */ cut, /** @type {'a' | 'b'} */ key) => {
    const shown = comparison.passages.flatMap(({ [key]: [first, end] }) => cut.bytes.slice(first, end)).reduce((sum, n) => sum + n, 0);
    return cut.counted === 0 ? 0 : shown / cut.counted;
  };
  return { a, b, comparison: { ...comparison, shareA: share(a, 'a'), shareB: share(b, 'b') } };
}
