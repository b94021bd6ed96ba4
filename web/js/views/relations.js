// Pairs by all lenses: what two documents are to each other, by which relation and disagreement they can be chosen.

import { clean, h, put } from '../dom.js';
import { commas, count } from '../format.js';
import { Finder } from '../filters.js';
import { choice, offer, searchField } from '../parts/listfilters.js';
import { documentName } from '../parts/name.js';
import { counted, kindName, kindOf, selectLinks } from '../relations.js';
import { address } from '../route.js';

/** @typedef {import('../types.js').RelationLink} RelationLink */

/** Pairs that are shown at once. */
const SHOWN = 100;

/** @param {import('../main.js').App} app @returns {import('../main.js').View} */
export function relationsView({ model }) {
  const { links, all, disagreements } = model.page.relations ?? { links: [], all: 0, disagreements: [] };
  const finder = new Finder(model);
  const search = searchField('Search the names of documents');
  const [relation, disagreement] = [choice('Relation', 'relation'), choice('Disagreement', 'disagreement')];
  const abouts = new Map(disagreements);
  const shown = h('p', { class: 'list-count muted', 'aria-live': 'polite', 'data-part': 'count' });
  const list = h('ol', { class: 'relations-list', 'data-part': 'relations-list' });
  const more = h('button', { type: 'button', onclick: () => fill(kept.length) });
  /** @type {RelationLink[]} */
  let kept = [];

  /** @param {RelationLink} link */
  function row({ a, b, relation: own, disagreement: way, sentence, evidence }) {
    return h('li', { class: 'relations-row', 'data-relation': own, 'data-disagreement': way },
      h('a', { href: address(['pair', a, b]), class: 'relations-names' }, documentName(model, a), ' ~ ', documentName(model, b)),
      h('details', {},
        h('summary', {}, clean(sentence), way !== undefined && h('span', { class: 'muted' }, ` ${way}: ${abouts.get(way) ?? ''}`)),
        h('p', { class: 'small muted' }, 'a is the first of the two, b the second'),
        h('dl', { class: 'relations-evidence' }, evidence.flatMap(([lens, line]) => [h('dt', {}, lens), h('dd', {}, clean(line))]))));
  }

  function fill(/** @type {number} */ n) {
    put(list, kept.slice(0, n).map(row));
    more.hidden = kept.length <= n;
    more.textContent = `Show all ${commas(kept.length)}`;
  }

  const element = h('div', { class: 'relations', 'data-part': 'relations' },
    h('h1', {}, 'Pairs'),
    h('p', { class: 'muted' }, 'What any two documents are to each other, by every lens.'),
    all > links.length && h('p', { class: 'muted' }, `The first ${commas(links.length)} of ${count(all, 'pair')} are here.`),
    h('div', { class: 'row list-tools no-print', role: 'search' }, search, relation, disagreement),
    shown, list, more);

  return {
    element,
    title: 'Pairs',
    show({ query }) {
      const want = { relation: query.get('relation') ?? '', disagreement: query.get('disagreement') ?? '' };
      const q = query.get('q') ?? '';
      if (document.activeElement !== search) search.value = q;
      const kinds = counted(links.map((link) => kindOf(link.relation)));
      offer(relation, [['', 'Any relation'], ...kinds.map(([kind, n]) => /** @type {[string, string]} */ ([kind, `${kindName(kind)} (${commas(n)})`]))], want.relation);
      const ways = counted(links.map((link) => link.disagreement));
      offer(disagreement, [['', 'Lenses agree or not'], ...ways.map(([way, n]) => /** @type {[string, string]} */ ([way, `${abouts.get(way) ?? way} (${commas(n)})`]))], want.disagreement);
      kept = selectLinks(links, { ...want, test: finder.test(q) });
      shown.textContent = kept.length === links.length ? count(links.length, 'pair') : `${commas(kept.length)} of ${count(links.length, 'pair')}`;
      fill(SHOWN);
    },
  };
}
