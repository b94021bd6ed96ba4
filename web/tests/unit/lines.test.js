// Texts that are packed together, as they are read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBlock, readLines } from '../../js/lines.js';

test('stretches stand for lines of what was read before', () => {
  const read = readLines();
  assert.equal(read('one\ntwo\n\nthree\n'), 'one\ntwo\n\nthree\n');
  assert.equal(read(['zero', [1, 3], 'end']), 'zero\ntwo\n\nthree\nend');
  assert.equal(read([[6, 2], [5, 1]]), 'two\n\nzero', 'of the second text as of the first');
  assert.equal(read([[0, 1], '']), 'one\n');
  assert.equal(read(''), '');
  assert.equal(read(['', [0, 1], '\n']), '\none\n\n');
});

test('a block has its texts in the order of their contents, each before its source', () => {
  const block = readBlock({ 10: { text: [[1, 1], 'c'], format: 'text' }, 9: { text: 'a\nb', raw: [[1, 1], [0, 1]], format: 'html' } });
  assert.deepEqual(block, { 9: { text: 'a\nb', raw: 'b\na', format: 'html' }, 10: { text: 'b\nc', format: 'text' } });
});
