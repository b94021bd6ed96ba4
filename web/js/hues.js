// Colours of passages: seven hues, and no two neighbours alike in any order in which a reader meets them.

export const HUES = 7;

/**
 * Gives every item a hue that none of its neighbours has, in any of the orders. With three orders there are at most six neighbours, so
 * seven hues are enough.
 * @template {{ hue: number }} T
 * @param {T[]} items  as they are to be coloured
 * @param {T[][]} orders  all of them, in other orders
 */
export function colour(items, orders) {
  const all = [items, ...orders];
  const places = all.map((order) => new Map(order.map((item, at) => [item, at])));
  /** @type {Set<T>} */
  const done = new Set();
  items.forEach((item, at) => {
    const used = new Set(all.flatMap((order, which) => {
      const place = /** @type {number} */ (places[which].get(item));
      return [order[place - 1], order[place + 1]].filter((other) => other !== undefined && done.has(other)).map((other) => other.hue);
    }));
    let hue = at % HUES;
    while (used.has(hue)) hue = (hue + 1) % HUES;
    item.hue = hue;
    done.add(item);
  });
}
