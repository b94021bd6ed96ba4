import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limited } from '../../js/load.js';
import { Model } from '../../js/model.js';
import { fixedBecause, unlisted } from '../../js/parts/explorer.js';
import { mostRows } from '../../js/parts/list.js';
import { page } from './page.js';

/** @param {{ from?: number, left?: number, boilerplate?: boolean, candidates?: string }} [change] */
function model({ from = 0.3, left = 0, boilerplate = false, candidates = 'shingles' } = {}) {
  const given = page({ ids: ['a', 'b'], pairs: [[0, 1, 80]] });
  return new Model({ ...given, left_out: { clusters: left, documents: 2 * left }, pairs: { ...given.pairs, from }, report: { ...given.report, shingles: { candidates, max_df: 1000, include_boilerplate: boilerplate, estimate: false, unsampled: 0 } } });
}

test('a threshold that cannot be moved says why', () => {
  assert.equal(fixedBecause(model()), '');
  assert.match(fixedBecause(model({ left: 2001 })), /^2,001 clusters are not on this page, so the threshold cannot be moved here\. .*lookalike recluster/);
  assert.match(fixedBecause(model({ left: 1 })), /^1 cluster is not/);
  assert.match(fixedBecause(model({ from: 2 })), /^There are too many pairs/);
});

test('a lower --explore is advised only where it would help', () => {
  assert.match(unlisted(model()) || '', /--explore 0\.2 /);
  assert.match(unlisted(model({ boilerplate: true })) || '', /were not looked for\.$/);
  assert.match(unlisted(model({ candidates: 'super' })) || '', /were not looked for\.$/);
  assert.match(unlisted(model({ from: 0.8 })) || '', /at once/);
  assert.equal(unlisted(model({ from: 0 })), false);
  assert.equal(unlisted(model({ from: 2 })), false, 'there is no line to go anywhere');
  assert.equal(unlisted(model({ boilerplate: true }), 949), 'Hatched: below 30% pairs were not looked for; the 949 that turned up are not drawn.');
  assert.match(unlisted(model({ boilerplate: true }), 1) || '', /the 1 that turned up is not drawn\.$/);
  assert.equal(unlisted(model({ from: 2 }), 3), '3 more pairs below 50% are not drawn.');
});

test('no list is deeper than browsers can draw, at any width', () => {
  assert.equal(mostRows({ height: 40, narrow: 50 }), 200_000);
  assert.equal(mostRows({ height: 50, narrow: 40 }), 200_000);
});

test('the limit is blamed for a missing text only where it had no room', () => {
  const given = page({ ids: ['a', 'b', 'c'] });
  given.documents.bytes = [5000, 5000, 5000];
  const texts = (/** @type {number} */ limit, /** @type {(number | null)[]} */ block) => limited({ ...given, texts: { limit, embedded: block.filter((b) => b !== null).length, block, blocks: [[0, 4000]] } });
  assert.equal(texts(50_000_000, [0, 0, null]), false, 'there was much room: the document has changed meanwhile');
  assert.equal(texts(4100, [0, 0, null]), true);
  assert.equal(texts(4000, [0, 0, 0]), false, 'nothing is missing');
  assert.equal(limited({ ...given, texts: { limit: 0, embedded: 0, block: [null, null, null], blocks: [] } }), true);
});
