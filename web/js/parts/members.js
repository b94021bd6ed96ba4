// The table of the documents of a cluster.

import { h, put, style, cleanName } from '../dom.js';
import { bytes, commas, count, day, percent } from '../format.js';
import { measure } from '../keep.js';
import { terms } from '../lens.js';
import { address } from '../route.js';
import { fileName, folderName } from './name.js';

/** Rows that are drawn at first, and with each further step. */
const STEP = 200;

/**
 * A document and those identical to it.
 * @typedef {object} Row
 * @property {number} document
 * @property {import('../model.js').Member | null} member  null for the representative
 * @property {number[]} copies
 */

/** @param {import('../model.js').Model} model @param {import('../model.js').Cluster} cluster @returns {Row[]} */
function memberRows(model, cluster) {
  const { content } = model.page.documents;
  /** @type {Map<number, Row>} by content */
  const rows = new Map([[content[cluster.representative], { document: cluster.representative, member: null, copies: [] }]]);
  const rank = (/** @type {import('../model.js').Member} */ m) => model.alike(m) ?? -1;
  for (const member of [...cluster.members].sort((x, y) => rank(y) - rank(x))) {
    const row = rows.get(content[member.document]);
    if (row === undefined) rows.set(content[member.document], { document: member.document, member, copies: [] });
    else row.copies.push(member.document);
  }
  return [...rows.values()];
}

/** The name without its folder, where there is little room. @param {import('../model.js').Model} model @param {number} document */
export function shortName(model, document) {
  return h('bdi', { title: cleanName(model.id(document)) }, fileName(model, document));
}

/** @type {WeakMap<object, Map<string, number>>} how many documents of a cluster have a file name */
const sameNames = new WeakMap();

/** Whether another document of the cluster has the same file name. @param {Pick<import('../model.js').Model, 'name'>} model @param {Pick<import('../model.js').Cluster, 'documents'>} cluster @param {number} document */
export function clashes(model, cluster, document) {
  const name = (/** @type {number} */ d) => model.name(d).slice(model.name(d).lastIndexOf('/') + 1);
  let names = sameNames.get(cluster);
  if (names === undefined) {
    names = new Map();
    for (const d of cluster.documents) names.set(name(d), (names.get(name(d)) ?? 0) + 1);
    sameNames.set(cluster, names);
  }
  return (names.get(name(document)) ?? 0) > 1;
}

/** The short name, with the folder where names alone are the same. @param {import('../model.js').Model} model @param {import('../model.js').Cluster | null} cluster @param {number} document */
export function distinctName(model, cluster, document) {
  const short = shortName(model, document);
  if (cluster === null || !clashes(model, cluster, document)) return short;
  return h('span', {}, short, h('span', { class: 'members-in' }, ' in ', h('bdi', {}, folderName(model.folder(document)))));
}

/** Names in a sentence, not too many. @param {import('../model.js').Model} model @param {import('../model.js').Cluster | null} cluster @param {number[]} documents @param {number} most @returns {import('../dom.js').Child[]} */
export function nameList(model, cluster, documents, most) {
  const names = documents.slice(0, most).flatMap((d, at) => [at > 0 && ', ', distinctName(model, cluster, d)]);
  return documents.length > most ? [...names, ` and ${commas(documents.length - most)} more`] : names;
}

function suggestedWord() {
  return h('span', { class: 'members-suggested small' }, 'suggested');
}

/**
 * @param {import('../main.js').App} app
 * @param {(document: number, keep: boolean) => void} onKeep
 */
export function membersTable({ model }, onKeep) {
  const body = h('tbody');
  const more = h('div', { class: 'row members-more' });
  const table = h('table', { class: 'members-table' },
    h('thead', {}, h('tr', {}, ['Keep', 'Document', terms(model.page).member, 'In common', 'Size, modified'].map((title, at) => (
      h('th', { scope: 'col', class: at === 0 ? 'members-box' : at === 4 ? 'number' : null }, title))))), body);
  const element = h('div', { class: 'members-scroll', 'data-part': 'members' }, table, more);
  /** @type {import('../model.js').Cluster | null} */
  let cluster = null;
  /** @type {Row[]} */
  let rows = [];
  /** @type {Set<number>} */
  let kept = new Set();
  /** @type {{ opener: HTMLElement, copies: number[] }[]} */
  let openers = [];
  let shown = 0;
  let suggested = -1;
  /** @type {Set<number>} */
  let saved = new Set();
  const { length, unit } = measure(model.page);

  /** @param {number} document */
  function look(document) {
    return [kept.has(document) && 'kept', saved.has(document) && 'saved'].filter(Boolean).join(' ');
  }

  /** @param {number} document */
  function box(document) {
    const input = h('input', { type: 'checkbox', 'aria-label': `Keep ${cleanName(model.name(document))}`, 'data-keep': document, onchange: () => onKeep(document, /** @type {HTMLInputElement} */ (input).checked) });
    /** @type {HTMLInputElement} */ (input).checked = kept.has(document);
    return h('label', { class: 'members-keep' }, input, h('span', { class: 'members-keepword' }, 'keep'));
  }

  /** @param {number} document */
  function name(document) {
    const representative = cluster?.representative ?? document;
    const folder = model.folder(document);
    const file = h('bdi', { class: 'members-file', title: cleanName(model.id(document)) }, fileName(model, document));
    return [
      document === representative ? h('span', { class: 'members-name' }, file) : h('a', { class: 'members-name', href: address(['pair', representative, document]) }, file),
      document === suggested && suggestedWord(),
      h('div', { class: 'members-folder small muted' }, h('bdi', {}, folder === '' ? '' : `${cleanName(folder)}/`)),
    ];
  }

  /** @param {import('../model.js').Member | null} member */
  function shared(member) {
    if (member === null) return h('td');
    const line = (/** @type {number | null} */ share, /** @type {string} */ of, /** @type {string} */ title) => h('div', { title }, h('span', { class: 'number' }, percent(share)), ` ${of}`);
    const { shared: known = null, exact = null } = member;
    return h('td', { class: 'members-common small' }, member.containment === null ? '–' : [
      known !== null && h('div', { title: 'At least: the bytes of the chunks that both have' }, h('strong', { class: 'number' }, bytes(known))),
      exact !== null && h('div', { title: 'Counted by aligning the two' }, h('span', { class: 'number' }, bytes(exact)), ' exactly'),
      line(member.containment, 'of it', `${percent(member.containment)} of it is in the representative`),
      line(member.contained_by, 'of the repr.', `${percent(member.contained_by)} of the representative is in it`)]);
  }

  /** @param {number} document */
  function facts(document) {
    const { bytes: sizes, modified } = model.page.documents;
    // suggestions speak of words: markup is not text
    const words = unit === 'word' && h('span', { class: 'muted' }, ` · ${count(length(document), unit)}`);
    return h('td', { class: 'number members-facts small' }, h('div', {}, bytes(sizes[document]), words), h('div', { class: 'muted' }, day(modified[document])));
  }

  /** @param {Row} row */
  function main({ document, member, copies }) {
    const tr = h('tr', { 'data-document': document, class: look(document) });
    const opener = copies.length > 0 && h('button', { type: 'button', class: 'quiet small members-copies', 'aria-expanded': 'false', onclick: () => unfold(tr, copies, /** @type {HTMLElement} */ (opener)) });
    if (opener) openers.push({ opener, copies });
    const alike = member === null ? null : model.alike(member);
    const like = member === null
      ? h('td', { class: 'members-like' }, h('span', { class: 'chip decided members-first' }, 'representative'))
      : h('td', { class: 'members-like' },
        h('div', { class: 'row members-likerow' }, alike === null ? h('span', { class: 'small muted' }, 'not compared') : [bar(alike), h('span', { class: 'number', title: `${percent(alike)} ${terms(model.page).alike}` }, percent(alike))], h('span', { class: `chip ${member.class}` }, member.class)),
        member.interval && h('div', { class: 'small muted number' }, `between ${percent(member.interval[0])} and ${percent(member.interval[1])}`));
    tr.append(
      h('td', { class: 'members-box' }, box(document)),
      h('td', { class: 'members-cell' }, name(document), opener && h('div', { class: 'members-others' }, opener, h('span', { class: 'paper-only small' }))),
      like, shared(member), facts(document));
    return tr;
  }

  /** @param {number} value */
  function bar(value) {
    return h('span', { class: 'members-bar', 'aria-hidden': 'true' }, style(h('span'), { width: `${Math.max(0, value * 100).toFixed(1)}%` }));
  }

  /** Whether something is kept among copies is said even if they are folded. */
  function labelOpeners() {
    for (const { opener, copies } of openers) {
      const among = copies.reduce((sum, d) => sum + (kept.has(d) ? 1 : 0), 0);
      const words = copies.length === 1 ? 'and 1 identical copy' : `and ${commas(copies.length)} identical copies`;
      put(opener, words, among > 0 && h('span', { class: 'members-among' }, copies.length === 1 ? ', kept' : `, ${commas(among)} of them kept`));
      // nobody can press a button on paper
      if (opener.nextElementSibling !== null) put(opener.nextElementSibling, words);
    }
  }

  /** @param {HTMLElement} after @param {number[]} copies @param {HTMLElement} opener */
  function unfold(after, copies, opener) {
    const open = opener.getAttribute('aria-expanded') !== 'true';
    opener.setAttribute('aria-expanded', String(open));
    if (!open) {
      while (after.nextElementSibling?.classList.contains('members-copy')) after.nextElementSibling.remove();
      return;
    }
    const lines = copies.slice(0, STEP).map((document) => h('tr', { class: `members-copy ${look(document)}`, 'data-document': document },
      h('td', { class: 'members-box' }, box(document)),
      h('td', { class: 'members-cell' }, name(document)),
      h('td', { class: 'members-like' }, h('span', { class: 'chip identical' }, 'identical')), h('td'), facts(document)));
    if (copies.length > STEP) lines.push(h('tr', { class: 'members-copy' }, h('td', { class: 'members-box' }), h('td', { class: 'muted', colspan: 4 }, `and ${commas(copies.length - STEP)} more, not listed`)));
    after.after(...lines);
  }

  function extend() {
    const next = rows.slice(shown, shown + STEP);
    body.append(...next.map(main));
    shown += next.length;
    labelOpeners();
    const left = rows.length - shown;
    put(more, left > 0 && h('button', { type: 'button', onclick: extend }, `Show ${commas(Math.min(STEP, left))} more`),
      left > 0 && h('span', { class: 'muted small' }, `${commas(shown)} of ${commas(rows.length)} are shown, the most alike first`));
  }

  return {
    element,
    /** @param {import('../model.js').Cluster} next */
    show(next) {
      cluster = next;
      rows = memberRows(model, next);
      [shown, openers] = [0, []];
      put(body);
      extend();
      // where all are identical, their folders are all there is to see
      if (rows.length === 1 && rows[0].copies.length <= 12) openers[0]?.opener.click();
    },
    /** Ticks what is kept. @param {Set<number>} keep @param {number} suggestion @param {Set<number>} decided what is kept by a verdict that was saved: paper shows that */
    mark(keep, suggestion, decided) {
      [kept, saved] = [keep, decided];
      const before = suggested;
      suggested = suggestion;
      for (const input of body.querySelectorAll('input[data-keep]')) {
        const document = Number(/** @type {HTMLElement} */ (input).dataset.keep);
        /** @type {HTMLInputElement} */ (input).checked = keep.has(document);
        const row = input.closest('tr');
        row?.classList.toggle('kept', keep.has(document));
        row?.classList.toggle('saved', saved.has(document));
      }
      labelOpeners();
      if (before === suggested) return;
      for (const word of body.querySelectorAll('.members-suggested')) word.remove();
      body.querySelector(`tr[data-document="${suggested}"] .members-name`)?.after(suggestedWord());
    },
  };
}
