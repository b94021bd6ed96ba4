import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Finder, select, wanted } from '../../js/filters.js';
import { losesNothing, lossShare, losses, measure, promise, suggest } from '../../js/keep.js';
import { inCommon, lensOf, terms } from '../../js/lens.js';
import { limited } from '../../js/load.js';
import { Model } from '../../js/model.js';
import { tooLittle, unlisted } from '../../js/parts/explorer.js';
import { graphOf } from '../../js/parts/graphdata.js';
import { unknown } from '../../js/parts/pairhead.js';
import { belowRoot, selectFolders } from '../../js/parts/similarfolders.js';
import { markCommand, shared } from '../../js/parts/suggestions.js';
import { freed } from '../../js/parts/summary.js';
import { chunking, isFeatures, made, noun, plain, thresholds, describeRecipe } from '../../js/recipe.js';
import { relation } from '../../js/relation.js';
import { chunkedPage } from '../chunked.js';
import { page as shingled } from './page.js';

const RECIPE = 'bytes|chunks:mean=1000|hash=xxh3-128|v=1';
const KEYED = 'bytes|chunks:mean=64|hash=blake3-128|key=1a2b3c4d|v=1';
const chunks = (/** @type {string} */ text) => text.split(' ');

/** @param {Record<string, string>} documents id and chunks @param {Partial<import('../chunked.js').Corpus>} [more] */
function model(documents, more = {}) {
  return new Model(chunkedPage({ documents: Object.entries(documents).map(([id, text]) => ({ id, chunks: chunks(text) })), ...more }));
}

test('the recipe of chunks in words', () => {
  assert.deepEqual(chunking(RECIPE), { mean: 1000, hash: 'xxh3-128', keyed: false });
  assert.deepEqual(chunking(KEYED), { mean: 64, hash: 'blake3-128', keyed: true });
  for (const other of ['auto|words|shingles:w=10|sample=nested:100|v=3', 'features|items|set|sample=min:50|v=3', '']) assert.equal(chunking(other), null, other);
  assert.equal(made(RECIPE), 'chunks of 1,000 bytes in the mean, cut by their content, hash xxh3-128');
  assert.match(made(KEYED), /64 bytes.*blake3-128, with a secret key$/);
  assert.equal(noun(RECIPE), 'word', 'side by side it is read');
  assert.equal(isFeatures(RECIPE), false);
});

test('the policy of chunks in words', () => {
  const { report } = chunkedPage({ documents: [] });
  assert.deepEqual(plain(report), ['Files are linked where at least 50% of the smaller one is in the other too, byte for byte.']);
  assert.deepEqual(plain({ ...report, policy: { ...report.policy, threshold: 1, min_shared: 12_300 } }), ['Files are linked where all of the smaller one, and at least 12.3 KB, is in the other too, byte for byte.']);
  const at = describeRecipe({ ...report, policy: { ...report.policy, threshold: 0.8, min_shared: 2000 } }).join(' ');
  assert.match(at, /^Chunks of 1,000 bytes .*Linked from 80% of the smaller file and from 2\.0 KB in common\. Every member was compared/);
  assert.doesNotMatch(at, /resembl|shingle|containment/i);
  assert.match(describeRecipe({ ...report, policy: { ...report.policy, linkage: 'single' } }).join(' '), /Links chain/);
});

test('the parameters of TTTD', () => {
  assert.equal(thresholds({ mean: 1000, tmin: 453, tmax: 2759, divisor: 532.0197, backup: 266.0099 }), 'Tmin 453, Tmax 2,759, D 532, D′ 266');
  assert.equal(thresholds({ mean: 64, tmin: 29, tmax: 177, divisor: 34.0493, backup: 17.0246 }), 'Tmin 29, Tmax 177, D 34, D′ 17');
  assert.match(thresholds({ mean: 100, tmin: 45, tmax: 276, divisor: 53.202, backup: 26.601 }), /D 53\.2, D′ 26\.6$/);
});

test('bytes are said with their share of the smaller', () => {
  assert.equal(inCommon(12_300, 0.58), '12.3 KB in common, 58.0% of the smaller');
  assert.equal(inCommon(999, 0.9999), '999 bytes in common, 99.9% of the smaller', 'not all of it');
  assert.equal(inCommon(1, null), '1 byte in common');
});

test('no word of the other lens', () => {
  assert.doesNotMatch(Object.values(terms(chunkedPage({ documents: [] }))).join(), /resembl|shingle|word|text/i);
  assert.match(Object.values(terms(shingled({ ids: [] }))).join(), /Resemblance/);
});

test('the threshold moves containment too', () => {
  const given = chunkedPage({ documents: [] });
  assert.equal(lensOf(given).containedFrom(given.report.policy, 0.7), 0.7);
  const looked = shingled({ ids: [], policy: { contained: 0.9 } });
  assert.equal(lensOf(looked).containedFrom(looked.report.policy, 0.7), 0.9);
  const not = shingled({ ids: [] });
  assert.equal(lensOf(not).containedFrom(not.report.policy, 0.7), null);
});

test('a pair has its bytes, from either side, listed or not', () => {
  const m = model({ a: 'x y z 1', b: 'x y z', c: 'q' });
  assert.deepEqual(m.pair(0, 1), { a: 0, b: 1, resemblance: 0.75, a_in_b: 0.75, b_in_a: 1, interval: null, shared: 3000, exact: null });
  assert.deepEqual(m.pair(1, 0)?.a_in_b, 1);
  assert.equal(m.pair(0, 2), null);
  const [cluster] = m.page.clusters;
  const only = new Model({ ...m.page, clusters: [{ ...cluster, exact: [3100] }], pairs: { ...m.page.pairs, a: [], b: [], of_a: [], of_b: [], shared: [] } });
  assert.deepEqual([only.pair(1, 0)?.shared, only.pair(1, 0)?.exact, only.clusters[0].members[0].exact], [3000, 3100, 3100]);
  const twins = model({ a: 'x y', b: 'x y' }, { templates: ['x'] });
  assert.deepEqual([twins.pair(0, 1)?.shared, twins.pair(0, 1)?.exact], [1000, 2000], 'without the template; all of it');
});

test('exact bytes stay when the threshold moves', () => {
  const m = model({ a: 'x y z 1', b: 'x y z 2', c: 'x y z 1 2 3' });
  m.page.clusters[0].exact = m.page.clusters[0].members.map((_, at) => 5000 + at);
  const again = new Model(m.page);
  again.known.clear();
  assert.deepEqual(again.at(0.6)[0].members.map((x) => x.exact).sort(), [5000, 5001]);
});

test('how alike a cluster is, is told by the share of the smaller', () => {
  const m = model({ a: '1 2 3 4 5 6 7 8 9 10', b: '1 2 x y', c: '3 4 5' }, { policy: { threshold: 0.5 } });
  assert.equal(m.clusters[0].average, (0.5 + 1) / 2);
  assert.deepEqual(m.likenesses().sort(), [0.5, 1]);
});

test('what two documents are to each other follows the threshold and the least bytes', () => {
  const m = model({ a: '1 2 3 4 5 6', b: '1 2 3 4 x y', c: '1 2 3 p q r', d: '4 5 6 s t' }, { policy: { min_shared: 2500 } });
  assert.equal(relation(m, 0, 1).class, 'near', 'half of both together');
  assert.equal(relation(m, 1, 2).class, 'contained');
  m.threshold = 0.7;
  assert.equal(relation(m, 1, 2).class, 'different', 'half of the smaller is less');
  const few = model({ a: '1 2', b: '1 2', c: '1 2 3' }, { policy: { min_shared: 2500 } });
  assert.equal(relation(few, 0, 2).class, 'different', 'all of it, but too few bytes');
});

test('links of a graph need the least bytes too, and point from the smaller into the larger', () => {
  const m = model({ a: '1 2 3 4 5 6 7 8', b: '1 2 3', c: '4 5' }, { policy: { min_shared: 2500, linkage: 'single' } });
  const [cluster] = m.at(0.5);
  const { links } = graphOf(m, cluster);
  assert.deepEqual(links.map((l) => [l.contained, l.inside, l.alike, l.shared]), [[true, 1, 1, 3000]]);
});

test('why nothing is known of two files', () => {
  const m = model({ a: 'x y z', b: 'q', c: 't' }, { templates: ['t'] });
  assert.deepEqual(unknown(m, 0, 1), ['below 30%', 'These two have less than 30% of the smaller in common.']);
  assert.match(unknown(m, 0, 2)[1], /nothing but templates/);
  m.page.pairs.from = 2;
  assert.match(unknown(m, 0, 1)[1], /not all pairs/);
});

test('which to keep is said in bytes, and without promising too much', () => {
  const m = model({ a: '1 2 3 4 5 6 7 8', b: '1 2 3 4 5 6 x y', c: '1 2 3 4 p', d: '1 2 3 4 5 6 7 8' });
  const [cluster] = m.clusters;
  const { reason } = suggest(m, cluster, 'representative', []);
  assert.match(reason, /^the representative: of 3 others, .*much the same.*largely inside it/);
  assert.doesNotMatch(reason, /resembl|text/);
  assert.equal(measure(m.page).unit, 'byte');
  assert.equal(suggest(model({ a: '1 2 3 4 5 6', b: '1 2 3' }), { representative: 0, members: [], documents: [0, 1] }, 'longest', []).reason, 'longest: 100% more bytes than the next');
  const found = losses(m, cluster, [cluster.representative]);
  assert.ok(found.lost.length > 0);
  assert.match(lossShare(found, 0.25, 1), /^up to 25\.0%$/, 'chunks that differ may be alike');
  assert.equal(losesNothing(m, cluster, cluster.representative), false);
});

test('what is in the kept one to the last chunk is not lost, but its order may be', () => {
  const inside = model({ a: '1 2 3 4', b: '4 3 2' });
  const said = promise(inside, losses(inside, inside.clusters[0], [0]), 1);
  assert.deepEqual(said, { sure: true, text: 'Nothing is lost: all chunks of the others are in the kept one. Not compared: their order.' });
  inside.page.chunks = { .../** @type {import('../../js/types.js').Chunks} */ (inside.page.chunks), templates: [{ name: 'menu', chunks: 1, bytes: 1, documents: 2 }] };
  assert.match(promise(inside, losses(inside, inside.clusters[0], [0]), 1)?.text ?? '', /their order, templates\.$/);
  const copies = model({ a: '1 2', b: '1 2' });
  assert.match(suggest(copies, copies.clusters[0], 'representative', []).reason, /the other is identical to it/);
});

test('what would go is told from what stays elsewhere', () => {
  const m = model({ a: '1 2 3 4', b: '1 2 x' });
  assert.equal(freed(m, 3000), '42.9% of all bytes, if only representatives stay; they have 2.0 KB of it');
  assert.match(freed(new Model({ ...m.page, left_out: { clusters: 1, documents: 9 } }), 3000), /stay$/, 'of the others nothing is known');
});

test('pairs that no threshold links are not drawn, and counted', () => {
  const m = model({ a: '1 2 3 4', b: '1 2 x', c: '1 2 3 y' }, { policy: { min_shared: 2500 } });
  assert.equal(m.page.pairs.a.length, 3);
  assert.equal(m.likenesses().length, 1);
  assert.equal(tooLittle(m, 1), '2 pairs with less than 2.5 KB in common are never linked and not drawn.');
  assert.equal(tooLittle(model({ a: '1 2', b: '1' }), 1), false);
  assert.match(unlisted(m) || '', /--explore 0\.2 /, 'here it helps, although everything was compared whole');
});

/** @type {import('../../js/types.js').FolderPair[]} */
const FOLDERS = [['acme/docs', 0.96, 'globex/docs', 900], ['acme', 0.4, 'globex', 900], ['Old/Site', 1, 'acme/www', 100]].map(([folder, share, other, inside]) => (
  { folder: String(folder), files: 1, bytes: 1000, inside: Number(inside), share: Number(share), other: String(other), other_files: 2, other_bytes: 2000, other_inside: 500, other_share: 0.25 }));

test('similar folders are filtered and sorted', () => {
  const kept = (/** @type {Partial<Parameters<typeof selectFolders>[1]>} */ want) => selectFolders(FOLDERS, { q: '', least: 0, sort: 'inside', dir: 'desc', ...want }).map((pair) => pair.folder);
  assert.deepEqual(kept({}), ['acme/docs', 'acme', 'Old/Site'], 'equal ones stay in order');
  assert.deepEqual(kept({ least: 0.9 }), ['acme/docs', 'Old/Site']);
  assert.deepEqual(kept({ q: 'site' }), ['Old/Site'], 'whatever the case');
  assert.deepEqual(kept({ q: 'www acme' }), ['Old/Site'], 'in either name');
  assert.deepEqual(kept({ sort: 'held' }), ['Old/Site', 'acme/docs', 'acme']);
  assert.deepEqual(kept({ sort: 'folder', dir: 'asc' }), ['Old/Site', 'acme', 'acme/docs']);
  assert.deepEqual(FOLDERS.map((pair) => pair.folder), ['acme/docs', 'acme', 'Old/Site'], 'the list itself is not touched');
});

test('a folder is found again in the list of clusters', () => {
  assert.equal(belowRoot('archive/acme/docs', 'archive/'), 'acme/docs');
  assert.equal(belowRoot('archive/acme/', 'archive/'), 'acme');
  assert.equal(belowRoot('archive', 'archive/'), null, 'all are in it');
  assert.equal(belowRoot('archives/x', 'archive/'), null);
  assert.equal(belowRoot('acme', ''), 'acme');
  assert.equal(belowRoot('', ''), null);
});

test('clusters of two folders at once', () => {
  const m = model({ 'acme/docs/a': '1 2', 'globex/a': '1 2', 'acme/b': '3 4', 'globex/b': '3 4', 'acme/docs/c': '5', 'acme/docs/d': '5' });
  const none = { get: () => undefined };
  const kept = (/** @type {string} */ query) => select(m, m.clusters, wanted(new URLSearchParams(query)), new Finder(m), none).map((c) => m.name(c.representative));
  assert.deepEqual(kept('folder=acme/docs&also=globex'), ['acme/docs/a']);
  assert.deepEqual(kept('folder=acme&also=globex').length, 2);
  assert.deepEqual(kept('').length, 3);
});

test('a suggestion in words, and as a command', () => {
  const one = { cluster: 3, representative: 7, documents: 185, chunks: 17, bytes: 12_345, text: null };
  assert.equal(shared(one), '185 files share 17 chunks, 12.3 KB');
  assert.equal(markCommand(one), 'lookalike templates mark RUN --cluster 3');
});

test('what is no text is not blamed on the limit', () => {
  const given = model({ a: '1 2', b: '1 3', c: '4' }).page;
  const texts = (/** @type {number} */ limit, /** @type {(number | null)[]} */ block, /** @type {number[]} */ without) => limited({ ...given, texts: { limit, embedded: block.filter((b) => b !== null).length, block, blocks: [[0, 4000]], without } });
  assert.equal(texts(4100, [0, 0, null], [2]), false, 'there was none to take in');
  assert.equal(texts(4100, [0, null, null], [2]), true, 'another one had no room');
  assert.equal(texts(50_000_000, [0, null, null], [2]), false);
});
