// Which passages fade: short ones, and those that many have. They are still there, but do not draw the eye, and steps go past them.

/** Where the slider can stand: the fewest tokens of a passage that does not fade; 0 fades nothing. */
export const STEPS = [0, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500];

/** What readers find when they come: code is full of short matches, a short one of prose may be all there is. @param {string} language */
export function usualFrom(language) {
  return language === 'text' || language === 'bytes' ? 0 : 20;
}

/** From how many submissions on a passage is common. @param {number} submissions */
export function commonFrom(submissions) {
  return Math.max(4, submissions * 0.1);
}

/**
 * Numbers of the passages that fade. The longest never does: something must be there to look at.
 * @param {{ tokens: number, submissions: number }[]} passages  longest first
 * @param {number} from @param {number} submissions  how many there are
 * @returns {Set<number>}
 */
export function faded(passages, from, submissions) {
  if (from === 0) return new Set();
  const common = commonFrom(submissions);
  return new Set(passages.flatMap((p, at) => (at > 0 && (p.tokens < from || p.submissions > common) ? [at] : [])));
}
