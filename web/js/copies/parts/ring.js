// A cluster as a graph and as a heat map.

import { h, cleanName } from '../../dom.js';
import { commas, count, percent } from '../../format.js';
import { seriate } from '../../parts/graphdata.js';
import { heatLegend } from '../../parts/matrix.js';
import { coreKey, dotKey, lineKey } from '../../parts/network.js';
import { short } from '../../recipe.js';
import { address } from '../../route.js';
import { arranged, islandsOf } from '../classmap.js';
import { coresOf } from '../clustercores.js';
import { shortNameOf } from './names.js';

/**
 * @typedef {import('../start.js').CopiesApp} CopiesApp
 * @typedef {import('../model.js').Cluster} Cluster
 */

/** More would not be seen. */
const NODES = 300;
const LINKS = 1500;
const ROWS = 40;
/** Pixels of height of a large graph. */
const TALL = 470;

/** The class that gives a node the colour of its group. @param {CopiesApp} app @param {number} at */
export function kindOf({ model }, at) {
  const hue = model.hue(model.submissions[at].label);
  return `person${model.submissions[at].archive === true ? ' old' : ''}${hue === null ? '' : ` pair-hue${hue}`}`;
}

/** A pair as a note under the pointer. @param {CopiesApp} app @param {import('../types.js').Pair} p */
export function pairNote(app, p) {
  return [h('bdi', { class: 'hovernote-name' }, shortNameOf(app, p.a)), h('bdi', { class: 'hovernote-name' }, shortNameOf(app, p.b)), h('div', {}, h('strong', {}, percent(p.similarity)), ` similar, ${count(p.passages_all, 'passage')}`), h('div', {}, `${short(p.share_a)} of the first, ${short(p.share_b)} of the second`)];
}

/** The colours of groups among some submissions. @param {CopiesApp} app @param {number[]} shown */
export function groupKeys({ model, names }, shown) {
  const there = new Set(shown.map((s) => model.submissions[s].label));
  return model.labels.filter(([label]) => there.has(label)).slice(0, 12).map(([label]) => dotKey(`person${model.hue(label) === null ? '' : ` pair-hue${model.hue(label)}`}`, cleanName(names.label(label))));
}

/** @param {CopiesApp} app @param {Cluster} cluster @param {number} [core]  the one that stands out; -1 for none @returns {import('../../parts/network.js').Drawing} */
export function ringGraph(app, cluster, core = -1) {
  const { model, names } = app;
  const cores = coresOf(cluster);
  // those in cores first, if there are too many
  const all = cores === null || cluster.submissions.length <= NODES ? cluster.submissions : cores.groups.flat();
  const shown = all.slice(0, NODES);
  const place = new Map(shown.map((s, at) => [s, at]));
  const inside = cluster.pairs.filter((p) => place.has(p.a) && place.has(p.b));
  const links = inside.slice(0, LINKS);
  const strength = (/** @type {number} */ similarity) => Math.max(0, (similarity - model.threshold) / Math.max(0.01, 1 - model.threshold));
  /** @type {Map<number, number>} */
  const degrees = new Map();
  for (const p of cluster.pairs) for (const s of [p.a, p.b]) degrees.set(s, (degrees.get(s) ?? 0) + 1);
  const degree = (/** @type {number} */ s) => degrees.get(s) ?? 0;
  const summary = `${count(cluster.submissions.length, 'submission')}, ${count(cluster.count, 'pair')} from ${short(model.threshold)} on.`;
  const large = cores !== null && cluster.submissions.length <= NODES;
  const drawn = (cores?.cores ?? []).map((members) => members.flatMap((s) => place.get(s) ?? [])).filter((members) => members.length > 1);
  return {
    nodes: shown.map((s) => ({
      name: shortNameOf(app, s), label: `${shortNameOf(app, s)}: in ${count(degree(s), 'pair')}`, kind: kindOf(app, s), radius: large ? 0.7 + 0.05 * Math.min(6, degree(s)) : 8 + Math.min(6, degree(s)), copies: 1, document: s, href: address(['submission', s]),
      note: () => [h('bdi', { class: 'hovernote-name' }, shortNameOf(app, s)), h('div', {}, `in ${count(degree(s), 'pair')} of this cluster`), h('div', {}, h('bdi', {}, cleanName(names.submission(s))))],
    })),
    links: links.map((p) => {
      const bridge = cores?.bridges.has(p) === true;
      return {
        from: place.get(p.a) ?? 0, to: place.get(p.b) ?? 0, contained: false, bridge, strength: strength(p.similarity), length: bridge ? 2.6 : 1.3 - 0.55 * strength(p.similarity), href: address(['pair', p.a, p.b]),
        note: () => pairNote(app, p),
      };
    }),
    cores: drawn,
    place: large ? placing(cluster, shown) : undefined,
    chosen: cores === null || core < 0 ? null : new Set(cores.cores[core].flatMap((s) => place.get(s) ?? [])),
    summary,
    below: [h('div', { class: 'graph-legend' }, groupKeys(app, shown), lineKey('', 'thicker: more similar'), drawn.length > 0 && [coreKey('a core'), lineKey('bridge', 'a bridge')]),
      h('p', { class: 'graph-summary' }, `${summary} A line opens the pair, a dot the submission.`, cluster.submissions.length > shown.length && ` ${commas(cluster.submissions.length - shown.length)} more are not drawn.`, inside.length > links.length && ` The ${commas(links.length)} most similar pairs are drawn.`)],
  };
}

/** A large cluster stands as it does on the map of the class. @param {Cluster} cluster @param {number[]} shown @returns {(width: number) => import('../../parts/network.js').Placed} */
function placing(cluster, shown) {
  /** @type {import('../classmap.js').Island[] | undefined} small pictures do without */
  let islands;
  return (width) => {
    islands ??= islandsOf(cluster);
    const { at, height, radius } = arranged(islands, [], width, TALL);
    return { points: shown.map((s) => at.get(s) ?? { x: 0, y: 0 }), height, size: radius };
  };
}

/** @param {CopiesApp} app @param {Cluster} cluster @param {number} [core] @returns {import('../../parts/matrix.js').Matrix | null}  null where it would say nothing */
export function ringMatrix(app, cluster, core = -1) {
  const { model } = app;
  const cores = coresOf(cluster);
  const members = cores === null ? cluster.submissions : core < 0 ? cores.groups.flat() : cores.cores[core];
  if (members.length < 3) return null;
  const all = members.slice(0, ROWS);
  const alike = (/** @type {number} */ x, /** @type {number} */ y) => model.pair(x, y)?.similarity ?? 0;
  // the members of a core stay together
  const parts = cores === null || core >= 0 ? [all] : cores.groups.map((group) => group.filter((s) => all.includes(s))).filter((group) => group.length > 0);
  const order = parts.flatMap((part) => seriate(part.length, (i, j) => alike(part[i], part[j])).map((at) => part[at]));
  return {
    names: order.map((s) => shortNameOf(app, s)), least: model.range[0], first: () => false,
    seen(i, j) {
      const pair = model.pair(order[i], order[j]);
      if (pair === null) return null;
      const straight = pair.a === order[i];
      return { alike: pair.similarity, inside: straight ? pair.share_a : pair.share_b, has: straight ? pair.share_b : pair.share_a };
    },
    href: (i, j) => (model.pair(order[i], order[j]) === null ? null : address(['pair', order[i], order[j]])),
    below: [heatLegend(short(model.range[0]), 'less, or not compared'),
      members.length > all.length && h('p', {}, `${commas(all.length)} of ${commas(members.length)} members, the largest cores first.${core < 0 ? ' Choose a core to see its own.' : ''}`)],
  };
}
