// The evidence on one pair as a document: for those who decide and have no time to learn a program. Print it, or save it as PDF.

import { h, put, clean, cleanName } from '../../dom.js';
import { bytes, commas, count, moment, percent } from '../../format.js';
import { short } from '../../recipe.js';
import { address } from '../../route.js';
import { SIMILARITY, byChance, few, inSubmissions, rare, reach, reasoning, ruleWords, whyPair, whyPassage } from '../explain.js';
import { command } from '../parts/method.js';
import { table } from '../parts/table.js';
import { shortNames, shortNameOf } from '../parts/names.js';
import { PAIR_VERDICTS } from '../verdictfile.js';

/**
 * @typedef {import('../start.js').CopiesApp} CopiesApp
 * @typedef {import('../types.js').Pair} Pair
 * @typedef {import('../sheet.js').Sheet} Sheet
 */

/** Passages that are shown in full, and lines of one. */
const PASSAGES = 100;
const LINES = 400;

/** @param {string} title @param {...(import('../../dom.js').Child | import('../../dom.js').Child[])} inside */
function part(title, ...inside) {
  return h('section', { class: 'dossier-part' }, h('h2', {}, title), ...inside);
}

/** @param {[string, import('../../dom.js').Child | import('../../dom.js').Child[]][]} rows */
function facts(rows) {
  return h('table', { class: 'dossier-facts' }, h('tbody', {}, rows.map(([name, value]) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, value)))));
}

/** Who handed in what, with the hashes of all files. @param {CopiesApp} app @param {number} at */
function party({ model, names }, at) {
  const s = model.submissions[at];
  return h('div', { class: 'dossier-party' },
    h('h3', {}, h('bdi', {}, cleanName(names.short(at)))),
    facts([
      ['Submission', h('bdi', {}, cleanName(names.submission(at)))],
      ...(names.owner(at) === null ? [] : [/** @type {[string, string]} */ (['Owner', cleanName(names.owner(at) ?? '')])]),
      ...(s.label === undefined ? [] : [/** @type {[string, string]} */ (['Group', cleanName(names.label(s.label))])]),
      ['Handed in', s.created !== undefined ? moment(s.created) : s.created_at !== undefined ? clean(s.created_at) : 'not known'],
      ...(s.archive === true ? [/** @type {[string, string]} */ (['From', 'an earlier year'])] : []),
      ['Tokens', `${commas(s.tokens)}${s.excluded > 0 ? `, of which ${commas(s.excluded)} were given or are in too many submissions and do not count` : ''}`],
    ]),
    table(['File', 'Language', '#Size', 'BLAKE3'], s.files.map((f, file) => [
      [h('bdi', { class: 'mono' }, cleanName(names.file(at, file))), f.degraded !== undefined && h('div', { class: 'small' }, `read without its grammar: ${clean(names.text(f.degraded))}`)],
      clean(f.language), bytes(f.bytes), h('span', { class: 'mono hash' }, clean(f.content))]), 'dossier-files'));
}

/** The lines of a stretch; what belongs to the passage is marked. @param {Sheet} sheet @param {import('../types.js').Stretch} stretch @param {number} hue */
export function excerpt(sheet, stretch, hue) {
  if ((sheet.files[stretch.file] ?? null) === null) return h('p', { class: 'muted' }, `Lines ${stretch.line}–${stretch.last_line}: this text is not in this page.`);
  const [from, to] = sheet.stretch(stretch);
  const { shown } = sheet;
  const rows = [];
  let line = stretch.line;
  for (let at = shown.lastIndexOf('\n', from - 1) + 1; at < to && rows.length < LINES; line++) {
    const found = shown.indexOf('\n', at);
    const end = found < 0 ? shown.length : found;
    const [begin, stop] = [Math.min(end, Math.max(at, from)), Math.min(end, to)];
    const cut = (/** @type {number} */ x, /** @type {number} */ y) => clean(shown.slice(x, y).replace(/\r$/, ''));
    // white space in front is no evidence
    const indent = begin === at ? /^\s*/.exec(shown.slice(begin, stop))?.[0].length ?? 0 : 0;
    rows.push(h('div', { class: 'dossier-line', 'data-line': line }, cut(at, begin + indent), begin + indent < stop && h('mark', { class: `pair-hue${hue}` }, cut(begin + indent, stop)), cut(stop, end)));
    at = end + 1;
  }
  const left = stretch.last_line - line + 1;
  return h('div', { class: 'dossier-code' }, rows, left > 0 && rows.length >= LINES && h('p', { class: 'muted' }, `… ${count(left, 'more line')}`));
}

/** @param {CopiesApp} app @param {Pair} pair @param {Sheet} a @param {Sheet} b */
function passages(app, pair, a, b) {
  const { model, names } = app;
  const [x, y] = shortNames(app, pair.a, pair.b);
  const where = (/** @type {string} */ name, /** @type {number} */ at, /** @type {import('../types.js').Stretch} */ s) => h('div', { class: 'dossier-where' }, h('bdi', {}, h('strong', {}, name)), ' ', model.submissions[at].files.length > 1 && h('bdi', { class: 'mono' }, cleanName(names.file(at, s.file)), ' '), `lines ${s.line}–${s.last_line}`);
  return pair.passages.slice(0, PASSAGES).map((p, at) => h('section', { class: 'dossier-passage', 'data-passage': at },
    h('h3', {}, `Passage ${at + 1}`, h('span', { class: 'muted' }, ` · ${count(p.tokens, 'token')} · ${inSubmissions(model, p)}`)),
    h('p', { class: 'small' }, whyPassage(model, p, model.submissions[pair.a].files[p.a.file]?.language ?? 'text')),
    h('div', { class: 'dossier-two' }, h('div', {}, where(x, pair.a, p.a), excerpt(a, p.a, at % 7)), h('div', {}, where(y, pair.b, p.b), excerpt(b, p.b, at % 7)))));
}

/** @param {CopiesApp} app @param {Pair} pair @param {Sheet} a @param {Sheet} b */
function dossier(app, pair, a, b) {
  const { model, names, verdicts } = app;
  const { section, page } = model;
  const [x, y] = shortNames(app, pair.a, pair.b);
  const { verdict = '', note = '', when = '' } = verdicts.get(pair) ?? {};
  const number = (/** @type {string} */ value, /** @type {string} */ meaning) => [h('strong', { class: 'number' }, value), h('div', { class: 'small muted' }, meaning)];
  return [
    h('header', { class: 'dossier-head' }, h('p', { class: 'muted' }, 'Evidence on two submissions'), h('h1', {}, h('bdi', {}, x), h('span', { class: 'muted' }, ' and '), h('bdi', {}, y)),
      h('p', {}, `Compared on ${moment(page.made)} with lookalike ${clean(page.report.lookalike)}, among ${count(model.size, 'submission')}. Printed on ${moment(Math.floor(Date.now() / 1000))}.${names.on ? ' Names are replaced by pseudonyms.' : ''}`)),
    part('Finding', h('ul', { class: 'reasons' }, whyPair(model, pair, [x, y]).map((sentence) => h('li', {}, sentence))), h('p', { class: 'small muted' }, 'A similarity is a reason to look, and never a proof. What the two share is printed below, so that anybody can judge.')),
    part('Verdict', verdict === '' ? h('p', { class: 'dossier-open' }, 'Nothing is decided yet.')
      : h('p', {}, h('span', { class: `chip is-${verdict}` }, PAIR_VERDICTS[verdict].name), ` ${PAIR_VERDICTS[verdict].means}.`, when !== '' && h('span', { class: 'small muted' }, ` ${clean(when.slice(0, 16).replace('T', ' '))} UTC`)), note !== '' && h('blockquote', {}, clean(names.text(note)))),
    part('In numbers', facts([
      ['Similarity', number(percent(pair.similarity), SIMILARITY)],
      [`Share of ${x}`, number(percent(pair.share_a), `Tokens of ${x} that are in passages which both have`)],
      [`Share of ${y}`, number(percent(pair.share_b), `Tokens of ${y} that are in passages which both have`)],
      ['Overlap', number(count(pair.overlap, 'token'), `in ${count(pair.passages_all, 'passage')}; ${commas(pair.longest)} of one passage are equal, at most`)],
      ['Rarity', number(pair.rarity.toFixed(2), `From 0, everybody has it, to 1, only these two: ${rare(model, pair.rarity)}`)],
      ['Expected by chance', number(few(pair.expected), byChance(pair.expected))],
      ['Threshold', number(short(model.scanned), clean(names.text(reasoning(model).join(' '))))],
    ])),
    part('Submissions', h('div', { class: 'dossier-two' }, party(app, pair.a), party(app, pair.b))),
    part(`Passages${pair.passages.length > PASSAGES ? `: the longest ${PASSAGES} of ${commas(pair.passages_all)}` : ''}`, passages(app, pair, a, b)),
    part('How it was done', facts([
      ['Recipe', h('span', { class: 'mono' }, clean(page.report.recipe))],
      ...section.recipes.map((r) => /** @type {[string, string]} */ ([`Reach, ${clean(r.family)}`, `Shortest passage: ${reach(r)[0]}. Found for certain: ${reach(r)[1]}.`])),
      ['Rules', ruleWords(section).join(' ')],
      ['Left out', `${count(section.ignored.base_files, 'file')} of given code; ${count(section.ignored.base_tokens, 'token')} given, ${commas(section.ignored.frequent_tokens)} in passages that too many share`],
      ['Pairs', `${count(section.pairs_possible, 'pair')} could be compared; ${commas(section.pairs_all)} share enough to be listed`],
      ['Do it again', h('code', {}, command(app))],
    ]), h('p', { class: 'small muted' }, 'Whoever has the files can check by their BLAKE3 hashes, of which the first half is given, that they are the ones that were compared.')),
  ];
}

/** @param {CopiesApp} app @returns {import('../../shell.js').View} */
export function dossierView(app) {
  const { model } = app;
  const [paper, back] = [h('article', { class: 'dossier', 'data-part': 'dossier' }), h('a', { class: 'cluster-back' })];
  const print = h('button', { type: 'button', class: 'primary', 'data-action': 'print', onclick: () => globalThis.print() }, 'Print or save as PDF');
  const element = h('div', { class: 'dossier-view' }, h('div', { class: 'row spread cluster-nav no-print' }, back, print), paper);
  let turn = 0;
  const view = {
    element,
    title: 'Dossier',
    /** @param {import('../../route.js').Route} route */
    show({ path }) {
      const [a, b] = path.slice(1, 3).map(Number);
      const known = [a, b].every((s) => Number.isInteger(s) && s >= 0 && s < model.size) && a !== b;
      const pair = known ? model.pair(a, b) : null;
      turn += 1;
      const mine = turn;
      delete paper.dataset.drawn;
      back.setAttribute('href', pair === null ? address(['pairs']) : address(['pair', a, b]));
      put(back, pair === null ? '← All pairs' : '← Side by side');
      print.hidden = pair === null;
      if (pair === null) {
        put(paper, h('h1', {}, 'No such pair'), h('p', {}, 'There is no such pair in this report.'));
        return;
      }
      view.title = `Dossier ${shortNameOf(app, pair.a)} ↔ ${shortNameOf(app, pair.b)}`;
      put(paper, h('p', { class: 'muted' }, 'Reading …'));
      void Promise.all([app.texts.of(pair.a), app.texts.of(pair.b)]).then(([x, y]) => {
        if (mine !== turn) return;
        put(paper, dossier(app, pair, x, y));
        paper.dataset.drawn = `${pair.a}-${pair.b}`;
      });
    },
  };
  return view;
}
