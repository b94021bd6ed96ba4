// The graph of a cluster: who is linked to whom.

import { CORE, LARGE, denseCores } from '../cores.js';
import { h, cleanName } from '../dom.js';
import { commas, percent } from '../format.js';
import { inCommon, terms } from '../lens.js';
import { address } from '../route.js';
import { graphOf, summary } from './graphdata.js';
import { coreKey, dotKey, lineKey, network } from './network.js';

/** @typedef {import('./graphdata.js').Link} Link */

/** @type {Record<string, string>} */
const KINDS = { representative: 'representative', near: 'near', contained: 'contained', chained: 'chained: linked through others', lexical: 'lexical', shingle: 'shingle', identical: 'identical' };

/** @param {import('../model.js').Model} model */
export function clusterGraph(model) {
  const said = terms(model.page);
  const picture = network({ most: 500 });

  /** `80.0% like the representative`; null if nobody knows. @param {import('../model.js').Member} member */
  function like(member) {
    const alike = model.alike(member);
    return alike === null ? null : `${percent(alike)} ${said.like}`;
  }

  /** @param {import('../model.js').Cluster} cluster */
  function show(cluster) {
    const graph = graphOf(model, cluster);
    const name = (/** @type {number} */ at) => cleanName(model.name(graph.nodes[at].document));
    const kind = (/** @type {number} */ at) => (at === 0 ? 'representative' : graph.nodes[at].member?.class ?? 'chained');
    const cores = coresOf(graph);
    picture.show({
      cores: cores?.groups.filter((members) => members.length >= CORE),
      nodes: graph.nodes.map(({ document, documents, member }, at) => {
        // the representative beside a copy of it, else beside who is most like it
        const other = at === 0 ? documents[1] ?? nearest(graph) : document;
        const known = member === null ? 'representative' : `${member.class}, ${like(member) ?? 'not compared with the representative'}`;
        const copies = documents.length === 1 ? '' : `, ${documents.length} documents with this ${said.text}`;
        return {
          name: name(at), label: `${name(at)}: ${known}${copies}`, kind: kind(at), first: at === 0, copies: documents.length, document,
          radius: (at === 0 ? 10 : 7) + Math.min(5, Math.log2(documents.length) * 1.5),
          href: other === null ? null : address(['pair', graph.nodes[0].document, other]),
          note: () => [h('bdi', { class: 'hovernote-name' }, name(at)), h('div', {}, member === null ? 'representative' : like(member) ?? 'linked through others'),
            documents.length > 1 && h('div', {}, `${commas(documents.length)} documents with this ${said.text}`)],
        };
      }),
      links: graph.links.map((link, which) => {
        const bridge = cores?.bridge[which] === true;
        const { from, to, alike, inside, has, shared, contained } = link;
        return {
          from, to, contained, bridge, strength: strength(link), length: bridge ? 2.6 : contained ? 1.3 : 1.25 - 0.5 * strength(link), href: address(['pair', graph.nodes[from].document, graph.nodes[to].document]),
          note: () => [h('bdi', { class: 'hovernote-name' }, name(from)), h('bdi', { class: 'hovernote-name' }, name(to)),
            shared === null || shared === undefined ? h('div', {}, h('strong', {}, percent(alike)), ` ${said.alike}`) : h('div', {}, inCommon(shared, alike)),
            inside !== null && h('div', {}, `${percent(inside)} of the first is in the second, ${percent(has)} the other way`)],
        };
      }),
      summary: summary(graph, said.text),
      below: [legend(graph, graph.nodes.map((_, at) => kind(at)), cores !== null),
        h('p', { class: 'graph-summary' }, summary(graph, said.text), ' ', graph.leftLinks > 0 ? `The ${commas(graph.links.length)} strongest links are drawn.` : '')],
    });
  }

  /** The document that is most like the representative. @param {ReturnType<typeof graphOf>} graph @returns {number | null} */
  function nearest(graph) {
    const links = graph.links.filter((l) => l.from === 0 || l.to === 0).sort((x, y) => y.alike - x.alike);
    return links.length === 0 ? null : graph.nodes[links[0].from + links[0].to].document;
  }

  /** How strong a link is between the threshold and equality. @param {Link} link */
  function strength(link) {
    return Math.max(0, (link.alike - model.threshold) / Math.max(0.01, 1 - model.threshold));
  }

  /** The dense cores of a large cluster whose links chain; where all were compared with the representative there are none. @param {ReturnType<typeof graphOf>} graph */
  function coresOf({ nodes, links }) {
    if (nodes.length <= LARGE || model.page.report.policy.linkage !== 'single') return null;
    const found = denseCores(nodes.length, links);
    return found.groups.length < 2 || found.groups[0].length < CORE ? null : found;
  }

  /** @param {ReturnType<typeof graphOf>} graph @param {string[]} kinds @param {boolean} cores */
  function legend(graph, kinds, cores) {
    return h('div', { class: 'graph-legend' },
      [...new Set(kinds)].map((k) => dotKey(k, KINDS[k] ?? k, k === 'representative')),
      graph.links.some((l) => !l.contained) && lineKey('', 'thicker: more alike'),
      graph.links.some((l) => l.contained) && lineKey('contained', said.arrow(model.threshold)),
      cores && [coreKey('a core: half of all pairs in it are linked'), lineKey('bridge', 'a bridge between cores')],
      graph.nodes.some((n) => n.documents.length > 1) && h('span', { class: 'graph-key' }, h('span', { class: 'graph-times' }, '×2'), `copies of the same ${said.text}`));
  }

  return { element: picture.element, show };
}
