// The cores of a large cluster: a small picture of them all, and a card for each.

import { h, s } from '../../dom.js';
import { commas, count } from '../../format.js';
import { fit, layout } from '../../parts/layout.js';
import { address } from '../../route.js';
import { shortNameOf } from './names.js';

/**
 * @typedef {import('../clustercores.js').ClusterCores} ClusterCores
 * @typedef {import('../start.js').CopiesApp} CopiesApp
 */

/** Cards that are drawn; the rest is counted. */
const CARDS = 12;
const NAMES = 3;

/** Each core as a disc with its number of submissions, dotted lines where bridges link two. @param {ClusterCores} cores @param {number} width @param {number} most */
export function coresPicture({ cores, group, bridges }, width, most) {
  const shown = cores.slice(0, 40);
  /** @type {Map<string, { from: number, to: number, length: number }>} */
  const links = new Map();
  /** @type {Map<number, Set<number>>} by group that is no core: the cores that it is linked with */
  const through = new Map();
  const link = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ length) => {
    const key = `${Math.min(from, to)}/${Math.max(from, to)}`;
    if (from !== to && !links.has(key)) links.set(key, { from: Math.min(from, to), to: Math.max(from, to), length });
  };
  for (const { a, b } of bridges) {
    // cores are the first of all groups
    const [from, to] = [group.get(a) ?? 0, group.get(b) ?? 0].sort((x, y) => x - y);
    if (to < shown.length) link(from, to, 1);
    else if (from < shown.length) through.set(to, (through.get(to) ?? new Set()).add(from));
  }
  for (const near of through.values()) for (const core of near) link([...near][0], core, 1.5);
  const small = shown.length > 20 ? 0.55 : shown.length > 8 ? 0.75 : 1;
  const radius = (/** @type {number} */ at) => (5 + 2.8 * Math.sqrt(shown[at].length)) * small;
  const lines = [...links.values()];
  const { points, height } = fit(layout(shown.length, lines), { width, most, unit: 60, apart: 8, padX: 16, padY: 16, radii: shown.map((_, at) => radius(at) + 2) });
  const at = (/** @type {number} */ value) => value.toFixed(1);
  return s('svg', { class: 'graph-thumbnail', width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
    lines.map(({ from, to }) => s('line', { class: 'graph-line bridge', x1: at(points[from].x), y1: at(points[from].y), x2: at(points[to].x), y2: at(points[to].y), 'stroke-width': 1.6, 'stroke-opacity': 0.8 })),
    shown.map((members, place) => [s('circle', { class: 'core-disc', cx: at(points[place].x), cy: at(points[place].y), r: at(radius(place)) }), s('text', { class: 'core-count', x: at(points[place].x), y: at(points[place].y) }, members.length)]).flat());
}

/** @param {CopiesApp} app @param {import('../model.js').Cluster} cluster @param {ClusterCores} cores @param {number} chosen  -1 for none */
export function coreCards(app, cluster, { cores, groups }, chosen) {
  const inside = new Map();
  const whose = new Map(cores.flatMap((members, at) => members.map((member) => [member, at])));
  for (const p of cluster.pairs) {
    const core = whose.get(p.a);
    if (core !== undefined && core === whose.get(p.b)) inside.set(core, [...(inside.get(core) ?? []), p]);
  }
  const others = groups.reduce((n, members) => n + (members.length < 3 ? members.length : 0), 0);
  const to = (/** @type {number} */ at) => address(['cluster', cluster.submissions[0]], { core: at < 0 ? null : at + 1 });
  const shown = cores.map((_, at) => at).filter((at) => at < CARDS || at === chosen);
  return h('nav', { class: 'core-cards', 'aria-label': 'Cores of this cluster', 'data-part': 'cores' },
    h('a', { class: 'core-card', href: to(-1), 'aria-current': chosen < 0 ? 'true' : null }, h('b', {}, 'The whole cluster'), h('span', { class: 'small muted' }, `${commas(cluster.submissions.length)} in ${count(cores.length, 'core')}${others > 0 ? `, ${commas(others)} in none` : ''}`)),
    shown.map((at) => {
      const pairs = inside.get(at) ?? [];
      const mean = pairs.reduce((/** @type {number} */ sum, /** @type {import('../types.js').Pair} */ p) => sum + p.similarity, 0) / Math.max(1, pairs.length);
      const names = [...new Set(cores[at].map((member) => shortNameOf(app, member)))];
      return h('a', { class: 'core-card', href: to(at), 'data-core': at + 1, 'aria-current': at === chosen ? 'true' : null },
        h('b', {}, `Core ${at + 1}: ${commas(cores[at].length)}`, h('span', { class: 'muted number' }, ` · ${Math.round(mean * 100)}%`)),
        h('span', { class: 'small muted core-names' }, names.slice(0, NAMES).flatMap((name, n) => [n > 0 && ', ', h('bdi', {}, name)]), names.length > NAMES && ' …'));
    }),
    cores.length > shown.length && h('span', { class: 'small muted core-more' }, `and ${count(cores.length - shown.length, 'smaller core')}`));
}
