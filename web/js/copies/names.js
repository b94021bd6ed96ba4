// Names of people, submissions, files and groups: as they are, or as pseudonyms. Everything that the page says goes through here, code too.

import { commonFolder } from '../folder.js';
import { Replacer } from './replacer.js';

/** @typedef {import('./types.js').Submission} Submission */

/** Shorter parts of a name stand in too many other words. */
const SHORTEST = 3;

export class Names {
  /** @param {import('./model.js').CopiesModel} model */
  constructor(model) {
    this.model = model;
    this.on = false;
    const { submissions } = model;
    this.root = commonFolder(submissions.map(({ name }) => name));
    const order = shuffled(model.page.name, submissions);
    const digits = String(submissions.length).length;
    /** @type {string[]} numbers of submissions, in no order that tells a name */
    this.numbers = [];
    order.forEach((at, place) => { this.numbers[at] = String(place + 1).padStart(Math.max(2, digits), '0'); });
    /** @type {Map<string, string>} by owner: the number of the first submission */
    const owners = new Map();
    for (const at of order) {
      const { owner } = submissions[at];
      if (owner !== undefined && !owners.has(owner)) owners.set(owner, this.numbers[at]);
    }
    /** @type {string[]} numbers of people */
    this.people = submissions.map(({ owner }, at) => (owner === undefined ? this.numbers[at] : owners.get(owner) ?? this.numbers[at]));
    /** @type {Replacer | null} made when it is first needed */
    this.replacer = null;
    this.groups = new Map(model.labels.map(([label]) => label).sort((x, y) => hash(model.page.name + x) - hash(model.page.name + y)).map((label, at) => [label, `Group ${letters(at)}`]));
  }

  /** @param {number} at */
  submission(at) {
    return this.on ? `Submission ${this.numbers[at]}` : this.model.submissions[at].name;
  }

  /** The same without the folder that all of them are in. @param {number} at */
  below(at) {
    return this.on ? this.submission(at) : this.submission(at).slice(this.root.length) || this.submission(at);
  }

  /** The person's name, where it is known. @param {number} at @returns {string | null} */
  person(at) {
    const { full_name, owner } = this.model.submissions[at];
    if (full_name === undefined && owner === undefined) return null;
    return this.on ? `Person ${this.people[at]}` : full_name ?? owner ?? null;
  }

  /** @param {number} at @returns {string | null} */
  owner(at) {
    const { owner } = this.model.submissions[at];
    return owner === undefined ? null : this.on ? `Person ${this.people[at]}` : owner;
  }

  /** What a reader calls a submission: the person, else its name. @param {number} at */
  short(at) {
    return this.person(at) ?? this.submission(at);
  }

  /** @param {string} label */
  label(label) {
    return this.on ? this.groups.get(label) ?? 'Group' : label;
  }

  /** A file inside a submission; its ending tells nobody. @param {number} at @param {number} file */
  file(at, file) {
    const { name } = this.model.submissions[at].files[file];
    return this.on ? `file ${file + 1}${ending(name)}` : name;
  }

  /** The path of something that is no submission. @param {string} path @param {number} number */
  path(path, number) {
    return this.on ? `file ${number + 1}${ending(path)}` : path;
  }

  /** Any other text, code too. @param {string} text */
  text(text) {
    return this.replaced(text).text;
  }

  /** The same, and where places of the text went. @param {string} text @returns {{ text: string, at: (place: number) => number }} */
  replaced(text) {
    if (!this.on) return { text, at: (place) => place };
    this.replacer ??= new Replacer(secrets(this.model.submissions, this.people));
    return this.replacer.replace(text);
  }
}

/** `.py`; nothing that could be a name. @param {string} path */
function ending(path) {
  return /\.[a-z0-9]{1,5}$/i.exec(path)?.[0].toLowerCase() ?? '';
}

/**
 * Everything that names somebody, and what to put in its place. What several people are called is nobody's number.
 * @param {Submission[]} submissions @param {string[]} people @returns {Map<string, string>}
 */
export function secrets(submissions, people) {
  /** @type {Map<string, string>} */
  const all = new Map();
  const add = (/** @type {string} */ secret, /** @type {string} */ person) => {
    const name = secret.trim();
    if (!worth(name)) return;
    const known = all.get(name.toLowerCase());
    all.set(name.toLowerCase(), known === undefined || known === `anon${person}` ? `anon${person}` : 'anon');
  };
  /** @type {Map<string, Set<string>>} whose paths have a part: a part of one person names that person, `main.py` names nobody */
  const parts = new Map();
  submissions.forEach(({ name, full_name, owner }, at) => {
    const person = people[at];
    for (const text of [full_name, owner]) {
      if (text === undefined) continue;
      for (const form of spellings(text)) {
        add(form, person);
        for (const part of form.split(/[^\p{L}\p{M}]+/u)) add(part, person);
      }
      // numbers of students and the like
      for (const part of text.split(/[^\p{L}\p{N}]+/u)) if (/\d/.test(part)) add(part, person);
    }
    for (const form of spellings(name)) {
      add(form, person);
      for (const part of form.split('/').flatMap((segment) => [segment, segment.replace(/\.[^.]*$/, '')])) {
        parts.set(part.toLowerCase(), (parts.get(part.toLowerCase()) ?? new Set()).add(person));
      }
    }
  });
  for (const [part, whose] of parts) if (whose.size === 1) add(part, [...whose][0]);
  return all;
}

/** A name as it is written with and without accents. @param {string} name */
function spellings(name) {
  const bare = (/** @type {string} */ text) => text.normalize('NFD').replace(/\p{M}/gu, '').replace(/ß/g, 'ss').replace(/ø/g, 'o').replace(/Ø/g, 'O').replace(/ł/g, 'l').replace(/Ł/g, 'L');
  const long = name.normalize('NFC').replace(/[äöüÄÖÜ]/g, (c) => `${bare(c)}e`);
  return new Set([name, name.normalize('NFC'), name.normalize('NFD'), name.normalize('NFC').replace(/ß/g, 'ss'), bare(name), bare(long)]);
}

/** Whether a text can name somebody: letters enough, or a number long enough. @param {string} text */
function worth(text) {
  return (text.match(/\p{L}/gu)?.length ?? 0) >= SHORTEST || (/\d/.test(text) && text.length > SHORTEST);
}

/** Submissions in an order that has nothing to do with their names. @param {string} salt @param {Submission[]} submissions */
function shuffled(salt, submissions) {
  const keys = submissions.map(({ files }, at) => hash(`${salt}${files.map((f) => f.content).join()}${at}`));
  return submissions.map((_, at) => at).sort((x, y) => keys[x] - keys[y] || x - y);
}

/** @param {string} text */
function hash(text) {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  // the last letters must reach the first digits
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}

/** A, B … Z, AA @param {number} at @returns {string} */
function letters(at) {
  return at < 26 ? String.fromCharCode(65 + at) : letters(Math.floor(at / 26) - 1) + letters(at % 26);
}
