// The groups of a cohort as a choice above a list.

import { cleanName } from '../../dom.js';
import { commas } from '../../format.js';
import { offer } from '../../parts/listfilters.js';

/** The groups of the cohort. @param {HTMLSelectElement} select @param {import('../start.js').CopiesApp} app @param {number} chosen */
export function offerLabels(select, { model, names }, chosen) {
  select.hidden = model.labels.length < 2;
  offer(select, [['', 'All groups'], ...model.labels.map(([name, n], at) => /** @type {[string, string]} */ ([String(at), `${cleanName(names.label(name))} (${commas(n)})`]))], chosen < 0 ? '' : String(chosen));
}
