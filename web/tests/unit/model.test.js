import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Model } from '../../js/model.js';
import { common, page } from './page.js';

/** @param {Model} model @param {number} t */
function told(model, t) {
  return model.at(t).map((c) => `${model.name(c.representative)}: ${c.members.map((m) => `${model.name(m.document)} ${m.class}`).join(', ')}`);
}

/** A model that has the scan's own clusters from the pairs too. @param {Parameters<typeof page>[0]} small */
function model(small) {
  const made = new Model(page(small));
  made.known.clear();
  return made;
}

test('equivalent documents are put back beside those that stood for them', () => {
  const m = model({ ids: ['a', 'b', 'b-copy', 'a-words'], pairs: [[0, 1, common(0.8)]], sizes: [200, 100, 100, 200], same: { 2: [1, 'identical'], 3: [0, 'lexical'] } });
  assert.deepEqual(told(m, 0.5), ['a: a-words lexical, b near, b-copy near'], 'a copy of a member is as near as the member');
  assert.deepEqual(told(m, 0.9), ['a: a-words lexical', 'b: b-copy identical'], 'without the link both groups remain');
});

test('the threshold moved up splits a cluster and renumbers', () => {
  const m = model({ ids: ['a', 'b', 'c', 'd', 'e'], pairs: [[0, 1, common(0.95)], [1, 2, common(0.6)], [2, 3, common(0.95)], [1, 3, common(0.6)], [2, 4, common(0.95)]] });
  assert.deepEqual(told(m, 0.5), ['b: a near, c near, d near'], 'b and c have three links each, b is first; e was never compared with it');
  assert.deepEqual(told(m, 0.9), ['c: d near, e near', 'a: b near']);
  assert.deepEqual(m.at(0.9).map((c) => c.number), [1, 2]);
});

test('classes: near, contained, chained', () => {
  const pairs = /** @type {[number, number, number, number, number][]} */ ([[0, 1, 95, 100, 1000], [1, 2, 900, 1000, 1000]]);
  const m = model({ ids: ['a', 'b', 'c'], sizes: [100, 1000, 1000], pairs, policy: { contained: 0.9 } });
  const [cluster] = m.at(0.5);
  assert.deepEqual(cluster.members.map((x) => [m.name(x.document), x.class, x.containment]), [['c', 'near', 0.9], ['a', 'contained', 0.95]]);
  const single = model({ ids: ['a', 'b', 'c', 'd'], pairs: [[0, 1, 80], [1, 2, 80], [2, 3, 80]], policy: { linkage: 'single' } });
  assert.deepEqual(told(single, 0.5), ['b: a near, c near, d chained']);
  assert.equal(single.at(0.5)[0].members[2].resemblance, null);
});

test('largest first, then by representative; members by resemblance, class, id', () => {
  const m = model({ ids: ['a', 'b', 'c', 'd', 'e', 'f', 'g'], pairs: [[0, 1, 90], [2, 3, 90], [4, 5, 90], [4, 6, 95]] });
  assert.deepEqual(told(m, 0.5), ['e: g near, f near', 'a: b near', 'c: d near']);
});

test('sums are those of the clusters', () => {
  const m = model({ ids: ['a', 'b', 'b-copy', 'c', 'd', 'd-copy', 'e'], pairs: [[0, 1, common(0.8)], [3, 6, common(0.55)]], same: { 2: [1, 'identical'], 5: [4, 'lexical'] } });
  for (const t of [0.5, 0.7, 0.9]) {
    const sums = m.sums(t);
    const clusters = m.at(t);
    const documents = clusters.reduce((n, c) => n + c.documents.length, 0);
    assert.deepEqual(sums, { clusters: clusters.length, documents, redundant: documents - clusters.length, bytes: clusters.reduce((n, c) => n + c.redundant, 0) }, String(t));
  }
  assert.deepEqual([0.5, 0.7, 0.9].map((t) => m.sums(t).clusters), [3, 2, 2]);
});

test('the clusters of the scan are shown as they are given', () => {
  const given = page({ ids: ['a', 'b', 'c'], pairs: [[0, 1, 90]] });
  given.clusters = [{ representative: 2, members: [[0, 'near', 0.5, 0.6, 0.7]] }];
  const m = new Model(given);
  assert.deepEqual(told(m, 0.5), ['c: a near']);
  assert.equal(m.sums(0.5).bytes, 10);
  assert.deepEqual(told(m, 0.6), ['a: b near']);
});

test('folders, names, and what all share', () => {
  const m = new Model(page({ ids: ['kb/x/one.md', 'kb/x/two.md', 'kb/y.md'] }));
  assert.equal(m.root, 'kb/');
  assert.deepEqual([0, 2].map((d) => m.folder(d)), ['x', '']);
  assert.equal(m.name(1), 'x/two.md');
});

test('a pair that was found twice counts once in the resemblances', () => {
  const m = new Model(page({ ids: ['a', 'b', 'c'], pairs: [[0, 1, 80], [0, 1, 80], [1, 2, 90]] }));
  assert.equal(m.resemblances().length, 2);
});
