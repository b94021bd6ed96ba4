// The files of a submission as they are shown, names replaced where that is asked for.

import { Contents } from '../load.js';
import { lexemesOf, marksOf } from './lexemes.js';
import { unitsOf } from './places.js';
import { Sheet } from './sheet.js';

export class SubmissionTexts {
  /** @param {import('./model.js').CopiesModel} model @param {import('./names.js').Names} names */
  constructor(model, names) {
    this.model = model;
    this.names = names;
    this.contents = new Contents(model.page.texts);
  }

  /** @param {number} submission @returns {Promise<Sheet>} */
  async of(submission) {
    const { files } = this.model.submissions[submission];
    const first = this.model.firstFile[submission];
    const read = await Promise.all(files.map(async ({ language }, at) => {
      const found = await this.contents.get(this.model.page.contents[first + at]).catch(() => null);
      if (found === null) return null;
      const units = unitsOf(found.text);
      const { text, at: place } = this.names.replaced(found.text);
      const code = language !== 'text' && language !== 'bytes';
      const lexemes = code ? lexemesOf(text, marksOf(found.marks ?? [], place), new Set((found.keywords ?? '').split(' '))) : null;
      return { text, at: (/** @type {number} */ byte) => place(units(byte)), cut: found.cut === true, lexemes };
    }));
    return new Sheet(read, files.map((f) => f.excluded ?? []));
  }
}
