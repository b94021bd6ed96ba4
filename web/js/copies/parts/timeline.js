// When the members of a cluster handed in, the first on top. An arc leads from the earlier of two to the later.

import { h, s, cleanName } from '../../dom.js';
import { count, moment, percent } from '../../format.js';
import { address } from '../../route.js';
import { shortNameOf } from './names.js';

const ROW = 30;
const MOST = 60;
/** Room for the arcs. */
const ARCS = 120;

/** `3 days`, `2 hours`, `5 minutes` @param {number} seconds */
export function span(seconds) {
  const units = /** @type {[number, string][]} */ ([[86_400 * 365.25, 'year'], [86_400, 'day'], [3600, 'hour'], [60, 'minute']]);
  const [size, name] = units.find(([unit]) => seconds >= unit * 0.95) ?? [1, 'second'];
  return count(Math.round(seconds / size), name);
}

/** Those with a date, earliest first. @param {import('../model.js').CopiesModel} model @param {number[]} submissions */
export function dated(model, submissions) {
  return submissions.filter((at) => model.submissions[at].created !== undefined).sort((x, y) => (model.submissions[x].created ?? 0) - (model.submissions[y].created ?? 0) || x - y);
}

/** @param {import('../start.js').CopiesApp} app @param {import('../model.js').Cluster} cluster @returns {HTMLElement | null}  null where dates are not known */
export function timeline(app, cluster) {
  const { model } = app;
  const all = dated(model, cluster.submissions);
  if (all.length < 2) return null;
  const shown = all.slice(0, MOST);
  const when = (/** @type {number} */ at) => model.submissions[at].created ?? 0;
  const [first, last] = [when(shown[0]), when(shown[shown.length - 1])];
  // an earlier year would press all others into one point: then only the order counts
  const gaps = shown.slice(1).map((at, i) => when(at) - when(shown[i]));
  const even = Math.max(...gaps) > 0.8 * (last - first) && shown.length > 2;
  const x = (/** @type {number} */ row) => (even ? row / (shown.length - 1) : last === first ? 0.5 : (when(shown[row]) - first) / (last - first)) * 96 + 2;
  const y = (/** @type {number} */ row) => ROW * (row + 0.5);
  const row = new Map(shown.map((at, i) => [at, i]));
  const arcs = cluster.pairs.filter((p) => row.has(p.a) && row.has(p.b)).slice(0, 300).map((p) => {
    const [i, j] = [row.get(p.a) ?? 0, row.get(p.b) ?? 0].sort((m, n) => m - n);
    const reach = Math.min(ARCS, 24 + (j - i) * 16);
    return s('a', { href: address(['pair', shown[i], shown[j]]), class: 'time-arc', 'aria-label': `${shortNameOf(app, shown[i])}, then ${shortNameOf(app, shown[j])}: ${percent(p.similarity)} similar` },
      s('path', { d: `M${ARCS} ${y(i)}C${ARCS - reach} ${y(i)} ${ARCS - reach} ${y(j)} ${ARCS - 8} ${y(j)}`, 'stroke-width': (1 + 5 * p.similarity).toFixed(1), 'stroke-opacity': (0.25 + 0.7 * p.similarity).toFixed(2) }), s('path', { class: 'time-tip', d: `M${ARCS} ${y(j)}l-9 -4.5v9Z` }));
  });
  const lines = shown.map((_, i) => s('line', { class: 'time-line', x1: 0, x2: '100%', y1: y(i), y2: y(i) }));
  const dots = shown.map((at, i) => {
    const hue = model.hue(model.submissions[at].label);
    return s('circle', { class: `graph-dot person${hue === null ? '' : ` pair-hue${hue}`}`, cx: `${x(i).toFixed(2)}%`, cy: y(i), r: 7 });
  });
  const names = shown.map((at, i) => h('li', { class: 'time-name' }, h('a', { href: address(['submission', at]) }, h('bdi', {}, shortNameOf(app, at))),
    h('span', { class: 'muted small number' }, i === 0 ? `${moment(when(at))} · first` : `${moment(when(at))} · ${span(when(at) - when(shown[i - 1]))} later`)));
  return h('figure', { class: 'timeline', 'data-part': 'timeline' },
    h('div', { class: 'time-grid' }, h('ol', { class: 'time-names' }, names),
      s('svg', { width: ARCS, height: ROW * shown.length, role: 'group', 'aria-label': 'Pairs, from the earlier to the later' }, arcs),
      s('svg', { class: 'time-plot', height: ROW * shown.length, 'aria-hidden': 'true' }, lines, dots)),
    h('figcaption', { class: 'small muted' }, h('bdi', {}, cleanName(shortNameOf(app, shown[0]))), ` handed in first. An arc leads from the earlier of two to the later; thicker means more similar. Who handed in first need not be the author.`,
      even && ' The dots are evenly spaced: one gap is far longer than all others.', all.length < cluster.submissions.length && ` ${count(cluster.submissions.length - all.length, 'member')} without a date.`, all.length > shown.length && ` The first ${MOST} of ${all.length}.`));
}
