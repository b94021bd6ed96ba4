import assert from 'node:assert/strict';
import test from 'node:test';
import { decode } from '../../js/csv.js';
import { VERDICTS, parseDecisions, toCsv, toJson, verdictName } from '../../js/decisions.js';
import { piped, rescan } from '../../js/rescan.js';

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

const HEAD = 'cluster,verdict,keep,id,content,note\n';

test('keep is yes or no; another word is refused, not taken for no', () => {
  const kept = (/** @type {string} */ word) => parseDecisions(`${HEAD}1,keep,yes,a,1,\n1,,${word},b,2,\n`, 'x.csv')[0].keep.length - 1;
  for (const word of ['yes', 'Y', 'TRUE', '1', ' x ']) assert.equal(kept(word), 1, word);
  for (const word of ['no', 'N', 'False', '0', '', ' ']) assert.equal(kept(word), 0, word);
  for (const word of ['ja', 'nein', 'keep']) assert.throws(() => kept(word), new RegExp(`x\\.csv, line 3: expected yes or no in the column “keep”, found “${word}”`));
  assert.deepEqual(parseDecisions(`${HEAD}1,,vielleicht,a,1,\n2,later,,b,1,\n`, 'x.csv').map((d) => d.representative), ['b'], 'nobody has decided there');
});

test('duplicates of which none is kept are refused', () => {
  assert.throws(() => parseDecisions(`${HEAD}1,keep,no,a,1,\n1,keep,no,b,2,\n`, 'x.csv'), /x\.csv: the documents around “a” are duplicates, but none of them is to be kept. Name at least one/);
  const json = JSON.stringify({ decisions: 1, clusters: [{ verdict: 'keep', keep: [], documents: [{ id: 'a', content: '1' }] }] });
  assert.throws(() => parseDecisions(json, 'x.json'), /around “a” are duplicates/);
});

test('the words of the page are verdicts, too', () => {
  const verdict = (/** @type {string} */ word) => parseDecisions(`${HEAD}1,${word},x,a,1,\n`, 'x.csv')[0].verdict;
  for (const [word, is] of [['Duplicates', 'keep'], [' duplicates', 'keep'], ['Not duplicates', 'not-duplicates'], ['NOT  Duplicates ', 'not-duplicates'], ['not-duplicates', 'not-duplicates'], ['Template', 'template'], ['Later', 'later']]) {
    assert.equal(verdict(word), is, word);
  }
  assert.throws(() => verdict('duplicate of a'), /expected a verdict .*found “duplicate of a”/);
});

test('a first line that tells the separator is passed over, and counted', () => {
  const text = `sep=;\r\n${HEAD.replaceAll(',', ';')}1;later;;a;1;\n`;
  assert.equal(parseDecisions(text, 'x.csv').length, 1);
  assert.throws(() => parseDecisions(`${text}2;burn;;a;1;\n`, 'x.csv'), /line 4: expected a verdict/);
});

test('files as spreadsheets write them: UTF-8, UTF-16, windows-1252', () => {
  const text = `${HEAD}1,later,,Übersicht.md,1,“schön”\n`;
  const wide = (/** @type {string} */ t) => new Uint8Array(new Uint16Array([...t].map((c) => c.charCodeAt(0))).buffer);
  const swapped = (/** @type {Uint8Array} */ bytes) => bytes.map((_, at) => bytes[at ^ 1]);
  assert.equal(decode(new TextEncoder().encode(`\ufeff${text}`)), text);
  assert.equal(decode(wide(`\ufeff${text}`)), text);
  assert.equal(decode(swapped(wide(`\ufeff${text}`))), text);
  const plain = text.replaceAll(/[“”]/g, '');
  assert.equal(decode(wide(plain.replace('Ü', 'U').replace('ö', 'o'))), plain.replace('Ü', 'U').replace('ö', 'o'), 'without a mark');
  // of windows-1252 what Latin-1 has, too: not every Node knows more
  const narrow = Uint8Array.from([...plain].map((c) => c.charCodeAt(0)));
  assert.equal(decode(narrow), plain);
  assert.deepEqual(parseDecisions(decode(narrow), 'x.csv')[0].documents, [{ id: 'Übersicht.md', content: '1' }]);
});

test('only duplicates have documents that are not kept', () => {
  const cells = toCsv(HARD.slice(1)).split('\r\n').slice(1, -1).map((row) => row.split(',')[2]);
  assert.deepEqual([...new Set(cells)], [''], 'whoever filters by “no” deletes what stays');
  assert.match(toCsv([{ ...HARD[3], verdict: 'keep', keep: ['g'] }]), /1,keep,no,f,.*\r\n1,keep,yes,g,/);
});

test('every verdict has one name', () => {
  assert.deepEqual(VERDICTS.map(verdictName), ['Duplicates', 'Not duplicates', 'Template', 'Later']);
});

test('the command that scans again asks the same question', () => {
  const command = ['scan', 'my docs', '-w', '5', '--html', "r'.html", '--', '-x'];
  assert.equal(rescan({ command, inputs: ['my docs'] }, 'decisions-x.json'), "lookalike scan --decisions decisions-x.json 'my docs' -w 5 --html 'r'\\''.html' -- -x");
});

test('an argument that a shell would take apart is quoted', () => {
  const line = (/** @type {string[]} */ ...command) => rescan({ command: ['scan', ...command], inputs: [] }, 'd.json');
  assert.equal(line('a$b', '~', '=ls', '*.md', '', 'für', 'a=b', '-'), "lookalike scan --decisions d.json 'a$b' '~' '=ls' '*.md' '' 'für' a=b -");
  assert.ok(piped({ inputs: ['docs', 'standard input'] }) && piped({ inputs: ['paths of standard input'] }));
  assert.ok(!piped({ inputs: ['docs'] }));
});
