// How pages change from sweep to sweep.

import { h, put } from '../../dom.js';
import { commas, count, percent } from '../../format.js';
import { inCollection } from '../api.js';
import { breadth, fallingSteps, stackedBars } from '../parts/bars.js';
import { answers, chosenIndex, indexChoice, table } from '../parts/common.js';

const isShingles = (/** @type {import('../types.js').Served} */ { kind }) => kind === 'shingles';

/** @type {[string, string][]} */
const KINDS = [['is-changed', 'changed'], ['is-born', 'new or back'], ['is-died', 'gone'], ['is-unchanged', 'unchanged']];
/** Beside so many times as many pages that stayed, those that did not could not be seen. */
const DWARFED = 3;

/** @param {import('../start.js').ServeApp} app @returns {import('../../shell.js').View} */
export function changesView(app) {
  const choice = h('span');
  const results = h('div', { 'data-part': 'results' });
  const answer = answers(results);
  let shown = '';
  return {
    title: 'Changes',
    element: h('div', { class: 'serve-changes' }, h('div', { class: 'row spread' }, h('h1', {}, 'How pages change'), choice), results),
    show({ query }) {
      const index = chosenIndex(app, query, isShingles);
      if (index === undefined || index.name === shown) return;
      shown = index.name;
      put(choice, indexChoice(app, isShingles, index.name));
      put(results, h('p', { class: 'muted' }, 'Counting …'));
      void answer(async () => draw(await app.api.get(inCollection(index.name, 'changes'))));
    },
  };
}

/** @param {number | null} days */
function inDays(days) {
  return days === null ? '–' : days >= 10 ? commas(Math.round(days)) : days.toFixed(1);
}

/** @param {string} label @param {string} value @param {string} note */
function card(label, value, note) {
  return h('div', { class: 'card' }, h('span', { class: 'card-label' }, label), h('span', { class: 'card-value number' }, value), h('span', { class: 'card-note' }, note));
}

/** @param {import('../types.js').Changes} changes */
function draw(changes) {
  const { intervals, rate, resemblance, moves, lifetimes } = changes;
  if (intervals.length === 0) {
    return h('p', { class: 'note', 'data-part': 'too-few' }, `${changes.sweeps === 0 ? 'No sweep has a date' : 'Only one sweep has a date'}: changes are told from two on. What is indexed with a date (--sweep, ?sweep=) makes a sweep.`);
  }
  const moved = moves.renamed + moves.within_host + moves.between_hosts;
  const bars = intervals.map((step) => ({
    name: step.to.slice(0, 10),
    title: `${step.from} to ${step.to}: ${commas(step.unchanged)} unchanged, ${commas(step.changed)} changed, ${commas(step.born + step.returned)} new or back, ${commas(step.died)} gone`,
    values: [step.changed, step.born + step.returned, step.died, step.unchanged],
  }));
  const restless = Math.max(...bars.map(({ values }) => values[0] + values[1] + values[2]));
  const steady = Math.max(...intervals.map(({ unchanged }) => unchanged));
  const leaves = restless > 0 && steady > DWARFED * restless;
  if (leaves) for (const bar of bars) bar.values.pop();
  const survived = lifetimes.survival;
  return [
    h('div', { class: 'cards kinds', 'data-part': 'cards' },
      card('Pages', commas(changes.urls), `in ${count(changes.sweeps, 'sweep')}`),
      card('Changed', percent(rate.repeated === 0 ? null : rate.changed / rate.repeated), `of ${commas(rate.repeated)} that were seen again`),
      card('Days per change', inDays(rate.days_per_change), 'of a page, on average'),
      card('Moved', commas(moved), `${commas(moves.within_host)} within a host, ${commas(moves.between_hosts)} to another, ${commas(moves.renamed)} renamed`),
      card('Days of a life', inDays(lifetimes.median_days), `median of the ${commas(lifetimes.died)} that died; ${commas(lifetimes.alive)} live on`)),
    h('section', { class: 'panel' }, h('h2', {}, 'From sweep to sweep'), stackedBars('intervals', 'Pages that changed, came, went and stayed, sweep by sweep; the table below has the numbers', bars, leaves ? KINDS.slice(0, 3) : KINDS),
      leaves && h('p', { class: 'small muted' }, `Up to ${count(steady, 'page')} a sweep that stayed as they were are left out.`),
      h('details', {}, h('summary', {}, 'The numbers'), table('interval-table', ['From', 'To', '#Unchanged', '#Changed', '#New', '#Back', '#Gone', '#Moved'], intervals.map((step) => h('tr', {},
        h('td', {}, step.from), h('td', { 'data-label': 'To' }, step.to), [['Unchanged', step.unchanged], ['Changed', step.changed], ['New', step.born], ['Back', step.returned], ['Gone', step.died], ['Moved', step.moves.renamed + step.moves.within_host + step.moves.between_hosts]]
          .map(([label, n]) => h('td', { class: 'number', 'data-label': label }, commas(Number(n)))))))),
    ),
    h('div', { class: 'review-two' },
      h('section', { class: 'panel' }, h('h2', {}, 'How much a change changes'), resemblance.bins.some((n) => n > 0)
        ? [stackedBars('spread', 'Changed pages by how much they resemble what they were', resemblance.bins.map((n, at) => ({ name: `${at * 10}%`, title: `${at * 10}% to ${at * 10 + 10}% alike: ${count(n, 'page')}`, values: [n] })), [['is-changed', 'changed pages, by resemblance to the version before']], breadth(true)),
          h('p', { class: 'small muted' }, `Half of them kept ${percent(resemblance.median)} or more.`)]
        : h('p', { class: 'muted' }, 'No page has changed.')),
      h('section', { class: 'panel' }, h('h2', {}, 'How long pages live'), survived.length > 0
        ? fallingSteps('survival', 'Share of pages that live longer than so many days', survived.map(({ days, share }) => [days, share]), 'share of the pages that live on, by days since they were first seen', breadth(true))
        : h('p', { class: 'muted' }, 'No page was born and died while the index watched.'))),
  ];
}
