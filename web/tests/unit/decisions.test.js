import assert from 'node:assert/strict';
import test from 'node:test';
import { VERDICTS, parseDecisions, toCsv, toJson, verdictName } from '../../js/decisions.js';
import { rescan } from '../../js/views/review.js';

/** @type {import('../../js/types.js').Decision[]} */
const HARD = [
  {
    representative: 'a, "quoted".md',
    verdict: 'keep',
    keep: ['a, "quoted".md', "'=already guarded"],
    note: 'two\nlines, “and” a "quote"; für später 漢字 🦆',
    documents: ['a, "quoted".md', '=SUM(A1)', '+x', '-x', '@x', '\tx', "'=already guarded", "'plain", '0012', '1e5', ' padded ', 'line\r\nbreak']
      .map((id, at) => ({ id, content: `${at}`.padStart(16, '0') })),
  },
  { representative: 'b', verdict: 'not-duplicates', keep: [], note: '=HYPERLINK("http://x")', documents: [{ id: 'b', content: 'fe00' }, { id: 'c', content: '12e4' }, { id: 'c', content: '12345678901234567890123456789012' }] },
  { representative: 'd', verdict: 'later', keep: [], note: '', documents: [{ id: 'd', content: '0a' }, { id: 'e', content: '0b' }] },
  { representative: 'f', verdict: 'template', keep: [], note: '', documents: [{ id: 'f', content: '0a' }, { id: 'g', content: '0b' }] },
];
const OF = { version: '0.1.0', name: 'page', made: '2026-11-15T11:00:00.000Z' };

test('JSON comes back as it was, and says what it is', () => {
  const text = toJson(HARD, OF);
  assert.deepEqual(parseDecisions(text, 'x.json'), HARD);
  const { clusters, ...head } = JSON.parse(text);
  assert.deepEqual(head, { lookalike: '0.1.0', decisions: 1, report: 'page', made: OF.made });
  assert.deepEqual(Object.keys(clusters[0]), ['representative', 'verdict', 'keep', 'note', 'documents']);
});

test('CSV comes back as it was', () => {
  assert.deepEqual(parseDecisions(toCsv(HARD), 'x.csv'), HARD);
});

test('no cell of the CSV is a formula or a number that a spreadsheet would spoil', () => {
  const text = toCsv(HARD);
  assert.ok(text.startsWith('\ufeffcluster,verdict,keep,id,content,note\r\n'));
  assert.match(text, /,'=SUM\(A1\),/);
  assert.match(text, /,'\+x,/);
  assert.match(text, /,'-x,/);
  assert.match(text, /,'@x,/);
  assert.match(text, /,"'\tx",/);
  assert.match(text, /,'0012,/);
  assert.match(text, /,''=already guarded,/);
  assert.match(text, /,"'=HYPERLINK/);
});

test('the representative comes first in the CSV', () => {
  const swapped = [{ ...HARD[1], documents: [...HARD[1].documents].reverse() }];
  assert.equal(parseDecisions(toCsv(swapped), 'x.csv')[0].representative, 'b');
});

test('CSV as a spreadsheet of another country writes it, with rows left blank', () => {
  const text = 'Cluster;Verdict;Keep;ID;Content;Note\n1;Keep;YES;a;01;fine\n1;;no;b;02;\n;;;;;\n2;;no;c;03;\n2;;no;d;04;\n';
  assert.deepEqual(parseDecisions(text, 'x.csv'), [
    { representative: 'a', verdict: 'keep', keep: ['a'], note: 'fine', documents: [{ id: 'a', content: '01' }, { id: 'b', content: '02' }] },
  ]);
});

test('what cannot be read is told with what was expected and what was found', () => {
  const says = (/** @type {string} */ text, /** @type {RegExp} */ message) => assert.throws(() => parseDecisions(text, 'my file'), message);
  says('', /my file is empty/);
  says('hello there', /Expected decisions as JSON, or as CSV.*hello there/);
  says('{"a": ', /begins like JSON but is not/);
  says('{"clusters": []}', /not of decisions.*"clusters"/);
  says('[1]', /not of decisions.*a list of 1/);
  says('{"decisions": 2, "clusters": []}', /version 2/);
  says('{"decisions": 1}', /list "clusters", found nothing/);
  says('{"decisions": 1, "clusters": [{"verdict": "burn"}]}', /cluster 1: expected a verdict \(keep, .*found "burn"/);
  says('{"decisions": 1, "clusters": [{"verdict": "keep", "documents": [{"id": 1}]}]}', /each with "id" and "content"/);
  says('cluster,verdict,id,content\n', /lacks the column “keep”/);
  says('cluster,verdict,keep,id,content,note\n1,burn,no,a,b,\n', /line 2: expected a verdict .*“burn”/);
  says('cluster,verdict,keep,id,content,note\n1,keep,no,a,b,"x\ny"\n1,later,no,b,b,\n', /line 4: cluster 1 is “keep” above, but “later” here/);
  says('cluster,verdict,keep,id,content,note\n1,keep,no,"a,b,\n', /never closed/);
});

test('every verdict has one name', () => {
  assert.deepEqual(VERDICTS.map(verdictName), ['Duplicates', 'Not duplicates', 'Template', 'Later']);
});

test('the command that scans again asks the same question', () => {
  const command = ['scan', 'my docs', '-w', '5', '--html', "r'.html", '--', '-x'];
  assert.equal(rescan({ command, inputs: ['my docs'] }, 'decisions-x.json'), "lookalike scan --decisions decisions-x.json 'my docs' -w 5 --html 'r'\\''.html' -- -x");
});
