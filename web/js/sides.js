// One side of a pair as it is shown: which stretch of its characters is a passage, a difference, or folded away.

/**
 * Where the words stand in what is shown: the reader's text or the source.
 * @typedef {object} Side
 * @property {'a' | 'b'} key
 * @property {string} shown
 * @property {Int32Array} from
 * @property {Int32Array} to
 * @property {[number, number][]} [unseen]  stretches between words that no reader sees: markup, scripts. Rising
 * @property {{ at: number, head: HTMLElement }[]} [heads]  what stands above a place: the name of a file that begins there. Rising
 * @property {(place: number) => number} [line]  the number of the line that begins at a place, where lines are numbered
 * @property {[number, number][]} [given]  stretches that do not count; rising
 * @property {Paint} [paint]
 */

/**
 * Stretches of code that have a colour; rising, by their first place, end and kind (copies/lexemes.js).
 * @typedef {{ from: ArrayLike<number>, to: ArrayLike<number>, kind: ArrayLike<number> }} Paint
 */

/**
 * A stretch of characters that looks the same throughout; -1 for no passage or no difference. An empty one marks the place
 * where the other side has words.
 * @typedef {object} Segment
 * @property {number} from
 * @property {number} to
 * @property {number} passage
 * @property {number} difference
 * @property {boolean} [given]   it does not count
 */

/**
 * Words that are folded away on one side; the same number means the same fold on the other.
 * @typedef {object} Fold
 * @property {number} number
 * @property {number} from      characters
 * @property {number} to
 * @property {number} words
 * @property {boolean} alike
 * @property {string} [told]    what to say of it instead
 */

/** @typedef {'' | 'alike' | 'differs'} Folding what is folded away */

/** Folding fewer words than this would cost more than it gives. */
const WORTH = 16;
/** More characters between two words in the source than in the text, by this many: something that no reader sees stands there. */
const UNSEEN = 4;
/** Context beside a difference: two lines, if they are not longer than this many words. */
const CONTEXT = 28;

/**
 * The places of words in the source, by a map of pieces (place in text, place in source, length). What is in no piece, such
 * as `&amp;`, is what stands between the pieces.
 * @param {import('./words.js').Words} words
 * @param {number[]} map
 * @param {number} length of the source
 * @returns {{ from: Int32Array, to: Int32Array, unseen: [number, number][] }}
 */
export function inSource(words, map, length) {
  const size = words.ids.length;
  const from = new Int32Array(size);
  const to = new Int32Array(size);
  /** @type {[number, number][]} */
  const unseen = [];
  let piece = 0;
  let end = 0;
  const within = (/** @type {number} */ place) => {
    while (piece + 3 < map.length && map[piece + 3] <= place) piece += 3;
  };
  for (let word = 0; word < size; word++) {
    const [first, last] = [words.from[word], words.to[word] - 1];
    within(first);
    const inside = map.length > 0 && first >= map[piece] && first < map[piece] + map[piece + 2];
    const start = inside ? map[piece + 1] + first - map[piece] : before(map, piece, first);
    within(last);
    const whole = map.length > 0 && last >= map[piece] && last < map[piece] + map[piece + 2];
    const stop = whole ? map[piece + 1] + last - map[piece] + 1 : after(map, piece, last, length);
    from[word] = Math.min(length, Math.max(end, start));
    to[word] = Math.min(length, Math.max(from[word], stop));
    if (word > 0 && from[word] - end > first - words.to[word - 1] + UNSEEN) unseen.push([end, from[word]]);
    end = to[word];
  }
  return { from, to, unseen };
}

/** Where the source of a character begins that is in no piece. @param {number[]} map @param {number} piece @param {number} place */
function before(map, piece, place) {
  return map.length === 0 || place < map[piece] ? 0 : map[piece + 1] + map[piece + 2];
}

/** Where it ends: at the next piece, unless there is much between. @param {number[]} map @param {number} piece @param {number} place @param {number} length */
function after(map, piece, place, length) {
  const start = before(map, piece, place);
  const next = map.length === 0 ? length : place < map[piece] ? map[piece + 1] : piece + 3 < map.length ? map[piece + 4] : length;
  return Math.min(next, start + 12);
}

/**
 * @param {Side} side
 * @param {import('./passages.js').Comparison} comparison
 * @returns {Segment[]} rising, from the first character to the last
 */
export function segmentsOf(side, comparison) {
  const { key, from, to, shown } = side;
  /** @type {Segment[]} what stands out, rising */
  const marks = [];
  const passages = [...comparison.passages].sort((x, y) => x[key][0] - y[key][0]);
  /** @type {Map<number, { stretch: [number, number], number: number }[]>} by the passage that they are in, or -1 */
  const differences = new Map();
  comparison.differences.forEach((d, number) => {
    if (d.inside < 0 && d[key][0] === d[key][1]) return;
    const list = differences.get(d.inside);
    if (list === undefined) differences.set(d.inside, [{ stretch: d[key], number }]);
    else list.push({ stretch: d[key], number });
  });
  for (const list of differences.values()) list.sort((x, y) => x.stretch[0] - y.stretch[0]);
  const rest = differences.get(-1) ?? [];
  let next = 0;
  const outer = (/** @type {number} */ until) => {
    for (; next < rest.length && rest[next].stretch[0] < until; next++) {
      const { stretch, number } = rest[next];
      marks.push({ from: from[stretch[0]], to: to[stretch[1] - 1], passage: -1, difference: number });
    }
  };
  for (const passage of passages) {
    const [first, last] = passage[key];
    outer(first);
    let at = from[first];
    for (const { stretch, number } of differences.get(passage.number) ?? []) {
      const empty = stretch[0] === stretch[1];
      // an empty one stands before the white space, behind the last equal word
      const [begin, end] = empty ? [to[stretch[0] - 1], to[stretch[0] - 1]] : [from[stretch[0]], to[stretch[1] - 1]];
      marks.push({ from: at, to: begin, passage: passage.number, difference: -1 });
      marks.push({ from: begin, to: end, passage: passage.number, difference: number });
      at = end;
    }
    marks.push({ from: at, to: to[last - 1], passage: passage.number, difference: -1 });
  }
  outer(Infinity);
  return cover(shown.length, without(marks, side.unseen ?? []), side.given);
}

/**
 * Segments from the first character to the last. Where marks overlap, the passage with the lowest number shows. An empty mark of a difference stays; other empty ones do not.
 * @param {number} length
 * @param {Segment[]} marks
 * @param {[number, number][]} [given]  stretches that do not count; rising
 * @returns {Segment[]}
 */
export function cover(length, marks, given) {
  const inside = marks.filter((m) => m.from <= length && (m.from < m.to || m.difference >= 0)).sort((x, y) => x.from - y.from);
  const cuts = [...new Set([0, length, ...inside.flatMap((m) => [m.from, m.to]), ...(given ?? []).flat()])].filter((c) => c >= 0 && c <= length).sort((x, y) => x - y);
  /** @type {Segment[]} */
  const all = [];
  /** @type {Segment[]} */
  let open = [];
  let [next, gap] = [0, 0];
  cuts.forEach((from, at) => {
    open = open.filter((m) => m.to > from);
    for (; next < inside.length && inside[next].from <= from; next++) {
      if (inside[next].from === inside[next].to) all.push(inside[next]);
      else open.push(inside[next]);
    }
    const to = cuts[at + 1];
    if (to === undefined) return;
    const mark = open.reduce((best, m) => (best === null || m.passage < best.passage ? m : best), /** @type {Segment | null} */ (null));
    const [passage, difference] = [mark?.passage ?? -1, mark?.difference ?? -1];
    while (given !== undefined && gap < given.length && given[gap][1] <= from) gap += 1;
    const grey = given === undefined ? undefined : gap < given.length && given[gap][0] <= from;
    const last = all[all.length - 1];
    if (last !== undefined && last.from < last.to && last.passage === passage && last.difference === difference && last.given === grey) last.to = to;
    else all.push({ from, to, passage, difference, ...(grey === undefined ? {} : { given: grey }) });
  });
  return all;
}

/** Marks without some stretches: neither is a script that stands inside a passage. @param {Segment[]} marks @param {[number, number][]} unseen */
function without(marks, unseen) {
  /** @type {Segment[]} */
  const seen = [];
  let next = 0;
  for (const mark of marks) {
    while (next < unseen.length && unseen[next][1] <= mark.from) next += 1;
    let { from } = mark;
    for (let at = next; at < unseen.length && unseen[at][0] < mark.to; at++) {
      if (unseen[at][0] > from) seen.push({ ...mark, from, to: unseen[at][0] });
      from = Math.max(from, unseen[at][1]);
    }
    if (from < mark.to || mark.from === mark.to) seen.push({ ...mark, from });
  }
  return seen;
}

/**
 * @param {Side} a
 * @param {Side} b
 * @param {import('./passages.js').Comparison} comparison
 * @param {Folding} folding
 * @returns {{ a: Fold[], b: Fold[] }} rising on each side
 */
export function foldsOf(a, b, comparison, folding) {
  /** @type {{ a: Fold[], b: Fold[] }} */
  const folds = { a: [], b: [] };
  let number = 0;
  const add = (/** @type {Side} */ side, /** @type {number} */ first, /** @type {number} */ last, /** @type {boolean} */ alike) => {
    const [from, to] = [cut(side, first), cut(side, last)];
    if (from < to) folds[side.key].push({ number, from, to, words: last - first, alike });
  };
  if (folding === 'alike') {
    for (const { runs } of comparison.passages) {
      for (const run of runs) {
        // at the ends of both texts there is nothing to give context for
        const head = run.a === 0 && run.b === 0 ? 0 : context(a, run.a, run.length, 1);
        const tail = run.a + run.length === a.from.length && run.b + run.length === b.from.length ? 0 : context(a, run.a + run.length - 1, run.length, -1);
        if (run.length - head - tail < WORTH) continue;
        add(a, run.a + head, run.a + run.length - tail, true);
        add(b, run.b + head, run.b + run.length - tail, true);
        number += 1;
      }
    }
  } else if (folding === 'differs') {
    for (const difference of comparison.differences) {
      if (difference.inside >= 0) continue;
      if (difference.a[1] - difference.a[0] >= WORTH) add(a, difference.a[0], difference.a[1], false);
      if (difference.b[1] - difference.b[0] >= WORTH) add(b, difference.b[0], difference.b[1], false);
      number += 1;
    }
  }
  folds.a.sort((x, y) => x.from - y.from);
  folds.b.sort((x, y) => x.from - y.from);
  return folds;
}

/** How many words make the rest of a line and two more. @param {Side} side @param {number} word @param {number} length @param {1 | -1} step */
function context(side, word, length, step) {
  let lines = 0;
  for (let count = 1; count < Math.min(CONTEXT, length); count++) {
    const [x, y] = step > 0 ? [word + count - 1, word + count] : [word - count, word - count + 1];
    if (side.shown.slice(side.to[x], side.from[y]).includes('\n')) lines += 1;
    if (lines === 3) return count;
  }
  return Math.min(CONTEXT, length);
}

/** Where to cut before a word: at the line, if one begins there. @param {Side} side @param {number} word */
function cut(side, word) {
  const { from, to, shown } = side;
  if (word === 0) return 0;
  if (word === from.length) return shown.length;
  const line = shown.slice(to[word - 1], from[word]).lastIndexOf('\n');
  return line >= 0 ? to[word - 1] + line + 1 : from[word];
}

/** Lengths of shown text that are laid out together. */
const BLOCK = 1500;

/**
 * Cuts a stretch into blocks that end at lines, or at spaces where lines are too long, or anywhere.
 * @param {string} shown @param {number} from @param {number} to
 * @returns {[number, number][]}
 */
export function blocksOf(shown, from, to) {
  /** @type {[number, number][]} */
  const blocks = [];
  while (to - from > BLOCK) {
    const limit = from + BLOCK;
    // only this stretch is searched: in a line of a megabyte each search of all of it would cost a megabyte
    const stretch = shown.slice(from, limit);
    const size = stretch.lastIndexOf('\n') + 1 || stretch.lastIndexOf(' ') + 1 || BLOCK;
    let end = from + size;
    // never between the halves of a character
    if (end === limit && shown.charCodeAt(end - 1) >= 0xd800 && shown.charCodeAt(end - 1) < 0xdc00) end -= 1;
    blocks.push([from, end]);
    from = end;
  }
  if (from < to) blocks.push([from, to]);
  return blocks;
}

/** Which place of one side belongs to a place of the other: straight lines between the passages that are in order. */
export class Bridge {
  /** @param {Side} a @param {Side} b @param {import('./passages.js').Comparison} comparison */
  constructor(a, b, comparison) {
    /** @type {{ a: number[], b: number[] }} */
    this.points = { a: [0], b: [0] };
    // passages may overlap, but a place never has two others
    const add = (/** @type {number} */ x, /** @type {number} */ y) => {
      this.points.a.push(Math.max(x, this.points.a[this.points.a.length - 1]));
      this.points.b.push(Math.max(y, this.points.b[this.points.b.length - 1]));
    };
    for (const passage of comparison.passages.filter((p) => !p.moved).sort((x, y) => x.a[0] - y.a[0])) {
      for (const run of passage.runs) {
        add(a.from[run.a], b.from[run.b]);
        add(a.to[run.a + run.length - 1], b.to[run.b + run.length - 1]);
      }
    }
    add(a.shown.length, b.shown.length);
  }

  /** @param {'a' | 'b'} key the side that `place` is on @param {number} place */
  across(key, place) {
    const [from, to] = key === 'a' ? [this.points.a, this.points.b] : [this.points.b, this.points.a];
    let [low, high] = [0, from.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (from[middle] <= place) low = middle;
      else high = middle;
    }
    const width = from[high] - from[low];
    const share = width <= 0 ? 0 : Math.min(1, Math.max(0, (place - from[low]) / width));
    return to[low] + share * (to[high] - to[low]);
  }
}
