// Which pairs and submissions are listed, and in which order. No elements here: everything can be tested.

/**
 * @typedef {import('./types.js').Pair} Pair
 * @typedef {'similarity' | 'share' | 'longest' | 'overlap' | 'passages' | 'rarity' | 'expected' | 'name'} PairSort
 *
 * @typedef {object} WantedPairs
 * @property {PairSort} sort
 * @property {'asc' | 'desc'} dir
 * @property {string} q         words that the names of the two must have
 * @property {number} label     a group that one of the two must be of, by its place: names are not for the address; -1 for any
 * @property {number} cluster   a submission whose cluster both must be in; -1 for any
 * @property {string} verdict   `undecided`, `decided` or a verdict
 * @property {boolean} below    also those below the threshold
 */

/** The direction in which a column is of most use. @type {Record<PairSort, 'asc' | 'desc'>} */
export const FIRST_DIR = { similarity: 'desc', share: 'desc', longest: 'desc', overlap: 'desc', passages: 'desc', rarity: 'desc', expected: 'asc', name: 'asc' };

/** @param {URLSearchParams} query @param {boolean} [hides]  what was decided before is left out unless it is asked for @returns {WantedPairs} */
export function wantedPairs(query, hides = false) {
  const asked = query.get('sort') ?? '';
  const sort = Object.hasOwn(FIRST_DIR, asked) ? /** @type {PairSort} */ (asked) : 'similarity';
  const dir = query.get('dir');
  const number = (/** @type {string} */ name) => (/^\d{1,9}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : -1);
  return {
    sort, dir: dir === 'asc' || dir === 'desc' ? dir : FIRST_DIR[sort], q: query.get('q') ?? '', label: number('label'),
    cluster: number('cluster'), verdict: wantedVerdict(query.get('verdict') ?? (hides ? 'undecided' : '')), below: query.get('below') === '1',
  };
}

/** `any` is asked for where something else is the rule. @param {string} verdict */
const wantedVerdict = (verdict) => (verdict === 'any' ? '' : verdict);

/** A test of submissions: every word is in a name, as it is shown. @param {import('./names.js').Names} names @param {string} q @returns {((at: number) => boolean) | null} */
export function finder(names, q) {
  const words = q.toLowerCase().split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return null;
  /** @type {string[]} */
  const known = [];
  return (at) => {
    const { label, files } = names.model.submissions[at];
    const text = (known[at] ??= [names.submission(at), names.person(at) ?? '', names.owner(at) ?? '', label === undefined ? '' : names.label(label), ...files.map((_, f) => names.file(at, f))].join('\n').toLowerCase());
    return words.every((word) => text.includes(word));
  };
}

/**
 * @param {import('./model.js').CopiesModel} model @param {import('./names.js').Names} names
 * @param {{ get(pair: Pair): { verdict: string } | undefined }} verdicts @param {WantedPairs} want
 */
export function selectPairs(model, names, verdicts, want) {
  const found = finder(names, want.q);
  const cluster = want.cluster < 0 ? null : new Set(model.clusterOf(want.cluster)?.submissions ?? []);
  const kept = model.pairs.slice(0, want.below ? undefined : model.above(model.threshold)).filter((pair) => {
    const sides = [pair.a, pair.b];
    if (want.label >= 0 && !sides.some((s) => model.submissions[s].label === model.labels[want.label]?.[0])) return false;
    if (cluster !== null && !sides.every((s) => cluster.has(s))) return false;
    if (want.verdict !== '') {
      const verdict = verdicts.get(pair)?.verdict ?? '';
      // what is to be looked at again is not decided
      const decided = verdict !== '' && verdict !== 'again';
      if (want.verdict === 'decided' ? !decided : want.verdict === 'undecided' ? decided : verdict !== want.verdict) return false;
    }
    return found === null || sides.some(found);
  });
  const value = {
    similarity: (/** @type {Pair} */ p) => p.similarity, share: (/** @type {Pair} */ p) => Math.max(p.share_a, p.share_b), longest: (/** @type {Pair} */ p) => p.longest, overlap: (/** @type {Pair} */ p) => p.overlap,
    passages: (/** @type {Pair} */ p) => p.passages_all, rarity: (/** @type {Pair} */ p) => p.rarity, expected: (/** @type {Pair} */ p) => p.expected ?? Infinity, name: (/** @type {Pair} */ p) => names.short(p.a).toLowerCase(),
  }[want.sort];
  const sign = want.dir === 'asc' ? 1 : -1;
  const order = (/** @type {Pair} */ x, /** @type {Pair} */ y) => (value(x) < value(y) ? -sign : value(x) > value(y) ? sign : y.similarity - x.similarity);
  return kept.sort(order);
}
