import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interval, tellsContainment } from '../../js/estimate.js';

test('an interval holds the share, and more samples make it smaller', () => {
  const near = (/** @type {number[]} */ found, /** @type {number[]} */ expected) => found.forEach((end, at) => assert.ok(Math.abs(end - expected[at]) < 1e-6, `${found}`));
  // Wilson's numbers for 50 of 100 and 8 of 10
  near(interval(50, 100, false), [0.4038315, 0.5961685]);
  near(interval(8, 10, false), [0.4901625, 0.9433178]);
  const width = (/** @type {number} */ n) => interval(n / 2, n, false)[1] - interval(n / 2, n, false)[0];
  assert.ok(width(1000) < width(100) && width(100) < width(10));
});

test('it stays between 0 and 1, and the share is in it', () => {
  for (const of of [1, 2, 7, 40, 100]) {
    for (let hits = 0; hits <= of; hits++) {
      const [low, high] = interval(hits, of, false);
      assert.ok(low >= 0 && low <= hits / of && high >= hits / of && high <= 1, `${hits} of ${of}: ${low} ${high}`);
    }
  }
  assert.deepEqual(interval(0, 0, false), [0, 1], 'nothing is known');
  assert.deepEqual(interval(0, 0, true), [0, 1]);
});

test('what was counted in full is no estimate', () => {
  assert.deepEqual(interval(3, 4, true), [0.75, 0.75]);
});

test('which samples tell of containment', () => {
  assert.equal(tellsContainment('auto|words|shingles:w=10|sample=min:100|v=3'), false);
  assert.equal(tellsContainment('auto|words|shingles:w=10|sample=nested:100|v=3'), true);
  assert.equal(tellsContainment('auto|words|shingles:w=10|sample=mod:25|v=3'), true);
});
