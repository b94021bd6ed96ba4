// One submission, a person's page: with whom it shares what, its passages, its files.

import { h, put, clean, cleanName } from '../../dom.js';
import { bytes, commas, count, moment, percent } from '../../format.js';
import { Pane } from '../../parts/panes.js';
import { listenToKeys } from '../../parts/pairkeys.js';
import { address, visit } from '../../route.js';
import { cover } from '../../sides.js';
import { inSubmissions } from '../explain.js';
import { fileHead } from '../parts/pairfacts.js';
import { pairList } from '../parts/pairlist.js';
import { listed, table } from '../parts/table.js';
import { labelChip, shortNameOf } from '../parts/names.js';

const PASSAGES = 50;

/** @typedef {{ place: import('../types.js').Stretch, tokens: number, submissions: number, pairs: import('../types.js').Pair[], number: number }} OwnPassage  `number`: in the first of its pairs */

/**
 * The passages of a submission: what several pairs share is one.
 * @param {import('../model.js').CopiesModel} model @param {number} at
 * @returns {OwnPassage[]}  longest first
 */
export function passagesOf(model, at) {
  /** @type {Map<string, OwnPassage>} */
  const all = new Map();
  for (const pair of model.of[at]) {
    pair.passages.forEach((p, number) => {
      const place = pair.a === at ? p.a : p.b;
      const key = `${place.file}/${place.start}/${place.end}`;
      const known = all.get(key);
      if (known === undefined) all.set(key, { place, tokens: p.tokens, submissions: p.submissions, pairs: [pair], number });
      else {
        known.pairs.push(pair);
        known.submissions = Math.max(known.submissions, p.submissions);
      }
    });
  }
  return [...all.values()].sort((x, y) => y.tokens - x.tokens);
}

/** @param {import('../start.js').CopiesApp} app @returns {import('../../shell.js').View} */
export function submissionView(app) {
  const { model, names } = app;
  const [head, facts, passages, files] = [h('div'), h('div'), h('div', { 'data-part': 'own-passages' }), h('div', { 'data-part': 'files' })];
  const list = pairList(app, () => {}, () => null);
  for (const column of list.options.columns) delete column.sorts;
  const none = h('p', { class: 'list-nothing muted' }, 'It shares too little with any other to be listed.');
  const pane = new Pane('a', 'token', { open: () => {} });
  pane.scroller.classList.add('submission-text');
  const panel = (/** @type {string} */ title, /** @type {HTMLElement[]} */ ...inside) => h('section', { class: 'panel', 'aria-label': title }, h('h2', {}, title), inside);
  const body = h('div', {}, h('h2', {}, 'Its pairs, most similar first'), list.element, none, panel('Its passages', passages), panel('Its files', files),
    h('section', { class: 'no-print copies-pair', 'aria-label': 'Text' }, h('h2', {}, 'Its text'), h('p', { class: 'muted small' }, 'Coloured: what it shares with another; a click opens the pair. Grey: what was given, or what too many share.'), pane.scroller));
  const element = h('div', { class: 'submission', 'data-part': 'submission' }, head, facts, body);
  listenToKeys(element, { escape: () => visit(address(['submissions'])) });
  let [shown, turn] = [-1, 0];

  /** @param {number} at @param {string | null} file @param {string | null} line */
  async function read(at, file, line) {
    turn += 1;
    const mine = turn;
    pane.say('Reading …');
    const sheet = await app.texts.of(at);
    if (mine !== turn) return;
    const all = passagesOf(model, at);
    const places = all.map((p) => sheet.stretch(p.place));
    const kinds = all.map((p, number) => ({ number, a: /** @type {[number, number]} */ ([0, 0]), b: /** @type {[number, number]} */ ([0, 0]), runs: [], equal: p.tokens, moved: false, hue: 0 }));
    const none = new Int32Array(0);
    const side = { key: /** @type {'a'} */ ('a'), shown: sheet.shown, from: none, to: none, paint: sheet.paint, line: (/** @type {number} */ place) => sheet.line(place), heads: sheet.starts.map((start, f) => ({ at: start, head: fileHead(app, at, f, sheet.files[f]) })) };
    await pane.fill(side, cover(sheet.shown.length, places.map(([from, to], passage) => ({ from, to, passage, difference: -1 })), sheet.given), [], kinds, null);
    if (mine !== turn || line === null) return;
    const start = sheet.starts[Number(file)] ?? 0;
    const wanted = sheet.lines[sheet.lines.indexOf(start) + Number(line) - 1] ?? start;
    pane.scroller.scrollIntoView({ block: 'nearest' });
    pane.scroller.scrollTop = pane.yOf(wanted) - 60;
  }
  pane.scroller.addEventListener('click', (event) => {
    const passage = event.target instanceof Element ? event.target.closest('[data-passage]')?.getAttribute('data-passage') : null;
    const found = passage === null || passage === undefined || shown < 0 ? undefined : passagesOf(model, shown)[Number(passage)];
    if (found !== undefined && document.getSelection()?.isCollapsed) visit(address(['pair', found.pairs[0].a, found.pairs[0].b], { at: found.number + 1 }));
  });

  /** @param {number} at */
  function draw(at) {
    const s = model.submissions[at];
    const others = model.others(at);
    const twins = model.submissions.map((_, other) => other).filter((other) => other !== at && (s.same_as === other || model.submissions[other].same_as === at));
    const link = (/** @type {number} */ to) => h('a', { href: address(['submission', to]) }, h('bdi', {}, shortNameOf(app, to) === shortNameOf(app, at) ? cleanName(names.submission(to)) : shortNameOf(app, to)));
    const fact = (/** @type {string} */ name, /** @type {import('../../dom.js').Child | import('../../dom.js').Child[]} */ value) => h('div', {}, h('dt', {}, name), h('dd', {}, value));
    put(head, h('div', { class: 'row cluster-nav no-print' }, h('a', { class: 'cluster-back', href: address(['submissions']) }, '← All submissions')), h('h1', {}, h('bdi', {}, shortNameOf(app, at))),
      s.same_as !== undefined && h('p', { class: 'note' }, 'It has exactly the tokens of ', link(s.same_as), ', which was compared in its place: the pairs of that one hold for this one too.'));
    const cluster = model.clusterOf(at);
    put(facts, h('dl', { class: 'cluster-facts', 'data-part': 'facts' },
      fact('highest similarity', percent(s.highest)), fact(s.files.length === 1 ? 'file' : 'files', commas(s.files.length)), fact(s.excluded > 0 ? `tokens, ${commas(s.excluded)} of them given` : 'tokens', commas(s.tokens)),
      names.person(at) !== null && fact('submission', h('bdi', {}, cleanName(names.submission(at)))), names.owner(at) !== null && fact('owner', h('bdi', {}, cleanName(names.owner(at) ?? ''))), s.label !== undefined && fact('group', labelChip(app, s.label)),
      (s.created !== undefined || s.created_at !== undefined) && fact('handed in', s.created === undefined ? clean(s.created_at ?? '') : moment(s.created)), s.archive === true && fact('from', 'an earlier year'),
      cluster !== undefined && fact('cluster', h('a', { href: address(['cluster', at]) }, `${commas(cluster.number)}, with ${commas(cluster.submissions.length - 1)} more`)),
      twins.length > 0 && fact('same tokens', listed(twins, 5, link)), others.length > 0 && fact('of the same person, not compared', listed(others, 5, link))));
    const own = model.of[at];
    list.set(own);
    list.element.hidden = own.length === 0;
    none.hidden = own.length > 0;
    const all = passagesOf(model, at);
    const where = (/** @type {OwnPassage} */ { place, pairs: [pair], number }) => h('a', { href: address(['pair', pair.a, pair.b], { at: number + 1 }) },
      s.files.length > 1 && h('bdi', { class: 'mono' }, `${cleanName(names.file(at, place.file))} `), `lines ${place.line}–${place.last_line}`);
    const partner = (/** @type {import('../types.js').Pair} */ pair) => h('bdi', {}, shortNameOf(app, pair.a === at ? pair.b : pair.a));
    put(passages, all.length === 0 ? h('p', { class: 'muted' }, 'None.')
      : table(['Where', '#Tokens', 'Found', 'Shared with'], all.slice(0, PASSAGES).map((p) => [where(p), commas(p.tokens), inSubmissions(model, p), listed(p.pairs, 4, partner)])),
    all.length > PASSAGES && h('p', { class: 'small muted' }, `The longest ${PASSAGES} of ${count(all.length, 'passage')}.`));
    const named = (/** @type {import('../types.js').SourceFile} */ f, /** @type {number} */ file) => [h('bdi', { class: 'mono' }, cleanName(names.file(at, file))),
      f.degraded !== undefined && h('div', { class: 'small muted' }, `read without its grammar: ${clean(names.text(f.degraded))}`)];
    put(files, table(['File', 'Language', '#Lines', '#Tokens', '#Size', 'BLAKE3'],
      s.files.map((f, file) => [named(f, file), clean(f.language), commas(f.lines), commas(f.tokens), bytes(f.bytes), h('span', { class: 'mono small hash' }, clean(f.content))])));
  }

  const view = {
    element,
    title: 'Submission',
    /** @param {import('../../route.js').Route} route */
    show(route) {
      const at = Number(route.path[1] ?? NaN);
      const known = Number.isInteger(at) && at >= 0 && at < model.size;
      body.hidden = !known;
      if (!known) {
        shown = -1;
        put(facts);
        put(head, h('h1', {}, 'No such submission'), h('p', { class: 'note' }, 'The address names no submission of this report. ', h('a', { href: address(['submissions']) }, 'To the submissions')));
        return;
      }
      view.title = shortNameOf(app, at);
      draw(at);
      if (at !== shown) void read(at, route.query.get('file'), route.query.get('line'));
      shown = at;
    },
  };
  return view;
}
