// The archive of two firms that became one, made of chunks: manuals in two places, pages with one menu, pictures, copies, hostile names.

import { salt } from './chunked.js';

/** No page of ours has such an element: where it is one, text became markup. */
export const TAG = '<evil-tag>';

const STEMS = 'order pump valve before service check pressure manual water filter screw close replace every month warranty claim customer number part invoice delivery region north winter season output meter limit never open cover while power line test again result table page chapter'.split(' ');

/** What a chunk reads: 600 to 1,400 characters of sentences, always the same for a name. @param {string} name */
export function prose(name) {
  let state = salt(name);
  const next = (/** @type {number} */ sides) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 4294967296) * sides);
  };
  const length = 600 + next(800);
  let text = '';
  while (text.length < length) {
    const words = Array.from({ length: 6 + next(9) }, () => STEMS[next(STEMS.length)]);
    text += `${words[0][0].toUpperCase()}${words.join(' ').slice(1)} ${next(1000)}.${next(5) === 0 ? '\n\n' : ' '}`;
  }
  return text;
}

const MENU = ['menu.1', 'menu.2', 'menu.3'];
const list = (/** @type {string} */ name, /** @type {number} */ from, /** @type {number} */ to) => Array.from({ length: to - from }, (_, at) => `${name}.${from + at}`);

/** @returns {import('./chunked.js').Made[]} */
function documents() {
  /** @type {import('./chunked.js').Made[]} */
  const all = [];
  const add = (/** @type {string} */ id, /** @type {string[]} */ chunks, binary = false) => {
    all.push({ id, chunks, text: binary ? null : chunks.map(prose).join(''), modified: 1_600_000_000 + salt(id) % 150_000_000 });
  };
  for (let at = 1; at <= 9; at++) {
    const name = `manual${at}`;
    add(`archive/acme/docs/${name}.txt`, list(name, 0, 4 + at));
    // a later edition: two chunks are new
    if (at < 9) add(`archive/globex/docs/${name}.txt`, [...list(name, 0, 2 + at), `${name}.new`, `${name}.more`, ...list(name, 3 + at, 4 + at)]);
    if (at % 3 === 0) add(`archive/globex/docs/old/${name} (copy).txt`, list(name, 0, 4 + at));
  }
  add('archive/globex/excerpts/first pages.txt', list('manual8', 0, 5));
  for (let at = 1; at <= 24; at++) add(`archive/globex/site/page-${String(at).padStart(2, '0')}.html`, [...MENU, `page${at}`]);
  add('archive/acme/img/plant.png', list('picture', 0, 8), true);
  add('archive/globex/img/plant-2.png', [...list('picture', 0, 6), 'picture.other'], true);
  add(`archive/globex/${TAG} "quoted" & \u202enames/notes.txt`, list('notes', 0, 4));
  add(`archive/acme/${TAG}.txt`, [...list('notes', 0, 3), 'notes.mine']);
  return all;
}

/** @returns {import('./chunked.js').Corpus} */
export function archive() {
  const all = documents();
  const cut = (/** @type {string[]} */ chunks) => chunks.map(prose).join('').slice(0, 400);
  const size = (/** @type {string[]} */ chunks) => chunks.reduce((sum, chunk) => sum + prose(chunk).length, 0);
  const first = all.findIndex((d) => d.id.includes('/site/'));
  return {
    documents: all,
    length: (chunk) => prose(chunk).length,
    policy: { min_shared: 1500 },
    chunks: {
      empty: 2, alone: 1,
      suggestions: [{ cluster: 1, representative: null, documents: 24, chunks: 3, bytes: size(MENU), text: cut(MENU) }], suggestions_all: 1,
      frequent: [{ documents: 31, chunks: 1, bytes: 812, text: `${TAG} ${prose('legal').slice(0, 300)}`, example: all[first].id }, { documents: 30, chunks: 4, bytes: 4021, text: null, example: `archive/acme/${TAG}.txt` }], frequent_all: 2,
      templates: [{ name: `footer ${TAG}`, chunks: 2, bytes: 1840, documents: 47 }], templates_all: 1,
    },
  };
}
