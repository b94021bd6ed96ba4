// What is served, and how it goes: counters that move.

import { cleanName, h, put } from '../../dom.js';
import { bytes, commas } from '../../format.js';
import { sparkline } from '../parts/bars.js';
import { problemNote, table } from '../parts/common.js';

/** Between two looks, in milliseconds; and how many of them a line shows. */
const EVERY = 2000;
const ROOM = 60;

/** @type {Record<string, string>} */
const KINDS = { shingles: 'index of shingles', simhash: 'index of fingerprints', passages: 'index of passages', chunks: 'index of chunks', fingerprints: 'store of fingerprints', run: 'saved run of chunks' };

/** The numbers of `/metrics`, by name and labels. @param {string} text @returns {Map<string, number>} */
export function parseMetrics(text) {
  const numbers = new Map();
  for (const line of text.split('\n')) {
    const space = line.lastIndexOf(' ');
    if (!line.startsWith('#') && space > 0) numbers.set(line.slice(0, space), Number(line.slice(space + 1)));
  }
  return numbers;
}

/** @param {Map<string, number>} numbers @param {string} name */
function sum(numbers, name) {
  let all = 0;
  for (const [key, n] of numbers) if (key === name || key.startsWith(`${name}{`)) all += n;
  return all;
}

/** @param {import('../start.js').ServeApp} app @returns {import('../../shell.js').View} */
export function serverView(app) {
  const cards = h('div', { class: 'cards kinds', 'data-part': 'counters' });
  const served = h('div', {});
  const problem = h('div');
  /** @type {{ time: number, inserted: number, known: number, requests: number }[]} */
  const looks = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  async function look() {
    clearTimeout(timer);
    if (!element.isConnected) return;
    try {
      const numbers = parseMetrics(await (await app.api.ask('GET', 'metrics', {})).text());
      looks.push({ time: performance.now(), inserted: sum(numbers, 'lookalike_pages_inserted_total'), known: sum(numbers, 'lookalike_pages_known_total'), requests: sum(numbers, 'lookalike_requests_total') });
      if (looks.length > ROOM + 1) looks.shift();
      put(problem);
      draw(numbers);
    } catch (error) {
      put(problem, problemNote(error));
    }
    timer = setTimeout(look, EVERY);
  }

  /** @param {'inserted' | 'known' | 'requests'} what */
  function rates(what) {
    return looks.slice(1).map((now, at) => ((now[what] - looks[at][what]) * 1000) / Math.max(1, now.time - looks[at].time));
  }

  /** @param {string} label @param {'inserted' | 'known' | 'requests'} what @param {string} unit */
  function counter(label, what, unit) {
    const all = rates(what);
    const now = all.length === 0 ? 0 : all[all.length - 1];
    return h('div', { class: 'card', 'data-counter': what }, h('span', { class: 'card-label' }, label), h('span', { class: 'card-value number' }, commas(looks[looks.length - 1][what])),
      h('span', { class: 'card-note' }, `${now >= 10 ? commas(Math.round(now)) : now.toFixed(1)} ${unit} a second`), sparkline(`${what}-line`, `${label}, over the last minutes`, all, ROOM));
  }

  /** @param {Map<string, number>} numbers */
  function draw(numbers) {
    put(cards, counter('Documents inserted', 'inserted', 'documents'), counter('Seen before', 'known', 'documents'), counter('Requests', 'requests', 'requests'));
    put(served, table('served', ['Name', 'What', '#Documents', '#Names', '#Clusters', '#Sweeps', '#Size', '#Waiting'], app.indexes.map(({ name, kind, info, entries, recipe }) => {
      const label = name.replace(/[\\"\n]/g, '_');
      const number = (/** @type {string} */ head, /** @type {number | null | undefined} */ n) => h('td', { class: 'number', 'data-label': head }, n === null || n === undefined ? null : commas(n));
      return h('tr', { 'data-index': name }, h('td', {}, h('strong', {}, h('bdi', {}, cleanName(name))), recipe !== null && h('div', { class: 'small muted serve-recipe' }, h('code', {}, cleanName(recipe)))), h('td', {}, KINDS[kind] ?? kind),
        number('Documents', info?.documents ?? numbers.get(`lookalike_entries{collection="${label}"}`) ?? entries), number('Names', info?.urls), number('Clusters', kind === 'shingles' ? info?.clusters : null), number('Sweeps', info?.sweeps.length),
        h('td', { class: 'number', 'data-label': 'Size' }, info === null ? null : bytes(info.index_bytes)), number('Waiting', numbers.get(`lookalike_backlog{collection="${label}"}`)));
    })));
    element.dataset.drawn = String(Number(element.dataset.drawn ?? 0) + 1);
  }

  const element = h('div', { class: 'serve-server' }, h('h1', {}, 'This server'), problem, cards, h('section', { class: 'panel' }, h('h2', {}, 'What is served'), served),
    h('p', { class: 'small muted' }, 'Programs ask it too: ', h('a', { href: 'v1/openapi.json' }, 'openapi.json'), ' describes every question.'));
  return {
    title: 'Server',
    element,
    show() {
      // the numbers of an index may have changed
      void app.api.get('v1/collections').then(({ collections }) => { app.indexes = collections; }, () => {}).then(look);
    },
  };
}
