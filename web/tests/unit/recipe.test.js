import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, noun, plain, short, describeRecipe } from '../../js/recipe.js';
import { page } from './page.js';

test('recipes in words', () => {
  assert.equal(made('auto|words|shingles:w=10|sample=nested:100|v=3'), '10-word shingles, sample nested:100');
  assert.equal(made('features|items|set|sample=min:50|key=1a2b3c4d|v=3'), 'sets of features, sample min:50, with a secret key');
  assert.equal(made('text|words|shingles:w=1|sample=mod:25|v=3'), 'single words, sample mod:25');
});

test('a share is as short as it can be told', () => {
  assert.equal(short(0.5), '50%');
  assert.equal(short(0.875), '87.5%');
});

test('policy in words', () => {
  const { report } = page({ ids: [] });
  assert.match(describeRecipe(report).join(' '), /Linked from 50% resemblance; containment was not looked for\. Every member was compared.*exact/);
  report.policy = { threshold: 0.8, contained: 0.9, linkage: 'single' };
  const shingles = { candidates: 'shingles', max_df: 1000, include_boilerplate: false, estimate: true, unsampled: 0 };
  report.shingles = shingles;
  assert.match(describeRecipe(report).join(' '), /contained from 90%\. Links chain.*estimates/);
  report.policy.linkage = 'star';
  assert.match(describeRecipe(report).join(' '), /The sketch of every member was compared/);
  assert.doesNotMatch(describeRecipe(report).join(' '), /Every member was compared|exact|decision/);
  assert.match(describeRecipe(report, 2).join(' '), /Text in more than 1,000 documents counts as template and is ignored, and so is what a decision names as a template\./);
  shingles.include_boilerplate = true;
  assert.match(describeRecipe(report, 1).join(' '), /like any other, except what a decision names/);
});

test('the first sentence is for everybody', () => {
  const { report } = page({ ids: [] });
  assert.deepEqual(plain(report), ['Documents are linked from 50% resemblance: half of their 10-word sequences in common.']);
  const shingles = { candidates: 'shingles', max_df: 1000, include_boilerplate: false, estimate: true, unsampled: 0 };
  const other = { ...report, shingles, compared_by: 'features|items|set|sample=min:50|v=3', policy: { ...report.policy, threshold: 0.8, contained: 0.9 } };
  assert.deepEqual(plain(other), ['Documents are linked from 80% resemblance: 80% of their items in common.', 'They are also linked where 90% of one is in the other.', 'Numbers are estimates from samples.']);
  assert.match(plain({ ...report, compared_by: 'text|words|shingles:w=1|sample=mod:25|v=3' })[0], /half of their words in common/);
  assert.deepEqual([report, other].map(({ compared_by }) => noun(compared_by)), ['word', 'item']);
});

test('documents with near fingerprints, compared by their shingles', () => {
  const { report } = page({ ids: [] });
  report.simhash = { distance: 3, bits: 64, verified: { compared: 1200, confirmed: 900, precision: 0.75 } };
  assert.equal(plain(report)[0], 'Documents whose fingerprints differ in at most 3 of 64 bits were compared.');
  assert.match(plain(report)[1], /half of their 10-word sequences/);
  assert.match(describeRecipe(report)[0], /^Of 1,200 pairs within 3 bits 900 hold, 75\.0%\.$/);
  report.simhash.verified = { compared: 0, confirmed: 0, precision: null };
  assert.equal(describeRecipe(report)[0], 'Of 0 pairs within 3 bits 0 hold.');
});
