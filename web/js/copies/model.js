// What the views of `copies` ask: pairs, clusters at any threshold, who belongs where.

import { UnionFind } from '../cluster.js';
import { ClusterModel } from '../clustermodel.js';

/**
 * @typedef {import('./types.js').CopiesPage} CopiesPage
 * @typedef {import('./types.js').Pair} Pair
 *
 * @typedef {object} Cluster
 * @property {number} number          1 for the largest
 * @property {number[]} submissions   rising
 * @property {Pair[]} pairs           among them, at or above the threshold, as far as they are listed; most similar first
 * @property {number} count           how many there are, listed or not
 * @property {number} mean            their mean similarity
 */

/** @extends {ClusterModel<Cluster>} */
export class CopiesModel extends ClusterModel {
  /** @param {CopiesPage} page */
  constructor(page) {
    super(page.report.passages.calibration.threshold);
    this.page = page;
    /** What only this lens reports. */
    this.section = page.report.passages;
    const { submissions, pairs, pairs_all, rules } = this.section;
    this.submissions = submissions;
    const first = (/** @type {number} */ at) => this.submissions[at].same_as ?? at;
    /** Most similar first. @type {Pair[]} */
    this.pairs = pairs.map((pair) => (first(pair.a) === first(pair.b) ? { ...pair, same: true } : pair)).sort((x, y) => y.similarity - x.similarity);
    /** @type {Map<number, Pair>} by both indices */
    this.byIds = new Map(this.pairs.map((pair) => [this.#key(pair.a, pair.b), pair]));
    /** @type {Pair[][]} by submission */
    this.of = this.submissions.map(() => []);
    for (const pair of this.pairs) for (const s of [pair.a, pair.b]) this.of[s].push(pair);
    const cut = pairs_all > pairs.length;
    /** Below this not all pairs are listed: some stand for others, and long passages bring in some. */
    this.from = Math.max(rules.min_similarity, cut ? pairs.at(-1)?.similarity ?? 1 : 0, ...pairs.filter((pair) => pair.folded > 0).map((pair) => pair.similarity));
    /** Those who hand in now. */
    this.cohort = this.submissions.filter((s) => s.archive !== true).length;
    /** Known labels, most frequent first. */
    this.labels = counted(this.submissions.map((s) => s.label));
    /** @type {number[]} by submission: its first file among all files */
    this.firstFile = [];
    let files = 0;
    for (const s of this.submissions) {
      this.firstFile.push(files);
      files += s.files.length;
    }
  }

  /** @param {number} a @param {number} b */
  #key(a, b) {
    return Math.min(a, b) * this.submissions.length + Math.max(a, b);
  }

  get size() {
    return this.submissions.length;
  }

  /** Where the threshold can be, in whole hundredths below. @returns {[number, number]} */
  get range() {
    return [Math.min(this.scanned, Math.floor(this.from * 100 + 1e-9) / 100), 1];
  }

  /** @param {number} threshold @override */
  allows(threshold) {
    return Number.isFinite(threshold) && threshold >= this.range[0] - 1e-9 && threshold <= 1 + 1e-9;
  }

  /** Whether all pairs from a threshold on are listed. @param {number} threshold */
  complete(threshold) {
    return threshold >= this.from - 1e-9;
  }

  /** @param {number} a @param {number} b @returns {Pair | null} */
  pair(a, b) {
    return this.byIds.get(this.#key(a, b)) ?? null;
  }

  /** How many pairs are at or above a threshold. @param {number} threshold */
  above(threshold) {
    let [low, high] = [0, this.pairs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.pairs[middle].similarity >= threshold) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** How many pairs are at or above a threshold, and whether that is all: where the list ends, the report still counted its own. @param {number} threshold */
  striking(threshold) {
    if (threshold === this.scanned) return { pairs: this.section.calibration.striking, all: true };
    return { pairs: this.above(threshold), all: this.complete(threshold) };
  }

  /** Groups that pairs of at least a threshold connect, largest first. @param {number} threshold @returns {Cluster[]} @override */
  assemble(threshold) {
    const components = new UnionFind(this.size);
    // what the report calls striking, which is a little more than the threshold; elsewhere the threshold alone
    const linked = threshold === this.scanned ? this.pairs.filter((pair) => pair.class === 'striking') : this.pairs.slice(0, this.above(threshold));
    for (const { a, b } of linked) components.join(a, b);
    // where the list ends above the threshold, the report still knows who is connected
    const told = threshold === this.scanned && !this.complete(threshold) ? this.section.clusters : [];
    for (const { submissions } of told) for (const s of submissions) components.join(submissions[0], s);
    /** @type {Map<number, Cluster>} */
    const groups = new Map();
    for (const pair of linked) {
      const first = components.find(pair.a);
      const group = groups.get(first) ?? empty();
      groups.set(first, group);
      group.pairs.push(pair);
    }
    for (const { submissions } of told) if (!groups.has(components.find(submissions[0]))) groups.set(components.find(submissions[0]), empty());
    this.submissions.forEach((_, at) => groups.get(components.find(at))?.submissions.push(at));
    const clusters = [...groups.values()].sort((x, y) => y.submissions.length - x.submissions.length || x.submissions[0] - y.submissions[0]);
    clusters.forEach((cluster) => {
      const known = told.find((t) => cluster.submissions.includes(t.submissions[0]));
      cluster.count = known?.pairs ?? cluster.pairs.length;
      cluster.mean = known?.mean ?? cluster.pairs.reduce((sum, p) => sum + p.similarity, 0) / cluster.pairs.length;
    });
    return clusters;
  }

  /** @param {Cluster} cluster @override */
  itemsOf(cluster) {
    return cluster.submissions;
  }

  /** The hue of a label; null for none and where there are too many. @param {string | undefined} label */
  hue(label) {
    const at = this.labels.findIndex(([name]) => name === label);
    return at < 0 || at > 6 ? null : at;
  }

  /** Submissions of the same person, this one left out. @param {number} submission */
  others(submission) {
    const { owner } = this.submissions[submission];
    return owner === undefined ? [] : this.submissions.map((_, at) => at).filter((at) => at !== submission && this.submissions[at].owner === owner);
  }

  /** Files with their place. @returns {{ submission: number, file: number, source: import('./types.js').SourceFile }[]} */
  degraded() {
    return this.submissions.flatMap((s, submission) => s.files.map((source, file) => ({ submission, file, source })).filter(({ source }) => source.degraded !== undefined));
  }
}

/** @returns {Cluster} */
function empty() {
  return { number: 0, submissions: [], pairs: [], count: 0, mean: 0 };
}

/** @param {(string | undefined)[]} values @returns {[string, number][]} */
function counted(values) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const value of values) if (value !== undefined && value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1));
}
