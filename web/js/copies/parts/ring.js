// A cluster as a graph and as a heat map.

import { h, cleanName } from '../../dom.js';
import { commas, count, percent } from '../../format.js';
import { seriate } from '../../parts/graphdata.js';
import { heatLegend } from '../../parts/matrix.js';
import { dotKey, lineKey } from '../../parts/network.js';
import { short } from '../../recipe.js';
import { address } from '../../route.js';
import { shortNameOf } from './names.js';

/**
 * @typedef {import('../start.js').CopiesApp} CopiesApp
 * @typedef {import('../model.js').Cluster} Cluster
 */

/** More would not be seen. */
const NODES = 150;
const LINKS = 1200;
const ROWS = 40;

/** The class that gives a node the colour of its group. @param {CopiesApp} app @param {number} at */
function kindOf({ model }, at) {
  const hue = model.hue(model.submissions[at].label);
  return `person${model.submissions[at].archive === true ? ' old' : ''}${hue === null ? '' : ` pair-hue${hue}`}`;
}

/** @param {CopiesApp} app @param {Cluster} cluster @returns {import('../../parts/network.js').Drawing} */
export function ringGraph(app, cluster) {
  const { model, names } = app;
  const shown = cluster.submissions.slice(0, NODES);
  const place = new Map(shown.map((s, at) => [s, at]));
  const inside = cluster.pairs.filter((p) => place.has(p.a) && place.has(p.b));
  const links = inside.slice(0, LINKS);
  const strength = (/** @type {number} */ similarity) => Math.max(0, (similarity - model.threshold) / Math.max(0.01, 1 - model.threshold));
  const degree = (/** @type {number} */ s) => cluster.pairs.filter((p) => p.a === s || p.b === s).length;
  const labels = model.labels.filter(([label]) => shown.some((s) => model.submissions[s].label === label));
  const summary = `${count(cluster.submissions.length, 'submission')}, ${count(cluster.count, 'pair')} from ${short(model.threshold)} on.`;
  return {
    nodes: shown.map((s) => ({
      name: shortNameOf(app, s), label: `${shortNameOf(app, s)}: in ${count(degree(s), 'pair')}`, kind: kindOf(app, s), radius: 8 + Math.min(6, degree(s)), copies: 1, document: s, href: address(['submission', s]),
      note: () => [h('bdi', { class: 'hovernote-name' }, shortNameOf(app, s)), h('div', {}, `in ${count(degree(s), 'pair')} of this cluster`), h('div', {}, h('bdi', {}, cleanName(names.submission(s))))],
    })),
    links: links.map((p) => ({
      from: place.get(p.a) ?? 0, to: place.get(p.b) ?? 0, contained: false, strength: strength(p.similarity), length: 1.3 - 0.55 * strength(p.similarity), href: address(['pair', p.a, p.b]),
      note: () => [h('bdi', { class: 'hovernote-name' }, shortNameOf(app, p.a)), h('bdi', { class: 'hovernote-name' }, shortNameOf(app, p.b)), h('div', {}, h('strong', {}, percent(p.similarity)), ` similar, ${count(p.passages_all, 'passage')}`), h('div', {}, `${short(p.share_a)} of the first, ${short(p.share_b)} of the second`)],
    })),
    summary,
    below: [h('div', { class: 'graph-legend' }, labels.map(([label]) => dotKey(`person${model.hue(label) === null ? '' : ` pair-hue${model.hue(label)}`}`, cleanName(names.label(label)))), lineKey('', 'thicker: more similar')),
      h('p', { class: 'graph-summary' }, `${summary} A line opens the pair, a dot the submission.`, cluster.submissions.length > shown.length && ` ${commas(cluster.submissions.length - shown.length)} more are not drawn.`, inside.length > links.length && ` The ${commas(links.length)} most similar pairs are drawn.`)],
  };
}

/** @param {CopiesApp} app @param {Cluster} cluster @returns {import('../../parts/matrix.js').Matrix | null}  null where it would say nothing, or too much */
export function ringMatrix(app, cluster) {
  const { model } = app;
  const all = cluster.submissions;
  if (all.length < 3 || all.length > ROWS) return null;
  const order = seriate(all.length, (i, j) => model.pair(all[i], all[j])?.similarity ?? 0).map((at) => all[at]);
  return {
    names: order.map((s) => shortNameOf(app, s)), least: model.range[0], first: () => false,
    seen(i, j) {
      const pair = model.pair(order[i], order[j]);
      if (pair === null) return null;
      const straight = pair.a === order[i];
      return { alike: pair.similarity, inside: straight ? pair.share_a : pair.share_b, has: straight ? pair.share_b : pair.share_a };
    },
    href: (i, j) => (model.pair(order[i], order[j]) === null ? null : address(['pair', order[i], order[j]])),
    below: [heatLegend(short(model.range[0]), 'less, or not compared')],
  };
}
