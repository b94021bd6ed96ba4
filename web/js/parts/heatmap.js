// The heat map of a cluster: how much every document resembles every other.

import { h, cleanName } from '../dom.js';
import { lensOf } from '../lens.js';
import { address } from '../route.js';
import { compared, distinct, seriate } from './graphdata.js';
import { heatLegend, matrix } from './matrix.js';

/** More would be too small to be read. */
const MOST = 40;

/** What the lightest colour stands for. Contained documents may be listed although they resemble less than the scale begins with. @param {number} least @param {{ alike: number }[]} links */
export function lowEnd(least, links) {
  return `${Math.round(least * 100)}%${links.some((l) => l.alike < least) ? ' or less' : ''}`;
}

/** @param {import('../model.js').Model} model */
export function heatMap(model) {
  const { terms: said, most } = lensOf(model.page);
  const picture = matrix({ label: said.matrix, alike: said.alike, none: 'less, or not compared', most });
  const { element } = picture;

  /** @param {import('../model.js').Cluster} cluster */
  function show(cluster) {
    const all = distinct(model, cluster);
    const given = all.slice(0, MOST);
    // of two it would say one number
    element.hidden = given.length < 3;
    if (element.hidden) return;
    const links = compared(model, given);
    const key = (/** @type {number} */ i, /** @type {number} */ j) => Math.min(i, j) * given.length + Math.max(i, j);
    const known = new Map(links.map((l) => [key(l.from, l.to), l]));
    const order = seriate(given.length, (i, j) => known.get(key(i, j))?.alike ?? 0);
    const nodes = order.map((at) => given[at]);
    const [least] = model.range;
    const low = links.some((l) => l.alike < least);
    picture.show({
      names: nodes.map((n) => cleanName(model.name(n.document))), least,
      seen(i, j) {
        const link = known.get(key(order[i], order[j]));
        if (link === undefined) return null;
        return link.from === order[i] ? link : { ...link, inside: link.has, has: link.inside };
      },
      first: (at) => nodes[at].member === null,
      href: (i, j) => address(['pair', nodes[i].document, nodes[j].document]),
      below: [heatLegend(lowEnd(least, links), low ? 'not compared, or little in common' : 'less, or not compared'),
        all.length > given.length && h('p', {}, `The first ${given.length} of ${all.length} different ${said.text}s.`)],
    });
  }

  return { element, show };
}
