// What was decided about a cluster before documents changed or joined.

import { verdictName } from '../decisions.js';
import { h, put, clean, cleanName } from '../dom.js';
import { commas } from '../format.js';
import { terms } from '../lens.js';
import { nameList } from './members.js';

/** Names in one sentence. */
const NAMES = 3;

/**
 * @param {import('../model.js').Model} model
 * @param {(earlier: import('../earlierdecision.js').Earlier) => void} again  the reader wants the same verdict
 */
export function earlierNote(model, again) {
  const element = h('div', { class: 'note small verdict-earlier', 'data-part': 'earlier', hidden: true });

  /** @param {import('../model.js').Cluster} cluster @param {import('../earlierdecision.js').Earlier} earlier */
  function draw(cluster, earlier) {
    const { verdict, keep, gone, note, changed, joined } = earlier;
    const names = (/** @type {number[]} */ documents) => nameList(model, cluster, documents, NAMES);
    const lost = gone.length > 0 && [keep.length > 0 && ', ', h('bdi', {}, cleanName(gone[0])), gone.length > 1 && ` and ${commas(gone.length - 1)} more`, ' (no longer in this cluster)'];
    put(element,
      h('p', {}, h('strong', {}, 'Decided before: '), verdictName(verdict), verdict === 'keep' && [', keep ', names(keep), lost].flat(), note !== '' && ` (note: ${clean(note)})`, '.'),
      h('p', {}, changed.length + joined.length === 0
        ? `The ${terms(model.page).text} they share was ignored by this scan. They are alike in the rest, too.`
        : ['Since then: ', changed.length > 0 && [...names(changed), changed.length === 1 ? ' has changed' : ' have changed'], changed.length > 0 && joined.length > 0 && ', ',
          joined.length > 0 && [...names(joined), joined.length === 1 ? ' has joined' : ' have joined'], '.'].flat()),
      h('button', { type: 'button', class: 'small', onclick: () => again(earlier) }, 'Same verdict again'));
  }

  return {
    element,
    /** @param {import('../model.js').Cluster | null} cluster @param {import('../earlierdecision.js').Earlier | undefined} earlier */
    show(cluster, earlier) {
      element.hidden = cluster === null || earlier === undefined;
      if (cluster === null || earlier === undefined) put(element);
      else draw(cluster, earlier);
    },
  };
}
