// The command that makes a report again, with a file of decisions.

/** The command that scans again with a file of decisions. @param {Pick<import('./types.js').Page, 'command' | 'inputs'>} page @param {string} file */
export function rescan({ command, inputs }, file) {
  // what was written by hand for trying the page may lack the command
  const [verb, ...others] = /** @type {string[] | undefined} */ (command) ?? ['scan', ...inputs];
  // in front: behind `--` it would be the name of an input
  return ['lookalike', verb, '--decisions', file, ...others].map(quoted).join(' ');
}

/** Whether the scan read its documents, or their paths, from standard input. @param {Pick<import('./types.js').Page, 'inputs'>} page */
export function piped({ inputs }) {
  return inputs.some((input) => input === 'standard input' || input === 'paths of standard input');
}

/** An argument as a shell takes it; some shells look up a word that begins with an equals sign. @param {string} text */
function quoted(text) {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
