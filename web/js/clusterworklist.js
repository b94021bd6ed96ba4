// The clusters of a scan as a list to work through.

import { verdictName } from './decisions.js';
import { cleanName } from './dom.js';
import { Finder, select, wanted } from './filters.js';
import { folderName } from './parts/name.js';
import { address } from './route.js';
import { Worklist, verdictFilter } from './worklist.js';

/** @typedef {import('./model.js').Cluster} Cluster */

/** What of an address says which clusters are listed, and how. */
export const CLUSTER_NAMES = ['sort', 'dir', 'q', 'class', 'folder', 'also', 'spans', 'verdict'];

/** The order in words, as it is of most use and the other way round. @type {Record<import('./filters.js').Wanted['sort'], { desc: string, asc: string }>} */
const ORDERS = {
  size: { desc: 'largest first', asc: 'smallest first' },
  average: { desc: 'most alike first', asc: 'least alike first' },
  bytes: { desc: 'most bytes first', asc: 'fewest bytes first' },
  folder: { asc: 'by folder', desc: 'by folder, backwards' },
  name: { asc: 'by name', desc: 'by name, backwards' },
};

/** @param {import('./model.js').Model} model @param {import('./verdicts.js').Verdicts} verdicts @returns {Worklist<Cluster>} */
export function clusterWorklist(model, verdicts) {
  const finder = new Finder(model);
  return new Worklist({
    names: CLUSTER_NAMES,
    path: (cluster) => ['cluster', cluster.representative],
    select: (query) => select(model, model.clusters, wanted(query), finder, verdicts),
    open: (cluster) => verdicts.open(cluster),
    basis: () => model.clusters,
    wider: [{ verdict: 'any' }],
    home: (query) => ({ href: address(['clusters'], Object.fromEntries(CLUSTER_NAMES.map((name) => [name, query.get(name)]))), name: 'Clusters' }),
    tell(query) {
      const want = wanted(query);
      const folder = (/** @type {string} */ name) => `in ${name === '.' ? folderName('') : cleanName(name)}`;
      return [
        want.kind, want.folder !== '' && folder(want.folder), want.also && `also ${folder(want.also)}`, want.spans && 'across folders', want.q !== '' && `“${cleanName(want.q)}”`,
        verdictFilter(want.verdict, (verdict) => verdictName(/** @type {import('./types.js').Verdict} */ (verdict)) ?? cleanName(verdict)), ORDERS[want.sort][want.dir],
      ].filter((part) => part).join(', ');
    },
  });
}
