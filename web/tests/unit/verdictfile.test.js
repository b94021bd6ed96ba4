import assert from 'node:assert/strict';
import test from 'node:test';
import { parseVerdicts, verdictsToCsv, verdictsToJson } from '../../js/copies/verdictfile.js';

/** @type {import('../../js/copies/verdictfile.js').PairDecision[]} */
const PAIRS = [
  { a: { submission: '=ann, "x"', content: ['0012', '1e5'] }, b: { submission: 'ben', content: ['ff'] }, verdict: 'copied', note: '-asked;\nthen again', similarity: 0.8125, when: '2026-11-15T11:28:07.000Z' },
  { a: { submission: 'ann', content: [] }, b: { submission: '12', content: ['33'] }, verdict: '', note: 'only a note', similarity: 0, when: '' },
];

test('both forms come back as they were', () => {
  assert.deepEqual(parseVerdicts(verdictsToJson(PAIRS, { version: '1', report: 'r', anonymous: false }), 'x'), PAIRS);
  assert.deepEqual(parseVerdicts(verdictsToCsv(PAIRS), 'x'), PAIRS);
});

test('as people and their spreadsheets write it', () => {
  const semicolons = 'sep=;\r\nb;a;Verdict;content_b;content_a\r\nben;ann;Not copied;2;1\r\ncy;ann;;3;1\r\n;;;;\r\n';
  assert.deepEqual(parseVerdicts(semicolons, 'x').map((p) => [p.verdict, p.a.submission, p.b.content]), [['not-copied', 'ann', ['2']]]);
});

test('other files are refused with what was expected', () => {
  for (const [text, part] of [['', /empty/], ['{', /begins like JSON/], ['{"decisions":1,"clusters":[]}', /about clusters of documents/], ['{"copies_verdicts":2,"pairs":[]}', /copies_verdicts/], ['verdict,a,b\n', /lacks the column “content_a”/], ['verdict,a,b,content_a,content_b\nmaybe,x,y,1,2\n', /line 2: expected a verdict .*“maybe”/]]) {
    assert.throws(() => parseVerdicts(String(text), 'f.csv'), /** @type {RegExp} */ (part));
  }
});
