// What the reader has decided about clusters. A decision is about documents as they were: a cluster with a new or a changed one is open again.

import { parseDecisions } from './decisions.js';
import { load, save } from './storage.js';

/**
 * @typedef {import('./types.js').Decision} Decision
 * @typedef {import('./types.js').Verdict} Verdict
 * @typedef {{ documents: number[], representative: number }} Decidable  a cluster of the model
 * @typedef {{ verdict: Verdict, keep: number[], note: string }} Decided
 */

/**
 * @typedef {object} Entry
 * @property {Decision} decision
 * @property {Set<number>} known   its documents that are on this page with the same content
 * @property {boolean} before      whether it came with the page
 * @property {number} made         the latest has the highest
 */

export class Verdicts {
  /** @param {import('./types.js').Page} page */
  constructor(page) {
    this.page = page;
    this.key = `verdicts:${page.name}`;
    /** @type {Map<string, number>} */
    this.numbers = new Map(page.documents.id.map((id, document) => [id, document]));
    this.print = fingerprint(page);
    /** @type {(() => void)[]} */
    this.listeners = [];
    this.#read();
    // the same report may be open twice
    if (typeof addEventListener === 'function') {
      addEventListener('storage', (event) => {
        if (event.key !== `lookalike:${this.key}`) return;
        this.#read();
        this.#tell();
      });
    }
  }

  /** What was decided about a cluster. @param {Decidable} cluster @returns {Decided | undefined} */
  get(cluster) {
    if (this.answers.has(cluster)) return this.answers.get(cluster);
    const entry = this.#entry(cluster.documents);
    const answer = entry === undefined ? undefined : { verdict: entry.decision.verdict, keep: this.#kept(entry), note: entry.decision.note };
    this.answers.set(cluster, answer);
    return answer;
  }

  /** @param {Decidable} cluster @param {{ verdict: Verdict, keep?: number[], note?: string }} decided */
  set(cluster, decided) {
    this.setAll([[cluster, decided]]);
  }

  /** Several at once: listeners are told once. @param {[Decidable, { verdict: Verdict, keep?: number[], note?: string }][]} all */
  setAll(all) {
    const { id, content } = this.page.documents;
    for (const [cluster, { verdict, keep = [], note = '' }] of all) {
      const documents = cluster.documents.map((d) => ({ id: id[d], content: this.page.contents[content[d]] }));
      this.#add({ representative: id[cluster.representative], verdict, keep: keep.map((d) => id[d]), note, documents }, false);
    }
    this.#changed();
  }

  /** @param {Decidable} cluster */
  clear(cluster) {
    this.clearAll([cluster]);
  }

  /** @param {Decidable[]} clusters */
  clearAll(clusters) {
    const gone = new Set(clusters.flatMap((cluster) => cluster.documents));
    for (const entry of this.#touching(gone)) {
      if (entry.before) for (const document of entry.known) if (gone.has(document)) this.cleared.add(document);
      // other documents of the same decision stay decided, in the same order
      const documents = entry.decision.documents.filter((d) => !gone.has(this.numbers.get(d.id) ?? -1));
      if (documents.length > 1) entry.decision = { ...entry.decision, documents };
      else this.#remove(entry);
      for (const document of entry.known) if (gone.has(document)) entry.known.delete(document);
    }
    for (const document of gone) this.index.delete(document);
    this.#changed();
  }

  /** `later` counts as undecided. @param {Decidable[]} clusters */
  counts(clusters) {
    /** @type {Record<Verdict, number>} */
    const byVerdict = { keep: 0, 'not-duplicates': 0, template: 0, later: 0 };
    for (const cluster of clusters) {
      const decided = this.get(cluster);
      if (decided !== undefined) byVerdict[decided.verdict] += 1;
    }
    const decided = byVerdict.keep + byVerdict['not-duplicates'] + byVerdict.template;
    return { decided, undecided: clusters.length - decided, byVerdict };
  }

  /** Whether a cluster still waits for a verdict. @param {Decidable} cluster */
  open(cluster) {
    const decided = this.get(cluster);
    return decided === undefined || decided.verdict === 'later';
  }

  /** Every decision, the latest last. @returns {Decision[]} */
  all() {
    return [...this.entries].map((entry) => entry.decision);
  }

  /**
   * Decisions of a file; they win over those made before. Returns how many.
   * @param {string} text
   * @param {string} name
   */
  import(text, name) {
    const decisions = parseDecisions(text, name);
    for (const decision of decisions) this.#add(decision, false);
    this.#changed();
    return decisions.length;
  }

  /** @param {() => void} callback called after any change */
  listen(callback) {
    this.listeners.push(callback);
  }

  #read() {
    /** @type {Set<Entry>} the latest last */
    this.entries = new Set();
    /** @type {number} */
    this.made = 0;
    /** @type {Map<number, Entry[]>} by document, the latest last */
    this.index = new Map();
    /** @type {WeakMap<Decidable, Decided | undefined>} */
    this.answers = new WeakMap();
    const stored = load(this.key, null);
    const usable = stored !== null && stored.of === this.print;
    /** @type {Set<number>} documents for which what came with the page was taken back */
    this.cleared = new Set(usable ? stored.cleared : []);
    for (const decision of this.page.decisions) {
      const documents = decision.documents.filter((d) => !this.cleared.has(this.numbers.get(d.id) ?? -1));
      if (documents.length > 1) this.#add({ ...decision, documents }, true);
    }
    if (usable) for (const row of stored.decisions) this.#add(this.#unpacked(row), false);
  }

  #changed() {
    this.answers = new WeakMap();
    const decisions = [...this.entries].filter((entry) => !entry.before).map((entry) => this.#packed(entry));
    save(this.key, { of: this.print, cleared: [...this.cleared], decisions });
    this.#tell();
  }

  #tell() {
    for (const listener of this.listeners) listener();
  }

  /** @param {Decision} decision @param {boolean} before */
  #add(decision, before) {
    /** @type {Entry} */
    const entry = { decision, known: new Set(), before, made: this.made };
    this.made += 1;
    for (const { id, content } of decision.documents) {
      const document = this.numbers.get(id);
      if (document !== undefined && this.page.contents[this.page.documents.content[document]] === content) entry.known.add(document);
    }
    for (const earlier of this.#touching(entry.known)) {
      const covered = earlier.known.size === earlier.decision.documents.length && [...earlier.known].every((d) => entry.known.has(d));
      if (covered) this.#remove(earlier);
    }
    this.entries.add(entry);
    for (const document of entry.known) {
      const list = this.index.get(document);
      if (list === undefined) this.index.set(document, [entry]);
      else list.push(entry);
    }
  }

  /** @param {Entry} entry */
  #remove(entry) {
    this.entries.delete(entry);
    for (const document of entry.known) {
      const left = (this.index.get(document) ?? []).filter((e) => e !== entry);
      if (left.length === 0) this.index.delete(document);
      else this.index.set(document, left);
    }
  }

  /** Decisions about any of some documents, the latest last. @param {Iterable<number>} documents */
  #touching(documents) {
    /** @type {Set<Entry>} */
    const touched = new Set();
    for (const document of documents) for (const entry of this.index.get(document) ?? []) touched.add(entry);
    return [...touched].sort((x, y) => x.made - y.made);
  }

  /** @param {number[]} documents */
  #entry(documents) {
    const candidates = this.index.get(documents[0]) ?? [];
    for (let at = candidates.length - 1; at >= 0; at--) {
      // the scan ignored that template already: what is linked without it is news
      if (candidates[at].before && candidates[at].decision.verdict === 'template') continue;
      if (documents.every((document) => candidates[at].known.has(document))) return candidates[at];
    }
    return undefined;
  }

  /** @param {Entry} entry */
  #kept(entry) {
    return entry.decision.keep.map((id) => this.numbers.get(id)).filter((d) => d !== undefined);
  }

  // Numbers in place of ids: fifty thousand ids would fill what a browser is willing to keep.
  /** @param {Entry} entry */
  #packed({ decision, known }) {
    const short = (/** @type {string} */ id) => this.numbers.get(id) ?? id;
    const documents = decision.documents.map((d) => {
      const document = this.numbers.get(d.id);
      return document !== undefined && known.has(document) ? document : [d.id, d.content];
    });
    return [decision.verdict, short(decision.representative), decision.keep.map(short), decision.note, documents];
  }

  /** @param {any} row @returns {Decision} */
  #unpacked([verdict, representative, keep, note, documents]) {
    const { id, content } = this.page.documents;
    const long = (/** @type {number | string} */ d) => (typeof d === 'number' ? id[d] : d);
    return {
      verdict,
      representative: long(representative),
      keep: keep.map(long),
      note,
      documents: documents.map((/** @type {number | [string, string]} */ d) => (
        typeof d === 'number' ? { id: id[d], content: this.page.contents[content[d]] } : { id: d[0], content: d[1] })),
    };
  }
}

/** Tells whether numbers of documents still mean the same. @param {import('./types.js').Page} page */
function fingerprint({ documents, contents }) {
  let hash = 0x811c9dc5;
  const eat = (/** @type {string} */ text) => {
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ 0x10000, 0x01000193);
  };
  documents.id.forEach((id, document) => {
    eat(id);
    eat(contents[documents.content[document]]);
  });
  return hash >>> 0;
}
