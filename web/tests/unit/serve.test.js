// What the page of a server computes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofRun } from '../../js/serve/clusterpage.js';
import { ticks } from '../../js/serve/parts/bars.js';
import { dates } from '../../js/serve/parts/common.js';
import { SharedVerdicts, named, since } from '../../js/serve/review.js';
import { relationOf } from '../../js/serve/views/ask.js';
import { evidenceRows } from '../../js/serve/views/pair.js';
import { parseMetrics } from '../../js/serve/views/server.js';
import { common } from '../../js/serve/views/submissions.js';

const estimate = (/** @type {number} */ value) => ({ value, low: value, high: value });
const seen = (/** @type {string} */ url) => [{ url, first: null, last: null, current: true }];

test('a match is told by what it is to the document', () => {
  const of = (/** @type {string | null} */ kind, /** @type {number} */ mine, /** @type {number} */ its) => relationOf({ seen: [], content: '', bytes: 0, class: kind, query_in_document: estimate(mine), document_in_query: estimate(its) })[1];
  assert.equal(of('identical', 1, 1), 'the same file');
  assert.equal(of('lexical', 1, 1), 'the same words');
  assert.equal(of('near', 0.9, 0.9), 'resembles yours');
  assert.equal(of('contained', 0.99, 0.3), 'contains yours');
  assert.equal(of('contained', 0.3, 0.99), 'is inside yours');
  assert.equal(of('near', 1, 0.5), 'contains yours');
  assert.equal(of(null, 0.6, 0.2), 'contains yours');
  assert.equal(of(null, 0.2, 0.1), 'shares parts');
  const bytes = (/** @type {number} */ mine, /** @type {number} */ its) => relationOf({ seen: [], content: '', bytes: 0, class: 'contained', query_share: mine, document_share: its })[1];
  assert.deepEqual([bytes(0.64, 0.65), bytes(1, 0.1), bytes(0.1, 1)], ['resembles yours', 'contains yours', 'is inside yours']);
});

test('numbers of Prometheus, the folder above submissions, dates, ticks', () => {
  const numbers = parseMetrics('# TYPE a counter\na{route="/v1/x y",status="2xx"} 3\nb 0.5\n\n');
  assert.deepEqual([...numbers], [['a{route="/v1/x y",status="2xx"}', 3], ['b', 0.5]]);
  assert.equal(common(['class/ann/a.c', 'class/ben/a.c']), 'class/');
  assert.equal(common(['a.c', 'b.c']), '');
  assert.equal(common(['ann/a.c', 'ben/a.c']), '');
  assert.equal(common([]), '');
  assert.equal(dates({ first: '2026-01-01', last: '2026-02-01' }), '2026-01-01 to 2026-02-01');
  assert.equal(dates({ first: '2026-01-01', last: '2026-01-01' }), '2026-01-01');
  assert.equal(dates({ first: null, last: null }), '');
  for (const most of [0, 1, 3, 7, 99, 100, 123_456]) {
    const all = ticks(most);
    assert.ok(all.length <= 6 && all.every((n, at) => n <= most && (at === 0 || n > all[at - 1])), `${most}: ${all}`);
  }
});

test('a cluster of a run, and what came since a verdict', () => {
  const page = ofRun({ clusters: [{ id: 1, representative: 'a', members: [{ id: 'b', containment: 0.5 }] }, { id: 2, representative: 'c', members: [] }] }, 0, 1);
  assert.deepEqual([page.all, page.clusters.length, page.clusters[0].documents[1].likeness], [2, 1, 0.5]);
  assert.deepEqual(named(page.clusters[0]), [{ id: 'a' }, { id: 'b' }]);
  const cluster = { key: '1', number: 1, size: 2, documents: [{ content: '1', seen: [...seen('a'), ...seen('a2')], likeness: null, about: '' }, { content: '2', seen: seen('b'), likeness: 1, about: '' }] };
  const verdict = { number: 1, cluster: '1', verdict: /** @type {const} */ ('keep'), keep: ['a'], note: '', who: '', when: 0, documents: [{ id: 'a', content: '1' }, { id: 'x', content: '3' }] };
  assert.deepEqual(since(verdict, cluster), { came: 1, went: 1 });
  assert.deepEqual(since({ ...verdict, documents: [] }, cluster), { came: 0, went: 0 });
  assert.equal(named(cluster).length, 3);
});

test('the newest verdict holds, whenever it comes, and is exported for a scan', async () => {
  const verdict = (/** @type {number} */ number, /** @type {any} */ what) => ({ number, cluster: 'x', verdict: what, keep: ['a'], note: 'n', who: 'ann', when: 0, documents: [{ id: 'a', content: '1' }] });
  const answers = [{ verdicts: [verdict(2, 'keep')], last: 2 }, { verdicts: [verdict(1, 'later')], last: 2 }, { verdicts: [verdict(3, null)], last: 3 }];
  const api = /** @type {any} */ ({ get: async () => answers.shift() });
  const shared = new SharedVerdicts(api, 'pages');
  await shared.look();
  await shared.look();
  assert.equal(shared.of('x')?.verdict, 'keep');
  const { decisions, clusters } = JSON.parse(shared.decisions('0.1.0'));
  assert.deepEqual([decisions, clusters], [1, [{ representative: 'a', verdict: 'keep', keep: ['a'], note: 'n', documents: [{ id: 'a', content: '1' }] }]]);
  await shared.look();
  assert.equal(shared.of('x'), null, 'it was taken back');
  assert.deepEqual(JSON.parse(shared.decisions('0.1.0')).clusters, []);
});

test('a line for each lens that says something', () => {
  assert.deepEqual(evidenceRows({ evidence: { chunks: { bytes: [10, 20], shared: 5 }, shingles: { shingles: [3, 4], shared: 2 } } }), [['shingles', '2 in both, of 3 and 4'], ['chunks', '5 bytes in common, of 10 and 20']]);
  assert.deepEqual(evidenceRows({}), []);
});
