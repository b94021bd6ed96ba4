// Which pairs of a scan by all lenses are listed. No elements here: everything can be tested.

/** @typedef {import('./types.js').RelationLink} RelationLink */

/** Names of relations as a reader sees them, the closest first. @type {Record<string, string>} */
export const RELATIONS = {
  identical: 'Identical',
  'same-text': 'Same text',
  'small-errors': 'Small errors',
  version: 'Version',
  'a-in-b': 'Inside the other',
  'b-in-a': 'Inside the other',
  passages: 'Passages',
  template: 'Template',
  unrelated: 'Unrelated',
};

/** The name under which a relation is chosen: which of the two is inside the other does not matter. @param {string} relation */
export function kindOf(relation) {
  return relation === 'a-in-b' || relation === 'b-in-a' ? 'inside' : relation;
}

/** @param {string} kind */
export function kindName(kind) {
  return kind === 'inside' ? RELATIONS['a-in-b'] : RELATIONS[kind] ?? kind;
}

/**
 * The pairs of a relation, of a disagreement, and with a document that fits; empty is any.
 * @param {RelationLink[]} links
 * @param {{ relation: string, disagreement: string, test: ((document: number) => boolean) | null }} want
 */
export function selectLinks(links, { relation, disagreement, test }) {
  return links.filter((link) => (relation === '' || kindOf(link.relation) === relation)
    && (disagreement === '' || link.disagreement === disagreement)
    && (test === null || test(link.a) || test(link.b)));
}

/** How many pairs there are of each, in the order in which they come. @param {(string | undefined)[]} names @returns {[string, number][]} */
export function counted(names) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of names) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts];
}
