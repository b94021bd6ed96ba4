// Starts the page of `copies`.

import { clean, cleanName, h } from '../dom.js';
import { moment } from '../format.js';
import { openPage } from '../load.js';
import { amend, carry, named } from '../route.js';
import { startFrame } from '../shell.js';
import { load, save } from '../storage.js';
import { CopiesModel } from './model.js';
import { Names } from './names.js';
import { PAIR_NAMES, RING_NAMES, pairWorklist, ringWorklist } from './pairworklist.js';
import { SubmissionTexts } from './texts.js';
import { PairVerdicts } from './verdicts.js';
import { copiesCluster } from './views/cluster.js';
import { copiesClusters } from './views/clusters.js';
import { dossierView } from './views/dossier.js';
import { mapView } from './views/map.js';
import { copiesOverview } from './views/overview.js';
import { copiesPairView } from './views/pair.js';
import { pairsView } from './views/pairs.js';
import { copiesReview } from './views/review.js';
import { submissionView } from './views/submission.js';
import { submissionsView } from './views/submissions.js';

/**
 * What every view is given.
 * @typedef {object} CopiesApp
 * @property {CopiesModel} model
 * @property {Names} names
 * @property {SubmissionTexts} texts
 * @property {PairVerdicts} verdicts
 * @property {import('../worklist.js').Worklist<import('./types.js').Pair>} worklist  pairs
 * @property {import('../worklist.js').Worklist<import('./model.js').Cluster>} rings   clusters
 */

/** @type {Record<string, (app: CopiesApp) => import('../shell.js').View>} */
const VIEWS = {
  '': copiesOverview, map: mapView, pairs: pairsView, pair: copiesPairView, dossier: dossierView, clusters: copiesClusters, cluster: copiesCluster, submissions: submissionsView, submission: submissionView, review: copiesReview,
};
const PLACES = [['', 'Overview'], ['pairs', 'Pairs'], ['clusters', 'Clusters'], ['map', 'Map'], ['submissions', 'Submissions'], ['review', 'Review']];

/** Who steps through a list takes along which it is. @type {import('../route.js').Trail[]} */
const TRAILS = [
  { from: ['pairs', 'pair', 'dossier'], to: ['pair', 'dossier'], take: named(PAIR_NAMES) },
  { from: ['clusters', 'cluster'], to: ['cluster'], take: named(RING_NAMES) },
  { from: ['cluster'], to: ['pair'], take: ({ path }) => ({ ring: path[1] ?? null }) },
  { from: ['submission'], to: ['pair'], take: ({ path }) => ({ of: path[1] ?? null }) },
  // a group that was chosen stays chosen
  { from: [''], to: ['pairs', 'pair', 'clusters', 'submissions'], take: named(['label']) },
  { from: ['pairs', 'clusters', 'submissions'], to: [''], take: named(['label']) },
];

/** @param {import('./types.js').CopiesPage} page */
function start(page) {
  const model = new CopiesModel(page);
  const names = new Names(model);
  const verdicts = new PairVerdicts(model, names);
  const app = { model, names, texts: new SubmissionTexts(model, names), verdicts, worklist: pairWorklist({ model, names, verdicts }), rings: ringWorklist({ model, names, verdicts }) };
  carry(TRAILS);
  const remembered = `anonymous:${page.name}`;
  names.on = load(remembered, false) === true;
  const toggle = h('button', { type: 'button', class: 'anonymise', 'data-action': 'anonymise', title: 'Pseudonyms for people, submissions, files and groups, in the code too. The names stay in this file: to hand something over, print it.', onclick: turn }, 'Anonymise');
  function turn() {
    names.on = !names.on;
    save(remembered, names.on);
    label();
    // what was searched for may be a name
    amend({ q: null });
    frame.again();
  }
  function label() {
    toggle.setAttribute('aria-pressed', String(names.on));
    toggle.textContent = names.on ? 'Anonymised' : 'Anonymise';
    document.documentElement.toggleAttribute('data-anonymous', names.on);
  }
  label();
  const frame = startFrame({
    what: () => (names.on ? 'Copies, anonymised' : page.inputs.map(cleanName).join(', ')),
    foot: `lookalike ${clean(page.report.lookalike)} · ${moment(page.made)} · ${clean(page.report.recipe)}`,
    places: PLACES,
    views: Object.fromEntries(Object.entries(VIEWS).map(([name, view]) => [name, () => view(app)])),
    above: { pair: 'pairs', dossier: 'pairs', cluster: 'clusters', submission: 'submissions' },
    tools: [toggle],
    arrive(route) {
      model.follow(route.query);
      return route;
    },
  });
}

openPage(start);
