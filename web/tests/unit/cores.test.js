// The rule for dense cores, held against its definition.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAME, coreCount, denseCores } from '../../js/cores.js';
import { coreAsked, coresOf } from '../../js/copies/clustercores.js';
import { dice } from '../dice.js';

/** @typedef {import('../../js/cores.js').Alike} Alike */

/** The rule, word for word. @param {number} size @param {Alike[]} links */
function definition(size, links) {
  // those that are 90% alike are one
  let units = Array.from({ length: size }, (_, at) => [at]);
  for (const { from, to, alike } of links) {
    if (alike < SAME) continue;
    const both = units.filter((u) => u.includes(from) || u.includes(to));
    units = [...units.filter((u) => !both.includes(u)), [...new Set(both.flat())].sort((x, y) => x - y)];
  }
  const linked = (/** @type {number[]} */ u, /** @type {number[]} */ v) => links.some(({ from, to }) => (u.includes(from) && v.includes(to)) || (v.includes(from) && u.includes(to)));
  /** @type {number[][][]} groups of units */
  let groups = units.map((u) => [u]);
  const first = (/** @type {number} */ node) => units.find((u) => u.includes(node))?.[0] ?? 0;
  const ends = (/** @type {Alike} */ l) => [first(l.from), first(l.to)].sort((x, y) => x - y);
  const down = [...links].sort((x, y) => y.alike - x.alike || ends(x)[0] - ends(y)[0] || ends(x)[1] - ends(y)[1]);
  for (const { from, to } of down) {
    const [x, y] = [from, to].map((node) => groups.find((g) => g.some((u) => u.includes(node))) ?? []);
    if (x === y) continue;
    const between = x.flatMap((u) => y.map((v) => linked(u, v)));
    if (2 * between.filter(Boolean).length < between.length) continue;
    groups = [...groups.filter((g) => g !== x && g !== y), [...x, ...y]];
  }
  return groups.map((g) => g.flat().sort((x, y) => x - y)).sort((x, y) => y.length - x.length || x[0] - y[0]);
}

test('cores are what the rule says, and the same every time', () => {
  let [split, bridges] = [0, 0];
  for (let seed = 1; seed <= 300; seed++) {
    const roll = dice(seed);
    const size = 3 + roll(18);
    /** @type {Alike[]} */
    const links = [];
    for (let from = 0; from < size; from++) for (let to = from + 1; to < size; to++) if (roll(10) < 1 + (seed % 6)) links.push({ from, to, alike: (30 + roll(68)) / 100 });
    const found = denseCores(size, links);
    assert.deepEqual(found.groups, definition(size, links), `seed ${seed}`);
    assert.deepEqual(denseCores(size, links), found);
    assert.deepEqual(found.bridge, links.map(({ from, to }) => found.group[from] !== found.group[to]));
    found.groups.forEach((members, at) => { for (const node of members) assert.equal(found.group[node], at); });
    split += found.groups.length > 1 ? 1 : 0;
    bridges += found.bridge.filter(Boolean).length;
  }
  assert.ok(split > 100 && bridges > 500, `${split} ${bridges}`);
});

test('two cliques on one thread are two cores, a chain is none', () => {
  const clique = (/** @type {number} */ first, /** @type {number} */ n) => Array.from({ length: n }, (_, i) => Array.from({ length: n - 1 - i }, (__, j) => ({ from: first + i, to: first + i + j + 1, alike: 0.6 }))).flat();
  const two = denseCores(10, [...clique(0, 5), ...clique(5, 5), { from: 4, to: 5, alike: 0.4 }]);
  assert.deepEqual(two.groups, [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]);
  assert.equal(two.bridge.filter(Boolean).length, 1);
  assert.equal(coreCount(two), 2);
  const chain = denseCores(30, Array.from({ length: 29 }, (_, at) => ({ from: at, to: at + 1, alike: 0.5 })));
  assert.ok(Math.max(...chain.groups.map((g) => g.length)) <= 4, 'nothing of it is long');
});

test('copies of one are one, though each is a pair with the first only', () => {
  const links = [...[1, 2, 3, 4, 5, 6].map((to) => ({ from: 0, to, alike: 1 })), { from: 0, to: 7, alike: 0.5 }, { from: 7, to: 8, alike: 0.4 }, { from: 8, to: 9, alike: 0.4 }];
  assert.deepEqual(denseCores(10, links).groups[0].slice(0, 7), [0, 1, 2, 3, 4, 5, 6]);
});

/** @param {number[]} submissions @param {[number, number, number][]} pairs @returns {any} */
const cluster = (submissions, pairs) => ({ number: 1, submissions, count: pairs.length, mean: 0.5, pairs: pairs.map(([a, b, similarity]) => ({ a, b, similarity })) });

test('cores of submissions: of large clusters only, and an address names one of them or none', () => {
  const few = cluster([3, 5, 9], [[3, 5, 0.5], [5, 9, 0.5]]);
  assert.equal(coresOf(few), null);
  const at = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28];
  /** @type {[number, number, number][]} */
  const pairs = [];
  for (const half of [at.slice(0, 7), at.slice(7)]) half.forEach((a, i) => half.slice(i + 1).forEach((b) => pairs.push([a, b, 0.5])));
  const large = cluster(at, [...pairs, [14, 16, 0.4]]);
  const cores = coresOf(large);
  assert.deepEqual(cores?.cores, [at.slice(0, 7), at.slice(7)]);
  assert.deepEqual([...cores?.bridges ?? []].map((p) => [p.a, p.b]), [[14, 16]]);
  assert.equal(coresOf(cluster(at, at.flatMap((a, i) => at.slice(i + 1).map((b) => /** @type {[number, number, number]} */ ([a, b, 0.5]))))), null, 'one core is the cluster');
  for (const [asked, core] of /** @type {[string | null, number][]} */ ([['1', 0], ['2', 1], ['3', -1], ['0', -1], ['x', -1], [null, -1], ['1e0', -1]])) assert.equal(coreAsked(cores, asked), core, String(asked));
  assert.equal(coreAsked(null, '1'), -1);
});
