// The page regroups clusters while the threshold is dragged; `lookalike recluster` is asked the same, and must say the same.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Model } from '../../js/model.js';
import { ROOT, dataOf, dice, folder, lookalike, words } from '../program.js';

/** Families of near-copies with every degree of change, excerpts, and identical copies. @param {string} file */
function corpus(file) {
  const roll = dice(7);
  const lines = [];
  for (let family = 0; family < 40; family++) {
    const base = words(roll, 80 + roll(400));
    const copies = 1 + roll(9);
    for (let copy = 0; copy <= copies; copy++) {
      let text = [...base];
      for (let change = roll(1 + Math.floor(base.length / 12)); change > 0; change--) text[roll(text.length)] = `x${roll(900)}`;
      if (roll(6) === 0) text = text.slice(0, Math.floor(text.length / 2));
      if (roll(6) === 0) text = base;
      lines.push(JSON.stringify({ id: `family${family}/copy${copy}`, text: text.join(' ') }));
    }
  }
  writeFileSync(file, lines.join('\n'));
}

/** An interval in digits that both sides have: their last bits need not agree. @param {[number, number] | null | undefined} interval */
function ends(interval) {
  return interval?.map((end) => end.toFixed(12)) ?? null;
}

/** What is shown of clusters, whatever shows it. @param {Model} model @param {number} threshold */
function shown(model, threshold) {
  return model.at(threshold).map((cluster) => ({
    representative: model.id(cluster.representative),
    members: cluster.members.map((m) => [model.id(m.document), m.class, m.resemblance, m.containment, m.contained_by, ends(m.interval)]),
  }));
}

/** @param {any} report */
function told(report) {
  return report.clusters.map((/** @type {any} */ c) => ({
    representative: c.representative,
    members: c.members.map((/** @type {any} */ m) => [m.id, m.class, m.resemblance, m.containment, m.contained_by, ends(m.intervals?.resemblance)]),
  }));
}

/** A saved run has pairs that turned out below everything the page lists; chains may join them. There, and nowhere else, the page may know nothing. @param {any[]} expected @param {any[]} found @param {number} from */
function forget(expected, found, from) {
  expected.forEach((cluster, at) => {
    const known = new Map(found[at]?.members.map((/** @type {any[]} */ m) => [m[0], m[2]]));
    for (const m of cluster.members) if (m[1] === 'chained' && m[2] < from && known.get(m[0]) === null) m.fill(null, 2);
  });
  // they come last, with their resemblance or without
  const rank = (/** @type {any[]} */ m) => (m[2] ?? -1);
  for (const { members } of [...expected, ...found]) members.sort((/** @type {any[]} */ x, /** @type {any[]} */ y) => rank(y) - rank(x) || (x[0] < y[0] ? -1 : 1));
}

/** Only who is together. @param {any[]} clusters */
function grouped(clusters) {
  return clusters.map(({ representative, members }) => [representative, members.map((/** @type {any[]} */ m) => m[0]).sort()]);
}

const place = folder();
const generated = join(place, 'corpus.jsonl');
corpus(generated);

for (const [name, input, flags] of /** @type {[string, string, string[]][]} */ ([
  ['stars', generated, []],
  ['stars of short shingles', generated, ['-w', '4']],
  ['stars with containers', generated, ['--contained', '0.8']],
  ['components', generated, ['--linkage', 'single']],
  ['sketches that cannot tell containment', generated, ['--sketch', 'min:40']],
  ['estimates', generated, ['--estimate']],
  ['estimates with containers', generated, ['--estimate', '--contained', '0.8']],
  ['estimates that cannot tell containment', generated, ['--estimate', '--sketch', 'min:40', '-w', '4']],
  ['estimated components', generated, ['--estimate', '--linkage', 'single']],
  ['the sample site', join(ROOT, 'examples/support-site'), ['--contained', '0.9']],
])) {
  test(`regrouping equals recluster: ${name}`, () => {
    const [page, run] = [join(place, `${name}.html`), join(place, `${name}.run`)];
    const first = JSON.parse(lookalike('scan', input, ...flags, '--threshold', '0.3', '--html', page, '--save', run, '--json', '--quiet'));
    const model = new Model(dataOf(page));
    assert.equal(model.page.pairs.from, 0.3);
    assert.deepEqual(shown(model, 0.3), told(first), 'the page has the clusters of the scan');
    const sizes = new Set();
    for (const threshold of [0.35, 0.5, 0.62, 0.8, 0.9, 0.99, 1]) {
      const expected = told(JSON.parse(lookalike('recluster', run, '--threshold', String(threshold), '--json', '--quiet')));
      const found = shown(model, threshold);
      if (flags.includes('single')) forget(expected, found, model.page.pairs.from);
      assert.deepEqual(found, expected, `at ${threshold}`);
      sizes.add(expected.length);
    }
    assert.ok(sizes.size > 1, 'the threshold makes a difference');
  });
}

for (const linkage of ['star', 'single']) {
  test(`regrouping near fingerprints equals scanning again: ${linkage}`, () => {
    const flags = ['scan', generated, '--lens', 'simhash', '--distance', '7', '--verify', '--linkage', linkage, '--quiet'];
    const page = join(place, `simhash ${linkage}.html`);
    const first = JSON.parse(lookalike(...flags, '--threshold', '0.3', '--html', page, '--json'));
    const model = new Model(dataOf(page));
    // the page shows what the shingles said, and tells how often they agreed
    assert.match(model.page.report.compared_by, /shingles:w=10/);
    assert.equal(model.page.report.simhash?.verified.confirmed, first.simhash.verified.confirmed);
    const sizes = new Set();
    for (const threshold of [0.3, 0.5, 0.8, 0.9, 1]) {
      const expected = told(JSON.parse(lookalike(...flags, '--threshold', String(threshold), '--json')));
      const found = shown(model, threshold);
      // a chain may join what is not within so many bits: scanning compares those too, the page has never seen them
      const asked = linkage === 'star' ? (/** @type {any[]} */ list) => list : grouped;
      assert.deepEqual(asked(found), asked(expected), `at ${threshold}`);
      sizes.add(expected.length);
    }
    assert.ok(sizes.size > 1, 'the threshold makes a difference');
  });
}

test('a page can be explored below the threshold of its scan', () => {
  const [high, low] = [join(place, 'high.html'), join(place, 'low.html')];
  lookalike('scan', generated, '--html', high, '--explore', '0.2', '--quiet');
  lookalike('scan', generated, '--threshold', '0.2', '--html', low, '--quiet');
  const [from, to] = [new Model(dataOf(high)), new Model(dataOf(low))];
  assert.deepEqual(from.range, [0.2, 1]);
  for (const threshold of [0.2, 0.33, 0.5, 0.7]) assert.deepEqual(shown(from, threshold), shown(to, threshold), `at ${threshold}`);
  assert.notEqual(from.at(0.2).length, from.at(0.5).length);
});
