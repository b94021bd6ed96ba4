"""`lookalike._spark_worker.step` with a clock, for the workers of a measured run: the CPU time that the kernel takes, without what it waits for.

The driver puts it in place of the real one, and the workers find it under its own name: the package itself measures nothing.
"""

import os
import time
import uuid
from functools import partial

from lookalike import _spark_worker as worker

# in the process of the driver the module has another one soon
real_step = worker.step


def note_into(folder):
    """From now on this driver's steps write their time into the folder."""
    os.makedirs(folder, exist_ok=True)
    worker.step = partial(step, folder)


def kernel_seconds(folder):
    """CPU seconds inside the kernel by step."""
    seconds = {}
    for file in os.scandir(folder):
        name = file.name.split(".")[0]
        with open(file) as noted:
            seconds[name] = seconds.get(name, 0.0) + float(noted.read())
    if not seconds:
        raise RuntimeError(f"{folder}: no step noted its time: lookalike.spark calls another function than lookalike._spark_worker.step")
    return seconds


def step(folder, name, options, pack_for, batches):
    clock = _Clock()
    try:
        yield from clock.inside(real_step(name, options, pack_for, clock.outside(batches)))
    finally:
        with open(os.path.join(folder, f"{name}.{uuid.uuid4().hex}"), "w") as note:
            note.write(str(clock.seconds))


class _Clock:
    """The CPU time of this thread inside one iterator, without that inside another which it reads. Of each single call, for an engine
    may go on with another thread."""

    def __init__(self):
        self.seconds = 0.0

    def inside(self, rows):
        return self._timed(iter(rows), 1)

    def outside(self, rows):
        return self._timed(iter(rows), -1)

    def _timed(self, rows, sign):
        while True:
            begin = time.thread_time()
            row = next(rows, None)
            self.seconds += sign * (time.thread_time() - begin)
            if row is None:
                return
            yield row
