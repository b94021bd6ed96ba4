// What a graph or a heat map of a cluster shows: documents with different texts, and what is known between them.

import { count } from '../format.js';
import { enough, lensOf } from '../lens.js';

/**
 * @typedef {import('../model.js').Cluster} Cluster
 * @typedef {import('../model.js').Member} Member
 * @typedef {import('../model.js').Pair} Pair
 * @typedef {Pick<import('../model.js').Model, 'page' | 'threshold' | 'pairsWithin' | 'pairsOf'>} Known
 */

/**
 * Documents of the same text.
 * @typedef {object} Node
 * @property {number} document     the one that is shown
 * @property {number[]} documents  all of them in this cluster
 * @property {number} canonical
 * @property {Member | null} member  what is known to the representative; null for its own
 */

/**
 * @typedef {object} Link
 * @property {number} from         nodes, by their place
 * @property {number} to
 * @property {number} resemblance
 * @property {number} alike        by the number that links: the resemblance, or with the chunks lens the share of the smaller
 * @property {number | null} [shared]  bytes in common, with the chunks lens
 * @property {number | null} inside  share of `from` that `to` has; null if the samples cannot tell
 * @property {number | null} has     share of `to` that `from` has
 * @property {boolean} contained   whether only containment links the two: then `from` is in `to`
 */

/** The documents of a cluster, those of the same text as one; the representative first. @param {Known} model @param {Cluster} cluster @returns {Node[]} */
export function distinct(model, cluster) {
  const { canonical: canonicalOf } = model.page.documents;
  const first = canonicalOf[cluster.representative];
  /** @type {Map<number, Node>} */
  const nodes = new Map([[first, { document: cluster.representative, documents: [cluster.representative], canonical: first, member: null }]]);
  for (const member of cluster.members) {
    const canonical = canonicalOf[member.document];
    const node = nodes.get(canonical);
    if (node === undefined) nodes.set(canonical, { document: member.document, documents: [member.document], canonical, member });
    else {
      node.documents.push(member.document);
      if (member.document === canonical && node.member !== null) Object.assign(node, { document: canonical, member });
    }
  }
  return [...nodes.values()];
}

/** Everything that was compared among nodes, listed or known from the cluster. @param {Known} model @param {Node[]} nodes @returns {Link[]} */
export function compared(model, nodes) {
  const place = new Map(nodes.map((node, at) => [node.canonical, at]));
  const link = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ resemblance, /** @type {number | null} */ inside, /** @type {number | null} */ has, /** @type {number | null | undefined} */ shared) => (
    { from, to, resemblance, alike: lensOf(model.page).likeness(resemblance, inside, has), inside, has, shared, contained: false });
  const links = model.pairsWithin(nodes.map((n) => n.canonical)).map((pair) => link(place.get(pair.a) ?? 0, place.get(pair.b) ?? 0, pair.resemblance, pair.a_in_b, pair.b_in_a, pair.shared));
  const known = new Set(links.filter((l) => l.from === 0 || l.to === 0).map((l) => l.from + l.to));
  nodes.forEach(({ member }, at) => {
    if (member === null || known.has(at) || member.resemblance === null) return;
    links.push(link(at, 0, member.resemblance, member.containment, member.contained_by, member.shared));
  });
  return links;
}

/** The links among what was compared: what resembles enough, or is contained. @param {Known} model @param {Link[]} all @returns {Link[]} */
function verified(model, all) {
  const contained = lensOf(model.page).containedFrom(model.page.report.policy, model.threshold) ?? Infinity;
  const links = [];
  for (const link of all) {
    if (!enough(model.page, link.shared)) continue;
    if (link.resemblance >= model.threshold) links.push(link);
    else if (link.inside === null || link.has === null) continue;
    else if (link.inside >= contained && link.inside >= link.has) links.push({ ...link, contained: true });
    else if (link.has >= contained) links.push({ ...link, from: link.to, to: link.from, inside: link.has, has: link.inside, contained: true });
  }
  return links;
}

/**
 * A graph that can be drawn: not more nodes and links than asked for, and what is left out.
 * @param {Known} model
 * @param {Cluster} cluster
 * @param {number} mostNodes
 * @param {number} mostLinks
 */
export function graphOf(model, cluster, mostNodes = 300, mostLinks = 1500) {
  const every = distinct(model, cluster);
  const nodes = every.slice(0, mostNodes);
  const all = verified(model, compared(model, nodes));
  const links = strongest(nodes.length, all, mostLinks);
  const direct = new Set([0]);
  for (const { from, to } of all) if (from === 0 || to === 0) direct.add(from + to);
  return { nodes, links, leftNodes: every.length - nodes.length, leftLinks: all.length - links.length, indirect: nodes.length - direct.size };
}

/** The strongest links, but first those that hold everything together. @param {number} size @param {Link[]} links @param {number} most */
function strongest(size, links, most) {
  if (links.length <= most) return links;
  const strength = (/** @type {Link} */ l) => Math.max(l.resemblance, l.contained ? (l.inside ?? 0) / 2 : 0);
  const sorted = [...links].sort((x, y) => strength(y) - strength(x) || x.from - y.from || x.to - y.to);
  const parent = Array.from({ length: size }, (_, at) => at);
  const find = (/** @type {number} */ x) => {
    while (parent[x] !== x) x = parent[x] = parent[parent[x]];
    return x;
  };
  const tree = new Set(sorted.filter(({ from, to }) => {
    const [x, y] = [find(from), find(to)];
    parent[x] = y;
    return x !== y;
  }));
  const others = sorted.filter((l) => !tree.has(l)).slice(0, Math.max(0, most - tree.size));
  return [...tree, ...others];
}

/** The graph in words. @param {ReturnType<typeof graphOf>} graph @param {string} [text] what documents have */
export function summary({ nodes, links, leftNodes, leftLinks, indirect }, text = 'text') {
  const documents = nodes.reduce((sum, node) => sum + node.documents.length, 0);
  const what = documents === nodes.length ? count(documents, 'document') : `${count(documents, 'document')} with ${count(nodes.length, `different ${text}`)}`;
  const parts = [`${what}, ${count(links.length + leftLinks, 'link')}`];
  if (indirect > 0) parts.push(`${indirect === 1 ? '1 document is' : `${count(indirect, 'document')} are`} linked to the representative only through others`);
  if (leftNodes > 0) parts.push(`${count(leftNodes, 'more document')} not drawn`);
  return `${parts.join('; ')}.`;
}

/**
 * The last parts of names, as few as tell them apart, shortened in the middle.
 * @param {string[]} names
 * @param {number} most  characters
 */
export function shortNames(names, most = 24) {
  const parts = names.map((name) => name.split('/'));
  const depth = names.map(() => 1);
  const tail = (/** @type {number} */ at) => parts[at].slice(-depth[at]).join('/');
  for (let round = 0; round < 4; round++) {
    /** @type {Map<string, number[]>} */
    const same = new Map();
    names.forEach((_, at) => same.set(tail(at), [...(same.get(tail(at)) ?? []), at]));
    for (const places of same.values()) if (places.length > 1) for (const at of places) depth[at] += 1;
  }
  return names.map((_, at) => {
    const letters = [...tail(at)];
    if (letters.length <= most) return letters.join('');
    const end = Math.ceil((most - 1) * 0.6);
    return `${letters.slice(0, most - 1 - end).join('')}…${letters.slice(-end).join('')}`;
  });
}

/**
 * An order in which alike ones are neighbours: the nearest groups are joined until one is left, each time by their nearest ends.
 * @param {number} size
 * @param {(i: number, j: number) => number} alike
 */
export function seriate(size, alike) {
  let groups = Array.from({ length: size }, (_, at) => [at]);
  const between = (/** @type {number[]} */ x, /** @type {number[]} */ y) => {
    let sum = 0;
    for (const i of x) for (const j of y) sum += alike(i, j);
    return sum / (x.length * y.length);
  };
  while (groups.length > 1) {
    let [best, one, two] = [-Infinity, 0, 1];
    for (let i = 0; i < groups.length; i++) {
      for (let j = i + 1; j < groups.length; j++) {
        const value = between(groups[i], groups[j]);
        if (value > best) [best, one, two] = [value, i, j];
      }
    }
    const [x, y] = [groups[one], groups[two]];
    const ways = [[x, y], [x, [...y].reverse()], [[...x].reverse(), y], [[...x].reverse(), [...y].reverse()]];
    const ends = ways.map(([left, right]) => alike(left[left.length - 1], right[0]));
    const joined = ways[ends.indexOf(Math.max(...ends))].flat();
    groups = [...groups.filter((_, at) => at !== one && at !== two), joined];
  }
  const order = groups[0] ?? [];
  // the representative is first, or at least in the first half
  return order.indexOf(0) > (order.length - 1) / 2 ? order.reverse() : order;
}
