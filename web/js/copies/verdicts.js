// What a reader has decided about pairs. It stays in the browser, under the name of the report, and can be taken elsewhere as a file.

import { VerdictStore } from '../verdictstore.js';
import { isPairDecision, parseVerdicts, verdictsToCsv, verdictsToJson } from './verdictfile.js';

/**
 * @typedef {import('./verdictfile.js').PairVerdict} PairVerdict
 * @typedef {import('./verdictfile.js').Party} Party
 * @typedef {import('./verdictfile.js').PairDecision} PairDecision
 * @typedef {{ a: number, b: number }} Two
 * @typedef {[string, PairDecision | undefined][]} Undo  what stood there before, by key
 */

export class PairVerdicts extends VerdictStore {
  /** @type {Map<string, PairDecision>} what came with the page */
  #given = new Map();
  /** @type {string[]} by submission */
  #keys = [];

  /** @param {import('./model.js').CopiesModel} model @param {import('./names.js').Names} names */
  constructor(model, names) {
    super(`copies:${model.page.name}`);
    this.model = model;
    this.names = names;
    for (const decision of model.page.decisions ?? []) this.#given.set(key(decision.a, decision.b), decision);
    /** Listed pairs that were decided before the page was made: they are hidden until somebody asks for them. */
    this.before = model.section.reviewed?.decided ?? 0;
    /** @type {Map<string, PairDecision>} by the submissions and what was in them */
    this.all = new Map();
    this.follow();
  }

  /** @override */
  read() {
    const kept = this.kept([]);
    const own = (Array.isArray(kept) ? kept : []).filter(isPairDecision);
    const latest = new Map([...this.#given, ...own.map((v) => /** @type {[string, PairDecision]} */ ([key(v.a, v.b), v]))]);
    this.all = new Map([...latest].filter(([, v]) => !isNothing(v)));
  }

  /** What was taken back of what came with the page is kept as nothing: otherwise it would come back. */
  #save() {
    const gone = [...this.#given].filter(([id]) => !this.all.has(id)).map(([, decision]) => ({ ...decision, verdict: '', note: '' }));
    this.keep([...this.all.values(), ...gone]);
  }

  /** @param {number} at @returns {Party} */
  #party(at) {
    const { name, files } = this.model.submissions[at];
    return { submission: name, content: files.map((f) => f.content) };
  }

  /** @param {Two} pair */
  #id({ a, b }) {
    const of = (/** @type {number} */ at) => (this.#keys[at] ??= partyKey(this.#party(at)));
    return joined(of(a), of(b));
  }

  /** @param {Two} pair @returns {PairDecision | undefined} */
  get(pair) {
    return this.all.size === 0 ? undefined : this.all.get(this.#id(pair));
  }

  /** Whether a pair still waits for a verdict: what is to be looked at again does. @param {Two} pair */
  open(pair) {
    const verdict = this.get(pair)?.verdict ?? '';
    return verdict === '' || verdict === 'again';
  }

  /** @param {import('./types.js').Pair} pair @param {PairVerdict | ''} verdict @param {string} note */
  set(pair, verdict, note) {
    return this.setAll([pair], verdict, note);
  }

  /** The same verdict for several; notes that are there stay unless one is given. @param {import('./types.js').Pair[]} pairs @param {PairVerdict | ''} verdict @param {string} [note] @returns {Undo} */
  setAll(pairs, verdict, note) {
    const when = new Date().toISOString();
    /** @type {Undo} */
    const undo = pairs.map((pair) => {
      const id = this.#id(pair);
      const before = this.all.get(id);
      const decision = { a: this.#party(pair.a), b: this.#party(pair.b), verdict, note: note ?? before?.note ?? '', similarity: pair.similarity, when };
      if (isNothing(decision)) this.all.delete(id);
      else this.all.set(id, decision);
      return [id, before];
    });
    this.#save();
    return undo;
  }

  /** @param {Undo} undo */
  undo(undo) {
    for (const [id, before] of undo) {
      if (before === undefined) this.all.delete(id);
      else this.all.set(id, before);
    }
    this.#save();
  }

  /** How many of some pairs have which verdict. @param {Two[]} pairs */
  counts(pairs) {
    /** @type {Record<PairVerdict, number>} */
    const byVerdict = { copied: 0, 'not-copied': 0, again: 0 };
    for (const pair of pairs) {
      const verdict = this.get(pair)?.verdict ?? '';
      if (verdict !== '') byVerdict[verdict] += 1;
    }
    return { byVerdict, decided: byVerdict.copied + byVerdict['not-copied'] };
  }

  /** Pairs of this page about which something was said, most similar first. */
  decided() {
    return this.model.pairs.filter((pair) => this.get(pair) !== undefined);
  }

  /** All of them; with pseudonyms where the page shows those. @returns {PairDecision[]} */
  #written() {
    const parties = new Map(this.model.submissions.map((_, at) => [partyKey(this.#party(at)), at]));
    const party = (/** @type {Party} */ p) => {
      const at = parties.get(partyKey(p));
      // what is of another run has no pseudonym here
      return { submission: !this.names.on ? p.submission : at === undefined ? 'another run' : this.names.submission(at), content: p.content };
    };
    return [...this.all.values()].map((j) => ({ ...j, a: party(j.a), b: party(j.b), note: this.names.text(j.note) }));
  }

  toJson() {
    const { report, name } = this.model.page;
    return verdictsToJson(this.#written(), { version: report.lookalike, report: name, anonymous: this.names.on });
  }

  toCsv() {
    return verdictsToCsv(this.#written());
  }

  /** Takes in a file that was written here or elsewhere; how many are of this report. @param {string} text @param {string} [name] @returns {{ taken: number, strange: number }} */
  import(text, name = 'This file') {
    const known = new Map(this.model.submissions.flatMap((_, at) => {
      const party = this.#party(at);
      return [[partyKey(party), party], [partyKey({ ...party, submission: `Submission ${this.names.numbers[at]}` }), party]];
    }));
    let [taken, strange] = [0, 0];
    for (const j of parseVerdicts(text, name)) {
      const [a, b] = [known.get(partyKey(j.a)), known.get(partyKey(j.b))];
      if (a === undefined || b === undefined) strange += 1;
      else if (!isNothing(j)) {
        this.all.set(key(a, b), { a, b, verdict: j.verdict, note: j.note, similarity: j.similarity, when: j.when });
        taken += 1;
      }
    }
    this.#save();
    return { taken, strange };
  }
}

/** @param {PairDecision} decision */
const isNothing = ({ verdict, note }) => verdict === '' && note === '';

/** @param {Party} p */
const partyKey = (p) => JSON.stringify([p.submission, p.content]);

/** The same whichever comes first. @param {string} a @param {string} b */
const joined = (a, b) => (a < b ? `${a},${b}` : `${b},${a}`);

/** @param {Party} a @param {Party} b */
const key = (a, b) => joined(partyKey(a), partyKey(b));
