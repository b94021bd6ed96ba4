// A place for files: dropped, or chosen.

import { h } from '../../dom.js';

/**
 * Files that were dropped, those of folders with their paths.
 * @param {DataTransfer} data
 * @returns {Promise<{ file: File, path: string }[]>}
 */
async function dropped(data) {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (entries.every((entry) => entry === null)) return [...data.files].map((file) => ({ file, path: file.name }));
  /** @type {{ file: File, path: string }[]} */
  const found = [];
  const visit = async (/** @type {any} */ entry) => {
    if (entry === null) return;
    if (entry.isFile) {
      const file = await new Promise((done, failed) => entry.file(done, failed));
      found.push({ file, path: entry.fullPath.replace(/^\//, '') });
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      // a reader gives a hundred at a time
      const some = await new Promise((done, failed) => reader.readEntries(done, failed));
      if (some.length === 0) return;
      for (const inner of some) await visit(inner);
    }
  };
  for (const entry of entries) await visit(entry);
  return found;
}

/**
 * Takes files that are dropped onto an element.
 * @param {HTMLElement} element
 * @param {(files: { file: File, path: string }[]) => void} take
 */
export function acceptDrops(element, take) {
  const over = (/** @type {boolean} */ on) => element.toggleAttribute('data-over', on);
  element.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    over(true);
  });
  element.addEventListener('dragleave', (event) => {
    if (!(event.relatedTarget instanceof Node) || !element.contains(event.relatedTarget)) over(false);
  });
  element.addEventListener('drop', (event) => {
    over(false);
    if (event.dataTransfer === null || event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    dropped(event.dataTransfer).then(take);
  });
}

/**
 * A button that opens the browser's choice of files.
 * @param {string} label
 * @param {{ many?: boolean, folder?: boolean, part: string }} options
 * @param {(files: { file: File, path: string }[]) => void} take
 */
export function fileButton(label, { many = false, folder = false, part }, take) {
  const input = /** @type {HTMLInputElement} */ (h('input', {
    type: 'file', class: 'visually-hidden', tabindex: -1, 'aria-hidden': 'true', multiple: many, webkitdirectory: folder, 'data-part': part,
    onchange: () => {
      take([...(input.files ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name })));
      // the same file may be chosen again
      input.value = '';
    },
  }));
  return h('span', {}, input, h('button', { type: 'button', onclick: () => input.click() }, label));
}
