// Which bytes are coloured where files were compared by their chunks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareChunks } from '../../js/chunkpassages.js';

/** Chunks of one letter each, and the text that they make. @param {string} names  capitals do not count */
const made = (names) => {
  const text = [...names].map((name) => name.repeat(10 + name.charCodeAt(0) % 7)).join('');
  return { text, chunks: [...names].flatMap((name) => [10 + name.charCodeAt(0) % 7, name === name.toUpperCase() ? 0 : name.charCodeAt(0)]) };
};

/** @param {string} left @param {string} right */
function both(left, right) {
  const [x, y] = [made(left), made(right)];
  return { ...compareChunks(x.chunks, y.chunks, { a: x.text, b: y.text }), texts: [x.text, y.text] };
}

test('runs of common chunks are passages, in order or not', () => {
  const { comparison, a, texts } = both('abcxdef', 'defabcy');
  const shown = comparison.passages.map((p) => texts[0].slice(a.from[p.a[0]], a.to[p.a[1] - 1]).replace(/(.)\1+/g, '$1'));
  assert.deepEqual(shown, ['abc', 'def']);
  assert.equal(comparison.passages.filter((p) => p.moved).length, 1);
});

test('one chunk between two others parts two passages', () => {
  assert.deepEqual(both('abxcd', 'abycd').comparison.passages.map((p) => p.equal), [2, 2]);
});

test('what does not count is coloured nowhere, and shares are of the rest', () => {
  const { comparison } = both('Mabc', 'Mabz');
  assert.deepEqual(comparison.passages.map((p) => [p.a, p.b]), [[[1, 3], [1, 3]]]);
  const weight = (/** @type {string} */ names) => made(names).text.length;
  assert.equal(comparison.shareA, weight('ab') / weight('abc'));
  assert.equal(comparison.shareB, weight('ab') / weight('abz'));
});

test('a chunk counts as often as both have it', () => {
  assert.equal(both('aaa', 'aa').comparison.equal, 2);
  assert.equal(both('', 'ab').comparison.equal, 0);
});
