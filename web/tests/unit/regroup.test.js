import assert from 'node:assert/strict';
import { test } from 'node:test';
import { links, regroup } from '../../js/regroup.js';
import { byLength, shingleLinks } from '../../js/regroupshingles.js';
import { common, page } from './page.js';

/** Links as `representative<member`, sorted. @param {import('../../js/types.js').Page} p @param {number} t */
function told(p, t) {
  const names = p.documents.id;
  return regroup(p, t).map((link) => `${names[link.representative]}<${names[link.member]}`).sort();
}

const chain = { ids: ['a', 'b', 'c'], pairs: /** @type {[number, number, number][]} */ ([[0, 1, common(0.7)], [1, 2, common(0.7)]]) };

test('the middle of a chain leads a star: it has the most links', () => {
  assert.deepEqual(told(page(chain), 0.5), ['b<a', 'b<c']);
});

test('a longer chain makes two stars, but one component', () => {
  const long = { ids: ['a', 'b', 'c', 'd', 'e'], pairs: /** @type {[number, number, number][]} */ ([[0, 1, 80], [1, 2, 80], [2, 3, 80], [3, 4, 80]]) };
  assert.deepEqual(told(page(long), 0.5), ['b<a', 'b<c', 'd<e']);
  assert.deepEqual(told(page({ ...long, policy: { linkage: 'single' } }), 0.5), ['b<a', 'b<c', 'b<d', 'b<e']);
});

test('a chain joins what was never compared, and says so', () => {
  const found = regroup(page({ ids: ['a', 'b', 'c', 'd'], pairs: [[0, 1, 80], [1, 2, 80], [2, 3, 80]], policy: { linkage: 'single' } }), 0.5);
  assert.deepEqual(found.map(({ member, pair }) => [member, pair]).sort(), [[0, 0], [2, 1], [3, -1]]);
});

test('a higher threshold drops links, a lower one takes more', () => {
  const p = page({ ids: ['a', 'b', 'c'], pairs: [[0, 1, common(0.9)], [1, 2, common(0.6)]] });
  assert.deepEqual(told(p, 0.5), ['b<a', 'b<c']);
  assert.deepEqual(told(p, 0.8), ['a<b']);
  assert.deepEqual(told(p, 0.95), []);
});

test('the threshold itself is enough', () => {
  const p = page({ ids: ['a', 'b'], pairs: [[0, 1, 50, 75, 75]] });
  assert.deepEqual(told(p, 0.5), ['a<b']);
  assert.deepEqual(told(p, 0.51), []);
});

test('links come before size, size before the id', () => {
  const triangle = /** @type {[number, number, number][]} */ ([[0, 1, 90], [0, 2, 90], [1, 2, 90], [2, 3, 90]]);
  assert.deepEqual(told(page({ ids: ['a', 'b', 'c', 'd'], sizes: [900, 100, 100, 100], pairs: triangle }), 0.5), ['c<a', 'c<b', 'c<d'], 'c has three');
  assert.deepEqual(told(page({ ids: ['a', 'b'], sizes: [100, 101], pairs: [[0, 1, 90]] }), 0.5), ['b<a'], 'b is larger');
  assert.deepEqual(told(page({ ids: ['a', 'b'], pairs: [[0, 1, 90]] }), 0.5), ['a<b'], 'a is first');
});

test('where containment is wanted the larger leads, whatever its links', () => {
  // b holds a; a has more links
  const p = { ids: ['a', 'b', 'c'], sizes: [100, 1000, 100], pairs: /** @type {[number, number, number, number, number][]} */ ([[0, 1, 95, 100, 1000], [0, 2, 90, 100, 100]]) };
  assert.deepEqual(told(page({ ...p, policy: { contained: 0.9 } }), 0.5), ['b<a']);
  assert.deepEqual(told(page(p), 0.5), ['a<c'], 'not asked for: 9.5 % resemblance is no link');
});

test('what is inside a smaller-ranked one stands under it, if it leads nobody', () => {
  // sizes are estimates: the first in rank turns out to be inside the second
  const p = page({ ids: ['a', 'b'], sizes: [200, 100], pairs: [[0, 1, 95, 100, 1000]], policy: { contained: 0.9 } });
  assert.deepEqual(told(p, 0.5), ['b<a']);
});

test('a minimum sample says nothing of containment unless it holds everything', () => {
  const small = { ids: ['a', 'b'], sizes: [100, 1000], pairs: /** @type {[number, number, number, number, number][]} */ ([[0, 1, 95, 100, 1000]]), policy: { contained: 0.9 } };
  const partly = page({ ...small, whole: false });
  partly.report.recipe = 'auto|words|shingles:w=10|sample=min:100|v=2';
  assert.deepEqual(told(partly, 0.5), []);
  const wholly = page(small);
  wholly.report.recipe = partly.report.recipe;
  assert.deepEqual(told(wholly, 0.5), ['b<a']);
});

test('samples a little below the threshold get a second look, estimates do not', () => {
  // the samples say 45 %, the whole sets 60 %
  const p = page({ ids: ['a', 'b'], pairs: [[0, 1, common(0.6)]], whole: false });
  p.pairs.sample_common = [common(0.45)];
  assert.deepEqual(told(p, 0.5), ['a<b']);
  p.pairs.sample_common = [common(0.2)];
  assert.deepEqual(told(structuredClone(p), 0.5), [], 'too far below');
  const estimate = page({ ids: ['a', 'b'], pairs: [[0, 1, common(0.6)]], whole: false, estimate: true });
  estimate.pairs.sample_common = [common(0.45)];
  assert.deepEqual(told(estimate, 0.5), []);
});

test('a leader with very many pairs takes them all', () => {
  const n = 100;
  const p = page({ ids: Array.from({ length: n }, (_, at) => String(at).padStart(3, '0')), pairs: Array.from({ length: n - 1 }, (_, at) => [0, n - 1 - at, 90]) });
  const found = links(p, 0.5);
  assert.deepEqual([...new Set(found.representative)], [0]);
  assert.deepEqual([...found.member], Array.from({ length: n - 1 }, (_, at) => at + 1), 'by rank');
});

test('a chain whose ends were compared shows the comparison, though it is no link', () => {
  const chained = { ids: ['a', 'b', 'c', 'd'], pairs: /** @type {[number, number, number][]} */ ([[0, 1, 80], [1, 2, 80], [2, 3, 80], [1, 3, common(0.2)]]), policy: /** @type {const} */ ({ linkage: 'single' }) };
  assert.deepEqual(regroup(page(chained), 0.5).map(({ member, pair }) => [member, pair]).sort(), [[0, 0], [2, 1], [3, 3]]);
});

test('a comparison with a document that has no link is of no component', () => {
  // z comes last and has no candidates: it must not pass for the first in rank
  const p = page({ ids: ['a', 'b', 'c', 'z'], pairs: [[0, 1, 80], [1, 2, 80], [2, 3, common(0.2)]], policy: { linkage: 'single' } });
  assert.deepEqual(regroup(p, 0.5).map(({ representative, member, pair }) => [representative, member, pair]).sort(), [[1, 0, 0], [1, 2, 1]]);
});

test('by the one rule the longest represents, and each joins the most similar before it', () => {
  const names = ['a', 'b', 'c', 'd'];
  const p = page({ ids: names, sizes: [100, 120, 110, 90], pairs: [[0, 1, 80, 100, 120], [0, 2, 90, 100, 110], [1, 3, 70, 120, 90], [2, 3, 75, 110, 90]] });
  const found = shingleLinks(p, 0.5, byLength);
  // b and c are no pair, so both represent; a and d are more like c
  assert.deepEqual(Array.from(found.member, (member, at) => `${names[found.representative[at]]}<${names[member]}`), ['c<a', 'c<d']);
});

test('by the one rule a document joins what it is inside of, and not what is inside of it', () => {
  const p = page({ ids: ['a', 'b'], sizes: [300, 100], pairs: [[0, 1, 95, 300, 100]], policy: { contained: 0.9 } });
  assert.deepEqual([...shingleLinks(p, 0.5, byLength).representative], [0]);
  const turned = page({ ids: ['a', 'b'], sizes: [100, 100], pairs: [[0, 1, 50, 50, 100]], policy: { contained: 0.9, threshold: 0.6 } });
  assert.deepEqual([...shingleLinks(turned, 0.6, byLength).representative], []);
});
