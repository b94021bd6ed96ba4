import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Model } from '../../js/model.js';
import { links } from '../../js/regroup.js';
import { Naive, chunkedPage } from '../chunked.js';
import { cpuTime } from '../clock.js';

/** Random numbers with a seed. @param {number} seed */
function dice(seed) {
  let state = BigInt(seed);
  return (/** @type {number} */ sides) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((state >> 33n) % BigInt(sides));
  };
}

/** Families of documents that share chunks in every degree; some are copies, some hold a chunk twice. @param {number} seed @returns {import('../chunked.js').Made[]} */
function families(seed) {
  const roll = dice(seed);
  /** @type {import('../chunked.js').Made[]} */
  const documents = [];
  for (let at = 0; at < 24; at++) {
    const family = roll(4);
    const chunks = Array.from({ length: 1 + roll(9) }, () => (roll(4) === 0 ? `x${roll(200)}` : `f${family}.${roll(8)}`));
    documents.push({ id: `d${String(roll(100)).padStart(2, '0')}/${at}`, chunks: roll(6) === 0 && at > 0 ? documents[roll(at)].chunks : chunks });
  }
  return documents;
}

/** Clusters as the page shows them. @param {Model} model @param {number} threshold */
const shown = (model, threshold) => model.at(threshold).map((c) => ({
  representative: c.representative,
  members: c.members.map((m) => [m.document, m.class, m.resemblance, m.containment, m.contained_by, m.interval]),
  shared: c.members.map((m) => m.shared),
}));

// few lengths: ties of size and of common bytes are what can go wrong
const LENGTHS = [() => 1000, (/** @type {string} */ chunk) => 500 + 250 * (chunk.charCodeAt(chunk.length - 1) % 4)];

for (const [name, policy, templates] of /** @type {[string, Partial<import('../../js/types.js').Policy>, string[]][]} */ ([
  ['stars', {}, []],
  ['stars of at least so many bytes', { min_shared: 2000 }, []],
  ['stars without templates', {}, ['f0.0', 'f1.1', 'f2.2', 'f3.3']],
  ['components', { linkage: 'single' }, []],
  ['components of at least so many bytes', { linkage: 'single', min_shared: 2000 }, ['f0.0']],
])) {
  test(`the page groups as the naive engine does: ${name}`, () => {
    let [clusters, kinds] = [0, new Set()];
    for (let seed = 1; seed <= 60; seed++) {
      const corpus = { documents: families(seed), policy, templates, length: LENGTHS[seed % 2], explore: 0.05 };
      const naive = new Naive(corpus);
      const model = new Model(chunkedPage(corpus));
      for (const threshold of [0.1, 0.3, 0.5, 0.6, 0.75, 0.9, 1]) {
        const expected = naive.clusters(threshold);
        // of what a chain joins nothing is told: only links are
        for (const { members, shared } of expected) {
          members.forEach((m, at) => {
            if (m[1] !== 'chained') return;
            [m[2], m[3], m[4]] = [null, null, null];
            shared[at] = /** @type {any} */ (null);
          });
          const order = members.map((m, at) => ({ m, shared: shared[at] })).sort((x, y) => (y.m[2] ?? -1) - (x.m[2] ?? -1) || 0);
          order.forEach((one, at) => { [members[at], shared[at]] = [one.m, one.shared]; });
        }
        const tell = (/** @type {any[]} */ all) => all.map((c) => ({ representative: c.representative, members: c.members.map((/** @type {any[]} */ m, /** @type {number} */ at) => [...m, c.shared[at]]).sort((/** @type {any[]} */ x, /** @type {any[]} */ y) => x[0] - y[0]) }));
        // its own clusters are given, and regrouping must give the same
        model.known.clear();
        assert.deepEqual(tell(shown(model, threshold)), tell(expected), `seed ${seed} at ${threshold}`);
        if (policy.linkage !== 'single') assert.deepEqual(shown(model, threshold), expected, `in order, seed ${seed} at ${threshold}`);
        const sums = { clusters: expected.length, documents: expected.reduce((n, c) => n + 1 + c.members.length, 0) };
        assert.deepEqual({ clusters: model.sums(threshold).clusters, documents: model.sums(threshold).documents }, sums);
        clusters += expected.length;
        for (const c of expected) for (const m of c.members) kinds.add(m[1]);
      }
    }
    assert.ok(clusters > 1000, String(clusters));
    const all = ['contained', 'identical', 'near', ...(policy.linkage === 'single' ? ['chained'] : [])];
    assert.deepEqual([...kinds].sort(), all.sort());
  });
}

/** @param {import('../chunked.js').Corpus} corpus @param {number} threshold */
function told(corpus, threshold) {
  const page = chunkedPage(corpus);
  const { representative, member } = links(page, threshold);
  return Array.from(member, (m, at) => `${page.documents.id[representative[at]]}<${page.documents.id[m]}`).sort();
}
const chunks = (/** @type {string} */ text) => text.split(' ');

test('a document joins the leader with which it has most in common, not the first that would do', () => {
  const documents = [{ id: 'large', chunks: chunks('a b c d e f g h') }, { id: 'middle', chunks: chunks('q r s t u c d') }, { id: 'small', chunks: chunks('c d s t u v') }];
  assert.deepEqual(told({ documents }, 0.4), ['middle<small']);
  assert.deepEqual(told({ documents }, 0.9), [], 'five of six are not enough then');
});

test('of two leaders with which it shares as much the earlier one takes it', () => {
  const documents = [{ id: 'z-large', chunks: chunks('a b c d e f') }, { id: 'a-middle', chunks: chunks('c d q r s') }, { id: 'small', chunks: chunks('a b q r') }];
  assert.deepEqual(told({ documents }, 0.5), ['z-large<small']);
});

test('equal sizes are ranked as the engine says, whatever the names', () => {
  const documents = [{ id: 'a', chunks: chunks('x y 1') }, { id: 'b', chunks: chunks('x y 2') }];
  const page = chunkedPage({ documents });
  const first = [0, 1].find((d) => page.documents.rank?.[d] === 0);
  assert.equal(links(page, 0.5).representative[0], first);
  assert.equal(links({ ...page, documents: { ...page.documents, rank: page.documents.rank?.map((r) => 1 - r) } }, 0.5).representative[0], 1 - Number(first));
});

test('bytes count, not chunks; and the least bytes hold at any threshold', () => {
  const length = (/** @type {string} */ chunk) => (chunk === 'long' ? 5000 : 100);
  const documents = [{ id: 'a', chunks: chunks('long 1 2 3') }, { id: 'b', chunks: chunks('long 4 5') }, { id: 'c', chunks: chunks('1 2 3') }];
  assert.deepEqual(told({ documents, length }, 0.9), ['a<b', 'a<c']);
  assert.deepEqual(told({ documents, length, policy: { min_shared: 301 } }, 0.05), ['a<b']);
  assert.deepEqual(told({ documents, length, policy: { min_shared: 300 } }, 1), ['a<c']);
});

test('what is nothing but template is alike to nobody', () => {
  const documents = [{ id: 'a', chunks: chunks('t u x') }, { id: 'b', chunks: chunks('t u') }];
  const page = chunkedPage({ documents, templates: ['t', 'u'], explore: 0 });
  assert.deepEqual([...links(page, 0.01).member], []);
  assert.equal(page.pairs.a.length, 1, 'although they were compared');
});

test('300,000 pairs are regrouped while a finger drags', () => {
  const n = 3000;
  const documents = Array.from({ length: 2 }, (_, at) => ({ id: String(at), chunks: [String(at)] }));
  const page = chunkedPage({ documents });
  const roll = dice(3);
  page.documents = { ...page.documents, size: Array.from({ length: n }, () => 1000 + roll(500)), rank: Array.from({ length: n }, (_, at) => at) };
  const pairs = Array.from({ length: 300_000 }, () => [roll(n), roll(n)]).filter(([a, b]) => a < b);
  page.pairs = { ...page.pairs, a: pairs.map((p) => p[0]), b: pairs.map((p) => p[1]), of_a: pairs.map(([a]) => page.documents.size[a]), of_b: pairs.map(([, b]) => page.documents.size[b]), shared: pairs.map(() => roll(1000)) };
  links(page, 0.5);
  const began = cpuTime();
  for (let t = 50; t < 100; t++) links(page, t / 100);
  const each = (cpuTime() - began) / 50;
  assert.ok(each < 1000, `${each.toFixed(1)} ms each`);
});
