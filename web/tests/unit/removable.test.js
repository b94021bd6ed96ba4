import assert from 'node:assert/strict';
import test from 'node:test';
import { removable, lines } from '../../js/parts/removable.js';
import { idle } from '../../js/parts/applieddecisions.js';
import { clashes } from '../../js/parts/members.js';

/** @param {string[]} id @param {[number[], string, number[]][]} decided documents, verdict, what is kept @returns {any} */
function world(id, decided) {
  const clusters = decided.map(([documents]) => ({ documents }));
  const told = new Map(clusters.map((cluster, at) => [cluster, { verdict: decided[at][1], keep: decided[at][2], note: '' }]));
  return [{ page: { documents: { id, bytes: id.map((_, at) => 10 ** at) } }, clusters }, { get: (/** @type {any} */ c) => told.get(c) }];
}

test('what can go: duplicates that are not kept, and nothing else', () => {
  const [model, verdicts] = world([...'abcdefg'], [[[0, 1, 2], 'keep', [1]], [[3, 4], 'not-duplicates', []], [[5, 6], 'later', []]]);
  assert.deepEqual(removable(model, verdicts), { ids: ['a', 'c'], bytes: 101, clusters: 1, shared: 0, orphaned: 0 });
});

test('a cluster of which nothing is kept here stays', () => {
  // what was to be kept is gone, or is somewhere else
  const [model, verdicts] = world([...'abcd'], [[[0, 1], 'keep', []], [[2, 3], 'keep', [0]]]);
  assert.deepEqual(removable(model, verdicts), { ids: [], bytes: 0, clusters: 0, shared: 0, orphaned: 2 });
});

test('an id that also names something that stays is not listed', () => {
  const [model, verdicts] = world(['x', 'x', 'y', 'z', 'z', 'y'], [[[0, 1, 2], 'keep', [0]], [[3, 4], 'keep', [5]], [[3, 4, 5], 'keep', [5]]]);
  // y stays in another cluster; both z go
  assert.deepEqual(removable(model, verdicts), { ids: ['z'], bytes: 11_000, clusters: 2, shared: 2, orphaned: 1 });
});

test('one name a line, whatever is in it', () => {
  assert.equal(lines(['a b', 'für\u200d.md']), 'a b\nfür\u200d.md\n');
  assert.equal(lines(['a\n/etc/passwd']).split('\n').length, 2);
  assert.ok(!/[\r\t\u2028]/.test(lines(['a\rb', 'a\tb', 'a\u2028b'])));
});

test('files of one name are told apart by their folders', () => {
  const names = ['a/x.md', 'b/x.md', 'b/y.md', 'x.md'];
  const model = { name: (/** @type {number} */ d) => names[d] };
  const cluster = { documents: [0, 1, 2] };
  assert.deepEqual([0, 1, 2].map((d) => clashes(model, cluster, d)), [true, true, false]);
  assert.ok(!clashes(model, { documents: [0, 2] }, 0), 'only within the cluster');
});

test('decisions that the scan could not follow are counted', () => {
  const decisions = /** @type {any[]} */ ([{ verdict: 'not-duplicates' }, { verdict: 'template' }, { verdict: 'keep' }, { verdict: 'not-duplicates' }]);
  const page = (/** @type {any} */ reviewed) => /** @type {any} */ ({ decisions, report: { reviewed } });
  assert.equal(idle(page({ not_duplicates: 1, templates: 1 })), 1);
  assert.equal(idle(page({ not_duplicates: 2, templates: 1 })), 0);
  assert.equal(idle(page(undefined)), 0);
});
