// Opens a page. What stands in the file shows at once, in the reader's colours; then the script is unpacked and run.

import { breathe, gunzip } from './gunzip.js';
import { NEEDS, lacks, refuse, refuseBroken } from './refuse.js';
import { wear, worn } from './theme.js';

/** When the browser has drawn what is there, or does not draw. @returns {Promise<void>} */
function drawn() {
  return new Promise((done) => {
    requestAnimationFrame(() => breathe().then(done));
    setTimeout(done, 100);
  });
}

/** Runs the script of the page. The policy knows its hash, and nothing else would run. @param {string} text */
function run(text) {
  /** @type {any} not in every browser */
  const types = /** @type {any} */ (window).trustedTypes;
  const policy = types?.createPolicy('lookalike', { createScript: (/** @type {string} */ code) => code });
  const script = document.createElement('script');
  script.text = policy === undefined ? text : policy.createScript(text);
  document.head.append(script);
  if (document.documentElement.dataset.started === undefined) throw new Error('the script is not the one that was written');
}

async function open() {
  const missing = lacks();
  if (missing !== '') return refuse(`This browser is too old: ${NEEDS}.`, `It has no ${missing}.`);
  try {
    await drawn();
    run(await gunzip(document.getElementById('script')?.textContent ?? ''));
  } catch (error) {
    refuseBroken(error);
    throw error;
  }
}

wear(worn());
document.addEventListener('DOMContentLoaded', open);
