import assert from 'node:assert/strict';
import test from 'node:test';
import { Judgements } from '../../js/calibration/judgements.js';
import { paths } from '../../js/calibration/parts/curve.js';
import { range, suggestionText, value } from '../../js/calibration/words.js';
import { load, save } from '../../js/storage.js';

/** @param {string} a @param {string} b @param {import('../../js/calibration/types.js').Judgement | null} judgement @returns {import('../../js/calibration/types.js').SampledPair} */
const pair = (a, b, judgement) => ({ a: { id: a, content: a, bytes: 1 }, b: { id: b, content: b, bytes: 1 }, stratum: 0, scores: [0.5], aligned: 0.5, judgement });

/** @param {Partial<import('../../js/calibration/types.js').Calibration>} change @param {string} [name] @returns {import('../../js/calibration/types.js').CalibrationPage} */
function pageOf(change, name = 'page') {
  return {
    kind: 'calibration', name, lookalike: '0', made: 0, inputs: [], command: '', dedup: null, contents: {}, texts: { limit: 0, embedded: 0, block: [], blocks: [], without: [] },
    calibration: {
      recipe: 'r', documents: 4, identical: 0, explored: 0.3, pairs: 2, judged_by: 'alignment', strata: [], measures: [], precision: 0.95, suggestion: { outcome: 'no_pairs' }, sample: [],
      judgements: { same: 0, different: 0, unsure: 0, unjudged: 0, of_other_pairs: 0, agree_with_alignment: 0 }, ...change,
    },
  };
}

test('what a reader says is kept by contents, and exported for --judged', () => {
  const sample = [pair('aa', 'bb', 'same'), pair('cc', 'dd', 'same'), pair('ee', 'ff', 'different')];
  const judgements = new Judgements(pageOf({ sample }));
  assert.deepEqual(judgements.counts(), { same: 0, different: 0, unsure: 0, open: 3 }, 'what alignment said is not what the reader said');
  judgements.say(sample[1], 'different');
  assert.equal(judgements.next(1), 2);
  judgements.say(sample[2], 'unsure');
  assert.equal(judgements.next(1), 0);
  judgements.say(sample[0], 'same');
  assert.equal(judgements.next(0), -1);
  judgements.say(sample[0], null);
  const file = JSON.parse(judgements.json());
  assert.deepEqual(file.judgements, [{ a: 'cc', b: 'dd', judgement: 'different' }, { a: 'ee', b: 'ff', judgement: 'unsure' }]);
  assert.equal(file.schema, 1);
  assert.equal(judgements.csv(), 'a,b,judgement\r\ncc,dd,different\r\nee,ff,unsure\r\n');
  // the next page of the same place knows it; a changed document is another
  const again = new Judgements(pageOf({ sample: [pair('xx', 'dd', null), sample[2]] }));
  assert.deepEqual(again.counts(), { same: 0, different: 0, unsure: 1, open: 1 });
});

test('what people said before is there, unless the reader took it back; damaged stores do no harm', () => {
  const sample = [pair('a1', 'b1', 'same'), pair('a2', 'b2', 'different')];
  const page = pageOf({ sample, judged_by: 'people' }, 'other');
  const judgements = new Judgements(page);
  assert.deepEqual(judgements.counts(), { same: 1, different: 1, unsure: 0, open: 0 });
  judgements.say(sample[0], null);
  assert.deepEqual(new Judgements(page).counts(), { same: 0, different: 1, unsure: 0, open: 1 });
  for (const broken of [null, 7, 'x', ['same'], { 'a1-b1': 'evil', 'a2-b2': {} }]) {
    save('judgements:broken', broken);
    assert.equal(new Judgements(pageOf({ sample, judged_by: 'people' }, 'broken')).counts().open, 0);
  }
  new Judgements(pageOf({ sample }, 'broken')).say(sample[0], 'same');
  assert.equal(load('judgements:broken', {})['a1-b1'], 'same');
});

test('bands go there and back', () => {
  const { band, line } = paths([[10, { value: 0.5, low: 0, high: 1 }], [20, { value: 1, low: 1, high: 1 }]]);
  assert.equal(line.match(/[ML]/g)?.length, 2);
  assert.equal(band.match(/[ML]/g)?.length, 4);
  assert.ok(band.endsWith('Z'));
  assert.deepEqual(paths([]), { band: '', line: '' });
});

test('suggestions are told, with who judged', () => {
  const estimate = { value: 0.99, low: 0.96, high: 1 };
  const row = { threshold: 0.8, pairs: 5, precision: estimate, recall: { value: 0.5, low: 0.4, high: 0.6 }, removed: 3 };
  const measures = [{ kind: /** @type {const} */ ('resemblance'), w: 5, is_complete: true, thresholds: [row], suggested: 0.8 }];
  const told = (/** @type {import('../../js/calibration/types.js').Suggestion} */ suggestion) => suggestionText(pageOf({ measures, suggestion }).calibration).join(' ');
  assert.match(told({ outcome: 'threshold', threshold: 0.8 }), /Take threshold 0\.80.*95%.*not by people.*50\.0%/);
  assert.match(told({ outcome: 'too_few_pairs', nearest: 0.8 }), /yet.*Too few.*96\.0%/);
  assert.match(told({ outcome: 'not_reached', best: 0.8 }), /No threshold.*99\.0%.*0\.80/);
  assert.match(told({ outcome: 'no_pairs' }), /nothing to judge/);
  assert.deepEqual([value(null), range(null), range(estimate), range({ value: 1, low: 1, high: 1 })], ['–', '', '96.0 to 100.0', 'exact']);
});
