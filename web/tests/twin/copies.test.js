// Clusters of copies that the page finds at any threshold, held against those of the program.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { CopiesModel } from '../../js/copies/model.js';
import { cohort } from '../cohort.js';
import { dataOf, folder, lookalike } from '../program.js';

const place = folder();
const { page, texts } = cohort();
let content = 0;
page.report.passages.submissions.forEach((s, at) => s.files.forEach((f, file) => {
  const path = join(place, 'in', `s${at}`, `${file}.${f.language === 'java' ? 'java' : 'py'}`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, texts[page.contents[content]]);
  content += 1;
}));
const ask = (/** @type {string[]} */ ...args) => lookalike('copies', join(place, 'in'), '--per-folder', '--quiet', ...args);

test('clusters of copies at any threshold are those of the program', () => {
  const file = join(place, 'copies.html');
  ask('--html', file);
  const model = new CopiesModel(/** @type {any} */ (dataOf(file)));
  assert.ok(model.pairs.some((p) => p.same), 'two are the same');
  assert.equal(model.section.pairs_all, model.section.pairs.length, 'all are listed');
  const sizes = new Set();
  for (const t of [model.scanned, model.range[0], 0.3, 0.45, 0.6, 0.75, 0.9, 1]) {
    const { passages: { clusters } } = JSON.parse(ask('--json', ...(t === model.scanned ? [] : ['--threshold', String(t)])));
    const found = model.at(t);
    assert.deepEqual(found.map((c) => [c.submissions, c.count]), clusters.map((/** @type {any} */ c) => [c.submissions, c.pairs]), `from ${t} on`);
    found.forEach((c, at) => assert.ok(Math.abs(c.mean - clusters[at].mean) < 1e-9));
    sizes.add(found.length);
  }
  assert.ok(sizes.size > 2, 'thresholds make a difference');
});
