// The same as regroup.test.js for the chunks lens: the page regroups by shares of the smaller file, and `lookalike recluster --threshold` must say the same.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Model } from '../../js/model.js';
import { dataOf, dice, folder, lookalike } from '../program.js';

// the page may be older than the lens
const skip = lookalike('scan', '--help').includes('--lens') ? false : 'this lookalike has no --lens';

const place = folder();
const docs = join(place, 'docs');

/** Families of files that share blocks of bytes: editions, excerpts, collections, copies, and what is nothing but what others have too. */
function corpus() {
  const roll = dice(11);
  const block = (/** @type {number} */ length) => Buffer.from(Uint8Array.from({ length }, () => roll(256)));
  const menu = block(3000);
  for (let family = 0; family < 25; family++) {
    const base = Array.from({ length: 3 + roll(12) }, () => block(800 + roll(1600)));
    mkdirSync(join(docs, `owner${family % 4}`, `family${family}`), { recursive: true });
    for (let edition = 0; edition <= 1 + roll(7); edition++) {
      let blocks = base.map((b) => (roll(4) === 0 ? block(800 + roll(1600)) : b));
      if (roll(5) === 0) blocks = base.slice(0, 1 + roll(base.length));
      if (roll(6) === 0) blocks = base;
      if (roll(3) === 0) blocks = [menu, ...blocks];
      // equal sizes, so that the content decides who leads
      if (roll(5) === 0) blocks = [...base.slice(1), block(base[0].length)];
      writeFileSync(join(docs, `owner${family % 4}`, `family${family}`, `edition${edition}.bin`), Buffer.concat(blocks));
    }
  }
  for (let page = 0; page < 12; page++) writeFileSync(join(docs, 'owner0', `page${page}.html`), Buffer.concat([menu, block(200 + roll(2500))]));
}

/** What is shown of clusters. @param {Model} model @param {number} threshold */
function shown(model, threshold) {
  return model.at(threshold).map((cluster) => ({
    representative: model.id(cluster.representative),
    members: cluster.members.map((m) => [model.id(m.document), m.class, m.resemblance, m.containment, m.contained_by, m.shared]),
  }));
}

/** @param {any} report */
function told(report) {
  return report.clusters.map((/** @type {any} */ c) => ({
    representative: c.representative,
    members: c.members.map((/** @type {any} */ m) => [m.id, m.class, m.resemblance, m.containment, m.contained_by, m.shared_bytes ?? null]),
  }));
}

/** Chains may join what has less in common than the page lists: there, and nowhere else, it may know nothing. @param {any[]} expected @param {any[]} found */
function forget(expected, found) {
  expected.forEach((cluster, at) => {
    const known = new Map(found[at]?.members.map((/** @type {any[]} */ m) => [m[0], m[2]]));
    for (const m of cluster.members) if (m[1] === 'chained' && known.get(m[0]) === null) m.fill(null, 2);
  });
  const rank = (/** @type {any[]} */ m) => (m[2] ?? -1);
  for (const { members } of [...expected, ...found]) members.sort((/** @type {any[]} */ x, /** @type {any[]} */ y) => rank(y) - rank(x) || (x[0] < y[0] ? -1 : 1));
}

if (skip === false) corpus();

for (const [name, flags] of /** @type {[string, string[]][]} */ ([
  ['stars', ['--avg-chunk', '256']],
  ['stars of long chunks', []],
  ['stars of at least so many bytes', ['--avg-chunk', '256', '--min-shared', '4000']],
  ['components', ['--avg-chunk', '256', '--linkage', 'single']],
])) {
  test(`regrouping by bytes equals recluster: ${name}`, { skip }, () => {
    const [page, run] = [join(place, `${name}.html`), join(place, `${name}.run`)];
    const first = JSON.parse(lookalike('scan', docs, '--lens', 'chunks', ...flags, '--explore', '0.2', '--html', page, '--save', run, '--json', '--quiet'));
    const model = new Model(dataOf(page));
    assert.equal(model.page.pairs.from, 0.2);
    assert.deepEqual(shown(model, 0.5), told(first), 'the page has the clusters of the scan');
    const sizes = new Set();
    for (const percent of [20, 35, 50, 62, 80, 90, 99, 100]) {
      // also where the page was given its clusters
      model.known.clear();
      const expected = told(JSON.parse(lookalike('recluster', run, '--threshold', String(percent / 100), '--json', '--quiet')));
      const found = shown(model, percent / 100);
      if (flags.includes('single')) forget(expected, found);
      assert.deepEqual(found, expected, `at ${percent}%`);
      sizes.add(expected.length);
    }
    assert.ok(sizes.size > 1, 'the threshold makes a difference');
  });
}
