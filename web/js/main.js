// Starts the page of a scan, or of two documents side by side.

import { clean, cleanName } from './dom.js';
import { moment } from './format.js';
import { Texts, openPage } from './load.js';
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
import { relationsView } from './views/relations.js';
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
  pairs: relationsView,
  review: reviewView,
};

/** The views that the head of the page leads to. */
const PLACES = [['', 'Overview'], ['pairs', 'Pairs'], ['clusters', 'Clusters'], ['identical', 'Identical'], ['review', 'Review']];

/** @param {import('./types.js').Page} page */
function start(page) {
  const [model, verdicts] = [new Model(page), new Verdicts(page)];
  const app = { model, texts: new Texts(page), verdicts, worklist: clusterWorklist(model, verdicts) };
  // who steps through a list takes along which it is
  carry([{ from: ['clusters', 'cluster', 'pair'], to: ['cluster', 'pair'], take: named(CLUSTER_NAMES) }]);
  const single = page.kind === 'comparison';
  const what = single ? 'Comparison' : page.inputs.map(cleanName).join(', ');
  startFrame({
    what: () => what,
    foot: `lookalike ${clean(page.report.lookalike)} · ${moment(page.made)} · ${clean(page.report.recipe)}`,
    places: single ? [] : PLACES.filter(([path]) => path !== 'pairs' || page.relations !== undefined),
    views: Object.fromEntries(Object.entries(VIEWS).map(([name, view]) => [name, () => view(app)])),
    above: { cluster: 'clusters', pair: 'clusters' },
    arrive(route) {
      app.model.follow(route.query);
      return single ? { path: ['pair', '0', '1'], query: route.query } : route;
    },
  });
}

openPage(start);
