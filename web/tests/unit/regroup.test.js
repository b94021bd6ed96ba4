import assert from 'node:assert/strict';
import { test } from 'node:test';
import { links, regroup } from '../../js/regroup.js';
import { page, shared } from './page.js';

/** Links as `representative<member`, sorted. @param {import('../../js/types.js').Page} p @param {number} t */
function told(p, t) {
  const names = p.documents.id;
  return regroup(p, t).map((link) => `${names[link.representative]}<${names[link.member]}`).sort();
}

const chain = { ids: ['a', 'b', 'c'], pairs: /** @type {[number, number, number][]} */ ([[0, 1, shared(0.7)], [1, 2, shared(0.7)]]) };

test('the first in rank represents, whatever its links', () => {
  assert.deepEqual(told(page(chain), 0.5), ['a<b'], 'c is like b only, which is a member');
  assert.deepEqual(told(page({ ...chain, sizes: [100, 101, 100] }), 0.5), ['b<a', 'b<c']);
});

test('a longer chain makes two stars, but one component', () => {
  const long = { ids: ['a', 'b', 'c', 'd', 'e'], pairs: /** @type {[number, number, number][]} */ ([[0, 1, 80], [1, 2, 80], [2, 3, 80], [3, 4, 80]]) };
  assert.deepEqual(told(page(long), 0.5), ['a<b', 'c<d']);
  assert.deepEqual(told(page({ ...long, policy: { linkage: 'single' } }), 0.5), ['a<b', 'a<c', 'a<d', 'a<e']);
});

test('a chain joins what was never compared, and says so', () => {
  const found = regroup(page({ ids: ['a', 'b', 'c', 'd'], pairs: [[0, 1, 80], [1, 2, 80], [2, 3, 80]], policy: { linkage: 'single' } }), 0.5);
  assert.deepEqual(found.map(({ member, pair }) => [member, pair]).sort(), [[1, 0], [2, -1], [3, -1]]);
});

test('a higher threshold drops links, a lower one takes more', () => {
  const p = page({ ids: ['a', 'b', 'c'], sizes: [100, 101, 100], pairs: [[0, 1, shared(0.9)], [1, 2, shared(0.6)]] });
  assert.deepEqual(told(p, 0.5), ['b<a', 'b<c']);
  assert.deepEqual(told(p, 0.8), ['b<a']);
  assert.deepEqual(told(p, 0.95), []);
});

test('the threshold itself is enough', () => {
  const p = page({ ids: ['a', 'b'], pairs: [[0, 1, 50, 75, 75]] });
  assert.deepEqual(told(p, 0.5), ['a<b']);
  assert.deepEqual(told(p, 0.51), []);
});

test('the page has no order of its own', () => {
  const p = page({ ids: ['a', 'b'], sizes: [900, 100], pairs: [[0, 1, 90]] });
  assert.deepEqual(told(p, 0.5), ['a<b']);
  assert.deepEqual(told({ ...p, documents: { ...p.documents, rank: [1, 0] } }, 0.5), ['b<a'], 'b is offered first, whatever its size');
});

test('a document joins what holds it before what it resembles, if that is offered first', () => {
  // b holds a; a has more links
  const p = { ids: ['a', 'b', 'c'], sizes: [100, 1000, 100], pairs: /** @type {[number, number, number, number, number][]} */ ([[0, 1, 95, 100, 1000], [0, 2, 90, 100, 100]]) };
  assert.deepEqual(told(page({ ...p, policy: { contained: 0.9 } }), 0.5), ['b<a']);
  assert.deepEqual(told(page(p), 0.5), ['a<c'], 'not asked for: 9.5% resemblance is no link');
});

test('what is inside a later one joins it, if it represents nobody', () => {
  // the first in rank repeats itself, and is inside the second
  const p = page({ ids: ['a', 'b'], sizes: [200, 100], pairs: [[0, 1, 95, 100, 1000]], policy: { contained: 0.9 } });
  assert.deepEqual(told(p, 0.5), ['b<a']);
});

test('a minimum sample says nothing of containment unless it holds everything', () => {
  const small = { ids: ['a', 'b'], sizes: [100, 1000], pairs: /** @type {[number, number, number, number, number][]} */ ([[0, 1, 95, 100, 1000]]), policy: { contained: 0.9 } };
  const partly = page({ ...small, exhaustive: false });
  partly.report.compared_by = 'auto|words|shingles:w=10|sample=min:100|v=3';
  assert.deepEqual(told(partly, 0.5), []);
  const wholly = page(small);
  wholly.report.compared_by = partly.report.compared_by;
  assert.deepEqual(told(wholly, 0.5), ['b<a']);
});

test('samples a little below the threshold get a second look, estimates do not', () => {
  // the samples say 45%, the whole sets 60%
  const p = page({ ids: ['a', 'b'], pairs: [[0, 1, shared(0.6)]], exhaustive: false });
  p.pairs.sample_shared = [shared(0.45)];
  assert.deepEqual(told(p, 0.5), ['a<b']);
  p.pairs.sample_shared = [shared(0.2)];
  assert.deepEqual(told(structuredClone(p), 0.5), [], 'too far below');
  const estimate = page({ ids: ['a', 'b'], pairs: [[0, 1, shared(0.6)]], exhaustive: false, estimate: true });
  estimate.pairs.sample_shared = [shared(0.45)];
  assert.deepEqual(told(estimate, 0.5), []);
});

test('a representative with very many pairs takes them all', () => {
  const n = 100;
  const p = page({ ids: Array.from({ length: n }, (_, at) => String(at).padStart(3, '0')), pairs: Array.from({ length: n - 1 }, (_, at) => [0, n - 1 - at, 90]) });
  const found = links(p, 0.5);
  assert.deepEqual([...new Set(found.representative)], [0]);
  assert.deepEqual([...found.member], Array.from({ length: n - 1 }, (_, at) => at + 1), 'by rank');
});

test('a chain whose ends were compared shows the comparison, though it is no link', () => {
  const chained = { ids: ['a', 'b', 'c', 'd'], pairs: /** @type {[number, number, number][]} */ ([[0, 1, 80], [1, 2, 80], [2, 3, 80], [0, 3, shared(0.2)]]), policy: /** @type {const} */ ({ linkage: 'single' }) };
  assert.deepEqual(regroup(page(chained), 0.5).map(({ member, pair }) => [member, pair]).sort(), [[1, 0], [2, -1], [3, 3]]);
});

test('a comparison with a document that has no link is of no component', () => {
  // z has no candidates
  const p = page({ ids: ['a', 'b', 'c', 'z'], pairs: [[0, 1, 80], [1, 2, 80], [2, 3, shared(0.2)]], policy: { linkage: 'single' } });
  assert.deepEqual(regroup(p, 0.5).map(({ representative, member, pair }) => [representative, member, pair]).sort(), [[0, 1, 0], [0, 2, -1]]);
});

test('each joins the most similar before it', () => {
  const names = ['a', 'b', 'c', 'd'];
  const p = page({ ids: names, sizes: [100, 120, 110, 90], pairs: [[0, 1, 80, 100, 120], [0, 2, 90, 100, 110], [1, 3, 70, 120, 90], [2, 3, 75, 110, 90]] });
  // b and c are no pair, so both represent; a and d are more like c
  assert.deepEqual(told(p, 0.5), ['c<a', 'c<d']);
});
