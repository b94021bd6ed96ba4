// How the page names a submission: the person, the name below, the colour of the group.

import { h, cleanName } from '../../dom.js';
import { address } from '../../route.js';

/** @typedef {import('../start.js').CopiesApp} CopiesApp */

/** The group of a submission as a coloured dot. @param {CopiesApp} app @param {number} at */
export function labelDot({ model, names }, at) {
  const { label } = model.submissions[at];
  if (label === undefined) return null;
  const hue = model.hue(label);
  return h('span', { class: `group-dot${hue === null ? '' : ` pair-hue${hue}`}`, title: cleanName(names.label(label)), role: 'img', 'aria-label': cleanName(names.label(label)) });
}

/** The group by its name. @param {CopiesApp} app @param {string} label */
export function labelChip({ model, names }, label) {
  const hue = model.hue(label);
  return h('span', { class: `group-chip${hue === null ? '' : ` pair-hue${hue}`}` }, h('bdi', {}, cleanName(names.label(label))));
}

/** A submission in a list: who, and below its name. @param {CopiesApp} app @param {number} at @returns {HTMLElement} */
export function submissionName(app, at) {
  const { names, model } = app;
  const person = names.person(at);
  const name = cleanName(names.below(at));
  const old = model.submissions[at].archive === true;
  const whole = [person, names.submission(at)].filter((part) => part !== null).map((part) => cleanName(/** @type {string} */ (part))).join('\n');
  return h('span', { class: 'who', 'data-submission': at, title: whole },
    h('span', { class: 'who-line' }, labelDot(app, at), h('bdi', { class: 'lk-file' }, person === null ? name : cleanName(person))),
    (person !== null || old) && h('span', { class: 'lk-folder' }, person !== null && h('bdi', {}, name), person !== null && old && ' · ', old && 'earlier year'));
}

/** The same as a link to its page. @param {CopiesApp} app @param {number} at */
export function nameLink(app, at) {
  return h('a', { class: 'who-link', href: address(['submission', at]) }, submissionName(app, at));
}

/** In running text. @param {CopiesApp} app @param {number} at */
export function shortNameOf({ names }, at) {
  return cleanName(names.short(at));
}

/** Two names that can be told apart, even where they belong to one person. @param {CopiesApp} app @param {number} a @param {number} b @returns {[string, string]} */
export function shortNames(app, a, b) {
  const [x, y] = [shortNameOf(app, a), shortNameOf(app, b)];
  return x === y ? [cleanName(app.names.submission(a)), cleanName(app.names.submission(b))] : [x, y];
}
