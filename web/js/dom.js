// Making elements. Texts and names of documents are hostile: they enter the page as text only, never as markup.

/**
 * @typedef {string | number | Node | null | undefined | false} Child
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes
 */

/**
 * An element with attributes, listeners (`onclick`) and children. A false or missing attribute is left out.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  return /** @type {HTMLElement} */ (fill(document.createElement(tag), attributes, children));
}

/**
 * The same for SVG.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children));
}

/**
 * @param {Element} element
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== false).map((c) => /** @type {Node | string} */ (typeof c === 'number' ? String(c) : c)));
  return element;
}

/**
 * Replaces what an element holds.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function put(element, ...children) {
  element.replaceChildren();
  fill(element, {}, children);
}

/** A style that depends on data is set here: the policy of the page forbids style attributes. @param {HTMLElement | SVGElement} element @param {Record<string, string>} properties */
export function style(element, properties) {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value);
  return element;
}

// control and direction characters, soft hyphens, zero-width and other invisible ones
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/**
 * Text with everything that could mislead a reader spelled out: `⟨202E⟩` for an override of the direction.
 * @param {string} text
 */
export function clean(text) {
  return text.replace(INVISIBLE, (c) => `⟨${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

/** A name (id) of a document: one line, clean. @param {string} id */
export function cleanName(id) {
  return clean(id).replace(/[\t\n]/g, (c) => (c === '\n' ? '⟨000A⟩' : '⟨0009⟩'));
}

/** Calls back at most once a frame, with the last arguments. @template {any[]} A @param {(...args: A) => void} action */
export function onceAFrame(action) {
  /** @type {A | null} */
  let waiting = null;
  return (/** @type {A} */ ...args) => {
    if (waiting === null) requestAnimationFrame(() => {
      const last = /** @type {A} */ (waiting);
      waiting = null;
      action(...last);
    });
    waiting = args;
  };
}
