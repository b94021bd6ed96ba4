// Starts the page that a server serves.

import { clean, cleanName, h, put } from '../dom.js';
import { carry, named } from '../route.js';
import { startFrame } from '../shell.js';
import { wear, worn } from '../theme.js';
import { Api, Refused } from './api.js';
import { askView } from './views/ask.js';
import { changesView } from './views/changes.js';
import { clustersView } from './views/clusters.js';
import { pairView } from './views/pair.js';
import { serverView } from './views/server.js';
import { submissionsView } from './views/submissions.js';
import { urlView } from './views/url.js';

/**
 * The document that was asked for last.
 * @typedef {object} Asked
 * @property {string} name
 * @property {Blob | null} file  none if it was pasted
 * @property {string} text       what was pasted; of a file what a reader sees, once it is known
 */

/**
 * What every view is given.
 * @typedef {object} ServeApp
 * @property {Api} api
 * @property {import('./types.js').Health} health
 * @property {import('./types.js').Served[]} indexes
 * @property {Asked | null} asked
 */

/** @typedef {import('../shell.js').View} View */

/** @type {[string, string, (app: ServeApp) => View, (kind: string) => boolean][]} path, name, view, and what of the server it needs */
const PLACES = [
  ['', 'Ask', askView, () => true],
  ['url', 'URL', urlView, (kind) => kind === 'shingles'],
  ['clusters', 'Clusters', clustersView, (kind) => kind === 'shingles' || kind === 'run'],
  ['changes', 'Changes', changesView, (kind) => kind === 'shingles'],
  ['submissions', 'Submissions', submissionsView, () => true],
  ['server', 'Server', serverView, () => true],
];

/** @param {ServeApp} app */
function start(app) {
  const { health, indexes } = app;
  const places = PLACES.filter(([, , , needs]) => indexes.length === 0 || indexes.some(({ kind }) => needs(kind)));
  const names = ['pair', ...places.map(([path]) => path)];
  // who looks at one index goes on with it
  carry([{ from: names, to: names, take: named(['index']) }]);
  startFrame({
    what: () => indexes.map(({ name }) => cleanName(name)).join(', '),
    foot: `lookalike ${clean(health.lookalike)}${health.read_only ? ' · for reading only' : ''}`,
    places: places.map(([path, name]) => [path, name]),
    views: Object.fromEntries([...places.map(([path, , view]) => [path, () => view(app)]), ['pair', () => pairView(app)]]),
    arrive: (route) => route,
  });
}

/** Asks the reader who they are. @param {HTMLElement} main @param {Api} api @returns {Promise<void>} */
function askToken(main, api) {
  return new Promise((done) => {
    const input = /** @type {HTMLInputElement} */ (h('input', { type: 'password', name: 'token', class: 'serve-wide', autocomplete: 'current-password', required: true, id: 'token' }));
    const form = h('form', {
      class: 'panel serve-token',
      'data-part': 'token',
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        api.setToken(input.value.trim());
        done();
      },
    },
    h('h1', {}, 'Who asks?'),
    h('p', {}, api.token === '' ? 'This server answers to those who have a token. Whoever runs it can give you one.' : 'The token is not one of this server.'),
    h('p', { class: 'row' }, h('label', { for: 'token' }, 'Token'), input, h('button', { type: 'submit', class: 'primary' }, 'Go on')),
    h('p', { class: 'small muted' }, 'It is kept until this window is closed, and sent to this server only.'));
    put(main, form);
    input.focus();
  });
}

async function begin() {
  wear(worn());
  const main = document.getElementById('main') ?? document.body;
  const api = new Api();
  for (;;) {
    try {
      const [health, { collections }] = await Promise.all([api.get('healthz'), api.get('v1/collections')]);
      start({ api, health, indexes: collections, asked: null });
      return;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.status !== 401) {
        put(main, h('h1', {}, 'No answer'), h('p', { role: 'alert' }, clean(error.message)));
        return;
      }
      await askToken(main, api);
    }
  }
}

begin();
