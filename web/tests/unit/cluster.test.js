// The rule for who represents, held against its definition.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnionFind, components, rankPairs, stars } from '../../js/cluster.js';
import { dice } from '../dice.js';

/**
 * Documents in some order of representatives, and some pairs of them.
 * @param {number} seed
 */
function made(seed) {
  const roll = dice(seed);
  const count = 2 + roll(14);
  const rank = Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at--) {
    const other = roll(at + 1);
    [rank[at], rank[other]] = [rank[other], rank[at]];
  }
  const [a, b, similarity] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (let x = 0; x < count; x++) {
    for (let y = x + 1; y < count; y++) {
      if (roll(3) === 0) continue;
      a.push(x);
      b.push(y);
      similarity.push(roll(5) / 4);
    }
  }
  return { rank, a, b, similarity };
}

/** The rule, word for word. @param {ReturnType<typeof made>} of @param {(pair: number) => boolean} linked */
function definition({ rank, a, b, similarity }, linked) {
  const order = rank.map((_, at) => at).sort((x, y) => rank[x] - rank[y]);
  /** @type {number[]} */
  const representatives = [];
  /** @type {number[][]} */
  const members = [];
  for (const document of order) {
    const choices = representatives.flatMap((representative, place) => a.flatMap((_, pair) => (
      linked(pair) && [a[pair], b[pair]].includes(document) && [a[pair], b[pair]].includes(representative) ? [{ representative, place, pair }] : [])));
    choices.sort((x, y) => similarity[y.pair] - similarity[x.pair] || x.place - y.place);
    if (choices.length === 0) representatives.push(document);
    else members.push([choices[0].representative, document, choices[0].pair]);
  }
  return members;
}

/** @param {import('../../js/cluster.js').Links} links */
const rows = ({ representative, member, pair }) => Array.from(member, (document, at) => [representative[at], document, pair[at]]);

test('stars: each joins the most similar representative before it that it is linked with', () => {
  let joined = 0;
  for (let seed = 1; seed <= 400; seed++) {
    const of = made(seed);
    for (const threshold of [0.25, 0.5, 1]) {
      const linked = (/** @type {number} */ pair) => of.similarity[pair] >= threshold;
      const found = stars(rankPairs(of.rank, of.a, of.b), linked, (pair) => of.similarity[pair]);
      assert.deepEqual(rows(found), definition(of, linked), `seed ${seed} at ${threshold}`);
      joined += found.member.length;
    }
  }
  assert.ok(joined > 1000);
});

test('stars: a chain never puts the end under the beginning, and ties go to the earlier representative', () => {
  // 0 – 1 – 2; 2 is like 1 only, which is a member
  const chain = stars(rankPairs([0, 1, 2], [0, 1], [1, 2]), () => true, () => 1);
  assert.deepEqual(rows(chain), [[0, 1, 0]]);
  // 2 is as like 1 as 0, and those two are not linked
  const tie = stars(rankPairs([0, 1, 2], [1, 0], [2, 2]), () => true, () => 0.5);
  assert.deepEqual(rows(tie), [[0, 2, 1]]);
  // the page is given the order; documents without pairs have no rank
  assert.deepEqual([...rankPairs([9, 4, 7, 0], [0, 0], [1, 2]).order], [1, 2, 0]);
});

test('stars: a link may hold one way only', () => {
  /** @param {number[][]} inside  each with the one it is inside of */
  const told = (inside, ranking = rankPairs([0, 1, 2], [0, 0, 1], [1, 2, 2])) => (
    rows(stars(ranking, (pair, to) => inside.some(([one, other]) => other === to && one === ranking.a[pair] + ranking.b[pair] - to), () => 1)));
  // the earlier represents
  assert.deepEqual(told([[1, 0]]), [[0, 1, 0]]);
  // the earlier is inside the later, and joins it
  assert.deepEqual(told([[0, 1]]), [[1, 0, 0]]);
  // but not if it has a member already, nor if it holds another
  assert.deepEqual(told([[1, 0], [0, 2]]), [[0, 1, 0]]);
  assert.deepEqual(told([[0, 1], [1, 2]]), [[1, 0, 0]]);
  // who is inside a later one takes no members after that, and who holds another joins nobody
  assert.deepEqual(told([[0, 1], [2, 0]]), [[1, 0, 0]]);
  assert.deepEqual(told([[0, 2], [2, 1]]), [[2, 0, 1]]);
});

test('components: everything that links connect, under the first in rank', () => {
  const ranking = rankPairs([4, 3, 2, 1, 0], [0, 1, 3], [1, 2, 4]);
  const found = components(ranking, (pair) => pair < 2, () => true);
  assert.deepEqual(rows(found), [[2, 1, 1], [2, 0, -1]]);
  assert.deepEqual(rows(components(ranking, () => true, (pair) => pair === 2)), [[4, 3, 2], [2, 1, -1], [2, 0, -1]]);
});

test('union-find: the lowest of a group is found for all of it', () => {
  const groups = new UnionFind(6);
  for (const [x, y] of [[5, 3], [3, 1], [4, 2]]) groups.join(x, y);
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((x) => groups.find(x)), [0, 1, 2, 1, 2, 1]);
});
