// The name of a document: the file in front, its folder behind and muted.

import { h, cleanName } from '../dom.js';

/** @param {import('../model.js').Model} model @param {number} document */
export function fileName(model, document) {
  const name = model.name(document);
  return cleanName(name.slice(name.lastIndexOf('/') + 1) || name);
}

/** A folder for people; the one that all share has no name of its own. @param {string} folder */
export function folderName(folder) {
  return folder === '' ? '(top folder)' : cleanName(folder);
}

/** Letters that run from right to left. */
const BACKWARDS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A path whose parts stay in their order, even where some of them run from right to left. @param {string} path @param {string} [kind] a class */
export function pathName(path, kind) {
  const text = cleanName(path);
  // lines break between folders first
  if (!BACKWARDS.test(text)) {
    const parts = text.split('/');
    const last = parts.pop() ?? '';
    // where there is one line for it, what is cut is in the middle
    return h('bdi', { class: kind }, parts.length > 0 && h('span', { class: 'path-head' }, parts.flatMap((part) => [part, '/', h('wbr')])), h('span', { class: 'path-tail' }, last));
  }
  return h('span', { class: `name ${kind ?? ''}`, dir: 'ltr' }, text.split('/').flatMap((part, at) => [at > 0 && '/', h('bdi', {}, part)]));
}

/** @param {import('../model.js').Model} model @param {number} document @returns {HTMLElement} */
export function documentName(model, document) {
  const folder = model.folder(document);
  return h('span', { class: 'lk-name', title: cleanName(model.id(document)) },
    h('bdi', { class: 'lk-file' }, fileName(model, document)),
    folder !== '' && pathName(folder, 'lk-folder'));
}
