// Pages of the chunks lens, made by hand: documents are lists of chunks, and everything is found out in the plainest way there is. What the page
// computes is held against it.

import { gzipSync } from 'node:zlib';

const RECIPE = 'bytes|chunks:mean=1000|hash=xxh3-128|v=1';

/**
 * @typedef {object} Made
 * @property {string} id
 * @property {string[]} chunks     names of chunks; equal names are equal bytes
 * @property {string | null} [text]  what is shown of it; null for binary
 * @property {number} [modified]
 *
 * @typedef {object} Corpus
 * @property {Made[]} documents    ids are different
 * @property {(chunk: string) => number} [length]  of a chunk; 1000 if not given
 * @property {string[]} [templates]  chunks that do not count
 * @property {Partial<import('../js/types.js').Policy>} [policy]
 * @property {number} [explore]
 * @property {Partial<import('../js/types.js').Chunks>} [chunks]
 *
 * @typedef {{ representative: string, members: string[][] }} Told  clusters as names: each member with its class and bytes in common
 */

/** Any number that looks like chance, from a text. @param {string} text */
export function salt(text) {
  let state = 2166136261;
  for (const c of text) state = Math.imul(state ^ c.charCodeAt(0), 16777619) >>> 0;
  return state;
}

/** How often each chunk that counts is in a document. @param {string[]} chunks @param {string[]} templates */
function counted(chunks, templates) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const chunk of chunks) if (!templates.includes(chunk)) counts.set(chunk, (counts.get(chunk) ?? 0) + 1);
  return counts;
}

/** The engine, without any of its haste. */
export class Naive {
  /** @param {Corpus} corpus */
  constructor({ documents, length = () => 1000, templates = [], policy, explore = 0.3 }) {
    this.documents = [...documents].sort((x, y) => (x.id < y.id ? -1 : 1));
    this.length = length;
    this.explore = explore;
    /** @type {import('../js/types.js').Policy} */
    this.policy = { threshold: 0.5, contained: 0.5, linkage: 'star', min_shared: 0, ...policy };
    this.counts = this.documents.map((d) => counted(d.chunks, templates));
    this.bytes = this.documents.map((d) => d.chunks.reduce((sum, chunk) => sum + length(chunk), 0));
    this.sizes = this.counts.map((counts) => [...counts].reduce((sum, [chunk, n]) => sum + n * length(chunk), 0));
    this.contents = this.documents.map((d) => d.chunks.join(' '));
    this.standIn = this.contents.map((content) => this.contents.indexOf(content));
    this.distinct = this.documents.map((_, d) => d).filter((d) => this.standIn[d] === d);
    /** largest first, then by content */
    this.ranked = [...this.distinct].sort((x, y) => this.sizes[y] - this.sizes[x] || salt(this.contents[x]) - salt(this.contents[y]) || x - y);
  }

  /** @param {number} x @param {number} y */
  shared(x, y) {
    let sum = 0;
    for (const [chunk, n] of this.counts[x]) sum += Math.min(n, this.counts[y].get(chunk) ?? 0) * this.length(chunk);
    return sum;
  }

  /** @param {number} x @param {number} y */
  share(x, y) {
    const smaller = Math.min(this.sizes[x], this.sizes[y]);
    return smaller === 0 ? 0 : this.shared(x, y) / smaller;
  }

  /** @param {number} x @param {number} y @param {number} threshold */
  isLink(x, y, threshold) {
    return this.shared(x, y) > 0 && this.shared(x, y) >= (this.policy.min_shared ?? 0) && this.share(x, y) >= threshold;
  }

  /** Who stands under whom, by rank. @param {number} threshold @returns {Map<number, number>} */
  leaders(threshold) {
    return this.policy.linkage === 'single' ? this.#components(threshold) : this.#stars(threshold);
  }

  /** @param {number} threshold */
  #stars(threshold) {
    /** @type {Map<number, number>} */
    const leader = new Map();
    for (const [at, x] of this.ranked.entries()) {
      const leaders = this.ranked.slice(0, at).filter((y) => leader.get(y) === y);
      const most = Math.max(0, ...leaders.map((y) => this.shared(x, y)));
      const best = leaders.find((y) => this.shared(x, y) === most);
      leader.set(x, best !== undefined && this.isLink(x, best, threshold) ? best : x);
    }
    return leader;
  }

  /** @param {number} threshold */
  #components(threshold) {
    const leader = new Map(this.ranked.map((x) => [x, x]));
    for (let changed = true; changed;) {
      changed = false;
      for (const x of this.ranked) {
        for (const y of this.ranked) {
          if (x === y || !this.isLink(x, y, threshold)) continue;
          const [p, q] = [leader.get(x) ?? x, leader.get(y) ?? y];
          if (this.ranked.indexOf(p) >= this.ranked.indexOf(q)) continue;
          leader.set(y, p);
          changed = true;
        }
      }
    }
    return leader;
  }

  /** @param {number} representative @param {number} member @param {number} threshold @returns {import('../js/types.js').Class} */
  #class(representative, member, threshold) {
    if (!this.isLink(representative, member, threshold)) return 'chained';
    return this.resemblance(representative, member) >= threshold ? 'near' : 'contained';
  }

  /** @param {number} x @param {number} y */
  resemblance(x, y) {
    const shared = this.shared(x, y);
    const union = this.sizes[x] + this.sizes[y] - shared;
    return union === 0 ? 0 : shared / union;
  }

  /** Clusters as a report has them. @param {number} threshold @returns {(import('../js/types.js').ClusterRow & { shared: number[] })[]} */
  clusters(threshold) {
    const leader = this.leaders(threshold);
    /** @type {Map<number, { row: import('../js/types.js').MemberRow, shared: number }[]>} */
    const groups = new Map();
    for (const document of this.documents.keys()) {
      const first = this.standIn[document];
      const representative = leader.get(first) ?? first;
      if (document === representative) continue;
      const same = first === representative;
      const shared = same ? this.sizes[representative] : this.shared(representative, first);
      const share = (/** @type {number} */ d) => (same ? 1 : shared / this.sizes[d]);
      const list = groups.get(representative) ?? [];
      list.push({ row: [document, same ? 'identical' : this.#class(representative, first, threshold), same ? 1 : this.resemblance(representative, first), share(first), share(representative), null], shared });
      groups.set(representative, list);
    }
    const order = ['identical', 'near', 'contained', 'chained'];
    return [...groups].map(([representative, members]) => {
      members.sort(({ row: x }, { row: y }) => (y[2] ?? -1) - (x[2] ?? -1) || order.indexOf(x[1]) - order.indexOf(y[1]) || x[0] - y[0]);
      return { representative, members: members.map((m) => m.row), shared: members.map((m) => m.shared) };
    }).sort((x, y) => y.members.length - x.members.length || x.representative - y.representative);
  }

  /** Pairs of folders of which neither is in the other. @returns {import('../js/types.js').FolderPair[]} */
  folders() {
    /** @type {Map<string, number[]>} */
    const inside = new Map();
    for (const [document, { id }] of this.documents.entries()) {
      for (let at = id.indexOf('/'); at > 0; at = id.indexOf('/', at + 1)) {
        const folder = id.slice(0, at);
        inside.set(folder, [...(inside.get(folder) ?? []), document]);
      }
    }
    const sum = (/** @type {number[]} */ documents) => documents.reduce((n, d) => n + this.sizes[d], 0);
    const held = (/** @type {number[]} */ documents, /** @type {number[]} */ others) => {
      const there = new Set(others.flatMap((d) => [...this.counts[d].keys()]));
      return documents.reduce((n, d) => n + [...this.counts[d]].reduce((m, [chunk, times]) => m + (there.has(chunk) ? times * this.length(chunk) : 0), 0), 0);
    };
    /** @type {import('../js/types.js').FolderPair[]} */
    const pairs = [];
    for (const [folder, documents] of inside) {
      for (const [other, others] of inside) {
        if (folder === other || `${folder}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${folder}/`)) continue;
        const pair = {
          folder, files: documents.length, bytes: sum(documents), inside: held(documents, others), share: held(documents, others) / sum(documents),
          other, other_files: others.length, other_bytes: sum(others), other_inside: held(others, documents), other_share: held(others, documents) / sum(others),
        };
        if (pair.share > pair.other_share || (pair.share === pair.other_share && folder < other)) pairs.push(pair);
      }
    }
    return pairs.filter((pair) => pair.inside > 0).sort((x, y) => y.inside - x.inside || y.share - x.share || (x.folder < y.folder ? -1 : 1));
  }
}

/** The page of a corpus, as a scan by chunks would give it. @param {Corpus} corpus @returns {import('../js/types.js').Page} */
export function chunkedPage(corpus) {
  const naive = new Naive(corpus);
  const { documents, policy, sizes, bytes, contents, standIn, ranked } = naive;
  const different = [...new Set(contents)];
  const clusters = naive.clusters(policy.threshold);
  /** @type {[number, number][]} */
  const pairs = naive.distinct.flatMap((a) => naive.distinct.filter((b) => a < b && naive.share(a, b) >= naive.explore).map((b) => /** @type {[number, number]} */ ([a, b])));
  const rank = documents.map((_, d) => ranked.indexOf(standIn[d]));
  const chunks = documents.flatMap((d) => d.chunks);
  const total = (/** @type {number[]} */ list) => list.reduce((sum, n) => sum + n, 0);
  const kinds = clusters.flatMap((c) => c.members.map((m) => m[1]));
  const number = (/** @type {string} */ kind) => kinds.filter((k) => k === kind).length;
  const members = clusters.flatMap((c) => c.members.map((m) => m[0]));
  return {
    kind: 'scan', name: 'chunked', made: 1_790_000_000, inputs: ['archive'], command: ['scan', 'archive', '--lens', 'chunks'], skipped: [], skipped_all: 0, templates: [], decisions: [], clusters,
    report: {
      lookalike: '0', lens: 'chunks', recipe: RECIPE, compared_by: RECIPE, policy, documents: documents.length, bytes: total(bytes), repeated_ids: 0,
      summary: {
        clusters: clusters.length, clustered: clusters.length + kinds.length, identical: number('identical'), lexical: 0, shingle: 0, near: number('near'), contained: number('contained'), chained: number('chained'),
        redundant_bytes: total(members.map((d) => bytes[d])),
      },
    },
    chunks: {
      parameters: { mean: 1000, tmin: 453, tmax: 2759, divisor: 532.0197, backup: 266.0099 }, chunks: chunks.length, distinct: new Set(chunks).size, mean: total(bytes) / chunks.length,
      empty: 0, alone: 0, components: clusters.length, largest_component: Math.max(0, ...clusters.map((c) => c.members.length + 1)), max_df: 0.5, frequent: [], frequent_all: 0, templates: [], templates_all: 0, suggestions: [], suggestions_all: 0,
      folders: naive.folders(), folders_all: naive.folders().length, ...corpus.chunks,
    },
    documents: {
      id: documents.map((d) => d.id), bytes, size: sizes, length: sizes, modified: documents.map((d) => d.modified ?? null), content: contents.map((c) => different.indexOf(c)), canonical: standIn, same: documents.map(() => 'identical'), rank,
    },
    contents: different.map((c) => salt(c).toString(16)), left_out: { clusters: 0, documents: 0 }, texts: { limit: 32_000_000, embedded: 0, block: different.map(() => null), blocks: [], without: [] },
    pairs: {
      from: naive.explore, all: pairs.length, a: pairs.map(([a]) => a), b: pairs.map(([, b]) => b), of_a: pairs.map(([a]) => sizes[a]), of_b: pairs.map(([, b]) => sizes[b]), shared: pairs.map(([a, b]) => naive.shared(a, b)),
      sample_a: [], sample_b: [], sample_shared: [], sample_exhaustive: [],
    },
  };
}

/** A packed value as it stands in a page. @param {unknown} value */
const packed = (value) => gzipSync(JSON.stringify(value)).toString('base64');

/** A page with other data, and with the texts of its documents. @param {string} html any page of the program @param {import('../js/types.js').Page} data @param {Made[]} documents */
export function filledPage(html, data, documents) {
  const texts = { ...data.texts, block: [...data.texts.block], blocks: /** @type {[number, number][]} */ ([]), without: /** @type {number[]} */ ([]) };
  let all = '';
  data.documents.id.forEach((id, document) => {
    const content = data.documents.content[document];
    const { text = null } = documents.find((d) => d.id === id) ?? {};
    if (texts.block[content] !== null || texts.without.includes(content)) return;
    if (text === null) {
      texts.without.push(content);
      return;
    }
    const block = packed({ [content]: { text, format: 'text' } });
    texts.block[content] = texts.blocks.length;
    texts.blocks.push([all.length, block.length]);
    texts.embedded += 1;
    all += block;
  });
  return html.replace(/id="data">[^<]*</, () => `id="data">${packed({ ...data, texts })}<`).replace(/id="texts">[^<]*</, () => `id="texts">${all}<`);
}
