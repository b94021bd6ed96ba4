// One cluster: who is in it, who is linked to whom, who came first.

import { h, put } from '../../dom.js';
import { commas, count, percent } from '../../format.js';
import { listenToKeys } from '../../parts/pairkeys.js';
import { worklistBar } from '../../parts/worklistbar.js';
import { matrix } from '../../parts/matrix.js';
import { network } from '../../parts/network.js';
import { thresholdStepper } from '../../parts/thresholdstepper.js';
import { short } from '../../recipe.js';
import { address, visit } from '../../route.js';
import { bulkVerdict } from '../parts/bulkverdict.js';
import { meter, pairList } from '../parts/pairlist.js';
import { ringGraph, ringMatrix } from '../parts/ring.js';
import { timeline } from '../parts/timeline.js';
import { nameLink, shortNameOf } from '../parts/names.js';

/** Members that are listed at first. */
const ROWS = 100;

/** @param {import('../start.js').CopiesApp} app @returns {import('../../shell.js').View} */
export function copiesCluster(app) {
  const { model } = app;
  const threshold = thresholdStepper(model, { before: 'From', after: 'similarity' });
  const [head, members, times] = [h('header', { class: 'cluster-head' }), h('div', { 'data-part': 'members' }), h('div', {})];
  const graph = network();
  const heat = matrix({ label: 'Similarity of every two members', alike: 'similar', none: 'less, or not compared', most: 100 });
  const panel = (/** @type {string} */ title, /** @type {HTMLElement} */ inside) => h('section', { class: 'panel', 'aria-label': title }, h('h2', {}, title), inside);
  const [graphPanel, heatPanel, timePanel] = [panel('Who is linked to whom', graph.element), panel('How similar every two are', heat.element), panel('Who came first', times)];
  const list = pairList(app, () => {}, () => null);
  for (const column of list.options.columns) delete column.sorts;
  const pairs = h('section', { 'aria-label': 'Pairs' }, h('h2', {}, 'Pairs'), list.element);
  const bulk = bulkVerdict(app, {
    pairs: () => shown?.pairs ?? [], verdicts: ['copied', 'not-copied', 'again'],
    lead: (open, all) => (open === 0 ? `${all === 1 ? 'The pair' : `All ${count(all, 'pair')}`} of this cluster ${all === 1 ? 'is' : 'are'} decided.` : `${commas(open)} of ${count(all, 'pair')} of this cluster ${open === 1 ? 'is' : 'are'} undecided${open > 1 ? '. One verdict for all of them:' : ':'}`),
  });
  const body = h('div', {}, h('section', { class: 'panel bulk-panel', 'aria-label': 'Verdict' }, bulk.element), h('div', { class: 'cluster-two' }, graphPanel, panel('Members', members)), timePanel, heatPanel, pairs);
  const element = h('div', { class: 'cluster', 'data-part': 'cluster' }, head, body);
  /** @type {import('../model.js').Cluster | undefined} */
  let shown;
  const worklist = worklistBar(app.rings, { noun: 'cluster', verdicts: app.verdicts });
  const go = (/** @type {string | null} */ to) => { if (to !== null) visit(to); };
  listenToKeys(element, { ']': () => go(worklist.neighbour(1)), '[': () => go(worklist.neighbour(-1)), escape: () => visit(worklist.home()) });

  /** @param {import('../model.js').Cluster} cluster */
  function draw(cluster) {
    const all = cluster.submissions;
    const best = (/** @type {number} */ s) => cluster.pairs.find((p) => p.a === s || p.b === s)?.similarity ?? 0;
    const order = [...all].sort((x, y) => best(y) - best(x) || x - y);
    put(members, h('table', { class: 'member-table' }, h('tbody', {}, order.slice(0, ROWS).map((s) => h('tr', {}, h('td', {}, nameLink(app, s)), h('td', { class: 'member-like' }, meter(best(s)), h('span', { class: 'number' }, percent(best(s)))))))),
      order.length > ROWS && h('p', { class: 'muted small' }, `and ${commas(order.length - ROWS)} more`));
    graph.show(ringGraph(app, cluster));
    const table = ringMatrix(app, cluster);
    heatPanel.hidden = table === null;
    if (table !== null) heat.show(table);
    const line = timeline(app, cluster);
    timePanel.hidden = line === null;
    put(times, line);
    list.set(cluster.pairs);
  }

  return {
    element,
    title: 'Cluster',
    show(route) {
      const asked = Number(route.path[1] ?? NaN);
      const cluster = model.clusterOf(asked);
      threshold.show();
      const people = [...new Set(cluster?.submissions.map((s) => shortNameOf(app, s)))];
      body.hidden = cluster === undefined;
      const known = Number.isInteger(asked) && asked >= 0 && asked < model.size;
      worklist.show(route.query, cluster ?? null);
      put(head,
        h('div', { class: 'row spread cluster-nav no-print' }, cluster === undefined ? h('a', { class: 'cluster-back', href: address(['clusters']) }, '← All clusters') : worklist.element, threshold.element),
        cluster === undefined
          ? [h('h1', {}, known ? h('bdi', {}, shortNameOf(app, asked)) : 'No such cluster'), h('p', { class: 'note' }, known ? `At ${short(model.threshold)} similarity it is connected with nobody.` : 'The address names no submission of this report.')]
          : [h('h1', {}, `Cluster ${commas(cluster.number)}: `, people.slice(0, 4).flatMap((name, at) => [at > 0 && ', ', h('bdi', {}, name)]), people.length > 4 && ` and ${commas(people.length - 4)} more`),
            h('dl', { class: 'cluster-facts' }, [[commas(cluster.submissions.length), 'submissions'], [commas(cluster.count), cluster.count === 1 ? 'pair' : 'pairs'], [percent(cluster.mean), 'similar in the mean'], [percent(cluster.pairs[0]?.similarity), 'at most']].map(([value, what]) => h('div', {}, h('dt', {}, what), h('dd', { class: 'number' }, value))))]);
      const other = cluster !== shown;
      if (cluster !== undefined && other) draw(cluster);
      shown = cluster;
      if (other) bulk.reset();
      else bulk.draw();
    },
  };
}
