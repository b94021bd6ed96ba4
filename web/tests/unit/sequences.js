// Sequences of words, and chance that is the same each time.

/** @param {number} from @param {number} to */
export function range(from, to) {
  return Int32Array.from({ length: to - from }, (_, at) => from + at);
}

/** Numbers from 0 to 1 (mulberry32). @param {number} seed */
export function chance(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), seed | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
