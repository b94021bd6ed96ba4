// What a word is: the twin, in spirit, of crates/core/src/text. Words are numbers here, equal for equal words.

/**
 * The words of a text: number, first place and end of each, in UTF-16 units.
 * @typedef {object} Words
 * @property {Int32Array} ids
 * @property {Int32Array} from
 * @property {Int32Array} to
 */

const BREAK = 1;
const PART = 2; // of a word
const DIGIT = 3;
const ALONE = 4; // a word by itself: scripts without spaces
const MARK = 5; // belongs to what it stands on
const UNSEEN = 6; // nobody sees it: as if it were not there
const MIDDLE = 7; // inside a word only: can't, e.g, snake_case
const COMMA = 8; // inside a number only

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const IGNORED = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]|[\u{e0000}-\u{e0fff}]/u;
const UNSEEN_ALL = new RegExp(IGNORED, 'gu');
// however an apostrophe is set, it is one
const APOSTROPHE = /['\u00b4\u02b9\u02bb-\u02bf\u02c8\u02ca\u02cb\u02f4\u0374\u0384\u055a\u05f3\u07f4\u07f5\u1fbd\u1fbf\u1ffd\u1ffe\u2018\u2019\u201b\u2032\u2035\ua78b\ua78c\uff07]/u;
const APOSTROPHES = new RegExp(APOSTROPHE, 'gu');

/** Kinds of the characters below U+10000, found out when first met; 0 is unknown. */
const kinds = new Uint8Array(0x10000);

/** @param {number} code */
function kindOf(code) {
  const c = String.fromCodePoint(code);
  if (IGNORED.test(c)) return UNSEEN;
  if (APOSTROPHE.test(c) || c === '.' || c === '_') return MIDDLE;
  if (c === ',') return COMMA;
  if (/\p{M}/u.test(c)) return MARK;
  if (/\p{Nd}/u.test(c)) return DIGIT;
  if (!/[\p{L}\p{N}]/u.test(c)) return BREAK;
  return SPACELESS.test(c) ? ALONE : PART;
}

/** The same word for all its spellings: NFKC, no case, nothing unseen, plain apostrophes. @param {string} word */
function fold(word) {
  const seen = word.replace(UNSEEN_ALL, '').replace(APOSTROPHES, "'").normalize('NFKC');
  // up and down again: ß and SS, and both small sigmas, become one
  return seen.toUpperCase().toLowerCase().normalize('NFKC');
}

/** Numbers for words; the two texts of a pair share one. */
export class Lexicon {
  constructor() {
    /** @type {Map<string, number>} */
    this.known = new Map();
  }

  /** @param {string} word */
  number(word) {
    let number = this.known.get(word);
    if (number === undefined) {
      number = this.known.size;
      this.known.set(word, number);
    }
    return number;
  }
}

/**
 * @param {string} text
 * @param {Lexicon} lexicon
 * @returns {Words}
 */
export function wordsOf(text, lexicon) {
  let room = Math.max(16, text.length >> 2);
  let from = new Int32Array(room);
  let to = new Int32Array(room);
  let ids = new Int32Array(room);
  let size = 0;
  // the word being read: where it began, where its last seen character ended, of what kind that was; -1 for none
  let start = -1;
  let end = 0;
  let last = 0;
  let plain = true;
  // where a `.` waits for what follows
  let joint = 0;
  const close = () => {
    if (start < 0) return;
    if (size === room) {
      room *= 2;
      [from, to, ids] = [from, to, ids].map((old) => {
        const grown = new Int32Array(room);
        grown.set(old);
        return grown;
      });
    }
    const word = text.slice(start, end);
    from[size] = start;
    to[size] = end;
    ids[size] = lexicon.number(plain ? word.toLowerCase() : fold(word));
    size += 1;
    start = -1;
  };
  for (let at = 0; at < text.length;) {
    let code = text.charCodeAt(at);
    let kind = 0;
    let next = at + 1;
    if (code >= 0xd800 && code < 0xdc00 && next < text.length) {
      code = /** @type {number} */ (text.codePointAt(at));
      if (code > 0xffff) next += 1;
    }
    if (code > 0xffff) kind = kindOf(code);
    else kind = kinds[code] || (kinds[code] = kindOf(code));
    if (kind === UNSEEN) {
      plain = false;
    } else if (kind === MIDDLE || kind === COMMA) {
      if (joint !== 0 || last === ALONE || (kind === COMMA && last !== DIGIT)) close();
      if (code >= 0x80) plain = false;
      joint = kind === MIDDLE && code !== 0x2e ? MIDDLE : COMMA;
      if (code === 0x2e && last !== DIGIT) joint = PART;
    } else if (kind === BREAK) {
      close();
      joint = 0;
    } else {
      const fits = joint === 0 || joint === MIDDLE || (joint === COMMA ? kind === DIGIT : kind === PART);
      if (kind === ALONE || (last === ALONE && kind !== MARK) || !fits) close();
      if (start < 0) {
        start = at;
        plain = true;
      }
      if (code >= 0x80) plain = false;
      end = next;
      if (kind !== MARK || last === 0) last = kind;
      joint = 0;
    }
    if (start < 0) {
      last = 0;
      joint = 0;
    }
    at = next;
  }
  close();
  return { ids: ids.slice(0, size), from: from.slice(0, size), to: to.slice(0, size) };
}

/**
 * The same for a set of features, which is shown with an item on each line: strings in quotation marks, numbers without.
 * @param {string} text
 * @param {Lexicon} lexicon
 * @returns {Words}
 */
export function itemsOf(text, lexicon) {
  /** @type {[number, number][]} */
  const items = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\n') continue;
    // a string may have lines of its own
    const end = text[at] === '"' ? text.indexOf('"\n', at + 1) + 1 : text.indexOf('\n', at);
    items.push([at, end > 0 ? end : text.length]);
    at = items[items.length - 1][1];
  }
  return {
    ids: Int32Array.from(items, ([from, to]) => lexicon.number(text.slice(from, to))),
    from: Int32Array.from(items, ([from]) => from),
    to: Int32Array.from(items, ([, to]) => to),
  };
}

/** By word, whether it is the first of its line; and 1 behind the last. @param {string} text @param {Words} words @returns {Uint8Array} */
export function lineStarts(text, { from, to }) {
  const starts = new Uint8Array(from.length + 1).fill(1);
  for (let word = 1; word < from.length; word++) {
    const line = text.indexOf('\n', to[word - 1]);
    // one search serves all words of a line
    if (line < 0) return starts.fill(0, word, from.length);
    while (word < from.length && from[word] < line) starts[word++] = 0;
  }
  return starts;
}
