// Which pairs of a scan by all lenses are listed.

import assert from 'node:assert/strict';
import test from 'node:test';
import { counted, kindName, kindOf, selectLinks } from '../../js/relations.js';

/** @param {number} a @param {number} b @param {string} relation @param {string} [disagreement] */
const link = (a, b, relation, disagreement) => ({ a, b, relation, disagreement, sentence: '', evidence: [] });
const LINKS = [link(0, 1, 'version'), link(0, 2, 'a-in-b'), link(2, 3, 'b-in-a'), link(1, 3, 'passages', 'quotation')];
const ANY = { relation: '', disagreement: '', test: null };

test('pairs are chosen by relation, whichever of the two is inside the other', () => {
  assert.equal(selectLinks(LINKS, ANY).length, 4);
  assert.deepEqual(selectLinks(LINKS, { ...ANY, relation: 'inside' }).map((l) => l.a), [0, 2]);
  assert.deepEqual(selectLinks(LINKS, { ...ANY, relation: 'version' }), [LINKS[0]]);
});

test('and by disagreement, and by a document that fits', () => {
  assert.deepEqual(selectLinks(LINKS, { ...ANY, disagreement: 'quotation' }), [LINKS[3]]);
  assert.deepEqual(selectLinks(LINKS, { ...ANY, test: (d) => d === 2 }), [LINKS[1], LINKS[2]]);
  assert.deepEqual(selectLinks(LINKS, { ...ANY, relation: 'version', disagreement: 'quotation' }), []);
});

test('choices are counted in the order of the pairs', () => {
  assert.deepEqual(counted(LINKS.map((l) => kindOf(l.relation))), [['version', 1], ['inside', 2], ['passages', 1]]);
  assert.deepEqual(counted(LINKS.map((l) => l.disagreement)), [['quotation', 1]]);
  assert.equal(kindName('inside'), 'Inside the other');
});
