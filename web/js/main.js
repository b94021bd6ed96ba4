// Starts the page: unpacks the data, then shows the view that the address names.

import { startCalibration } from './calibration/start.js';
import { startCopies } from './copies/start.js';
import { h, put, clean, cleanName } from './dom.js';
import { moment } from './format.js';
import { Texts, loadPage } from './load.js';
import { CLUSTER_NAMES, clusterWorklist } from './clusterworklist.js';
import { Model } from './model.js';
import { carry, named } from './route.js';
import { startFrame } from './shell.js';
import { Verdicts } from './verdicts.js';
import { clusterView } from './views/cluster.js';
import { clustersView } from './views/clusters.js';
import { identicalView } from './views/identical.js';
import { overviewView } from './views/overview.js';
import { pairView } from './views/pair.js';
import { reviewView } from './views/review.js';

/**
 * What every view is given.
 * @typedef {object} App
 * @property {Model} model
 * @property {Texts} texts
 * @property {Verdicts} verdicts
 * @property {import('./worklist.js').Worklist<import('./model.js').Cluster>} worklist
 */

/** @typedef {import('./shell.js').View} View */

/** @type {Record<string, (app: App) => View>} */
const VIEWS = {
  '': overviewView,
  clusters: clustersView,
  cluster: clusterView,
  identical: identicalView,
  pair: pairView,
  review: reviewView,
};

/** The views that the head of the page leads to. */
const PLACES = [['', 'Overview'], ['clusters', 'Clusters'], ['identical', 'Identical'], ['review', 'Review']];

/** @param {import('./types.js').Page | import('./copies/types.js').CopiesPage | import('./calibration/types.js').CalibrationPage} page */
function start(page) {
  if (page.kind === 'copies') return startCopies(page);
  if (page.kind === 'calibration') return startCalibration(page);
  const [model, verdicts] = [new Model(page), new Verdicts(page)];
  const app = { model, texts: new Texts(page), verdicts, worklist: clusterWorklist(model, verdicts) };
  // who steps through a list takes along which it is
  carry([{ from: ['clusters', 'cluster', 'pair'], to: ['cluster', 'pair'], take: named(CLUSTER_NAMES) }]);
  const single = page.kind === 'comparison';
  const what = single ? 'Comparison' : page.inputs.map(cleanName).join(', ');
  startFrame({
    what: () => what,
    foot: `lookalike ${clean(page.report.lookalike)} · ${moment(page.made)} · ${clean(page.report.recipe)}`,
    places: single ? [] : PLACES,
    views: Object.fromEntries(Object.entries(VIEWS).map(([name, view]) => [name, () => view(app)])),
    above: { cluster: 'clusters', pair: 'clusters' },
    arrive(route) {
      app.model.follow(route.query);
      return single ? { path: ['pair', '0', '1'], query: route.query } : route;
    },
  });
}

const NEEDS = 'the report needs Chrome 123, Firefox 120, Safari 17.5 or later';

/** What this browser lacks and the page cannot do without: colours, or a way to the data. */
function lacks() {
  if (typeof DecompressionStream === 'undefined') return 'DecompressionStream';
  // without it every colour would be missing, and half of what the page says with them
  return CSS.supports('color', 'light-dark(#000, #fff)') ? '' : 'light-dark()';
}

/** Says that nothing can be shown, in the browser's own colours. @param {string} why @param {string} detail */
function refuse(why, detail) {
  put(document.body, h('main', { class: 'broken' }, h('h1', {}, 'This report cannot be shown'), h('p', {}, why), h('pre', {}, clean(detail))));
}

const missing = lacks();
if (missing !== '') refuse(`This browser is too old: ${NEEDS}.`, `It has no ${missing}.`);
else {
  loadPage().then(start).catch((error) => {
    refuse(`The file is incomplete, or this browser is too old: ${NEEDS}.`, String(error));
    throw error;
  });
}
