// Clusters as they are reviewed, whether an index or a saved run has them.

import { inCollection } from './api.js';

/** Members listed of a cluster of a run. */
const MEMBERS = 100;

/**
 * @param {import('./api.js').Api} api
 * @param {import('./types.js').Served} index
 * @param {number} from
 * @param {number} limit
 * @returns {Promise<{ all: number, clusters: import('./types.js').ReviewCluster[] }>}
 */
export async function loadClusters(api, index, from, limit) {
  if (index.kind === 'run') return ofRun(await api.get(inCollection(index.name, 'clusters')), from, limit);
  const page = await api.get(inCollection(index.name, 'clusters'), { from: from || null, limit });
  return { all: page.clusters, clusters: page.listed.map((/** @type {any} */ listed, /** @type {number} */ at) => ofIndex(listed, from + at + 1)) };
}

/** @param {any} listed @param {number} number @returns {import('./types.js').ReviewCluster} */
function ofIndex(listed, number) {
  return {
    key: listed.representative,
    number,
    size: listed.documents,
    documents: [
      { content: listed.representative, seen: listed.seen, likeness: null, about: '' },
      ...listed.members.map((/** @type {any} */ { content, seen, resemblance }) => ({ content, seen, likeness: resemblance.value, about: `estimated: ${(resemblance.low * 100).toFixed(1)}% to ${(resemblance.high * 100).toFixed(1)}%` })),
    ],
  };
}

/** The report of a run has all of them. @param {any} report @param {number} from @param {number} limit */
export function ofRun(report, from, limit) {
  const seen = (/** @type {string} */ url) => [{ url, first: null, last: null, current: true }];
  /** @type {any[]} */
  const all = report.clusters ?? [];
  const clusters = all.slice(from, from + limit).map(({ id, representative, members }) => ({
    key: String(representative),
    number: Number(id),
    size: members.length + 1,
    documents: [
      { content: null, seen: seen(representative), likeness: null, about: '' },
      ...members.slice(0, MEMBERS - 1).map((/** @type {any} */ member) => ({ content: null, seen: seen(member.id), likeness: member.containment ?? member.resemblance, about: 'share of its bytes that the first has' })),
    ],
  }));
  return { all: all.length, clusters };
}
