import assert from 'node:assert/strict';
import test from 'node:test';
import { losses, suggest, topFolders } from '../../js/keep.js';

const DAY = 86_400;
const MAY = Date.parse('2026-05-01T12:00:00Z') / 1000;

/** A model of documents in folders; the first represents the others. @param {{ ids: string[], modified?: (number | null)[], size?: number[], bytes?: number[], stand_in?: number[], pairs?: number[][], members?: any[] }} parts @returns {any} */
function world({ ids, modified = ids.map(() => null), size = ids.map(() => 100), bytes = size, stand_in = ids.map((_, d) => d), pairs = [], members }) {
  const column = (/** @type {number} */ at) => pairs.map((/** @type {number[]} */ p) => p[at]);
  const pairsOf = new Map();
  pairs.forEach(([a, b], at) => { for (const d of [a, b]) pairsOf.set(d, [...(pairsOf.get(d) ?? []), at]); });
  const model = {
    threshold: 0.5,
    pairsOf,
    folder: (/** @type {number} */ d) => ids[d].slice(0, Math.max(0, ids[d].lastIndexOf('/'))),
    page: { documents: { id: ids, modified, size, bytes, stand_in }, pairs: { a: column(0), b: column(1), of_a: column(2), of_b: column(3), common: column(4) } },
  };
  const others = members ?? ids.slice(1).map((_, at) => ({ document: at + 1, class: 'near', resemblance: 0.8, containment: 0.9, contained_by: 0.85, interval: null }));
  return { model, cluster: { representative: 0, members: others, documents: ids.map((_, d) => d) } };
}

test('newest: the date and how much newer', () => {
  const { model, cluster } = world({ ids: ['a', 'b', 'c'], modified: [MAY - 430 * DAY, MAY, null] });
  assert.deepEqual(suggest(model, cluster, 'newest', []), { document: 1, reason: 'newest: 2026-05-01, 14 months after the next; one has no date' });
});

test('newest: without dates, or with equal ones, it says so and takes the representative', () => {
  const none = world({ ids: ['a', 'b'] });
  assert.equal(suggest(none.model, none.cluster, 'newest', []).document, 0);
  assert.match(suggest(none.model, none.cluster, 'newest', []).reason, /^No dates are known; therefore the representative/);
  const equal = world({ ids: ['a', 'b'], modified: [MAY, MAY] });
  assert.match(suggest(equal.model, equal.cluster, 'newest', []).reason, /^All are of 2026-05-01/);
  const some = world({ ids: ['a', 'b', 'c'], modified: [MAY - DAY, MAY, MAY] });
  assert.deepEqual(suggest(some.model, some.cluster, 'newest', []), { document: 1, reason: 'newest: 2026-05-01, as is one other' });
  const single = world({ ids: ['a', 'b'], modified: [null, MAY] });
  assert.deepEqual(suggest(single.model, single.cluster, 'newest', []), { document: 1, reason: 'newest: 2026-05-01; one has no date' });
});

test('longest: by text, then by bytes', () => {
  const text = world({ ids: ['a', 'b'], size: [100, 120], bytes: [900, 300] });
  assert.deepEqual(suggest(text.model, text.cluster, 'longest', []), { document: 1, reason: 'longest: 20 % more text than the next' });
  const bytes = world({ ids: ['a', 'b'], size: [100, 100], bytes: [300, 310] });
  assert.deepEqual(suggest(bytes.model, bytes.cluster, 'longest', []), { document: 1, reason: 'longest: as much text as the next, 10 bytes more' });
  const equal = world({ ids: ['a', 'b'] });
  assert.match(suggest(equal.model, equal.cluster, 'longest', []).reason, /^All are equally long; therefore/);
});

test('folder: the order of the reader; folders not in it come last', () => {
  const { model, cluster } = world({ ids: ['old/x/a', 'new/a', 'new/b', 'other/a'] });
  assert.deepEqual(suggest(model, cluster, 'folder', ['new', 'old']), { document: 1, reason: 'in the folder “new”, the first of your order, as is one other' });
  assert.equal(suggest(model, cluster, 'folder', ['old', 'new']).document, 0);
  assert.match(suggest(model, cluster, 'folder', []).reason, /^Folders are not ordered yet/);
  assert.match(suggest(model, cluster, 'folder', ['elsewhere']).reason, /^All are in folders of equal rank/);
  assert.deepEqual(topFolders(model, ['other']).map((f) => f.folder), ['other', 'new', 'old']);
});

test('representative: how many resemble it', () => {
  const { model, cluster } = world({ ids: ['a', 'b', 'c'] });
  assert.match(suggest(model, cluster, 'representative', []).reason, /all 2 others resemble it/);
  const chained = { document: 2, class: 'chained', resemblance: 0.2, containment: 0.3, contained_by: 0.3, interval: null };
  assert.match(suggest(model, { ...cluster, members: [cluster.members[0], chained] }, 'representative', []).reason, /1 of 2 others resemble it directly/);
});

test('losses: what the kept document lacks', () => {
  // b has 18 of 100 that a has not; a has 40 of 122 that b has not; c was compared with b only, and has all of its text there
  const { model, cluster } = world({
    ids: ['a', 'b', 'c'],
    pairs: [[0, 1, 122, 100, 82], [1, 2, 100, 50, 50]],
    members: [
      { document: 1, class: 'near', resemblance: 0.58, containment: 0.82, contained_by: 82 / 122, interval: null },
      { document: 2, class: 'chained', resemblance: null, containment: null, contained_by: null, interval: null },
    ],
  });
  const round = (/** @type {any} */ { lost, unknown }) => ({ lost: lost.map((/** @type {any} */ l) => [l.document, Math.round(l.share * 100)]), unknown });
  assert.deepEqual(round(losses(model, cluster, [0])), { lost: [[1, 18]], unknown: 1 });
  assert.deepEqual(round(losses(model, cluster, [1])), { lost: [[0, 33]], unknown: 0 });
  assert.deepEqual(round(losses(model, cluster, [0, 1])), { lost: [], unknown: 0 });
});

test('losses: documents of the same text lose nothing', () => {
  const { model, cluster } = world({
    ids: ['a', 'b'], stand_in: [0, 0], members: [{ document: 1, class: 'identical', resemblance: 1, containment: 1, contained_by: 1, interval: null }],
  });
  assert.deepEqual(losses(model, cluster, [1]), { lost: [], unknown: 0 });
});
