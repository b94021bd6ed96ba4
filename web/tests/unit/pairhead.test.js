import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Model } from '../../js/model.js';
import { neighbours, unknown } from '../../js/parts/pairhead.js';
import { page } from './page.js';

/** A cluster of b with a, c, d, in this order; e is alone. */
function model() {
  const given = page({ ids: ['a', 'b', 'c', 'd', 'e'] });
  given.clusters = [{ representative: 1, members: [0, 2, 3].map((d) => [d, 'near', 0.8, 0.9, 0.9]) }];
  return new Model(given);
}

test('one side goes through the cluster, the representative stays', () => {
  const m = model();
  assert.deepEqual(neighbours(m, 1, 0), { at: 1, all: 3, previous: null, next: [1, 2] });
  assert.deepEqual(neighbours(m, 1, 3), { at: 3, all: 3, previous: [1, 2], next: null });
  assert.deepEqual(neighbours(m, 2, 1), { at: 2, all: 3, previous: [0, 1], next: [3, 1] }, 'swapped');
  assert.deepEqual(neighbours(m, 0, 2), { at: 2, all: 3, previous: [0, 1], next: [0, 3] }, 'two members: the right one goes');
  assert.equal(neighbours(m, 1, 4), null, 'not in one cluster');
  assert.equal(neighbours(m, 1, 1), null);
});

test('why nothing is known of two documents', () => {
  const m = model();
  assert.match(unknown(m, 0, 4)[1], /less than 30%, so the scan did not compare them in full/);
  m.page.pairs.from = 2;
  assert.match(unknown(m, 0, 4)[1], /not all pairs/);
  m.page.documents.size[4] = 0;
  assert.match(unknown(m, 0, 4)[1], /too short/);
});
