// A URL: what it had over time, where that lives now, and who else holds it.

import { cleanName, h, put } from '../../dom.js';
import { commas, count, percent } from '../../format.js';
import { address, visit } from '../../route.js';
import { documentPath, inCollection } from '../api.js';
import { answers, chosenIndex, dates, indexChoice, nameLink, pairAddress, shareCell, table } from '../parts/common.js';
import { timeline } from '../parts/timeline.js';

const isShingles = (/** @type {import('../types.js').Served} */ { kind }) => kind === 'shingles';

/** What became of it. @type {Record<string, string>} */
const STATUS = {
  unchanged: 'It is still there, as it was.',
  changed: 'It is still there, with a later version of its content.',
  moved: 'It is not there any more; another place has its content.',
  split: 'It is not there any more; several places have parts of its content.',
  merged: 'It is not there any more; a larger document has taken its content in.',
  gone: 'It is not there any more, and no place has a substantial part of its content.',
};

/** @type {Record<string, [string, string]>} */
const ROLES = { copy: ['identical', 'a copy'], near: ['near', 'resembles it'], whole: ['contained', 'contains it'], part: ['contained', 'a part of it'] };

/** @param {import('../start.js').ServeApp} app @returns {import('../../shell.js').View} */
export function urlView(app) {
  const input = /** @type {HTMLInputElement} */ (h('input', { type: 'text', class: 'serve-wide', 'aria-label': 'URL or name of a document', placeholder: 'https://…, or what the document was called', autocomplete: 'off', spellcheck: 'false', 'data-part': 'url' }));
  const choice = h('span');
  const results = h('div', { class: 'serve-results', 'aria-live': 'polite', 'data-part': 'results' });
  const answer = answers(results);
  let shown = '';
  const form = h('form', { class: 'panel', onsubmit: (/** @type {Event} */ e) => {
    e.preventDefault();
    const url = input.value.trim();
    if (url !== '') visit(address(['url'], { url }));
  } }, h('h1', {}, 'What became of a page?'), h('div', { class: 'row' }, input, h('button', { type: 'submit', class: 'primary' }, 'Look up'), choice));
  return {
    title: 'URL',
    element: h('div', {}, form, results),
    show({ query }) {
      const index = chosenIndex(app, query, isShingles);
      const url = query.get('url') ?? '';
      const key = `${index?.name}\n${url}`;
      if (key === shown) return;
      shown = key;
      put(choice, index === undefined ? null : indexChoice(app, isShingles, index.name));
      input.value = url;
      delete results.dataset.done;
      if (url === '' || index === undefined) {
        put(results);
        return;
      }
      void answer(() => history(app, index, url)).then(() => { results.dataset.done = 'yes'; });
    },
  };
}

/** @param {import('../start.js').ServeApp} app @param {import('../types.js').Served} index @param {string} url */
async function history(app, index, url) {
  const document = await app.api.get(documentPath(index.name, url));
  // what is on its way is not in any sweep yet
  if (document.url === undefined) return h('p', { class: 'note' }, `The index does not have it yet: a change is on its way (${document.pending}).`);
  /** @type {[import('../types.js').Lost, import('../types.js').Holders]} */
  const [lost, held] = await Promise.all([app.api.get(inCollection(index.name, 'lost'), { url, limit: 50 }), app.api.get(inCollection(index.name, 'holders'), { url })]);
  const own = { id: url, content: lost.content };
  const others = held.holders.filter((holder) => holder.url !== url);
  return [
    h('section', { class: 'panel', 'data-part': 'history' }, h('h2', {}, h('bdi', {}, cleanName(url))),
      h('p', {}, h('strong', { 'data-status': lost.status }, STATUS[lost.status] ?? lost.status), document.pending === null ? '' : ` A change is on its way (${document.pending}).`),
      timeline(index.info?.sweeps ?? [], lost.history), versions(index, url, lost.history)),
    h('section', { class: 'panel', 'data-part': 'now' }, h('h2', {}, 'Where its content lives now'),
      lost.found.length === 0 ? h('p', { class: 'muted' }, lost.status === 'unchanged' ? 'Where it was, and nowhere else.' : 'Nowhere that the index knows of.') : places(index, own, lost.found, 'found'),
      lost.status === 'split' && lost.together !== null && h('p', {}, `Together these places hold ${percent(lost.together)} of it.`),
      lost.more > 0 && h('p', { class: 'small muted' }, `and ${commas(lost.more)} more`)),
    h('section', { class: 'panel', 'data-part': 'holders' }, h('h2', {}, 'Who holds it, now or before'),
      others.length === 0 ? h('p', { class: 'muted' }, 'Nobody else ever did.') : [h('p', {}, `${count(others.length + held.more, 'other name')} had it, or a part of it.`), places(index, own, others, 'holding')]),
  ];
}

/** What it had, sweep by sweep. @param {import('../types.js').Served} index @param {string} url @param {import('../types.js').Version[]} all */
function versions(index, url, all) {
  return h('details', { open: all.length <= 12 }, h('summary', {}, `${count(all.length, 'sweep')} saw it, ${count(all.filter(({ changed }) => changed).length, 'change')}`),
    table('versions', ['Sweep', 'What happened', '#Like the one before', '~To do'], all.map((version, at) => h('tr', {},
      h('td', {}, version.date ?? 'without a date'), h('td', {}, at === 0 ? 'first seen' : version.changed ? 'changed' : h('span', { class: 'muted' }, 'as before')),
      at > 0 && version.changed ? shareCell(version.resemblance, 'Like the one before') : h('td', { class: 'number' }),
      h('td', { class: 'serve-go' }, at > 0 && version.changed && h('a', { class: 'button', href: pairAddress(index.name, { id: url, content: all[at - 1].content }, { id: url, content: version.content }) }, 'Side by side'))))));
}

/** @param {import('../types.js').Served} index @param {{ id: string, content: string | null }} own @param {import('../types.js').Holder[]} holders @param {string} part */
function places(index, own, holders, part) {
  return table(part, ['Place', '~Role', '#Of it there', '#Of that in it', '~To do'], holders.map((holder) => {
    const [colour, words] = ROLES[holder.role] ?? ['later', holder.role];
    return h('tr', {}, h('td', {}, h('div', { class: 'serve-seen' }, nameLink(holder.url, index), h('span', { class: 'small muted' }, ' ', dates(holder), !holder.current && ' · not there any more'))),
      h('td', {}, h('span', { class: `chip ${colour}` }, words)), shareCell(holder.query_in_document ?? holder.resemblance, 'Of it there'), shareCell(holder.document_in_query, 'Of that in it'),
      h('td', { class: 'serve-go' }, h('a', { class: 'button', href: pairAddress(index.name, own, { id: holder.url, content: holder.content }) }, 'Side by side')));
  }));
}
