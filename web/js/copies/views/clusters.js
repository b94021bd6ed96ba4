// All clusters at the threshold: a small picture of each, and who is in it.

import { h, put } from '../../dom.js';
import { commas, count, percent } from '../../format.js';
import { thumbnail } from '../../parts/network.js';
import { choice, searchField } from '../../parts/listfilters.js';
import { thresholdStepper } from '../../parts/thresholdstepper.js';
import { short } from '../../recipe.js';
import { address, amend } from '../../route.js';
import { coresOf } from '../clustercores.js';
import { coresPicture } from '../parts/corecards.js';
import { offerLabels } from '../parts/labelfilter.js';
import { ringGraph } from '../parts/ring.js';
import { labelDot, shortNameOf } from '../parts/names.js';
import { wantedPairs } from '../filters.js';

/** Cards that are drawn at first, and with each further step. */
const STEP = 24;
const NAMES = 8;
/** More dots are too many for a small picture: then it is one of the cores, and they have cards too. */
const DOTS = 40;
const CORES = 5;

/** @param {import('../start.js').CopiesApp} app @returns {import('../../shell.js').View} */
export function copiesClusters(app) {
  const { model } = app;
  const threshold = thresholdStepper(model, { before: 'From', after: 'similarity' });
  const search = searchField('Search the members of clusters');
  const label = choice('Group', 'label');
  const shown = h('p', { class: 'list-count muted', 'aria-live': 'polite', 'data-part': 'count' });
  const [grid, more] = [h('div', { class: 'ring-cards' }), h('div', { class: 'row' })];
  const element = h('div', { 'data-part': 'clusters' }, h('div', { class: 'row spread list-title' }, h('h1', {}, 'Clusters'), threshold.element), h('div', { class: 'row list-tools no-print', role: 'search' }, search, label), shown, grid, more);
  /** @type {import('../model.js').Cluster[]} */
  let kept = [];
  let drawn = 0;

  /** @param {number[]} members */
  const nameList = (members) => h('span', { class: 'ring-names' }, members.slice(0, NAMES).map((s) => h('span', { class: 'ring-name' }, labelDot(app, s), h('bdi', {}, shortNameOf(app, s)))), members.length > NAMES && h('span', { class: 'muted' }, `and ${commas(members.length - NAMES)} more`));

  /** @param {import('../model.js').Cluster} cluster */
  function card(cluster) {
    const cores = coresOf(cluster);
    const large = cluster.submissions.length > DOTS;
    return h('a', { class: 'card ring-card', href: address(['cluster', cluster.submissions[0]]), 'data-cluster': cluster.submissions[0] },
      h('div', { class: 'row spread' }, h('span', { class: 'card-label' }, `Cluster ${commas(cluster.number)}`), h('span', { class: 'card-note number' }, count(cluster.count, 'pair'))),
      h('span', { class: 'ring-picture' }, large && cores !== null ? coresPicture(cores, 300, 150) : thumbnail(ringGraph(app, cluster), 300, 150)),
      h('span', { class: 'card-value number' }, count(cluster.submissions.length, 'submission')),
      h('span', { class: 'card-note' }, `${percent(cluster.mean)} similar in the mean${cluster.pairs.length > 0 ? `, ${percent(cluster.pairs[0].similarity)} at most` : ''}${cores === null ? '' : `; ${count(cores.cores.length, 'dense core')}`}`),
      nameList(cluster.submissions));
  }

  /** The cores of a large cluster as cards of their own. @param {import('../model.js').Cluster} cluster @returns {HTMLElement[]} */
  function coresIn(cluster) {
    const cores = coresOf(cluster);
    if (cores === null || cluster.submissions.length <= DOTS) return [];
    return cores.cores.slice(0, CORES).map((members, at) => {
      const inside = new Set(members);
      const pairs = cluster.pairs.filter((p) => inside.has(p.a) && inside.has(p.b));
      const mean = pairs.reduce((sum, p) => sum + p.similarity, 0) / Math.max(1, pairs.length);
      const core = { ...cluster, submissions: members, pairs, count: pairs.length, mean };
      return h('a', { class: 'card ring-card core', href: address(['cluster', cluster.submissions[0]], { core: at + 1 }), 'data-core': `${cluster.submissions[0]}/${at + 1}` },
        h('div', { class: 'row spread' }, h('span', { class: 'card-label' }, `Core ${at + 1} of cluster ${commas(cluster.number)}`), h('span', { class: 'card-note number' }, count(pairs.length, 'pair'))),
        h('span', { class: 'ring-picture' }, thumbnail(ringGraph(app, core), 300, 150)),
        h('span', { class: 'card-value number' }, count(members.length, 'submission')),
        h('span', { class: 'card-note' }, `${percent(mean)} similar in the mean`),
        nameList(members));
    });
  }

  function extend() {
    const next = kept.slice(drawn, drawn + STEP);
    grid.append(...next.flatMap((cluster) => [card(cluster), ...coresIn(cluster)]));
    drawn += next.length;
    put(more, drawn < kept.length && h('button', { type: 'button', onclick: extend }, `Show ${commas(Math.min(STEP, kept.length - drawn))} more`));
  }

  return {
    element,
    title: 'Clusters',
    show(route) {
      const want = wantedPairs(route.query);
      if (document.activeElement !== search) search.value = want.q;
      offerLabels(label, app, want.label);
      threshold.show();
      kept = app.rings.list(route.query);
      put(shown, kept.length < model.clusters.length ? `${commas(kept.length)} of ` : '', count(model.clusters.length, 'cluster'), ` of submissions that pairs from ${short(model.threshold)} similarity on connect`);
      put(grid, kept.length === 0 && h('p', { class: 'list-nothing muted' }, model.clusters.length === 0 ? 'Nothing is connected at this threshold.' : h('button', { type: 'button', onclick: () => amend({ q: null, label: null }) }, 'No cluster fits: clear the filters')));
      drawn = 0;
      extend();
    },
  };
}
