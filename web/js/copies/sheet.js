// A submission as one side of a pair: all its files as one text, what of it is coloured, and which lines are folded away.

import { NAME, PLAIN } from './lexemes.js';
import { lastUpTo, lineStarts } from './places.js';

/**
 * @typedef {import('../sides.js').Fold} Fold
 * @typedef {import('./types.js').Stretch} Stretch
 */

/**
 * A file as it is read here: `at` turns a place in bytes of the report into one of `text`. Null where the text is not in this page.
 * `lexemes` are those of code; of prose there are none.
 * @typedef {{ text: string, at: (byte: number) => number, cut?: boolean, lexemes?: import('./lexemes.js').Lexemes | null } | null} Read
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

  /** What is coloured: all that is not plain. @returns {import('../sides.js').Paint} */
  get paint() {
    /** @type {{ from: number[], to: number[], kind: number[] }} */
    const paint = { from: [], to: [], kind: [] };
    this.files.forEach((read, file) => {
      const lexemes = read?.lexemes ?? null;
      if (lexemes === null) return;
      lexemes.kind.forEach((kind, at) => {
        if (kind === PLAIN || kind === NAME) return;
        paint.from.push(this.starts[file] + lexemes.from[at]);
        paint.to.push(this.starts[file] + lexemes.to[at]);
        paint.kind.push(kind);
      });
    });
    return paint;
  }

  /** Where a file ends. @param {number} file */
  end(file) {
    return this.starts[file + 1] ?? this.shown.length;
  }
}

/**
 * Lines that no place is near to, file by file.
 * @param {Sheet} sheet @param {[number, number][]} places  what stays @param {number} first  the number of the first fold @param {boolean} [alike]  what is folded is what both have
 * @returns {Fold[]}
 */
export function foldLines(sheet, places, first, alike = false) {
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
        all.push({ number: first + all.length, from: sheet.lines[line], to: last >= endLine ? end : sheet.lines[last], words: many, alike, told: `⋯ ${many} lines ${alike ? 'alike' : 'without a match'}` });
      }
      line = Math.max(last, line) + 1;
    }
  });
  return all;
}
