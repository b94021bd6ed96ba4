// A submission as one side of a pair: all its files as one text, what of it is shared, and which lines are folded away.

import { colour } from '../hues.js';
import { markMoved } from '../passages.js';
import { lastUpTo, lineStarts } from './places.js';

/**
 * @typedef {import('../sides.js').Fold} Fold
 * @typedef {import('./types.js').Stretch} Stretch
 */

/**
 * A file as it is read here: `at` turns a place in bytes of the report into one of `text`. Null where the text is not in this page.
 * @typedef {{ text: string, at: (byte: number) => number, cut?: boolean } | null} Read
 */

/** Lines around a passage that are never folded, and how many others are worth folding. */
const CONTEXT = 2;
const WORTH = 5;

/** All files of a submission, one below the other. */
export class Sheet {
  /** @param {Read[]} files @param {[number, number][][]} given  by file, in bytes */
  constructor(files, given) {
    this.files = files;
    /** @type {number[]} where each file begins */
    this.starts = [];
    this.shown = '';
    for (const file of files) {
      this.starts.push(this.shown.length);
      const text = file?.text ?? '';
      this.shown += text === '' || text.endsWith('\n') ? text : `${text}\n`;
    }
    /** @type {number[]} where lines begin, of all files */
    this.lines = lineStarts(this.shown);
    /** @type {[number, number][]} */
    this.given = given.flatMap((list, file) => list.map(([from, to]) => /** @type {[number, number]} */ ([this.place(file, from), this.place(file, to)])))
      .filter(([from, to]) => from < to).sort((x, y) => x[0] - y[0]);
  }

  /** @param {number} file @param {number} byte */
  place(file, byte) {
    const read = this.files[file] ?? null;
    return (this.starts[file] ?? this.shown.length) + (read === null ? 0 : Math.min(read.text.length, read.at(byte)));
  }

  /** @param {Stretch} stretch @returns {[number, number]} */
  stretch({ file, start, end }) {
    return [this.place(file, start), this.place(file, end)];
  }

  /** The file that holds a place; of files without text the last. @param {number} place */
  fileAt(place) {
    return Math.max(0, lastUpTo(this.starts, place));
  }

  /** The number of the line at a place, in its file. @param {number} place */
  line(place) {
    return lastUpTo(this.lines, place) - lastUpTo(this.lines, this.starts[this.fileAt(place)]) + 1;
  }

  /** Where a file ends. @param {number} file */
  end(file) {
    return this.starts[file + 1] ?? this.shown.length;
  }
}

/**
 * The passages of a pair as the reader wants them: one word each. They are numbered as in the report, longest first.
 * @param {{ a: Stretch, b: Stretch, equal: number }[]} shared
 * @param {Sheet} a @param {Sheet} b
 */
export function arrange(shared, a, b) {
  const places = { a: shared.map((p) => a.stretch(p.a)), b: shared.map((p) => b.stretch(p.b)) };
  const order = (/** @type {'a' | 'b'} */ key) => shared.map((_, at) => at).sort((x, y) => places[key][x][0] - places[key][y][0] || x - y);
  const orders = { a: order('a'), b: order('b') };
  const rank = { a: inverse(orders.a), b: inverse(orders.b) };
  /** @type {import('../passages.js').Passage[]} */
  const passages = shared.map(({ equal }, number) => {
    const [x, y] = [rank.a[number], rank.b[number]];
    return { number, a: [x, x + 1], b: [y, y + 1], runs: [{ a: x, b: y, length: 1 }], equal, moved: false, hue: 0 };
  });
  const [byA, byB] = [orders.a.map((at) => passages[at]), orders.b.map((at) => passages[at])];
  markMoved(byA, passages.length);
  colour(passages, [byA, byB]);
  const ends = (/** @type {'a' | 'b'} */ key, /** @type {0 | 1} */ end) => Int32Array.from(orders[key], (at) => places[key][at][end]);
  const words = { a: { from: ends('a', 0), to: ends('a', 1) }, b: { from: ends('b', 0), to: ends('b', 1) } };
  const equal = passages.reduce((sum, p) => sum + p.equal, 0);
  return { comparison: { passages, differences: [], shareA: 0, shareB: 0, equal }, words, places };
}

/** @param {number[]} order */
function inverse(order) {
  const places = new Array(order.length).fill(0);
  order.forEach((at, place) => { places[at] = place; });
  return places;
}

/**
 * Lines that no passage is near to, file by file.
 * @param {Sheet} sheet @param {[number, number][]} places  of passages @param {number} first  the number of the first fold
 * @returns {Fold[]}
 */
export function foldLines(sheet, places, first) {
  const kept = new Uint8Array(sheet.lines.length + 1);
  for (const [from, to] of places) {
    if (from >= to) continue;
    const [low, high] = [lastUpTo(sheet.lines, from) - CONTEXT, lastUpTo(sheet.lines, to - 1) + CONTEXT];
    for (let line = Math.max(0, low); line <= Math.min(sheet.lines.length - 1, high); line++) kept[line] = 1;
  }
  /** @type {Fold[]} */
  const all = [];
  sheet.starts.forEach((start, file) => {
    const end = sheet.end(file);
    if (start === end) return;
    const [firstLine, endLine] = [lastUpTo(sheet.lines, start), end === sheet.shown.length && !sheet.shown.endsWith('\n') ? sheet.lines.length : lastUpTo(sheet.lines, end)];
    for (let line = firstLine; line < endLine;) {
      let last = line;
      while (last < endLine && kept[last] === 0) last += 1;
      if (last - line >= WORTH) {
        const many = last - line;
        all.push({ number: first + all.length, from: sheet.lines[line], to: last >= endLine ? end : sheet.lines[last], words: many, alike: false, told: `⋯ ${many} lines without a match` });
      }
      line = Math.max(last, line) + 1;
    }
  });
  return all;
}
