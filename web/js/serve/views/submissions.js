// A class of submissions is uploaded and compared; the report is a page of its own.

import { cleanName, h, put } from '../../dom.js';
import { bytes, commas, count, moment } from '../../format.js';
import { problemNote, table } from '../parts/common.js';
import { acceptDrops, fileButton } from '../parts/dropzone.js';

/** Between two looks at jobs that are not done. */
const EVERY = 700;

/** @param {import('../start.js').ServeApp} app @returns {import('../../shell.js').View} */
export function submissionsView(app) {
  const { api } = app;
  /** @type {{ file: File, path: string }[]} */
  let files = [];
  /** @type {{ file: File, path: string }[]} */
  let base = [];
  const perFolder = /** @type {HTMLInputElement} */ (h('input', { type: 'checkbox' }));
  const language = /** @type {HTMLSelectElement} */ (h('select', {}, [['', 'as its files say'], ['text', 'prose'], ['c', 'C'], ['cpp', 'C++'], ['java', 'Java'], ['javascript', 'JavaScript'], ['python', 'Python']].map(([value, name]) => h('option', { value }, name))));
  const chosen = h('p', { 'data-part': 'chosen', 'aria-live': 'polite' });
  const problem = h('div');
  const jobs = h('div', { 'data-part': 'jobs', 'aria-live': 'polite' });
  const go = /** @type {HTMLButtonElement} */ (h('button', { type: 'submit', class: 'primary' }, 'Compare'));
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  function tell() {
    const size = files.reduce((all, { file }) => all + file.size, 0);
    go.disabled = files.length === 0;
    put(chosen, files.length === 0 ? h('span', { class: 'muted' }, 'Drop files, a folder or a zip here, or choose them. Each file is a submission, or each folder.') : [
      h('strong', {}, isZip() ? cleanName(files[0].path) : count(files.length, 'file')), ` · ${bytes(size)}`, base.length > 0 && ` · ${count(base.length, 'file')} given to all`, ' ',
      h('button', { type: 'button', class: 'quiet', onclick: () => { files = []; base = []; tell(); } }, 'Start over')]);
  }
  const isZip = () => files.length === 1 && /\.zip$/i.test(files[0].path);

  /** @param {{ file: File, path: string }[]} more */
  function take(more) {
    files = more.length === 1 && /\.zip$/i.test(more[0].path) ? more : [...files.filter(({ path }) => !/\.zip$/i.test(path)), ...more];
    // submissions of several files each
    if (files.some(({ path }) => path.split('/').length > 2)) perFolder.checked = true;
    tell();
  }

  async function upload() {
    put(problem);
    go.disabled = true;
    const query = { per_folder: perFolder.checked, lang: language.value };
    try {
      if (isZip() && base.length === 0) await api.ask('POST', 'v1/copies/jobs', query, files[0].file, 'application/zip');
      else {
        const form = new FormData();
        // the folder that was chosen holds the submissions: it is none itself
        const top = common(files.map(({ path }) => path));
        for (const { file, path } of files) form.append('file', file, path.slice(top.length));
        for (const { file } of base) form.append('base', file, file.name);
        await api.ask('POST', 'v1/copies/jobs', query, form);
      }
      [files, base] = [[], []];
    } catch (error) {
      put(problem, problemNote(error));
    }
    tell();
    await look();
  }

  async function look() {
    clearTimeout(timer);
    if (!element.isConnected) return;
    try {
      /** @type {{ jobs: import('../types.js').Job[] }} */
      const { jobs: all } = await api.get('v1/copies/jobs');
      put(jobs, all.length === 0 ? h('p', { class: 'muted' }, 'Nothing was compared yet.') : table('job-table', ['Handed in', 'How far', '#Submissions', '#Pairs', '~To do'], [...all].reverse().map(row)));
      if (all.some(({ status }) => status === 'waiting' || status === 'running')) timer = setTimeout(look, EVERY);
    } catch (error) {
      put(jobs, problemNote(error));
    }
  }

  /** @param {import('../types.js').Job} job */
  function row(job) {
    const place = `v1/copies/jobs/${encodeURIComponent(job.id)}`;
    const number = (/** @type {string} */ label, /** @type {number | null} */ n) => h('td', { class: 'number', 'data-label': label }, n === null ? null : commas(n));
    return h('tr', { 'data-status': job.status },
      h('td', {}, moment(job.created)), h('td', {}, { waiting: 'waits', running: 'is compared …', done: 'done', failed: 'failed' }[job.status], job.error !== null && h('div', { class: 'small' }, cleanName(job.error))),
      number('Submissions', job.submissions), number('Pairs', job.pairs),
      h('td', { class: 'serve-go' }, h('div', { class: 'row' }, job.status === 'done' && report(place),
        job.status !== 'running' && h('button', { type: 'button', class: 'quiet', onclick: () => { void api.ask('DELETE', place, {}).catch((error) => put(problem, problemNote(error))).then(look); } }, 'Forget'))));
  }

  /** A link cannot carry a token: then the report is fetched and saved. @param {string} place */
  function report(place) {
    if (api.token === '') return h('a', { class: 'button', href: `${place}/page`, target: '_blank', rel: 'noopener' }, 'Report');
    return h('button', { type: 'button', onclick: async () => {
      try {
        const url = URL.createObjectURL(await (await api.ask('GET', `${place}/page`, {})).blob());
        const link = h('a', { href: url, download: 'copies.html' });
        link.click();
        setTimeout(() => URL.revokeObjectURL(url), 10_000);
      } catch (error) {
        put(problem, problemNote(error));
      }
    } }, 'Save the report');
  }

  const panel = h('form', { class: 'panel serve-drop', 'data-part': 'upload', onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); void upload(); } },
    h('h1', {}, 'Who copied from whom?'), chosen,
    h('div', { class: 'row' }, fileButton('Choose files', { many: true, part: 'files' }, take), fileButton('Choose a folder', { folder: true, part: 'folder' }, take),
      fileButton('Given to all', { many: true, part: 'base' }, (more) => { base = [...base, ...more]; tell(); })),
    h('div', { class: 'row serve-options' }, h('label', {}, perFolder, 'each folder is one submission'), h('label', {}, 'read ', language), go));
  acceptDrops(panel, take);
  const element = h('div', {}, panel, problem, h('section', { class: 'panel' }, h('h2', {}, 'Comparisons'), jobs, h('p', { class: 'small muted' }, 'They are kept until they are forgotten or the server ends. Everybody who may ask this server can see them.')));
  tell();
  return { title: 'Submissions', element, show: () => { void look(); } };
}

/** The folder that all paths begin with. @param {string[]} paths */
export function common(paths) {
  const top = (paths[0] ?? '').split('/', 1)[0];
  const inside = paths.length > 0 && paths.every((path) => path.startsWith(`${top}/`));
  return inside && paths.every((path) => path.split('/').length > 1) && new Set(paths.map((path) => path.split('/')[1])).size > 1 ? `${top}/` : '';
}
