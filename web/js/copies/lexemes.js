// The pieces of code that an eye tells apart: words, numbers, operators, and what the engine says are comments, strings and keywords.

export const PLAIN = 0;
export const KEYWORD = 1;
export const NAME = 2;
export const NUMBER = 3;
export const STRING = 4;
export const COMMENT = 5;

/**
 * Rising, without gaps in numbering; places in UTF-16 units.
 * @typedef {object} Lexemes
 * @property {Int32Array} from
 * @property {Int32Array} to
 * @property {Uint8Array} kind
 */

const UNIT = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*|\d(?:[\w.]|(?<=[eE])[+-])*|\S/gu;
const WORD = /^[\p{L}_$]/u;

/**
 * @param {string} text
 * @param {[number, number, number][]} marks  kind, first place and end of comments and strings, rising
 * @param {Set<string>} keywords
 * @returns {Lexemes}
 */
export function lexemesOf(text, marks, keywords) {
  /** @type {number[]} */
  const all = [];
  let at = 0;
  const plain = (/** @type {number} */ end) => {
    for (const { 0: unit, index } of text.slice(at, end).matchAll(UNIT)) {
      const kind = WORD.test(unit) ? (keywords.has(unit) ? KEYWORD : NAME) : unit >= '0' && unit <= '9~' ? NUMBER : PLAIN;
      all.push(at + index, at + index + unit.length, kind);
    }
  };
  for (const [kind, from, to] of marks) {
    if (from < at || to <= from || to > text.length) continue;
    plain(from);
    all.push(from, to, kind);
    at = to;
  }
  plain(text.length);
  const size = all.length / 3;
  const column = (/** @type {number} */ which) => Int32Array.from({ length: size }, (_, row) => all[3 * row + which]);
  return { from: column(0), to: column(1), kind: Uint8Array.from(column(2)) };
}

/**
 * Comments and strings as a page carries them: how far behind the last one, and how long, in turns; less than nothing for a comment.
 * @param {number[]} packed
 * @param {(place: number) => number} at  where a place of the text is in what is shown
 * @returns {[number, number, number][]}
 */
export function marksOf(packed, at) {
  /** @type {[number, number, number][]} */
  const marks = [];
  let end = 0;
  for (let row = 0; row + 1 < packed.length; row += 2) {
    const from = end + packed[row];
    end = from + Math.abs(packed[row + 1]);
    marks.push([packed[row + 1] < 0 ? COMMENT : STRING, at(from), at(end)]);
  }
  return marks;
}
