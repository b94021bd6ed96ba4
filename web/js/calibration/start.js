// Starts the page of `calibrate`.

import { clean, cleanName } from '../dom.js';
import { moment } from '../format.js';
import { Contents, openPage } from '../load.js';
import { startFrame } from '../shell.js';
import { Judgements } from './judgements.js';
import { judgeView } from './views/judge.js';
import { overviewOf } from './views/overview.js';

/**
 * What every view is given.
 * @typedef {object} CalibrationApp
 * @property {import('./types.js').CalibrationPage} page
 * @property {Judgements} judgements
 * @property {Contents} texts
 */

/** @param {import('./types.js').CalibrationPage} page */
function start(page) {
  // the frame replaces what the file begins with: texts are taken before
  const app = { page, judgements: new Judgements(page), texts: new Contents(page.texts) };
  startFrame({
    what: () => page.inputs.map(cleanName).join(', '),
    foot: `lookalike ${clean(page.lookalike)} · ${moment(page.made)} · ${clean(page.calibration.recipe)}`,
    places: [['', 'Thresholds'], ['judge', 'Judge']],
    views: { '': () => overviewOf(app), judge: () => judgeView(app) },
    arrive: (route) => route,
  });
}

openPage(start);
