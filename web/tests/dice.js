// Dice for tests.

/** Random numbers with a seed: the same documents for ever. @param {number} seed */
export function dice(seed) {
  let state = BigInt(seed);
  return (/** @type {number} */ sides) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((state >> 33n) % BigInt(sides));
  };
}
