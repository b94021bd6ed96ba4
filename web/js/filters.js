// Which clusters and which sets of identical documents are listed, and in which order. No elements here: everything can be tested.

/**
 * What the address asks of the list of clusters.
 * @typedef {object} Wanted
 * @property {'size' | 'average' | 'bytes' | 'folder' | 'name'} sort
 * @property {'asc' | 'desc'} dir
 * @property {string} q          words that one name must have
 * @property {string} kind       a class that one member must have
 * @property {string} folder     a folder below the common one; `.` for the common one itself
 * @property {string} [also]     another folder that the cluster must be in as well
 * @property {boolean} spans     in more than one folder
 * @property {string} verdict    `undecided`, `decided` or a verdict
 */

/** @typedef {import('./model.js').Cluster} Cluster */
/** @typedef {import('./model.js').Model} Model */

/** The direction in which a column is of most use. @type {Record<Wanted['sort'], 'asc' | 'desc'>} */
export const FIRST = { size: 'desc', average: 'desc', bytes: 'desc', folder: 'asc', name: 'asc' };

/** @param {URLSearchParams} query @returns {Wanted} */
export function wanted(query) {
  const asked = query.get('sort') ?? '';
  const sort = Object.hasOwn(FIRST, asked) ? /** @type {Wanted['sort']} */ (asked) : 'size';
  const dir = query.get('dir');
  return {
    sort,
    dir: dir === 'asc' || dir === 'desc' ? dir : FIRST[sort],
    q: query.get('q') ?? '',
    kind: query.get('class') ?? '',
    folder: query.get('folder') ?? '',
    also: query.get('also') ?? '',
    spans: query.get('spans') === '1',
    verdict: (query.get('verdict') ?? '').replace(/^any$/, ''),
  };
}

/** Finds documents by words of their names. */
export class Finder {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    /** @type {string[]} */
    this.names = [];
  }

  /** A test of documents: every word is in the name, whatever its case. @param {string} q @returns {((document: number) => boolean) | null} */
  test(q) {
    const root = this.model.root.toLowerCase();
    // a whole path that was pasted begins with what all names share, and that is not in them
    const words = q.toLowerCase().split(/\s+/).filter((word) => word !== '').map((word) => (root !== '' && word.startsWith(root) ? word.slice(root.length) : word));
    if (words.length === 0) return null;
    return (document) => {
      const name = (this.names[document] ??= this.model.name(document).toLowerCase());
      return words.every((word) => name.includes(word));
    };
  }
}

/** Whether a folder is the other or below it. @param {string} folder @param {string} above */
export function within(folder, above) {
  if (above === '.') return folder === '';
  return folder === above || folder.startsWith(`${above}/`);
}

/** @typedef {{ get(cluster: Cluster): { verdict: import('./types.js').Verdict } | undefined }} VerdictLookup  what is asked of verdicts here */

/**
 * The clusters that are wanted, in order.
 * @param {Model} model
 * @param {Cluster[]} clusters
 * @param {Wanted} want
 * @param {Finder} finder
 * @param {VerdictLookup} verdicts
 */
export function select(model, clusters, want, finder, verdicts) {
  const named = finder.test(want.q);
  const kept = clusters.filter((cluster) => {
    if (want.spans && cluster.folders.length < 2) return false;
    if (want.kind !== '' && !cluster.classes.has(/** @type {any} */ (want.kind))) return false;
    if ([want.folder, want.also ?? ''].some((wanted) => wanted !== '' && !cluster.folders.some((folder) => within(folder, wanted)))) return false;
    if (want.verdict !== '') {
      const verdict = verdicts.get(cluster)?.verdict ?? null;
      // what is put off is not decided
      const decided = verdict !== null && verdict !== 'later';
      if (want.verdict === 'decided' ? !decided : want.verdict === 'undecided' ? decided : verdict !== want.verdict) return false;
    }
    return named === null || cluster.documents.some(named);
  });
  const order = comparison(model, want.sort);
  const sign = want.dir === 'asc' ? 1 : -1;
  return kept.sort((x, y) => sign * order(x, y) || x.number - y.number);
}

/** @param {Model} model @param {Wanted['sort']} sort @returns {(x: Cluster, y: Cluster) => number} */
function comparison(model, sort) {
  const text = (/** @type {string} */ x, /** @type {string} */ y) => (x < y ? -1 : x > y ? 1 : 0);
  const name = (/** @type {Cluster} */ c) => model.name(c.representative).slice(model.name(c.representative).lastIndexOf('/') + 1);
  return {
    size: (/** @type {Cluster} */ x, /** @type {Cluster} */ y) => x.documents.length - y.documents.length,
    average: (/** @type {Cluster} */ x, /** @type {Cluster} */ y) => x.average - y.average,
    bytes: (/** @type {Cluster} */ x, /** @type {Cluster} */ y) => x.redundant - y.redundant,
    folder: (/** @type {Cluster} */ x, /** @type {Cluster} */ y) => text(model.folder(x.representative), model.folder(y.representative)),
    name: (/** @type {Cluster} */ x, /** @type {Cluster} */ y) => text(name(x), name(y)),
  }[sort];
}

/** Top-level folders with the number of groups that have a document there; most first. @param {string[][]} groups folders of each group @returns {[string, number][]} */
export function topFolders(groups) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const folders of groups) {
    // `/srv/docs` is below `/srv`
    for (const top of new Set(folders.map((folder) => (folder === '' ? '.' : /^\/*[^/]*/.exec(folder)?.[0] ?? folder)))) counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  return [...counts].sort((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1));
}

/** How many members of each class. @param {Cluster} cluster @returns {Map<import('./types.js').Class, number>} */
export function classCounts(cluster) {
  /** @type {Map<import('./types.js').Class, number>} */
  const counts = new Map();
  for (const member of cluster.members) counts.set(member.class, (counts.get(member.class) ?? 0) + 1);
  return counts;
}

/**
 * More than one name for the same bytes.
 * @typedef {object} Copies
 * @property {number} number       1 for the set with the most names
 * @property {number[]} documents
 * @property {number} each         bytes of one
 * @property {number} freed        bytes that go if one stays
 * @property {string[]} folders    each once, sorted
 */

/** @param {Model} model @returns {Copies[]} */
export function copies(model) {
  return model.identicalSets().map((documents, at) => {
    const each = model.page.documents.bytes[documents[0]];
    return { number: at + 1, documents, each, freed: each * (documents.length - 1), folders: [...new Set(documents.map((d) => model.folder(d)))].sort() };
  });
}

/**
 * @param {Copies[]} sets
 * @param {{ sort: string, dir: string, q: string, spans: boolean, folders?: [string, string] | null }} want  `folders`: sets that both have
 * @param {Finder} finder
 */
export function selectCopies(sets, want, finder) {
  const named = finder.test(want.q);
  const both = want.folders ?? null;
  const kept = sets.filter((set) => (!want.spans || set.folders.length > 1)
    && (both === null || (set.folders.includes(both[0]) && set.folders.includes(both[1])))
    && (named === null || set.documents.some(named)));
  const value = (/** @type {Copies} */ set) => (want.sort === 'freed' ? set.freed : want.sort === 'each' ? set.each : set.documents.length);
  const sign = want.dir === 'asc' ? 1 : -1;
  return kept.sort((x, y) => sign * (value(x) - value(y)) || x.number - y.number);
}

/**
 * Two folders that hold the same files.
 * @typedef {object} FolderPair
 * @property {string} a
 * @property {string} b
 * @property {number} shared   contents that both have
 * @property {number} bytes    of the shared contents, once
 */

/** A content in more folders than this says little about any two of them, and would make very many pairs. */
export const MANY_FOLDERS = 12;

/** @param {Copies[]} sets @returns {FolderPair[]} those that share most first */
export function folderPairs(sets) {
  /** @type {Map<string, FolderPair>} */
  const pairs = new Map();
  for (const { folders, each } of sets) {
    if (folders.length > MANY_FOLDERS) continue;
    for (let i = 0; i < folders.length; i++) {
      for (let j = i + 1; j < folders.length; j++) {
        const key = `${folders[i]}\0${folders[j]}`;
        const pair = pairs.get(key) ?? { a: folders[i], b: folders[j], shared: 0, bytes: 0 };
        pair.shared += 1;
        pair.bytes += each;
        pairs.set(key, pair);
      }
    }
  }
  return [...pairs.values()].sort((x, y) => y.shared - x.shared || y.bytes - x.bytes || (x.a < y.a ? -1 : x.a > y.a ? 1 : x.b < y.b ? -1 : 1));
}
