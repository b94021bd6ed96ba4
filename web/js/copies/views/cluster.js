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
import { LARGE } from '../../cores.js';
import { coreAsked, coresOf } from '../clustercores.js';
import { coreCards } from '../parts/corecards.js';
import { meter, pairList } from '../parts/pairlist.js';
import { ringGraph, ringMatrix } from '../parts/ring.js';
import { timeline } from '../parts/timeline.js';
import { nameLink, shortNameOf } from '../parts/names.js';

/** Members that are listed; beyond these a list of submissions is of more use. */
const ROWS = 500;

/** @param {import('../start.js').CopiesApp} app @returns {import('../../shell.js').View} */
export function copiesCluster(app) {
  const { model } = app;
  const threshold = thresholdStepper(model, { before: 'From', after: 'similarity' });
  const [head, members, times, cores] = [h('header', { class: 'cluster-head' }), h('div', { 'data-part': 'members', class: 'members-scroll' }), h('div', {}), h('div', {})];
  const graph = network({ most: 470 });
  const heat = matrix({ label: 'Similarity of every two members', alike: 'similar', none: 'less, or not compared', most: 100 });
  const panel = (/** @type {string} */ name, /** @type {string} */ title, /** @type {HTMLElement} */ inside) => h('section', { class: `panel ring-${name}`, 'aria-label': title }, h('h2', {}, title), inside);
  const [graphPanel, heatPanel, timePanel] = [panel('graph', 'Who is linked to whom', graph.element), panel('heat', 'How similar every two are', heat.element), panel('time', 'Who came first', times)];
  const list = pairList(app, () => {}, () => null, { box: true });
  for (const column of list.options.columns) delete column.sorts;
  const pairs = h('section', { 'aria-label': 'Pairs' }, h('h2', {}, 'Pairs'), list.element);
  const bulk = bulkVerdict(app, {
    pairs: () => shown?.pairs ?? [], verdicts: ['copied', 'not-copied', 'again'],
    lead: (open, all) => (open === 0 ? `${all === 1 ? 'The pair' : `All ${count(all, 'pair')}`} of this cluster ${all === 1 ? 'is' : 'are'} decided.` : `${commas(open)} of ${count(all, 'pair')} of this cluster ${open === 1 ? 'is' : 'are'} undecided${open > 1 ? '. One verdict for all of them:' : ':'}`),
  });
  const grid = h('div', { class: 'ring-grid' }, graphPanel, heatPanel, panel('members', 'Members', members), timePanel);
  const body = h('div', {}, h('section', { class: 'panel bulk-panel', 'aria-label': 'Verdict' }, bulk.element), cores, grid, pairs);
  const element = h('div', { class: 'cluster', 'data-part': 'cluster' }, head, body);
  /** @type {import('../model.js').Cluster | undefined} */
  let shown;
  let drawn = -1;
  const worklist = worklistBar(app.rings, { noun: 'cluster', verdicts: app.verdicts });
  const go = (/** @type {string | null} */ to) => { if (to !== null) visit(to); };
  listenToKeys(element, { ']': () => go(worklist.neighbour(1)), '[': () => go(worklist.neighbour(-1)), escape: () => visit(worklist.home()) });

  /** @param {import('../model.js').Cluster} cluster @param {number} core  -1 for the whole */
  function draw(cluster, core) {
    const found = coresOf(cluster);
    const all = found === null || core < 0 ? cluster.submissions : found.cores[core];
    const among = new Set(all);
    const inside = core < 0 ? cluster.pairs : cluster.pairs.filter((p) => among.has(p.a) && among.has(p.b));
    /** @type {Map<number, number>} */
    const highest = new Map();
    // most similar first
    for (const p of inside) for (const s of [p.a, p.b]) if (!highest.has(s)) highest.set(s, p.similarity);
    const best = (/** @type {number} */ s) => highest.get(s) ?? 0;
    const order = [...all].sort((x, y) => best(y) - best(x) || x - y);
    grid.classList.toggle('large', cluster.submissions.length > LARGE);
    cores.hidden = found === null;
    put(cores, found !== null && [coreCards(app, cluster, found, core), h('details', { class: 'small muted core-rule no-print' }, h('summary', {}, 'What is a core?'),
      `A cluster is all that pairs connect, one to the next. A core is dense: pairs are taken from the most similar down, and two groups become one if at least half of all pairs between them are at or above ${short(model.threshold)}; those that are 90% similar are one. Dotted lines are bridges: pairs between cores.`)]);
    put(members, h('table', { class: 'member-table' }, h('tbody', {}, order.slice(0, ROWS).map((s) => h('tr', {}, h('td', {}, nameLink(app, s)), h('td', { class: 'member-like' }, meter(best(s)), h('span', { class: 'number' }, percent(best(s)))))))),
      order.length > ROWS && h('p', { class: 'muted small' }, `and ${commas(order.length - ROWS)} more`));
    graph.show(ringGraph(app, cluster, core));
    const table = ringMatrix(app, cluster, core);
    heatPanel.hidden = table === null;
    if (table !== null) heat.show(table);
    const line = timeline(app, all, inside);
    timePanel.hidden = line === null;
    put(times, line);
    list.set(inside);
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
      const core = cluster === undefined ? -1 : coreAsked(coresOf(cluster), route.query.get('core'));
      const other = cluster !== shown;
      if (cluster !== undefined && (other || core !== drawn)) draw(cluster, core);
      [shown, drawn] = [cluster, core];
      if (other) bulk.reset();
      else bulk.draw();
    },
  };
}
