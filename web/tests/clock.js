// CPU time of this process: a machine that does other things as well does not fail a test that guards against quadratic work.

/** In milliseconds. */
export function cpuTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
