// A document is pasted or dropped: what it resembles, what holds it, and what is inside it, in everything that is served.

import { cleanName, h, put } from '../../dom.js';
import { bytes, commas, count, percent } from '../../format.js';
import { inCollection } from '../api.js';
import { answers, nameLink, pairAddress, problemNote, shareCell, sightings, table } from '../parts/common.js';
import { acceptDrops, fileButton } from '../parts/dropzone.js';

/** How near a match has to be: of an index of shingles. @type {[string, string, { threshold?: number, contained: number }][]} */
const REACH = [
  ['close', 'Copies and near copies', { contained: 0.9 }],
  ['related', 'Related documents', { threshold: 0.3, contained: 0.5 }],
  ['any', 'Anything in common', { threshold: 0.05, contained: 0.1 }],
];

/** @param {import('../start.js').ServeApp} app @returns {import('../../shell.js').View} */
export function askView(app) {
  const able = app.indexes.filter(({ kind }) => kind !== 'run');
  const text = /** @type {HTMLTextAreaElement} */ (h('textarea', { rows: 9, 'aria-label': 'Text of the document', placeholder: 'Paste a text here, or drop a file of any kind onto it', 'data-part': 'text' }));
  const chip = h('span', { class: 'serve-file', 'data-part': 'file', hidden: true });
  const where = /** @type {HTMLSelectElement} */ (h('select', { 'data-part': 'where' }, able.length > 1 && h('option', { value: '' }, 'everything'), able.map(({ name }) => h('option', { value: name }, cleanName(name)))));
  const reach = /** @type {HTMLSelectElement} */ (h('select', { 'data-part': 'reach' }, REACH.map(([value, name]) => h('option', { value, selected: value === 'related' }, name))));
  const results = h('div', { class: 'serve-results', 'aria-live': 'polite', 'data-part': 'results' });
  const answer = answers(results);
  /** @type {File | null} */
  let file = null;

  /** @param {File | null} chosen */
  function hold(chosen) {
    file = chosen;
    chip.hidden = chosen === null;
    text.hidden = chosen !== null;
    if (chosen !== null) put(chip, h('bdi', {}, cleanName(chosen.name)), h('span', { class: 'muted' }, ` · ${bytes(chosen.size)} `), h('button', { type: 'button', class: 'quiet', 'aria-label': 'Without this file', onclick: () => hold(null) }, '✕'));
  }

  /** @param {{ file: File }[]} files */
  function take(files) {
    if (files.length === 0) return;
    hold(files[0].file);
    void ask();
  }

  async function ask() {
    const pasted = text.value;
    if (file === null && pasted.trim() === '') {
      put(results, h('p', { class: 'muted' }, 'Paste a text or choose a file first.'));
      text.focus();
      return;
    }
    const asked = { name: file?.name ?? 'pasted text', file, text: pasted };
    app.asked = asked;
    put(results, h('p', { class: 'muted' }, 'Asking …'));
    const wanted = able.filter(({ name }) => where.value === '' || name === where.value);
    await answer(async () => {
      const found = await Promise.all(wanted.map((served) => askOne(app, served, asked, REACH.find(([value]) => value === reach.value)?.[2] ?? REACH[1][2])));
      await readText(app, asked);
      return found;
    });
    results.dataset.done = 'yes';
  }

  const panel = /** @type {HTMLFormElement} */ (h('form', { class: 'panel serve-drop', 'data-part': 'ask', onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); delete results.dataset.done; void ask(); } },
    h('h1', {}, 'What is this like?'), text, chip,
    h('div', { class: 'row' }, h('button', { type: 'submit', class: 'primary' }, 'Ask'), fileButton('Choose a file', { part: 'choose' }, take),
      able.length > 1 && h('label', {}, 'in ', where), able.some(({ kind }) => kind === 'shingles') && h('label', {}, 'for ', reach))));
  acceptDrops(panel, take);
  text.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      panel.requestSubmit();
    }
  });
  const none = able.length === 0 && h('p', { class: 'note' }, 'This server has nothing that a document could be looked up in: neither an index nor a store of fingerprints.');
  return { title: 'Ask', element: h('div', { class: 'serve-ask' }, none || panel, results), show() {} };
}

/** What a reader sees of the document, for side by side. @param {import('../start.js').ServeApp} app @param {import('../start.js').Asked} asked */
async function readText(app, asked) {
  const reader = app.indexes.find(({ info }) => info !== null);
  const { file, name } = asked;
  try {
    const id = file === null ? null : name;
    if (reader !== undefined) asked.text = (await (file === null ? app.api.send(inCollection(reader.name, 'text'), {}, { text: asked.text }) : app.api.sendFile(inCollection(reader.name, 'text'), { id }, file))).text;
    else if (file !== null) asked.text = await file.text();
  } catch {
    // the question has told what is wrong with it; without its text there is nothing to lay side by side
    if (file !== null) asked.text = '';
  }
}

/** @param {import('../start.js').ServeApp} app @param {import('../types.js').Served} served @param {import('../start.js').Asked} asked @param {{ threshold?: number, contained: number }} reach */
async function askOne(app, served, asked, reach) {
  const store = served.kind === 'fingerprints';
  const query = served.kind === 'shingles' ? reach : {};
  const path = inCollection(served.name, store ? 'check' : 'query');
  /** @type {import('../../dom.js').Child | import('../../dom.js').Child[]} */
  let shown;
  try {
    const answer = await (asked.file === null ? app.api.send(path, {}, { text: asked.text, ...query }) : app.api.sendFile(path, store ? query : { ...query, id: asked.name }, asked.file));
    shown = store ? nearTable(answer) : foundTable(answer, served);
  } catch (error) {
    shown = problemNote(error);
  }
  return h('section', { class: 'panel', 'data-index': served.name }, h('h2', {}, 'In ', h('bdi', {}, cleanName(served.name))), shown);
}

/** @param {import('../types.js').Checked} checked */
function nearTable(checked) {
  const matches = checked.matches ?? [];
  const head = h('p', { 'data-part': 'said' }, checked.new ? 'New: no fingerprint is near.' : `Seen before: ${count(checked.count ?? matches.length, 'fingerprint')} ${(checked.count ?? matches.length) === 1 ? 'is' : 'are'} near.`);
  if (matches.length === 0) return head;
  return [head, table('matches', ['Document', '#Bits apart', 'Fingerprint'], matches.map(({ id, distance, fingerprint }) => h('tr', {},
    h('td', {}, nameLink(String(id), undefined)), h('td', { class: 'number', 'data-label': 'Bits apart' }, commas(distance)), h('td', { 'data-label': 'Fingerprint' }, h('code', {}, fingerprint)))))];
}

/** What a match is to the document: a class for its colour, and words. @param {import('../types.js').Match} match @returns {[string, string]} */
export function relationOf({ class: kind, query_in_document: mine, document_in_query: its, query_share: ours = 0, document_share: theirs = 0 }) {
  const [inIt, inMine] = [mine?.value ?? ours, its?.value ?? theirs];
  if (kind === 'identical') return ['identical', 'the same file'];
  if (kind === 'lexical') return ['lexical', 'the same words'];
  if (kind === 'shingle') return ['shingle', 'the same shingles'];
  // a low threshold calls a whole and its part near
  const lopsided = Math.max(inIt, inMine) >= 0.9 && Math.abs(inIt - inMine) >= 0.25;
  // of bytes the smaller decides: half of both is no part of the other
  const mutual = kind === 'near' || (kind === 'contained' && Math.min(inIt, inMine) >= 0.5);
  if (mutual && !lopsided) return ['near', 'resembles yours'];
  if (inIt >= 0.5 || inMine >= 0.5 || kind === 'contained') return ['contained', inIt >= inMine ? 'contains yours' : 'is inside yours'];
  return ['later', 'shares parts'];
}

/** @param {import('../types.js').Found} found @param {import('../types.js').Served} served */
function foundTable(found, served) {
  const all = found.matches.length + found.more;
  const head = h('p', { 'data-part': 'said' }, found.known ? h('strong', {}, 'The index has this very document. ') : null,
    all === 0 ? 'Nothing like it: it is new.' : `${count(all, 'document')}${found.more > 0 ? `, of which the first ${commas(found.matches.length)} are listed` : ''}.`);
  if (found.matches.length === 0) return head;
  const beside = (/** @type {import('../types.js').Match} */ match) => h('td', { class: 'serve-go' }, match.seen.length > 0 && h('a', { class: 'button', href: pairAddress(served.name, null, { id: match.seen[0].url, content: match.content }) }, 'Side by side'));
  if (found.lens === 'passages') {
    return [head, table('matches', ['Document', '#Of yours in passages', '#Of it in passages', '#Longest', '~To do'], found.matches.flatMap((match) => [h('tr', {},
      h('td', {}, sightings(match.seen, served), passages(match)), shareCell(match.query_share, 'Of yours in passages'), shareCell(match.document_share, 'Of it in passages'),
      h('td', { class: 'number', 'data-label': 'Longest' }, `${commas(match.longest ?? 0)} tokens`), beside(match))]))];
  }
  if (found.lens === 'simhash') {
    return [head, table('matches', ['Document', '#Bits apart', '~To do'], found.matches.map((match) => h('tr', {},
      h('td', {}, sightings(match.seen, served)), h('td', { class: 'number', 'data-label': 'Bits apart' }, commas(match.distance ?? 0)), beside(match))))];
  }
  const relation = (/** @type {import('../types.js').Match} */ match) => {
    const [colour, words] = relationOf(match);
    return h('td', {}, h('span', { class: `chip ${colour}`, 'data-relation': words }, words));
  };
  if (found.lens === 'chunks') {
    return [head, table('matches', ['Document', '~Relation', '#Bytes in common', '#Of yours in it', '#Of it in yours', '~To do'], found.matches.map((match) => h('tr', {},
      h('td', {}, sightings(match.seen, served)), relation(match), h('td', { class: 'number', 'data-label': 'Bytes in common' }, bytes(match.shared_bytes ?? 0)),
      shareCell(match.query_share, 'Of yours in it'), shareCell(match.document_share, 'Of it in yours'), beside(match))))];
  }
  return [head, table('matches', ['Document', '~Relation', '#Resemblance', '#Of yours in it', '#Of it in yours', '~To do'], found.matches.map((match) => h('tr', {},
    h('td', {}, sightings(match.seen, served)), relation(match), shareCell(match.resemblance, 'Resemblance'),
    shareCell(match.query_in_document, 'Of yours in it'), shareCell(match.document_in_query, 'Of it in yours'), beside(match))))];
}

/** Where passages stand in both. @param {import('../types.js').Match} match */
function passages({ passages: all = [], similarity }) {
  const lines = (/** @type {{ line: number, last_line: number }} */ { line, last_line: last }) => (line === last ? `line ${commas(line)}` : `lines ${commas(line)} to ${commas(last)}`);
  return h('details', { class: 'small' }, h('summary', {}, `${count(all.length, 'passage')}, similarity ${percent(similarity)}`),
    h('ul', {}, all.slice(0, 20).map((passage) => h('li', {}, `${lines(passage.query)} of yours, ${lines(passage.document)} there: ${count(passage.tokens, 'token')}`, passage.text !== null && h('q', {}, cleanName(passage.text))))));
}
