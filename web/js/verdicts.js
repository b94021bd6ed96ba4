// What the reader has decided about clusters. A decision is about documents as they were: a cluster with a new or a changed one is open again.

import { parseDecisions } from './decisions.js';
import { earlierDecision } from './earlierdecision.js';
import { pack, unpack } from './decisionpack.js';
import { VerdictStore } from './verdictstore.js';

/**
 * @typedef {import('./types.js').Decision} Decision
 * @typedef {import('./types.js').Verdict} Verdict
 * @typedef {{ documents: number[], representative: number }} Decidable  a cluster of the model
 * @typedef {{ verdict: Verdict, keep: number[], note: string }} Decided
 */

/**
 * A decision on this page. Entries do not change: another one takes the place of one that is taken back in part.
 * @typedef {object} Entry
 * @property {number} made         its place in time: what came with the page has the first ones, the latest has the highest
 * @property {Decision} decision
 * @property {Set<number>} known   its documents that are on this page with the same content
 * @property {number[]} keep       documents to keep; an id alone may name several
 * @property {boolean} complete    whether all its documents are known
 * @property {boolean} before      whether it came with the page
 *
 * @typedef {{ added: Set<Entry>, removed: Set<Entry> }} Change  what was done, to be undone
 */

/** The form of what is stored. */
const FORM = 2;

export class Verdicts extends VerdictStore {
  /** @type {Map<number, Entry>} by `made` */
  #entries = new Map();
  /** @type {Map<number, Entry[]>} by document, the latest last */
  #index = new Map();
  /** @type {WeakMap<Decidable, Decided | undefined>} */
  #answers = new WeakMap();
  /** @type {Map<string, Entry[]> | null} by id, whatever the content; made when it is asked for */
  #naming = null;
  /** @type {Map<string, number[]>} documents by id: a scan may find an id more than once */
  #places = new Map();
  #made = 0;

  /** @param {import('./types.js').Page} page */
  constructor(page) {
    super(`verdicts:${page.name}`);
    this.page = page;
    page.documents.id.forEach((id, document) => {
      const places = this.#places.get(id);
      if (places === undefined) this.#places.set(id, [document]);
      else places.push(document);
    });
    this.follow();
  }

  /** What was decided about a cluster. @param {Decidable} cluster @returns {Decided | undefined} */
  get(cluster) {
    if (this.#answers.has(cluster)) return this.#answers.get(cluster);
    const entry = this.#covering(cluster.documents).pop();
    const answer = entry === undefined ? undefined : { verdict: entry.decision.verdict, keep: [...entry.keep], note: entry.decision.note };
    this.#answers.set(cluster, answer);
    return answer;
  }

  /** @param {Decidable} cluster @param {{ verdict: Verdict, keep?: number[], note?: string }} decided @returns {Change} */
  set(cluster, decided) {
    return this.setAll([[cluster, decided]]);
  }

  /** Several at once: listeners are told once. @param {[Decidable, { verdict: Verdict, keep?: number[], note?: string }][]} all @returns {Change} */
  setAll(all) {
    const { id } = this.page.documents;
    const change = nothing();
    for (const [cluster, { verdict, keep = [], note = '' }] of all) {
      const decision = { representative: id[cluster.representative], verdict, keep: unique(keep.map((d) => id[d])), note, documents: cluster.documents.map((d) => this.#named(d)) };
      this.#add(this.#entry(decision, this.#made, false, keep), change);
    }
    return this.#changed(change);
  }

  /**
   * Takes back what was decided about a whole cluster. Decisions about some of its documents stay as they are.
   * @param {Decidable} cluster
   * @returns {Change}
   */
  clear(cluster) {
    const change = nothing();
    const gone = new Set(cluster.documents);
    for (const entry of this.#covering(cluster.documents)) {
      this.#drop(entry, change);
      const rest = this.#rest(entry, gone);
      if (rest !== null) this.#put(rest, change);
    }
    return this.#changed(change);
  }

  /** Undoes what `set`, `setAll` or `clear` has done, and nothing else. @param {Change} change */
  undo({ added, removed }) {
    for (const { made } of added) {
      const entry = this.#entries.get(made);
      if (entry !== undefined) this.#drop(entry, nothing());
    }
    for (const entry of removed) if (!this.#entries.has(entry.made)) this.#put(entry, nothing());
    this.#changed(nothing());
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

  /** Whether nobody has said anything about any document of a cluster. @param {Decidable} cluster */
  untouched(cluster) {
    return cluster.documents.every((document) => (this.#index.get(document) ?? []).every(ignored));
  }

  /**
   * The latest decision that names two or more of the documents of an undecided cluster and does not hold for all of it.
   * @param {Decidable} cluster
   * @returns {import('./earlierdecision.js').Earlier | undefined}
   */
  earlier(cluster) {
    if (!this.open(cluster)) return undefined;
    const { id } = this.page.documents;
    /** @type {Map<Entry, number>} */
    const named = new Map();
    const naming = this.#byId();
    for (const document of cluster.documents) for (const entry of naming.get(id[document]) ?? []) named.set(entry, (named.get(entry) ?? 0) + 1);
    const covering = new Set(this.#covering(cluster.documents));
    const candidates = [...named].filter(([entry, times]) => times > 1 && !covering.has(entry)).map(([entry]) => entry);
    for (const entry of candidates.sort((x, y) => y.made - x.made)) {
      const found = earlierDecision(this.page, entry, cluster, (id, content) => this.#found(id, content));
      if (cluster.documents.length - found.joined.length > 1) return found;
    }
    return undefined;
  }

  /** Decisions that came with the page and were applied by its scan: they left no cluster on which to show them. @returns {Decision[]} */
  applied() {
    const applied = (/** @type {Entry} */ { before, decision: { verdict, documents } }) => (
      // a document that is not on the page resembles no other; whether it is what it was is not known here
      before && (verdict === 'not-duplicates' || verdict === 'template') && documents.filter((d) => !this.#places.has(d.id) || this.#found(d.id, d.content).length > 0).length > 1);
    return this.#sorted().filter((entry) => applied(entry) && !this.#outdated(entry)).map((entry) => entry.decision);
  }

  /** Takes back one decision, as `applied` gives it. @param {Decision} decision @returns {Change} */
  withdraw(decision) {
    const change = nothing();
    for (const entry of this.#sorted()) if (entry.decision === decision) this.#drop(entry, change);
    return this.#changed(change);
  }

  /** Every decision that holds, the latest last. @returns {Decision[]} */
  all() {
    return this.#sorted().filter((entry) => !this.#outdated(entry)).map((entry) => entry.decision);
  }

  /**
   * Decisions of a file; they win over those made before. Returns how many.
   * @param {string} text
   * @param {string} name
   */
  import(text, name) {
    const decisions = parseDecisions(text, name);
    const change = nothing();
    // documents that are not on this page are known by their names only; a file that is read twice adds nothing
    const elsewhere = new Map(this.#sorted().filter((entry) => !entry.complete && !ignored(entry)).map((entry) => [listing(entry.decision), entry]));
    for (const decision of decisions) {
      const earlier = elsewhere.get(listing(decision));
      if (earlier !== undefined) this.#drop(earlier, change);
      this.#add(this.#entry(decision, this.#made, false), change);
    }
    this.#changed(change);
    return decisions.length;
  }

  /** @override */
  read() {
    this.#entries = new Map();
    this.#index = new Map();
    this.#answers = new WeakMap();
    this.#naming = null;
    const stored = this.kept(null);
    const { entries, given } = stored?.form === FORM ? unpack(this.page, stored, (id, content) => this.#found(id, content)) : { entries: [], given: false };
    /** @type {Map<number, Decision | null>} what is left of decisions that came with the page; null for nothing */
    const left = new Map();
    if (given) for (const made of stored.gone) left.set(made, null);
    if (given) for (const { made, before, decision } of entries) if (before) left.set(made, decision);
    this.page.decisions.forEach((decision, made) => {
      const now = left.has(made) ? left.get(made) : decision;
      if (now) this.#add(this.#entry(now, made, true), nothing());
    });
    // no number is given twice, so that what was done before another window wrote can still be undone
    this.#made = Math.max(this.#made, this.page.decisions.length);
    const told = new Set(given ? [] : this.page.decisions.map(wording));
    for (const { made, before, decision, keep } of entries) {
      // a scan that was given what was decided here has it among its own
      if (before || told.has(wording(decision))) continue;
      this.#add(this.#entry(decision, given ? made : this.#made, false, keep), nothing());
    }
  }

  /** @param {Change} change @returns {Change} */
  #changed(change) {
    this.#answers = new WeakMap();
    this.#naming = null;
    const { decisions } = this.page;
    const entries = this.#sorted().filter((entry) => entry.decision !== decisions[entry.made]);
    const gone = decisions.flatMap((_, made) => (this.#entries.has(made) ? [] : [made]));
    this.keep({ form: FORM, gone, ...pack(this.page, entries, (id, content) => this.#found(id, content)) });
    return change;
  }

  #sorted() {
    return [...this.#entries.values()].sort((x, y) => x.made - y.made);
  }

  /** Documents of this page that are what they were. @param {string} id @param {string} content */
  #found(id, content) {
    return (this.#places.get(id) ?? []).filter((d) => this.page.contents[this.page.documents.content[d]] === content);
  }

  /** @param {number} document */
  #named(document) {
    const { id, content } = this.page.documents;
    return { id: id[document], content: this.page.contents[content[document]] };
  }

  /** @param {Decision} decision @param {number} made @param {boolean} before @param {number[]} [keep] where the reader has said which @returns {Entry} */
  #entry(decision, made, before, keep) {
    const known = /** @type {Set<number>} */ (new Set());
    let complete = true;
    for (const { id, content } of decision.documents) {
      const found = this.#found(id, content);
      complete &&= found.length > 0;
      for (const document of found) known.add(document);
    }
    const kept = keep ?? unique(decision.keep).flatMap((id) => {
      const places = this.#places.get(id) ?? [];
      const inside = places.filter((document) => known.has(document));
      return inside.length > 0 ? inside : places;
    });
    return { made, decision, known, keep: kept, complete, before };
  }

  /** Adds a decision in place of those about the same documents. @param {Entry} entry @param {Change} change */
  #add(entry, change) {
    const [first] = entry.known;
    for (const earlier of this.#index.get(first) ?? []) {
      if (earlier.known.size === entry.known.size && outdates(entry, earlier)) this.#drop(earlier, change);
    }
    this.#put(entry, change);
  }

  /** @param {Entry} entry @param {Change} change */
  #put(entry, change) {
    this.#entries.set(entry.made, entry);
    this.#made = Math.max(this.#made, entry.made + 1);
    for (const document of entry.known) {
      const list = this.#index.get(document);
      if (list === undefined) this.#index.set(document, [entry]);
      else list.splice(list.filter((e) => e.made < entry.made).length, 0, entry);
    }
    change.added.add(entry);
  }

  /** @param {Entry} entry @param {Change} change */
  #drop(entry, change) {
    this.#entries.delete(entry.made);
    for (const document of entry.known) this.#index.set(document, (this.#index.get(document) ?? []).filter((e) => e !== entry));
    if (!change.added.delete(entry)) change.removed.add(entry);
  }

  /** Decisions about all of some documents, the latest last. @param {number[]} documents */
  #covering(documents) {
    return (this.#index.get(documents[0]) ?? []).filter((entry) => !ignored(entry) && documents.every((document) => entry.known.has(document)));
  }

  #byId() {
    if (this.#naming !== null) return this.#naming;
    /** @type {Map<string, Entry[]>} */
    const naming = new Map();
    for (const entry of this.#entries.values()) {
      for (const id of unique(entry.decision.documents.map((d) => d.id))) {
        const list = naming.get(id);
        if (list === undefined) naming.set(id, [entry]);
        else list.push(entry);
      }
    }
    return (this.#naming = naming);
  }

  /** Whether a later decision says something else of all its documents. It holds again when that one is taken back. @param {Entry} entry */
  #outdated(entry) {
    const [first] = entry.known;
    return (this.#index.get(first) ?? []).some((later) => later.made > entry.made && outdates(later, entry));
  }

  /** What is left of a decision without some documents; null for nothing. @param {Entry} entry @param {Set<number>} gone */
  #rest({ made, decision, keep, before }, gone) {
    const documents = decision.documents.filter(({ id, content }) => !this.#found(id, content).some((d) => gone.has(d)));
    const ids = new Set(documents.map((d) => d.id));
    const kept = decision.keep.filter((id) => ids.has(id));
    // of documents that went because another one was kept none goes without it
    if (documents.length < 2 || (kept.length === 0 && decision.keep.length > 0)) return null;
    const representative = ids.has(decision.representative) ? decision.representative : documents[0].id;
    return this.#entry({ ...decision, representative, keep: kept, documents }, made, before, keep.filter((d) => !gone.has(d)));
  }
}

/** @returns {Change} */
function nothing() {
  return { added: new Set(), removed: new Set() };
}

/** @param {string[]} list */
function unique(list) {
  return [...new Set(list)];
}

/** The documents of a decision, to be compared. @param {Decision} decision */
function listing({ documents }) {
  return JSON.stringify(documents.map(({ id, content }) => [id, content]));
}

/** All that a decision says, to be compared. @param {Decision} decision */
function wording(decision) {
  return JSON.stringify([decision.verdict, decision.keep, decision.note, listing(decision)]);
}

/** The scan has left out the text of such a template already: what is linked without it is news, and a verdict on that does not end it. @param {Entry} entry */
function ignored({ before, decision }) {
  return before && decision.verdict === 'template';
}

/** Whether a later decision leaves nothing of an earlier one. @param {Entry} later @param {Entry} earlier */
function outdates(later, earlier) {
  if (!earlier.complete || later.known.size < earlier.known.size || (ignored(earlier) && later.decision.verdict !== 'template')) return false;
  for (const document of earlier.known) if (!later.known.has(document)) return false;
  return true;
}
