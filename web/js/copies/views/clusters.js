// All clusters at the threshold: a small picture of each, and who is in it.

import { h, put } from '../../dom.js';
import { commas, count, percent } from '../../format.js';
import { thumbnail } from '../../parts/network.js';
import { choice, searchField } from '../../parts/listfilters.js';
import { thresholdStepper } from '../../parts/thresholdstepper.js';
import { short } from '../../recipe.js';
import { address, amend } from '../../route.js';
import { offerLabels } from '../parts/labelfilter.js';
import { ringGraph } from '../parts/ring.js';
import { labelDot, shortNameOf } from '../parts/names.js';
import { wantedPairs } from '../filters.js';

/** Cards that are drawn at first, and with each further step. */
const STEP = 24;
const NAMES = 8;

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

  /** @param {import('../model.js').Cluster} cluster */
  function card(cluster) {
    const names = cluster.submissions.slice(0, NAMES);
    return h('a', { class: 'card ring-card', href: address(['cluster', cluster.submissions[0]]), 'data-cluster': cluster.submissions[0] },
      h('div', { class: 'row spread' }, h('span', { class: 'card-label' }, `Cluster ${commas(cluster.number)}`), h('span', { class: 'card-note number' }, count(cluster.count, 'pair'))),
      h('span', { class: 'ring-picture' }, cluster.submissions.length <= 60 ? thumbnail(ringGraph(app, cluster), 300, 150) : h('span', { class: 'muted' }, 'too large for a small picture')),
      h('span', { class: 'card-value number' }, count(cluster.submissions.length, 'submission')),
      h('span', { class: 'card-note' }, `${percent(cluster.mean)} similar in the mean${cluster.pairs.length > 0 ? `, ${percent(cluster.pairs[0].similarity)} at most` : ''}`),
      h('span', { class: 'ring-names' }, names.map((s) => h('span', { class: 'ring-name' }, labelDot(app, s), h('bdi', {}, shortNameOf(app, s)))), cluster.submissions.length > NAMES && h('span', { class: 'muted' }, `and ${commas(cluster.submissions.length - NAMES)} more`)));
  }

  function extend() {
    const next = kept.slice(drawn, drawn + STEP);
    grid.append(...next.map(card));
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
