// The threshold as a line through the histogram: each submission by its highest similarity. It drives the list and the clusters.

import { h, put, cleanName } from '../../dom.js';
import { commas, count } from '../../format.js';
import { Histogram } from '../../parts/histogram.js';
import { short } from '../../recipe.js';
import { address, amend } from '../../route.js';
import { few } from '../explain.js';

/** More buttons would fill the page; the lists can be filtered by any. */
const GROUPS = 12;

/** What a threshold gives. @param {import('../model.js').CopiesModel} model @param {number} t */
function sums(model, t) {
  const clusters = model.at(t);
  return { ...model.striking(t), clusters: clusters.length, submissions: clusters.reduce((n, c) => n + c.submissions.length, 0), expected: expectedAt(model, t) };
}

/** Pairs expected by chance at a threshold: those of the next lower hundredth. @param {import('../model.js').CopiesModel} model @param {number} t @returns {number | null} */
export function expectedAt({ section }, t) {
  return section.calibration.table.filter((row) => row.threshold <= t + 1e-9).at(-1)?.expected ?? null;
}

/** @param {import('../start.js').CopiesApp} app */
export function thresholdPart({ model, names }) {
  const figures = ['Pairs from here on', 'Expected by chance', 'Clusters', 'Submissions in them'].map((label) => {
    const value = h('span', { class: 'figure-value number' });
    return { value, element: h('div', { class: 'figure' }, h('dt', {}, label), h('dd', {}, value)) };
  });
  const back = h('button', { type: 'button', class: 'small', onclick: () => amend({ t: null }) }, `Back to ${short(model.scanned)}`);
  const holder = h('div', {});
  const groups = h('div', { class: 'row group-filter no-print', role: 'group', 'aria-label': 'Groups' });
  /** @type {Histogram | null} */
  let histogram = null;
  let drawn = NaN;

  /** @param {number} t */
  function live(t) {
    const { pairs, all, clusters, submissions, expected } = sums(model, t);
    [`${all ? '' : 'at least '}${commas(pairs)}`, expected === null ? '–' : few(expected), commas(clusters), commas(submissions)].forEach((text, at) => { figures[at].value.textContent = text; });
    histogram?.say(`${count(pairs, 'pair')}, ${count(clusters, 'cluster')}`);
    back.hidden = t === model.scanned;
  }

  /** @param {number} label */
  function draw(label) {
    if (label === drawn) return;
    drawn = label;
    const values = model.submissions.filter((s) => s.archive !== true && (label < 0 || s.label === model.labels[label]?.[0])).map((s) => s.highest);
    histogram = new Histogram({
      values, noun: 'submission', label: 'Threshold: least similarity of a pair', range: model.range, from: model.from, scanned: model.scanned, fixed: false,
      onmove: live,
      onpick: (t) => { live(t); amend({ t: t === model.scanned ? null : t.toFixed(2) }); },
    });
    const hue = label < 0 ? null : model.hue(model.labels[label]?.[0]);
    holder.className = hue === null ? '' : `in-group pair-hue${hue}`;
    put(holder, histogram.element);
    const choice = (/** @type {number} */ at, /** @type {string} */ text, /** @type {number | null} */ of) => (
      h('button', { type: 'button', class: `group-choice small${of === null ? '' : ` pair-hue${of}`}`, 'aria-pressed': String(label === at), onclick: () => amend({ label: at < 0 ? null : at }) },
        at >= 0 && h('span', { class: 'group-dot', 'aria-hidden': 'true' }), h('bdi', {}, text)));
    put(groups, model.labels.length > 1 && [choice(-1, 'Everybody', null), ...model.labels.slice(0, GROUPS).map(([name, n], at) => choice(at, `${cleanName(names.label(name))} (${commas(n)})`, model.hue(name)))]);
  }

  const { rules, pairs: listed, pairs_all } = model.section;
  const facts = [
    `Pairs below ${short(rules.min_similarity)} are ${listed.some((p) => p.similarity < rules.min_similarity) ? 'listed only if they share a long passage' : 'not listed'}.`,
    model.from > rules.min_similarity + 1e-9 && `Of ${count(pairs_all, 'pair')}, ${commas(listed.length)} are on this page${listed.some((p) => p.folded > 0) ? '; among submissions that are 90% similar one pair stands for the others' : ', the most similar ones'}. From ${short(model.from)} on, all are listed.`,
  ].filter((fact) => fact !== false);
  const [toPairs, toMap] = [h('a', { href: address(['pairs']) }, 'To the pairs'), h('a', { href: address(['map']), 'data-action': 'map' }, 'The whole class as a map')];
  const element = h('section', { class: 'panel explorer', 'data-part': 'explorer', 'aria-labelledby': 'explorer-title' },
    h('div', { class: 'row spread' }, h('h2', { id: 'explorer-title' }, 'Which pairs are striking?'), h('div', { class: 'row no-print' }, back)),
    h('p', { class: 'muted explorer-lead' }, 'Each submission by its highest similarity to another. Drag the line, or use the arrow keys: what is to its right makes the list of pairs and the clusters.'),
    groups, holder,
    h('dl', { class: 'figures', 'data-part': 'figures' }, figures.map((f) => f.element)),
    h('p', { class: 'small muted histogram-facts' }, `${facts.join(' ')} `, toPairs, ' · ', toMap));
  return {
    element,
    /** @param {number} label */
    show(label) {
      toPairs.setAttribute('href', address(['pairs']));
      toMap.setAttribute('href', address(['map']));
      draw(label);
      histogram?.set(model.threshold);
      live(model.threshold);
    },
  };
}
