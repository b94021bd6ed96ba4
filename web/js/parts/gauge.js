// A number of a pair, with a bar under it where it is a share.

import { h, style } from '../dom.js';

/**
 * @param {string} label
 * @param {string} value
 * @param {number | null} share  no bar if null
 * @param {string} help
 * @param {{ more?: string, kind?: string }} [options]  what stands behind the number; a further class
 */
export function gauge(label, value, share, help, { more = '', kind = '' } = {}) {
  return h('div', { class: `pair-gauge${kind === '' ? '' : ` ${kind}`}`, title: help }, h('dt', {}, h('bdi', {}, label)),
    h('dd', {}, h('span', { class: 'number' }, value), more !== '' && h('span', { class: 'pair-about' }, more),
      share !== null && h('span', { class: 'pair-bar', 'aria-hidden': 'true' }, style(h('span'), { width: `${(share * 100).toFixed(1)}%` }))));
}
