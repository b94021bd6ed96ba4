import assert from 'node:assert/strict';
import test from 'node:test';
import { losesNothing, lossShare, losses, promise, suggest, topFolders } from '../../js/keep.js';

const DAY = 86_400;
const MAY = Date.parse('2026-05-01T12:00:00Z') / 1000;

/** A model of documents in folders; the first represents the others. @param {{ ids: string[], modified?: (number | null)[], lengths?: number[] | null, bytes?: number[], content?: number[], canonical?: number[], pairs?: number[][], members?: any[], report?: any }} parts @returns {any} */
function world({ ids, modified = ids.map(() => null), lengths = ids.map(() => 91), bytes = ids.map(() => 100), content = ids.map((_, d) => d), canonical = content, pairs = [], members, report = {} }) {
  const column = (/** @type {number} */ at) => pairs.map((/** @type {number[]} */ p) => p[at]);
  const pairsOf = new Map();
  pairs.forEach(([a, b], at) => { for (const d of [a, b]) pairsOf.set(d, [...(pairsOf.get(d) ?? []), at]); });
  const model = {
    threshold: 0.5,
    pairsOf,
    folder: (/** @type {number} */ d) => ids[d].slice(0, Math.max(0, ids[d].lastIndexOf('/'))),
    page: {
      // nothing may ask for the size: it is 0 for copies, and an estimate
      documents: { id: ids, modified, bytes, content, canonical, ...(lengths === null ? {} : { length: lengths }) },
      pairs: { a: column(0), b: column(1), of_a: column(2), of_b: column(3), shared: column(4), sample_exhaustive: pairs.map(() => 0) },
      report: { compared_by: 'auto|words|shingles:w=10|sample=nested:100|v=3', ...report, shingles: { include_boilerplate: false, estimate: false, ...report.shingles } },
    },
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

test('longest: by words', () => {
  const longest = (/** @type {any} */ parts) => {
    const { model, cluster } = world(parts);
    return suggest(model, cluster, 'longest', []);
  };
  const ids = ['a', 'b', 'c'];
  assert.deepEqual(longest({ ids, lengths: [91, 111, 31], bytes: [900, 300, 300] }), { document: 1, reason: 'longest: 20% more words than the next' });
  assert.deepEqual(longest({ ids, lengths: [12_000, 12_030, 3] }), { document: 1, reason: 'longest: 30 words more than the next' });
  assert.deepEqual(longest({ ids, lengths: [12_000, 12_001, 3] }), { document: 1, reason: 'longest: 1 word more than the next' });
  assert.deepEqual(longest({ ids, lengths: [1, 2000, 1] }), { document: 1, reason: 'longest: 2,009 words, the next has 10' });
  assert.deepEqual(longest({ ids, lengths: [0, 91, 0] }), { document: 1, reason: 'longest: 100 words, the next has none' });
  assert.deepEqual(longest({ ids, lengths: [50, 91, 91] }), { document: 1, reason: 'longest, as is one other' });
  assert.deepEqual(longest({ ids, lengths: [91, 91, 50], bytes: [1, 2, 3] }), { document: 0, reason: 'longest, as is one other' }, 'rather the representative');
  // more markup is not more text
  assert.match(longest({ ids, bytes: [100, 300, 200] }).reason, /^All are equally long; therefore the representative/);
  assert.equal(longest({ ids, bytes: [100, 300, 200] }).document, 0);
});

test('longest: in what was compared, or in bytes where nothing else is known', () => {
  const sets = world({ ids: ['a', 'b'], lengths: [100, 150], report: { compared_by: 'features|sample=nested:100|v=3' } });
  assert.equal(suggest(sets.model, sets.cluster, 'longest', []).reason, 'longest: 50% more shingles than the next');
  const bytes = world({ ids: ['a', 'b'], lengths: null, bytes: [100, 150] });
  assert.deepEqual(suggest(bytes.model, bytes.cluster, 'longest', []), { document: 1, reason: 'longest: 50% more bytes than the next' });
});

test('folder: the order of the reader; folders not in it come last', () => {
  const { model, cluster } = world({ ids: ['old/x/a', 'new/a', 'new/b', 'other/a'] });
  assert.deepEqual(suggest(model, cluster, 'folder', ['new', 'old']), { document: 1, reason: 'in the folder “new”, the first of your order, as is one other' });
  assert.equal(suggest(model, cluster, 'folder', ['old', 'new']).document, 0);
  assert.match(suggest(model, cluster, 'folder', []).reason, /^Folders are not ordered yet/);
  assert.match(suggest(model, cluster, 'folder', ['elsewhere']).reason, /^All are in folders of equal rank/);
  assert.deepEqual(topFolders(model, ['other']).map((f) => f.folder), ['other', 'new', 'old']);
});

test('representative: how the others stand to it', () => {
  const member = (/** @type {any} */ kind, resemblance = 0.8, containment = 0.9, contained_by = 0.85) => ({ document: 1, class: kind, resemblance, containment, contained_by, interval: null });
  const says = (/** @type {any[]} */ ...members) => {
    // by bytes the representative is the smallest: nothing may be said of its size
    const { model, cluster } = world({ ids: ['a', ...members.map((_, at) => `b${at}`)], bytes: [1, ...members.map(() => 100)], members });
    return suggest(model, cluster, 'representative', []).reason.replace('the representative: ', '');
  };
  const [near, inside, around, chained, same] = [member('near'), member('contained', 0.2, 1, 0.2), member('contained', 0.2, 0.2, 1), member('chained', 0.2), member('lexical', 1)];
  assert.equal(says(near), 'the other resembles it');
  assert.equal(says(near, near), 'both others resemble it');
  assert.equal(says(near, near, same), 'all 3 others resemble it');
  assert.equal(says(inside), 'the other is inside it');
  assert.equal(says(inside, inside), 'both others are inside it');
  assert.equal(says(around), 'it is inside the other');
  assert.equal(says(same), 'the other has the same text');
  assert.equal(says(same, same, same), 'all 3 others have the same text');
  assert.equal(says(near, inside, inside, chained), 'of 4 others, 1 resembles it, 2 are inside it, 1 is linked through others');
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

/** One member, of which the representative has a share. @param {number | null} containment @param {any} [more] @param {any} [parts] */
const two = (containment, more = {}, parts = {}) => world({ ids: ['a', 'b'], members: [{ document: 1, class: 'near', resemblance: 0.9, containment, contained_by: 0.9, interval: null, ...more }], ...parts });

test('losses: a few words of their own are a loss', () => {
  // 12,030 words, 30 of them in no other document: 39 lengths
  const { model, cluster } = two(1 - 39 / 12_021);
  const found = losses(model, cluster, [0]);
  assert.deepEqual(found.lost.map((l) => l.document), [1]);
  assert.equal(lossShare(found, found.lost[0].share, 1), '0.3%');
  assert.equal(promise(model, found, 1), null);
  assert.equal(lossShare(found, 1e-6, 1), 'less than 0.1%', 'never none');
  assert.equal(lossShare(found, 0.2, 2), 'up to 20.0%', 'the other one may have it');
  const pair = world({ ids: ['a', 'b'], pairs: [[0, 1, 13_000, 12_021, 12_020]], members: two(null).cluster.members });
  assert.equal(losses(pair.model, pair.cluster, [0]).lost.length, 1);
});

test('losses: what is promised is what is known', () => {
  const said = (/** @type {any} */ { model, cluster }, keep = [0]) => promise(model, losses(model, cluster, keep), keep.length);
  assert.deepEqual(said(two(1)), { sure: true, text: 'Nothing of what was compared is lost: all of it is in the kept one. Not compared: layout, case, punctuation, template text.' });
  assert.match(said(two(1, {}, { report: { shingles: { include_boilerplate: true } } }))?.text ?? '', /Not compared: layout, case, punctuation\.$/);
  assert.deepEqual(said(two(1, { class: 'identical' }, { content: [0, 0] })), { sure: true, text: 'Nothing is lost: the others are identical to it.' });
  assert.match(said(two(1, { class: 'lexical' }, { canonical: [0, 0] }))?.text ?? '', /^Nothing of what was compared/, 'the same words are not the same file');
  assert.equal(said(two(null)), null, 'never compared');
});

test('duplicates are preset only where nothing is lost for sure', () => {
  const preset = (/** @type {any} */ { model, cluster }) => losesNothing(model, cluster, 0);
  assert.ok(preset(two(1)));
  assert.ok(!preset(two(0.97)), 'text would be lost');
  assert.ok(!preset(two(null)), 'never compared');
  assert.ok(!preset(two(1, {}, { report: { shingles: { estimate: true } } })), 'nobody knows');
});

test('losses: estimates promise nothing', () => {
  const estimate = { report: { shingles: { estimate: true } } };
  const said = (/** @type {any} */ { model, cluster }) => promise(model, losses(model, cluster, [0]), 1);
  assert.equal(said(two(1, {}, estimate))?.sure, false);
  assert.match(said(two(1, {}, estimate))?.text ?? '', /estimates/);
  assert.equal(said(two(1, { interval: [0.9, 1] }))?.sure, false);
  assert.equal(said(two(1, {}, { ...estimate, content: [0, 0] }))?.sure, true, 'identical is identical');
  const { model, cluster } = two(0.9, {}, estimate);
  assert.equal(lossShare(losses(model, cluster, [0]), 0.1, 1), 'about 10.0%');
  // the smallest features of two documents cannot tell what is in which
  const min = { pairs: [[0, 1, 100, 100, 100]], report: { shingles: { estimate: true }, compared_by: 'auto|words|shingles:w=10|sample=min:100|v=3' } };
  const blind = two(null, {}, min);
  assert.equal(losses(blind.model, blind.cluster, [0]).unknown, 1);
});

test('losses: a copy of the representative saves what the representative saves', () => {
  const members = [{ document: 1, class: 'lexical', resemblance: 1, containment: 1, contained_by: 1, interval: null }, { document: 2, class: 'near', resemblance: 0.8, containment: 0.9, contained_by: 0.9, interval: null }];
  const { model, cluster } = world({ ids: ['a', 'b', 'c'], canonical: [0, 0, 2], members });
  const { lost, unknown } = losses(model, cluster, [1]);
  assert.deepEqual([lost.map((l) => l.document), unknown], [[2], 0]);
});

test('losses: documents of the same text lose nothing', () => {
  const { model, cluster } = world({
    ids: ['a', 'b'], canonical: [0, 0], members: [{ document: 1, class: 'identical', resemblance: 1, containment: 1, contained_by: 1, interval: null }],
  });
  assert.deepEqual(losses(model, cluster, [1]), { lost: [], unknown: 0, identical: false, estimate: false });
});
