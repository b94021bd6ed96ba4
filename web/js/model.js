// What the views ask: documents, clusters at the threshold of the moment, pairs.

import { ClusterModel } from './clustermodel.js';
import { interval, isEstimate, tellsContainment } from './estimate.js';
import { commonFolder } from './folder.js';
import { enough, lensOf } from './lens.js';
import { links, regroup } from './regroup.js';

/**
 * @typedef {object} Member
 * @property {number} document
 * @property {import('./types.js').Class} class
 * @property {number | null} resemblance
 * @property {number | null} containment    share of the member's shingles (bytes) that the representative has
 * @property {number | null} contained_by   share of the representative's shingles (bytes) that the member has
 * @property {[number, number] | null} interval  of the resemblance, where it is an estimate
 * @property {number | null} [shared]       bytes in common, at least: with the chunks lens
 * @property {number | null} [exact]        the same exactly, if known
 */

/**
 * @typedef {object} Cluster
 * @property {number} number           1 for the largest
 * @property {number} representative
 * @property {Member[]} members        the others
 * @property {number[]} documents      all, representative first
 * @property {number} redundant        bytes of the members
 * @property {number} average          how alike the members are to the representative in the mean: by resemblance, or by the share of the smaller
 * @property {string[]} folders        of all documents, each once, sorted
 * @property {Set<import('./types.js').Class>} classes
 */

/**
 * Two documents that were compared, seen from the first.
 * @typedef {object} Pair
 * @property {number} a
 * @property {number} b
 * @property {number} resemblance
 * @property {number | null} a_in_b      null if the samples cannot tell
 * @property {number | null} b_in_a
 * @property {[number, number] | null} interval  of the resemblance, where it is an estimate
 * @property {number | null} [shared]    bytes in common, at least: with the chunks lens
 * @property {number | null} [exact]     the same exactly, if known
 */

/**
 * What the clusters at a threshold come to.
 * @typedef {object} Sums
 * @property {number} clusters
 * @property {number} documents   in clusters
 * @property {number} redundant   documents that could go if one of each cluster stays
 * @property {number} bytes       of those
 */

/** @type {import('./types.js').Class[]} */
export const CLASSES = ['identical', 'lexical', 'shingle', 'near', 'contained', 'chained'];

/** @extends {ClusterModel<Cluster>} */
export class Model extends ClusterModel {
  /** @param {import('./types.js').Page} page */
  constructor(page) {
    super(page.report.policy.threshold);
    this.page = page;
    this.lens = lensOf(page);
    const { id, canonical } = page.documents;
    /** Documents are numbers from 0 to this. */
    this.size = id.length;
    /** The folder that all documents are in, with its slash; it need not be said again and again. */
    this.root = commonFolder(id);
    /** @type {Map<number, number[]>} duplicate groups by their canonical document, without it */
    this.groups = new Map();
    canonical.forEach((first, document) => {
      if (!this.groups.has(first)) this.groups.set(first, []);
      if (first !== document) this.groups.get(first)?.push(document);
    });
    /** @type {Map<number, number[]> | null} */
    this.paired = null;
    /** @type {string[]} by document, as far as they were asked for */
    this.foldersOf = [];
    /** @type {Map<number, Sums>} */
    this.summed = new Map();
    /** @type {Map<number, number>} exact bytes in common of two canonical documents, where they were counted */
    this.exact = this.#counted();
    this.known.set(this.scanned, page.clusters.map((row, at) => this.#reported(row, at + 1)));
  }

  /** How alike a member is to its representative, by the number that links them. @param {Member} member */
  alike({ resemblance, containment, contained_by }) {
    return this.lens.likeness(resemblance, containment, contained_by);
  }

  /** From here on all pairs are listed. */
  get from() {
    return this.page.pairs.from;
  }

  /** The least and the most that the threshold can be moved to. @returns {[number, number]} */
  get range() {
    return [Math.min(this.page.pairs.from, this.scanned), 1];
  }

  /** Indices of pairs by document. The overview does without: it is made when first asked for. @returns {Map<number, number[]>} */
  get pairsOf() {
    if (this.paired !== null) return this.paired;
    /** @type {Map<number, number[]>} */
    const paired = new Map();
    this.page.pairs.a.forEach((a, pair) => {
      for (const document of [a, this.page.pairs.b[pair]]) {
        const list = paired.get(document);
        if (list === undefined) paired.set(document, [pair]);
        else list.push(pair);
      }
    });
    return (this.paired = paired);
  }

  /** Whether there is another threshold than the scan's. Without all clusters or all pairs the page would regroup a part and call it the whole. */
  get movable() {
    return this.page.left_out.clusters === 0 && this.page.pairs.from <= 1;
  }

  /** Whether the clusters at a threshold are known: the scan's own always, others where all pairs are listed. @param {number} threshold @override */
  allows(threshold) {
    return threshold === this.scanned || (this.movable && threshold >= this.page.pairs.from && threshold <= 1);
  }

  /** The id of a document as it is. @param {number} document */
  id(document) {
    return this.page.documents.id[document];
  }

  /** The id without the folder that all share. @param {number} document */
  name(document) {
    return this.id(document).slice(this.root.length) || '(no name)';
  }

  /** The folder of a document below the common one; empty at the top. @param {number} document */
  folder(document) {
    const known = this.foldersOf[document];
    if (known !== undefined) return known;
    const name = this.name(document);
    return (this.foldersOf[document] = name.slice(0, Math.max(0, name.lastIndexOf('/'))));
  }

  /** @param {Cluster} cluster @override */
  itemsOf(cluster) {
    return cluster.documents;
  }

  /** What the clusters at any threshold come to; much faster than making them. @param {number} threshold @returns {Sums} */
  sums(threshold) {
    let sums = this.summed.get(threshold);
    if (sums === undefined) {
      if (threshold === this.scanned && this.page.left_out.clusters > 0) sums = summed(this.page.report.summary);
      else sums = this.known.has(threshold) ? addUp(this.at(threshold)) : this.#count(threshold);
      this.summed.set(threshold, sums);
    }
    return sums;
  }

  /** What is known of two documents; nothing if they were never compared. @param {number} a @param {number} b @returns {Pair | null} */
  pair(a, b) {
    const { canonical } = this.page.documents;
    const [x, y] = [canonical[a], canonical[b]];
    if (x === y) return { a, b, resemblance: 1, a_in_b: 1, b_in_a: 1, interval: null, ...this.#whole(x) };
    const other = (/** @type {number} */ pair) => this.page.pairs.a[pair] === y || this.page.pairs.b[pair] === y;
    const found = (this.pairsOf.get(x) ?? []).find(other);
    if (found !== undefined) return this.#seen(found, a, b, this.page.pairs.a[found] === x);
    for (const cluster of this.page.clusters) {
      if (cluster.representative !== a && cluster.representative !== b) continue;
      const at = cluster.members.findIndex((m) => m[0] === (cluster.representative === a ? b : a));
      const member = cluster.members[at];
      if (member === undefined || member[2] === null) continue;
      const [a_in_b, b_in_a] = cluster.representative === a ? [member[4], member[3]] : [member[3], member[4]];
      return { a, b, resemblance: member[2], a_in_b, b_in_a, interval: member[5] ?? null, ...this.#bytes(cluster.shared?.[at], x, y) };
    }
    return null;
  }

  /** All pairs among some canonical documents that were compared. @param {number[]} documents @returns {Pair[]} */
  pairsWithin(documents) {
    const inside = new Set(documents);
    /** @type {Map<string, Pair>} */
    const pairs = new Map();
    for (const document of documents) {
      for (const pair of this.pairsOf.get(document) ?? []) {
        const [a, b] = [this.page.pairs.a[pair], this.page.pairs.b[pair]];
        if (inside.has(a) && inside.has(b)) pairs.set(`${a} ${b}`, this.#seen(pair, a, b, true));
      }
    }
    return [...pairs.values()];
  }

  /** Sets of identical documents: more than one name for the same bytes. Largest first. @returns {number[][]} */
  identicalSets() {
    /** @type {Map<number, number[]>} */
    const sets = new Map();
    this.page.documents.content.forEach((content, document) => {
      const set = sets.get(content);
      if (set === undefined) sets.set(content, [document]);
      else set.push(document);
    });
    return [...sets.values()].filter((set) => set.length > 1).sort((x, y) => y.length - x.length || x[0] - y[0]);
  }

  /** How alike every pair is that is listed, each once; without those that have too little in common for any threshold. */
  likenesses() {
    const { a, b, shared } = this.page.pairs;
    const seen = new Set();
    const values = [];
    for (let pair = 0; pair < a.length; pair++) {
      const key = a[pair] * this.size + b[pair];
      if (seen.has(key)) continue;
      seen.add(key);
      if (!enough(this.page, this.lens.bytes ? shared[pair] : null)) continue;
      const { resemblance, a_in_b, b_in_a } = this.#shares(pair, true);
      values.push(this.lens.likeness(resemblance, a_in_b, b_in_a));
    }
    return values;
  }

  /** What is shown of a pair. A containment that its samples cannot tell is left out: without an interval it would pass for exact. @param {number} pair @param {number} a @param {number} b @param {boolean} straight whether a is the first of the pair @returns {Pair} */
  #seen(pair, a, b, straight) {
    const shares = this.#shares(pair, straight);
    if (!isEstimate(this.page.report)) return { a, b, ...shares, interval: null, ...this.#bytes(this.page.pairs.shared[pair], this.page.pairs.a[pair], this.page.pairs.b[pair]) };
    const { sample_a, sample_b, sample_shared, sample_exhaustive } = this.page.pairs;
    const exhaustive = sample_exhaustive[pair] === 1;
    const told = exhaustive || tellsContainment(this.page.report.compared_by);
    return {
      a,
      b,
      resemblance: shares.resemblance,
      a_in_b: told ? shares.a_in_b : null,
      b_in_a: told ? shares.b_in_a : null,
      interval: interval(sample_shared[pair], sample_a[pair] + sample_b[pair] - sample_shared[pair], exhaustive),
    };
  }

  /** What the chunks lens knows of two canonical documents beside their shares. @param {number | null | undefined} shared @param {number} x @param {number} y */
  #bytes(shared, x, y) {
    return this.lens.bytes ? { shared: shared ?? null, exact: this.exact.get(this.#key(x, y)) ?? null } : {};
  }

  /** The same of a document and its copy. @param {number} document */
  #whole(document) {
    const { bytes, size } = this.page.documents;
    return this.lens.bytes ? { shared: size[document], exact: bytes[document] } : {};
  }

  /** @param {number} x @param {number} y */
  #key(x, y) {
    return Math.min(x, y) * this.size + Math.max(x, y);
  }

  #counted() {
    const { clusters, documents: { canonical } } = this.page;
    /** @type {Map<number, number>} */
    const counted = new Map();
    for (const { representative, members, exact = [] } of clusters) {
      exact.forEach((n, at) => { if (n !== null) counted.set(this.#key(canonical[representative], canonical[members[at][0]]), n); });
    }
    return counted;
  }

  /** @param {number} pair @param {boolean} straight whether it is seen from its first */
  #shares(pair, straight) {
    const { of_a, of_b, shared } = this.page.pairs;
    const n = shared[pair];
    const share = (/** @type {number} */ of) => (of === 0 ? 0 : n / of);
    const [first, second] = straight ? [of_a[pair], of_b[pair]] : [of_b[pair], of_a[pair]];
    return { resemblance: share(first + second - n), a_in_b: share(first), b_in_a: share(second) };
  }

  /** @param {import('./types.js').ClusterRow} row @param {number} number */
  #reported(row, number) {
    const { canonical } = this.page.documents;
    const members = row.members.map(([document, kind, resemblance, containment, contained_by, interval], at) => (
      { document, class: kind, resemblance, containment, contained_by, interval: interval ?? null, ...this.#bytes(row.shared?.[at], canonical[row.representative], canonical[document]) }));
    return this.#cluster(row.representative, members, number);
  }

  /** @param {number} representative @param {Member[]} members @param {number} number @returns {Cluster} */
  #cluster(representative, members, number) {
    const documents = [representative];
    /** @type {Set<string>} */
    const folders = new Set([this.folder(representative)]);
    /** @type {Set<import('./types.js').Class>} */
    const classes = new Set();
    let [redundant, sum, known] = [0, 0, 0];
    for (const member of members) {
      documents.push(member.document);
      folders.add(this.folder(member.document));
      classes.add(member.class);
      redundant += this.page.documents.bytes[member.document];
      const alike = this.alike(member);
      if (alike !== null) {
        sum += alike;
        known += 1;
      }
    }
    return {
      number,
      representative,
      members,
      documents,
      redundant,
      average: sum / Math.max(1, known),
      folders: [...folders].sort(),
      classes,
    };
  }

  /** The twin of the engine's last step: clusters from links, duplicate groups put back. @param {number} threshold @override */
  assemble(threshold) {
    const { same } = this.page.documents;
    /** @type {Map<number, Member[]>} */
    const groups = new Map();
    const joined = regroup(this.page, threshold);
    const under = new Set(joined.map((link) => link.member));
    for (const [first, others] of this.groups) {
      if (others.length > 0 && !under.has(first)) groups.set(first, []);
    }
    for (const link of joined) if (!groups.has(link.representative)) groups.set(link.representative, []);
    for (const [representative, members] of groups) {
      for (const document of this.groups.get(representative) ?? []) {
        members.push({ document, class: same[document], resemblance: 1, containment: 1, contained_by: 1, interval: null, ...this.#whole(representative) });
      }
    }
    for (const { representative, member, pair } of joined) {
      const seen = pair < 0 ? null : this.#seen(pair, representative, member, this.page.pairs.a[pair] === representative);
      /** @type {import('./types.js').Class} */
      const kind = seen === null || !enough(this.page, seen.shared) ? 'chained' : seen.resemblance >= threshold ? 'near' : this.#inside(pair, threshold) ? 'contained' : 'chained';
      for (const document of [member, ...(this.groups.get(member) ?? [])]) {
        groups.get(representative)?.push({
          document,
          class: kind,
          resemblance: seen?.resemblance ?? null,
          containment: seen?.b_in_a ?? null,
          contained_by: seen?.a_in_b ?? null,
          interval: seen?.interval ?? null,
          ...this.#bytes(seen?.shared, representative, member),
        });
      }
    }
    const clusters = [...groups].map(([representative, members]) => {
      const rank = (/** @type {Member} */ m) => m.resemblance ?? -1;
      members.sort((x, y) => rank(y) - rank(x) || CLASSES.indexOf(x.class) - CLASSES.indexOf(y.class) || x.document - y.document);
      return this.#cluster(representative, members, 0);
    });
    return clusters.sort((x, y) => y.members.length - x.members.length || x.representative - y.representative);
  }

  /** @param {number} threshold @returns {Sums} */
  #count(threshold) {
    const { representative, member } = links(this.page, threshold);
    const { bytes, canonical } = this.page.documents;
    const REPRESENTS = 1;
    const MEMBER = 2;
    const role = new Uint8Array(this.size);
    for (const document of representative) role[document] = REPRESENTS;
    for (const document of member) role[document] = MEMBER;
    for (const [first, others] of this.groups) if (others.length > 0 && role[first] === 0) role[first] = REPRESENTS;
    const sums = { clusters: 0, documents: 0, redundant: 0, bytes: 0 };
    for (let document = 0; document < this.size; document++) {
      if (canonical[document] === document && role[document] === REPRESENTS) sums.clusters += 1;
      else if (canonical[document] === document && role[document] !== MEMBER) continue;
      else {
        sums.redundant += 1;
        sums.bytes += bytes[document];
      }
      sums.documents += 1;
    }
    return sums;
  }

  /** Whether one of a pair is in the other, as the engine takes it, told or not. @param {number} pair @param {number} threshold */
  #inside(pair, threshold) {
    const contained = this.lens.containedFrom(this.page.report.policy, threshold);
    const { a_in_b, b_in_a } = this.#shares(pair, true);
    return contained !== null && Math.max(a_in_b, b_in_a) >= contained;
  }
}

/** @param {Cluster[]} clusters @returns {Sums} */
function addUp(clusters) {
  const sums = { clusters: clusters.length, documents: 0, redundant: 0, bytes: 0 };
  for (const cluster of clusters) {
    sums.documents += cluster.documents.length;
    sums.redundant += cluster.members.length;
    sums.bytes += cluster.redundant;
  }
  return sums;
}

/** @param {import('./types.js').Summary} summary @returns {Sums} */
function summed({ clusters, clustered, redundant_bytes }) {
  return { clusters, documents: clustered, redundant: clustered - clusters, bytes: redundant_bytes };
}
