// Names that stand for others in the passages of a pair: "total → sum, 12 times".

import { clean, h } from '../../dom.js';
import { commas, count } from '../../format.js';

/** Names that are listed. */
const MOST = 12;
/** A name that stands for another once, or seldom, may be chance. */
const LEAST = 2;
const MOSTLY = 0.5;

/**
 * @param {{ left: string, right: string, times: number, of: number, go: () => void }[]} renames  most often first
 */
export function renameTable(renames) {
  const listed = renames.filter(({ times, of }) => times >= LEAST && times >= MOSTLY * of).slice(0, MOST);
  if (listed.length === 0) return null;
  const rest = renames.length - listed.length;
  const whole = listed.filter(({ times, of }) => times === of).length;
  return h('section', { 'data-part': 'renames' }, h('h2', {}, 'Spelt differently'),
    h('table', { class: 'rename-table' }, h('tbody', {}, listed.map(({ left, right, times, of, go }) => h('tr', {},
      h('td', {}, h('button', { type: 'button', class: 'quiet mono', title: 'Go to the first place', onclick: go }, h('bdi', {}, clean(left)), ' → ', h('bdi', {}, clean(right)))),
      h('td', { class: 'number', title: times === of ? 'Wherever it stands in a passage' : `It stands ${count(of, 'time')} in passages` }, times === of ? `${commas(times)} times` : `${commas(times)} of ${commas(of)}`))))),
    h('p', { class: 'small muted' }, whole > 0 ? `${count(whole, 'name')} of these ${whole === 1 ? 'is' : 'are'} always written so: as by “replace all”. ` : '', rest > 0 && `${commas(rest)} more, once or seldom.`));
}
