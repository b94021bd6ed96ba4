"""Who watches long work: a callback that was given, or a bar of tqdm where somebody looks."""

import sys


def watcher(wish):
    """A function of (phase, done, total, unit), or None. `wish` is None, a flag or a function."""
    if callable(wish):
        return wish
    if wish is not None and not isinstance(wish, bool):
        raise TypeError(f"progress: expected a function of (phase, done, total, unit), True, False or None, found {wish!r}")
    if wish is False or (wish is None and not _is_looked_at()):
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return _Bar(tqdm)


def _is_looked_at():
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


class _Bar:
    def __init__(self, tqdm):
        self._tqdm = tqdm
        self._bar = None

    def __call__(self, phase, done, total, unit):
        if self._bar is None or self._bar.desc != phase:
            self.__del__()
            self._bar = self._tqdm(desc=phase, total=total, unit=" " + unit, unit_scale=True, leave=False)
            # tqdm adds ": " to what it shows, not to what it keeps
            self._bar.desc = phase
        self._bar.update(done - self._bar.n)

    def __del__(self):
        if self._bar is not None:
            self._bar.close()
