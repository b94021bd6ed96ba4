import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bins, settle, skewed, stepped, tickLabel, ticks } from '../../js/parts/histogram.js';

test('bins of a hundredth: the ends belong inside', () => {
  const { counts, below } = bins([0.3, 0.309, 0.31, 0.999, 1, 0.29], 0.3, 1);
  assert.equal(counts.length, 70);
  assert.deepEqual([counts[0], counts[1], counts[69], below], [2, 1, 2, 1]);
  assert.equal(counts.reduce((x, y) => x + y), 5);
});

test('a whole hundredth is in its own bin, whatever the floating point says', () => {
  for (let percent = 30; percent < 100; percent++) assert.equal(bins([percent / 100], 0.3, 1).counts[percent - 30], 1, String(percent));
});

test('bins of two hundredths', () => {
  const { counts } = bins([0.5, 0.51, 0.52, 1], 0.5, 2);
  assert.equal(counts.length, 25);
  assert.deepEqual([counts[0], counts[1], counts[24]], [2, 1, 1]);
});

test('a logarithmic scale is offered where one bar dwarfs the others', () => {
  assert.equal(skewed([5, 6, 7, 900]), true);
  assert.equal(skewed([5, 6, 7, 90]), false);
  assert.equal(skewed([0, 0, 900]), false);
});

test('thresholds are whole hundredths in the range, and the scan keeps its own', () => {
  const limits = { range: /** @type {[number, number]} */ ([0.3, 1]), from: 0.3, scanned: 0.5 };
  assert.equal(settle(0.634, limits), 0.63);
  assert.equal(settle(0.1, limits), 0.3);
  assert.equal(settle(7, limits), 1);
  assert.equal(settle(0.504, { ...limits, scanned: 0.505 }), 0.505);
});

test('between the scan and the first threshold of which all is known there is nothing', () => {
  const limits = { range: /** @type {[number, number]} */ ([0.5, 1]), from: 0.7, scanned: 0.5 };
  assert.equal(settle(0.55, limits), 0.5);
  assert.equal(settle(0.65, limits), 0.7);
  assert.equal(settle(0.8, limits), 0.8);
});

test('steps go over the gap and stop at the ends', () => {
  const limits = { range: /** @type {[number, number]} */ ([0.5, 1]), from: 0.7, scanned: 0.5 };
  assert.equal(stepped(0.5, 0.01, limits), 0.7);
  assert.equal(stepped(0.7, -0.01, limits), 0.5);
  assert.equal(stepped(0.7, 0.01, limits), 0.71);
  assert.equal(stepped(1, 0.01, limits), 1);
  assert.equal(stepped(0.5, -0.01, limits), 0.5);
  assert.equal(stepped(0.57, 0.01, { ...limits, from: 0.3, range: [0.3, 1] }), 0.58);
  assert.equal(stepped(0.3, -0.05, { ...limits, from: 0.3, range: [0.3, 1] }), 0.3);
});

test('round numbers on the axis', () => {
  assert.deepEqual(ticks(2, false), [1, 2]);
  assert.deepEqual([500, 5000, 50000, 2000000].map(tickLabel), ['500', '5,000', '50k', '2M']);
  assert.deepEqual(ticks(10, false), [5, 10]);
  assert.deepEqual(ticks(1100, false), [500, 1000]);
  assert.deepEqual(ticks(5000, true), [1, 10, 100, 1000]);
  for (const most of [1, 3, 7, 19, 230, 11800, 987654]) assert.ok(ticks(most, false).length >= 1 && ticks(most, false).length <= 5, String(most));
});
