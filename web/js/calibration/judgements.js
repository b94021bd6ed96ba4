// What the reader says of the pairs. Kept by the contents of both documents: a document that changed is another one.

import { load, save } from '../storage.js';

/** @typedef {import('./types.js').Judgement} Judgement */

/** @type {Judgement[]} */
export const JUDGEMENTS = ['same', 'different', 'unsure'];

/** Version of the file, as in crates/dedup/src/calibrate/judgement_file.rs. */
const SCHEMA = 1;

/** @param {import('./types.js').SampledPair} pair */
function keyOf(pair) {
  return `${pair.a.content}-${pair.b.content}`;
}

/** @param {any} value @returns {value is Judgement} */
function isJudgement(value) {
  return JUDGEMENTS.includes(value);
}

export class Judgements {
  /** @param {import('./types.js').CalibrationPage} page */
  constructor(page) {
    this.page = page;
    this.place = `judgements:${page.name}`;
    /** @type {Map<string, Judgement>} */
    this.said = new Map();
    const { sample, judged_by: judge } = page.calibration;
    // what people said before; what a program said is not for a reader to follow
    if (judge === 'people') for (const pair of sample) if (pair.judgement !== null) this.said.set(keyOf(pair), pair.judgement);
    const stored = load(this.place, {});
    if (stored !== null && typeof stored === 'object') {
      for (const [key, value] of Object.entries(stored)) {
        if (isJudgement(value)) this.said.set(key, value);
        else if (value === null) this.said.delete(key);
      }
    }
  }

  /** @param {import('./types.js').SampledPair} pair @returns {Judgement | null} */
  of(pair) {
    return this.said.get(keyOf(pair)) ?? null;
  }

  /** @param {import('./types.js').SampledPair} pair @param {Judgement | null} judgement  null takes it back */
  say(pair, judgement) {
    const key = keyOf(pair);
    if (judgement === null) this.said.delete(key);
    else this.said.set(key, judgement);
    // another window may have said more
    const stored = load(this.place, {});
    save(this.place, { ...(stored !== null && typeof stored === 'object' ? stored : {}), [key]: judgement });
  }

  /** How many pairs of this page are judged, and how. */
  counts() {
    const counts = { same: 0, different: 0, unsure: 0, open: 0 };
    for (const pair of this.page.calibration.sample) counts[this.of(pair) ?? 'open'] += 1;
    return counts;
  }

  /** The next pair that nobody judged, from a place on; -1 if all are. @param {number} from */
  next(from) {
    const { sample } = this.page.calibration;
    for (let step = 0; step < sample.length; step++) {
      const at = (from + step) % sample.length;
      if (this.of(sample[at]) === null) return at;
    }
    return -1;
  }

  /** The judged pairs of this page, in its order. */
  rows() {
    return this.page.calibration.sample.flatMap((pair) => {
      const judgement = this.of(pair);
      return judgement === null ? [] : [{ a: pair.a.content, b: pair.b.content, judgement }];
    });
  }

  /** A file that `--judged` reads. */
  json() {
    const { lookalike, calibration } = this.page;
    return `${JSON.stringify({ schema: SCHEMA, lookalike, recipe: calibration.recipe, judgements: this.rows() }, null, 1)}\n`;
  }

  /** The same as a table. */
  csv() {
    return ['a,b,judgement', ...this.rows().map(({ a, b, judgement }) => `${a},${b},${judgement}`), ''].join('\r\n');
  }
}
