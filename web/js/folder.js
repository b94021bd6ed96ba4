// The folder that paths have in common.

/** The longest folder that all ids begin with, with its slash; none of them ends there. @param {string[]} ids */
export function commonFolder(ids) {
  if (ids.length < 2) return '';
  const folderOf = (/** @type {string} */ path) => path.slice(0, path.lastIndexOf('/') + 1);
  // without its last character: what is left of an id must not be empty
  let folder = folderOf(ids[0].slice(0, -1));
  for (const id of ids) {
    let same = 0;
    while (same < folder.length && same < id.length - 1 && folder[same] === id[same]) same += 1;
    if (same < folder.length) folder = folderOf(folder.slice(0, same));
  }
  return folder;
}
