// What a reader has decided about pairs. It stays in the browser, under the name of the report, and can be taken elsewhere as a file.

import { VerdictStore } from '../verdictstore.js';

/**
 * @typedef {'copied' | 'not-copied' | 'again'} PairVerdict
 * @typedef {{ submission: string, content: string[] }} Party  a submission and the hashes of its files
 * @typedef {{ a: Party, b: Party, verdict: PairVerdict | '', note: string, similarity: number, when: string }} PairDecision
 */

/** @type {Record<PairVerdict, { name: string, means: string }>} */
export const PAIR_VERDICTS = {
  copied: { name: 'Copied', means: 'What they share cannot be explained otherwise' },
  'not-copied': { name: 'Not copied', means: 'Given, allowed or by chance' },
  again: { name: 'Look again', means: 'Not sure yet: ask, or compare further' },
};

export class PairVerdicts extends VerdictStore {
  /** @param {import('./model.js').CopiesModel} model @param {import('./names.js').Names} names */
  constructor(model, names) {
    super(`copies:${model.page.name}`);
    this.model = model;
    this.names = names;
    /** @type {Map<string, PairDecision>} by the submissions and what was in them */
    this.all = new Map();
    this.follow();
  }

  /** @override */
  read() {
    const kept = this.kept([]);
    this.all = new Map((Array.isArray(kept) ? kept : []).filter(isPairDecision).map((v) => [key(v.a, v.b), v]));
  }

  /** @param {number} at @returns {Party} */
  #party(at) {
    const { name, files } = this.model.submissions[at];
    return { submission: name, content: files.map((f) => f.content) };
  }

  /** @param {{ a: number, b: number }} pair @returns {PairDecision | undefined} */
  get({ a, b }) {
    if (this.all.size === 0) return undefined;
    return this.all.get(key(this.#party(a), this.#party(b)));
  }

  /** @param {import('./types.js').Pair} pair @param {PairVerdict | ''} verdict @param {string} note */
  set(pair, verdict, note) {
    const [a, b] = [this.#party(pair.a), this.#party(pair.b)];
    if (verdict === '' && note === '') this.all.delete(key(a, b));
    else this.all.set(key(a, b), { a, b, verdict, note, similarity: pair.similarity, when: new Date().toISOString() });
    this.keep([...this.all.values()]);
  }

  /** Pairs of this page about which something was said, most similar first. */
  decided() {
    return this.model.pairs.filter((pair) => this.get(pair) !== undefined);
  }

  /** A file of all of them; with pseudonyms where the page shows those. */
  toJson() {
    const parties = new Map(this.model.submissions.map((_, at) => [partyKey(this.#party(at)), at]));
    const party = (/** @type {Party} */ p) => {
      const at = parties.get(partyKey(p));
      // what is of another run has no pseudonym here
      return { submission: !this.names.on ? p.submission : at === undefined ? 'another run' : this.names.submission(at), content: p.content };
    };
    const pairs = [...this.all.values()].map((j) => ({ ...j, a: party(j.a), b: party(j.b), note: this.names.text(j.note) }));
    return `${JSON.stringify({ lookalike: this.model.page.report.lookalike, copies_verdicts: 1, report: this.model.page.name, anonymous: this.names.on, made: new Date().toISOString(), pairs }, null, 1)}\n`;
  }

  /** Takes in a file that was written here or elsewhere; how many are of this report. @param {string} text @returns {{ taken: number, strange: number }} */
  fromJson(text) {
    const file = JSON.parse(text);
    if (file?.copies_verdicts !== 1 || !Array.isArray(file.pairs)) throw new Error('This is no file of verdicts on pairs.');
    const known = new Map(this.model.submissions.flatMap((_, at) => {
      const party = this.#party(at);
      return [[partyKey(party), party], [partyKey({ ...party, submission: `Submission ${this.names.numbers[at]}` }), party]];
    }));
    let [taken, strange] = [0, 0];
    for (const j of file.pairs.filter(isPairDecision)) {
      const [a, b] = [known.get(partyKey(j.a)), known.get(partyKey(j.b))];
      if (a === undefined || b === undefined) strange += 1;
      else {
        this.all.set(key(a, b), { a, b, verdict: j.verdict, note: j.note, similarity: j.similarity, when: j.when });
        taken += 1;
      }
    }
    this.keep([...this.all.values()]);
    return { taken, strange };
  }
}

/** @param {Party} p */
const partyKey = (p) => JSON.stringify([p.submission, p.content]);

/** The same whichever comes first. @param {Party} a @param {Party} b */
function key(a, b) {
  return [partyKey(a), partyKey(b)].sort().join();
}

/** What comes from a file or a browser may be anything. @param {any} j @returns {j is PairDecision} */
function isPairDecision(j) {
  const party = (/** @type {any} */ p) => typeof p?.submission === 'string' && Array.isArray(p.content) && p.content.every((/** @type {any} */ c) => typeof c === 'string');
  return party(j?.a) && party(j?.b) && (j.verdict === '' || Object.hasOwn(PAIR_VERDICTS, j.verdict)) && typeof j.note === 'string' && typeof j.similarity === 'number' && typeof j.when === 'string';
}
