// Finds names in a text, whatever their case, and puts others in their place.

/** Shorter names count as words only: `Lee` is in `lee_solve` and `solveLee`, not in `sleep`. */
const ANYWHERE = 5;

/**
 * @typedef {object} Step  of a tree of letters
 * @property {Map<string, Step>} next
 * @property {string | null} instead  what to write, if a name ends here
 */

export class Replacer {
  /** @param {Map<string, string>} names  in small letters, and what to put in their place */
  constructor(names) {
    /** @type {Step} */
    this.root = { next: new Map(), instead: null };
    for (const [name, instead] of names) {
      let step = this.root;
      for (const unit of folded(name)) {
        let next = step.next.get(unit);
        if (next === undefined) step.next.set(unit, next = { next: new Map(), instead: null });
        step = next;
      }
      step.instead = instead;
    }
  }

  /** The new text, and where places of the old one are in it. @param {string} text @returns {{ text: string, at: (place: number) => number }} */
  replace(text) {
    const units = folded(text);
    /** @type {[number, number][]} ends of what was replaced: in the old text, in the new one */
    const ends = [];
    /** @type {number[]} where it began */
    const starts = [];
    let [out, done] = ['', 0];
    for (let at = 0; at < units.length;) {
      const found = this.#longest(text, units, at);
      if (found === null) {
        at += 1;
        continue;
      }
      out += text.slice(done, at) + found.instead;
      starts.push(at);
      ends.push([found.end, out.length]);
      at = done = found.end;
    }
    if (ends.length === 0) return { text, at: (place) => place };
    return { text: out + text.slice(done), at: (place) => moved(starts, ends, place) };
  }

  /** @param {string} text @param {string[]} units @param {number} at */
  #longest(text, units, at) {
    let step = this.root.next.get(units[at]);
    let found = null;
    for (let end = at + 1; step !== undefined; end++) {
      if (step.instead !== null && (end - at >= ANYWHERE || alone(text, at, end))) found = { end, instead: step.instead };
      if (end >= units.length) break;
      step = step.next.get(units[end]);
    }
    return found;
  }
}

/** Small letters, unit for unit. @param {string} text */
function folded(text) {
  return text.split('').map((unit) => {
    const small = unit.toLowerCase();
    return small.length === 1 ? small : unit;
  });
}

const LETTER = /\p{L}/u;
const CAPITAL = /\p{Lu}/u;
const DIGIT = /\p{N}/u;

/** Whether no word goes on before or behind; `getLeeScore` is three words. @param {string} text @param {number} from @param {number} to */
function alone(text, from, to) {
  const begins = from === 0 || !LETTER.test(text[from - 1]) || (CAPITAL.test(text[from]) && !CAPITAL.test(text[from - 1]));
  const ends = to >= text.length || !LETTER.test(text[to]) || (CAPITAL.test(text[to]) && !CAPITAL.test(text[to - 1]));
  const number = DIGIT.test(text[to - 1]) && to < text.length && DIGIT.test(text[to]);
  return begins && ends && !number;
}

/** @param {number[]} starts @param {[number, number][]} ends @param {number} place */
function moved(starts, ends, place) {
  let [low, high] = [-1, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] < place) low = middle;
    else high = middle - 1;
  }
  if (low < 0) return place;
  const [end, there] = ends[low];
  // inside a name: behind it
  return there + Math.max(0, place - end);
}
