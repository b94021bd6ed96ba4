import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, short, told } from '../../js/recipe.js';
import { page } from './page.js';

test('recipes in words', () => {
  assert.equal(made('auto|words|shingles:w=10|sample=nested:100|v=2'), '10-word shingles, sample nested:100');
  assert.equal(made('features|items|set|sample=min:50|key=1a2b3c4d|v=2'), 'sets of features, sample min:50, with a secret key');
  assert.equal(made('text|words|shingles:w=1|sample=mod:25|v=2'), 'single words, sample mod:25');
});

test('a share is as short as it can be told', () => {
  assert.equal(short(0.5), '50 %');
  assert.equal(short(0.875), '87.5 %');
});

test('policy in words', () => {
  const { report } = page({ ids: [] });
  assert.match(told(report).join(' '), /Linked from 50 % resemblance; containment was not looked for\. Every member was compared.*exact/);
  report.policy = { threshold: 0.8, contained: 0.9, linkage: 'single' };
  report.estimate = true;
  assert.match(told(report).join(' '), /contained from 90 %\. Links chain.*estimates/);
});
