// Starts the page: unpacks the data, then shows the view that the address names.

import { h, put, clean, cleanName } from './dom.js';
import { moment } from './format.js';
import { Texts, loadPage } from './load.js';
import { Model } from './model.js';
import { address, current } from './route.js';
import { load, save } from './storage.js';
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
 */

/**
 * A view is made once and then shown as often as its address changes, threshold included.
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {(route: import('./route.js').Route) => void} show
 * @property {string} title
 */

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
const THEMES = ['auto', 'light', 'dark'];

/** Light, dark, or what the system says. @param {string} theme */
function wear(theme) {
  document.documentElement.dataset.theme = theme;
}

function themeButton() {
  let theme = String(load('theme', 'auto'));
  wear(theme);
  const button = h('button', { class: 'quiet', id: 'theme', type: 'button', onclick: next }, '');
  function label() {
    button.textContent = { auto: '◐', light: '☀', dark: '☾' }[theme] ?? '◐';
    button.setAttribute('aria-label', `Colours: ${theme}. Change`);
    button.title = `Colours: ${theme}`;
  }
  function next() {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    save('theme', theme);
    wear(theme);
    label();
  }
  label();
  return button;
}

/** @param {import('./types.js').Page} page */
function start(page) {
  const app = { model: new Model(page), texts: new Texts(page), verdicts: new Verdicts(page) };
  const single = page.kind === 'comparison';
  const links = single ? [] : PLACES.map(([path, name]) => h('a', { href: address([path]), 'data-place': path }, name));
  const main = h('main', { id: 'main', tabindex: -1 });
  const what = single ? 'Comparison' : page.inputs.map(cleanName).join(', ');
  put(
    document.body,
    h('a', { class: 'skip', href: '#main', onclick: (/** @type {Event} */ e) => { e.preventDefault(); main.focus(); } }, 'To the content'),
    h('header', { class: 'top' },
      h('a', { class: 'brand', href: address([]) }, h('span', { class: 'mark', 'aria-hidden': 'true' }, '≈'), 'lookalike'),
      h('span', { class: 'what', title: what }, h('bdi', {}, what)),
      h('nav', { 'aria-label': 'Views' }, links),
      themeButton()),
    main,
    h('footer', {}, `lookalike ${clean(page.report.lookalike)} · ${moment(page.made)} · ${clean(page.report.recipe)}`),
  );
  /** @type {Map<string, View>} */
  const made = new Map();
  let shown = '';
  function show() {
    const route = current();
    const wanted = single ? 'pair' : (route.path[0] ?? '');
    const name = Object.hasOwn(VIEWS, wanted) ? wanted : '';
    const threshold = Number(route.query.get('t') ?? app.model.scanned);
    app.model.threshold = app.model.allows(threshold) ? threshold : app.model.scanned;
    let view = made.get(name);
    if (view === undefined) {
      view = VIEWS[name](app);
      made.set(name, view);
    }
    if (view.element.parentElement !== main) {
      put(main, view.element);
      scrollTo(0, 0);
    }
    view.show(single ? { path: ['pair', '0', '1'], query: route.query } : route);
    document.title = `${view.title} · lookalike`;
    for (const link of links) {
      const path = link.dataset.place ?? '';
      link.setAttribute('href', address([path]));
      const here = path === name || (path === 'clusters' && (name === 'cluster' || name === 'pair'));
      link.toggleAttribute('data-here', here);
      if (path === name) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    const place = route.path.join('/');
    if (shown !== place && shown !== '') main.focus({ preventScroll: true });
    shown = place;
  }
  addEventListener('hashchange', show);
  show();
  document.documentElement.dataset.ready = 'yes';
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
