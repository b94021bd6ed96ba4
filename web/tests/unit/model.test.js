import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonFolder } from '../../js/folder.js';
import { Model } from '../../js/model.js';
import { page, shared } from './page.js';

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
  const m = model({ ids: ['a', 'b', 'b-copy', 'a-words'], pairs: [[0, 1, shared(0.8)]], sizes: [200, 100, 100, 200], same: { 2: [1, 'identical'], 3: [0, 'lexical'] } });
  assert.deepEqual(told(m, 0.5), ['a: a-words lexical, b near, b-copy near'], 'a copy of a member is as near as the member');
  assert.deepEqual(told(m, 0.9), ['a: a-words lexical', 'b: b-copy identical'], 'without the link both groups remain');
});

test('the threshold moved up splits a cluster and renumbers', () => {
  const m = model({ ids: ['a', 'b', 'c', 'd', 'e'], sizes: [100, 120, 110, 100, 100], pairs: [[0, 1, shared(0.95)], [1, 2, shared(0.6)], [2, 3, shared(0.95)], [1, 3, shared(0.6)], [2, 4, shared(0.95)]] });
  assert.deepEqual(told(m, 0.5), ['b: a near, c near, d near'], 'b is first; e was never compared with it');
  assert.deepEqual(told(m, 0.9), ['c: d near, e near', 'b: a near']);
  assert.deepEqual(m.at(0.9).map((c) => c.number), [1, 2]);
});

test('classes: near, contained, chained', () => {
  const pairs = /** @type {[number, number, number, number, number][]} */ ([[0, 1, 95, 100, 1000], [1, 2, 900, 1000, 1000]]);
  const m = model({ ids: ['a', 'b', 'c'], sizes: [100, 1000, 1000], pairs, policy: { contained: 0.9 } });
  const [cluster] = m.at(0.5);
  assert.deepEqual(cluster.members.map((x) => [m.name(x.document), x.class, x.containment]), [['c', 'near', 0.9], ['a', 'contained', 0.95]]);
  const single = model({ ids: ['a', 'b', 'c', 'd'], pairs: [[0, 1, 80], [1, 2, 80], [2, 3, 80]], policy: { linkage: 'single' } });
  assert.deepEqual(told(single, 0.5), ['a: b near, c chained, d chained']);
  assert.equal(single.at(0.5)[0].members[1].resemblance, null);
});

test('largest first, then by representative; members by resemblance, class, id', () => {
  const m = model({ ids: ['a', 'b', 'c', 'd', 'e', 'f', 'g'], pairs: [[0, 1, 90], [2, 3, 90], [4, 5, 90], [4, 6, 95]] });
  assert.deepEqual(told(m, 0.5), ['e: g near, f near', 'a: b near', 'c: d near']);
});

test('sums are those of the clusters', () => {
  const m = model({ ids: ['a', 'b', 'b-copy', 'c', 'd', 'd-copy', 'e'], pairs: [[0, 1, shared(0.8)], [3, 6, shared(0.55)]], same: { 2: [1, 'identical'], 5: [4, 'lexical'] } });
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

test('the folder that all share, whatever the ids begin with', () => {
  for (const [ids, folder] of /** @type {[string[], string][]} */ ([
    [['/b/x', 'a/x'], ''], [['a/x', '/b/x'], ''], [['/x', '/y'], '/'], [['//host/x', '/host/x'], '/'], [['//x', '//y'], '//'],
    [['x', 'y'], ''], [['a/x', 'y'], ''], [['a/bc', 'a/bd'], 'a/'], [['a/b/c', 'a/b', 'a/d'], 'a/'], [['a/b', 'a/b'], 'a/'],
    [['', 'a/b'], ''], [['', ''], ''], [['/', '/a'], ''], [['a/', 'a/b'], ''], [['a/b/', 'a/b/c/d'], 'a/'], [['only/one'], ''], [[], ''],
  ])) assert.equal(commonFolder(ids), folder, ids.join(' '));
  assert.deepEqual(new Model(page({ ids: ['', 'a/', 'a/b'] })).name(0), '(no name)');
});

test('a pair that was found twice counts once in the resemblances', () => {
  const m = new Model(page({ ids: ['a', 'b', 'c'], pairs: [[0, 1, 80], [0, 1, 80], [1, 2, 90]] }));
  assert.equal(m.likenesses().length, 2);
});

test('estimates have intervals at every threshold, and no containment that samples cannot tell', () => {
  const given = page({ ids: ['a', 'b', 'c'], sizes: [100, 101, 100], pairs: [[0, 1, 80], [1, 2, 90]], exhaustive: false, estimate: true });
  given.pairs.sample_exhaustive[1] = 1;
  const nested = new Model(given);
  const min = new Model({ ...given, report: { ...given.report, compared_by: 'auto|words|shingles:w=10|sample=min:100|v=3' } });
  const facts = (/** @type {Model} */ m) => m.at(0.6)[0].members.map((x) => [m.name(x.document), x.containment, x.contained_by, x.interval?.map((end) => end.toFixed(3))]);
  assert.deepEqual(facts(nested), [['c', 0.9, 0.9, ['0.818', '0.818']], ['a', 0.8, 0.8, ['0.578', '0.745']]]);
  assert.deepEqual(facts(min), [['c', 0.9, 0.9, ['0.818', '0.818']], ['a', null, null, ['0.578', '0.745']]]);
  assert.deepEqual([min.pair(1, 0)?.a_in_b, min.pair(1, 0)?.interval?.length, min.pair(1, 2)?.a_in_b], [null, 2, 0.9]);
  assert.deepEqual(min.pairsWithin([0, 1]).map((p) => [p.a_in_b, p.b_in_a]), [[null, null]]);
  const exact = new Model(page({ ids: ['a', 'b'], pairs: [[0, 1, 80]], exhaustive: false }));
  assert.equal(exact.at(0.6)[0].members[0].interval, null, 'what was counted has none');
});

test('a pair that only its cluster tells of is known, with or without containment', () => {
  const given = page({ ids: ['a', 'b'], estimate: true });
  given.clusters = [{ representative: 0, members: [[1, 'near', 0.7, null, null, [0.6, 0.8]]] }];
  assert.deepEqual(new Model(given).pair(1, 0), { a: 1, b: 0, resemblance: 0.7, a_in_b: null, b_in_a: null, interval: [0.6, 0.8] });
});

test('without all clusters or all pairs the threshold stays where it is', () => {
  const given = page({ ids: ['a', 'b'], pairs: [[0, 1, 80]] });
  given.clusters = [{ representative: 0, members: [[1, 'near', 0.66, 0.8, 0.8]] }];
  const allowed = (/** @type {import('../../js/types.js').Page} */ p) => [0.3, 0.5, 0.7, 1].filter((t) => new Model(p).allows(t));
  assert.deepEqual(allowed(given), [0.3, 0.5, 0.7, 1]);
  assert.deepEqual(allowed({ ...given, pairs: { ...given.pairs, from: 2 } }), [0.5], 'too many pairs');
  const summary = { ...given.report.summary, clusters: 2002, clustered: 5000, redundant_bytes: 77 };
  const partly = { ...given, left_out: { clusters: 2001, documents: 4998 }, report: { ...given.report, summary } };
  assert.deepEqual(allowed(partly), [0.5], 'clusters are left out');
  assert.deepEqual(new Model(partly).sums(0.5), { clusters: 2002, documents: 5000, redundant: 2998, bytes: 77 }, 'the sums are those of the scan');
});
