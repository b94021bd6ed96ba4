// The whole class as one map: who is linked to whom at the threshold, clusters and single submissions. The threshold is on it.

import { h, put, cleanName } from '../../dom.js';
import { commas, count, percent } from '../../format.js';
import { settle } from '../../parts/histogram.js';
import { searchField } from '../../parts/listfilters.js';
import { coreKey, lineKey, network } from '../../parts/network.js';
import { thresholdStepper } from '../../parts/thresholdstepper.js';
import { short } from '../../recipe.js';
import { address, amend } from '../../route.js';
import { arranged, drawnOf, islandsOf } from '../classmap.js';
import { coresOf } from '../clustercores.js';
import { finder } from '../filters.js';
import { groupKeys, kindOf, pairNote } from '../parts/ring.js';
import { shortNameOf } from '../parts/names.js';

/** More lines would be one blot. */
const LINES = 3000;

/** @param {import('../start.js').CopiesApp} app @returns {import('../../shell.js').View} */
export function mapView(app) {
  const { model, names } = app;
  const stepper = thresholdStepper(model, { before: 'From', after: 'similarity' });
  const [low, high] = model.range;
  const slider = /** @type {HTMLInputElement} */ (h('input', { type: 'range', class: 'map-slider no-print', min: low, max: high, step: 0.01, 'aria-label': 'Threshold: least similarity of a pair', 'data-part': 'slider', oninput: () => preview(asked()), onchange: () => pick(asked()) }));
  const search = searchField('Find a person, a submission, a file on the map');
  const [facts, words] = [h('p', { class: 'map-facts', 'aria-live': 'polite', 'data-part': 'facts' }), h('div', { class: 'small muted' })];
  const again = h('button', { type: 'button', 'data-action': 'arrange', onclick: () => arrange(model.threshold) });
  const picture = network({ wheel: true });
  const element = h('div', { class: 'map', 'data-part': 'map' },
    h('div', { class: 'row spread list-title' }, h('h1', {}, 'Map of the class'), h('div', { class: 'row map-threshold' }, slider, stepper.element)),
    h('div', { class: 'row list-tools no-print', role: 'search' }, search, facts, again), h('section', { class: 'panel map-panel', 'aria-label': 'Map' }, picture.element, words));
  /** The threshold for which everybody has a place. */
  let placed = NaN;
  /** @type {import('../types.js').Pair[]} */
  let lines = [];

  const limits = () => ({ range: model.range, from: model.from, scanned: model.scanned });
  const asked = () => settle(Number(slider.value), limits());

  /** @param {number} t */
  function pick(t) {
    amend({ t: t === model.scanned ? null : t.toFixed(2) });
    slider.value = String(t);
  }

  /** Links at a threshold, while nobody moves. @param {number} t */
  function preview(t) {
    const clusters = model.at(t);
    const inside = clusters.reduce((n, c) => n + c.submissions.length, 0);
    const { pairs, all } = model.striking(t);
    put(facts, h('strong', {}, `${all ? '' : 'at least '}${count(pairs, 'pair')}`), ` from ${short(t)} on connect `, h('strong', {}, count(inside, 'submission')), ' in ', h('a', { href: address(['clusters']) }, count(clusters.length, 'cluster')),
      `; ${inside === model.size ? 'nobody is alone' : `${count(model.size - inside, 'submission')} ${model.size - inside === 1 ? 'is' : 'are'} connected with nobody`}.`);
    slider.setAttribute('aria-valuetext', `${short(t)}: ${count(pairs, 'pair')}, ${count(clusters.length, 'cluster')}`);
    const linked = t === model.scanned ? (/** @type {number} */ at) => lines[at].class === 'striking' : (/** @type {number} */ at) => lines[at].similarity >= t;
    picture.keep(linked);
    again.hidden = t === placed;
    put(again, `Arrange for ${short(t)}`);
  }

  /** Gives everybody a place. @param {number} t */
  function arrange(t) {
    placed = t;
    const clusters = model.at(t);
    const { islands, left, alone, singles } = drawnOf(clusters, model.size);
    const made = islands.flatMap(islandsOf);
    const shown = [...islands.flatMap((c) => c.submissions), ...singles];
    const place = new Map(shown.map((s, at) => [s, at]));
    const known = model.pairs.filter((p) => place.has(p.a) && place.has(p.b));
    lines = known.slice(0, LINES);
    const bridges = new Set(islands.flatMap((c) => [...coresOf(c)?.bridges ?? []]));
    const cores = islands.flatMap((c) => coresOf(c)?.cores ?? []);
    const number = new Map(islands.flatMap((c) => c.submissions.map((s) => [s, c])));
    const strength = (/** @type {number} */ similarity) => Math.max(0, (similarity - low) / Math.max(0.01, 1 - low));
    const count_ = (/** @type {number} */ s) => model.of[s].filter((p) => p.similarity >= model.threshold).length;
    const told = (/** @type {number} */ s) => (count_(s) === 0 ? `connected with nobody from ${short(model.threshold)} on` : `in ${count(count_(s), 'pair')} from ${short(model.threshold)} on`);
    const summary = `${count(islands.length, 'cluster')} and ${count(singles.length, 'single submission')}.`;
    const beside = left.reduce((n, c) => n + c.submissions.length, 0);
    picture.show({
      nodes: shown.map((s) => ({
        name: shortNameOf(app, s), label: `${shortNameOf(app, s)}: ${told(s)}`, kind: kindOf(app, s), radius: 1, copies: 1, document: s, href: address(['submission', s]),
        note: () => [h('bdi', { class: 'hovernote-name' }, shortNameOf(app, s)), h('div', {}, h('bdi', {}, cleanName(names.submission(s)))), h('div', {}, told(s)), model.submissions[s].highest > 0 && h('div', {}, `most similar to anybody: ${percent(model.submissions[s].highest)}`),
          number.has(s) && h('div', {}, `cluster ${commas(number.get(s)?.number ?? 0)} at ${short(placed)}`)],
      })),
      links: lines.map((p) => ({ from: place.get(p.a) ?? 0, to: place.get(p.b) ?? 0, contained: false, bridge: bridges.has(p), strength: strength(p.similarity), length: 1, href: address(['pair', p.a, p.b]), note: () => pairNote(app, p) })),
      cores: cores.map((members) => members.flatMap((s) => place.get(s) ?? [])),
      place(width) {
        const { at, height, radius } = arranged(made, singles, width, Math.max(380, Math.min(900, innerHeight - 300)));
        return { points: shown.map((s) => at.get(s) ?? { x: 0, y: 0 }), height: Math.max(120, height), size: radius };
      },
      summary,
      below: [],
    });
    const missing = [
      beside > 0 && h('p', { class: 'note', 'data-part': 'left' }, `${count(beside, 'submission')} of ${count(left.length, 'cluster')} are too many for this map. Raise the threshold, or open `, left.slice(0, 3).flatMap((c, at) => [at > 0 && ', ', h('a', { href: address(['cluster', c.submissions[0]]) }, `cluster ${commas(c.number)} (${commas(c.submissions.length)})`)]), left.length > 3 && h('span', {}, ' and ', h('a', { href: address(['clusters']) }, 'others')), '.'),
      singles.length < alone.length && h('p', { class: 'note', 'data-part': 'alone' }, `${count(alone.length, 'submission')} connected with nobody from ${short(t)} on are not drawn: `, h('a', { href: address(['submissions']) }, 'the list of submissions'), ' has them.'),
      known.length > lines.length && h('p', {}, `The ${commas(lines.length)} most similar of ${count(known.length, 'listed pair')} are drawn.`),
      !model.complete(t) && h('p', {}, `Not all pairs below ${short(model.from)} are listed on this page: some are connected without a line.`),
    ];
    put(words, missing.filter((part) => part !== false), h('div', { class: 'graph-legend' }, groupKeys(app, shown), lineKey('', 'thicker: more similar'), cores.length > 0 && [coreKey('a dense core'), lineKey('bridge', 'a bridge between cores')]),
      h('p', { class: 'graph-summary' }, 'A dot opens the submission, a line the pair. Arrow keys go from dot to dot, Page Down to the next of all, Enter opens; +, − and 0, the wheel or two fingers enlarge. Who is alone stands at the bottom.'));
    preview(t);
    mark(search.value);
  }

  /** @param {string} q */
  const mark = (q) => picture.mark(finder(names, q));

  return {
    element,
    title: 'Map',
    show(route) {
      const q = route.query.get('q') ?? '';
      if (document.activeElement !== search) search.value = q;
      stepper.show();
      slider.value = String(model.threshold);
      if (Number.isNaN(placed)) arrange(model.threshold);
      preview(model.threshold);
      mark(q);
    },
  };
}
