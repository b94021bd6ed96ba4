// Pairs, and clusters of submissions, as lists to work through.

import { cleanName } from '../dom.js';
import { commas } from '../format.js';
import { address } from '../route.js';
import { Worklist, verdictFilter } from '../worklist.js';
import { finder, selectPairs, wantedPairs } from './filters.js';
import { PAIR_VERDICTS } from './verdictfile.js';

/**
 * @typedef {import('./types.js').Pair} Pair
 * @typedef {import('./model.js').Cluster} Cluster
 * @typedef {{ model: import('./model.js').CopiesModel, names: import('./names.js').Names, verdicts: import('./verdicts.js').PairVerdicts }} Parts
 */

/** What of an address says which pairs are listed, and how; `ring` is a cluster whose page lists them, `of` a submission. */
export const PAIR_NAMES = ['sort', 'dir', 'q', 'label', 'cluster', 'verdict', 'below', 'ring', 'of'];
/** The same of clusters. */
export const RING_NAMES = ['q', 'label'];

/** The order in words. @type {Record<import('./filters.js').PairSort, { desc: string, asc: string }>} */
const ORDERS = {
  similarity: { desc: 'most similar first', asc: 'least similar first' },
  share: { desc: 'largest share first', asc: 'smallest share first' },
  longest: { desc: 'longest first', asc: 'shortest first' },
  overlap: { desc: 'largest overlap first', asc: 'smallest overlap first' },
  passages: { desc: 'most passages first', asc: 'fewest passages first' },
  rarity: { desc: 'rarest first', asc: 'most frequent first' },
  expected: { asc: 'least expected first', desc: 'most expected first' },
  name: { asc: 'by name', desc: 'by name, backwards' },
};

/** @param {URLSearchParams} query @param {string} name */
function numberOf(query, name) {
  return /^\d{1,9}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : -1;
}

/** @param {URLSearchParams} query @param {string[]} names */
function taken(query, names) {
  return Object.fromEntries(names.map((name) => [name, query.get(name)]));
}

/** @param {Parts} parts @returns {Worklist<Pair>} */
export function pairWorklist({ model, names, verdicts }) {
  const group = (/** @type {number} */ label) => cleanName(names.label(model.labels[label]?.[0] ?? ''));
  const want = (/** @type {URLSearchParams} */ query) => wantedPairs(query, verdicts.before > 0);
  return new Worklist({
    names: PAIR_NAMES,
    path: (pair) => ['pair', pair.a, pair.b],
    select(query) {
      const [ring, of] = [numberOf(query, 'ring'), numberOf(query, 'of')];
      if (ring >= 0) return [...model.clusterOf(ring)?.pairs ?? []];
      return of >= 0 ? [...model.of[of] ?? []] : selectPairs(model, names, verdicts, want(query));
    },
    open: (pair) => verdicts.open(pair),
    basis: () => model.threshold,
    wider: [{ verdict: 'any' }, { verdict: 'any', below: '1' }],
    home(query) {
      const [ring, of] = [numberOf(query, 'ring'), numberOf(query, 'of')];
      if (ring >= 0) return { href: address(['cluster', ring]), name: 'Cluster' };
      if (of >= 0) return { href: address(['submission', of]), name: cleanName(names.short(of)) };
      return { href: address(['pairs'], taken(query, PAIR_NAMES)), name: 'Pairs' };
    },
    tell(query) {
      const [ring, of] = [numberOf(query, 'ring'), numberOf(query, 'of')];
      if (ring >= 0) return `of cluster ${commas(model.clusterOf(ring)?.number ?? 0)}, ${ORDERS.similarity.desc}`;
      if (of >= 0) return `of this submission, ${ORDERS.similarity.desc}`;
      const { label, cluster, q, verdict, below, sort, dir } = want(query);
      return [
        label >= 0 && group(label), cluster >= 0 && `cluster ${commas(model.clusterOf(cluster)?.number ?? 0)}`, q !== '' && `“${cleanName(q)}”`,
        verdictFilter(verdict, (name) => PAIR_VERDICTS[/** @type {import('./verdicts.js').PairVerdict} */ (name)]?.name ?? cleanName(name)), below && 'below the threshold too', ORDERS[sort][dir],
      ].filter((part) => part).join(', ');
    },
  });
}

/** Clusters that an address asks for. @param {Parts} parts @param {URLSearchParams} query */
export function selectClusters({ model, names }, query) {
  const want = wantedPairs(query);
  const found = finder(names, want.q);
  const group = model.labels[want.label]?.[0];
  return model.clusters.filter((c) => (found === null || c.submissions.some(found)) && (want.label < 0 || c.submissions.some((s) => model.submissions[s].label === group)));
}

/** @param {Parts} parts @returns {Worklist<Cluster>} */
export function ringWorklist(parts) {
  const { model, names, verdicts } = parts;
  return new Worklist({
    names: RING_NAMES,
    path: (cluster) => ['cluster', cluster.submissions[0]],
    select: (query) => selectClusters(parts, query),
    open: (cluster) => cluster.pairs.some((pair) => verdicts.open(pair)),
    basis: () => model.clusters,
    home: (query) => ({ href: address(['clusters'], taken(query, RING_NAMES)), name: 'Clusters' }),
    tell(query) {
      const { label, q } = wantedPairs(query);
      return [label >= 0 && cleanName(names.label(model.labels[label]?.[0] ?? '')), q !== '' && `“${cleanName(q)}”`, 'largest first'].filter((part) => part).join(', ');
    },
  });
}
