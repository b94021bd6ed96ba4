"""What a corpus of a size takes, from rates that were measured; and whether one machine is enough."""

import dataclasses
import math

# Measured on 250,000 texts of 3 KB, a quarter of them near-duplicates (`eval spark parity cost`), on cores of
# one machine. Seconds are of CPU time.
_MACHINE_SECONDS_PER_MEGABYTE = 0.033
_KERNEL_SECONDS_PER_MEGABYTE = 0.015
_KERNEL_SECONDS_PER_DOCUMENT = 1.0e-4
_SPARK_SECONDS_PER_DOCUMENT = 3.6e-4
_SHUFFLED_BYTES_PER_DOCUMENT = 5_400
_SHUFFLED_SHARE_OF_TEXT = 0.5
_CHECKPOINT_BYTES_PER_DOCUMENT = 1_300
# One machine: what a document takes in memory, how many it can number, how the work of each grows with ten times as many (`eval dedup
# kills`); its cores, and the bytes a second of its disk, which has the texts twice.
_MACHINE_BYTES_PER_DOCUMENT = 64
_MACHINE_MAX_DOCUMENTS = 4_000_000_000
_MACHINE_GROWTH = 1.27
_MACHINE_CORES = 16
_MACHINE_DISK = 1e9
# A pass of fingerprints beside a million queries, CPU seconds each.
_SECONDS_PER_FINGERPRINT = 6.0e-8
# A shuffle partition is read into a task: so large it should be.
_PARTITION_BYTES = 200 << 20
_QUERIES_OF_A_PASS = 4_000_000


@dataclasses.dataclass
class Plan:
    """What a corpus takes. `print(plan)` says it in sentences."""

    documents: int
    bytes: int
    fingerprints: int
    cores: int
    shuffled_bytes: float
    checkpoint_bytes: float
    partitions: int
    executor_hours: float
    hours: float
    task_bytes: int
    machine_hours: float
    machine_bytes: float
    fingerprint_hours: float

    @property
    def one_machine_is_enough(self):
        """Whether one machine of sixteen cores is done within a day."""
        return self.machine_hours <= 24 and self.documents <= _MACHINE_MAX_DOCUMENTS

    def __str__(self):
        lines = []
        if self.documents:
            lines += [
                f"{self.documents:,} documents, {_size(self.bytes)} of text",
                f"  one machine ({_MACHINE_CORES} cores): {self.machine_hours:.1f} hours, {_size(self.machine_bytes)} of memory at least; "
                + ("enough: lookalike dedup" if self.one_machine_is_enough else "too much for a day"),
                f"  Spark ({self.cores} cores): {self.hours:.1f} hours, {self.executor_hours:.0f} core hours",
                f"  shuffled: {_size(self.shuffled_bytes)} in all; checkpoint: {_size(self.checkpoint_bytes)}",
                f"  partitions: {self.partitions:,}, about {_size(self.task_bytes)} of memory for each task",
            ]
        if self.fingerprints:
            lines += [
                f"{self.fingerprints:,} fingerprints, {_size(self.fingerprints * 8)}",
                f"  hamming_join with up to {_QUERIES_OF_A_PASS:,} queries: {self.fingerprint_hours * 60:.1f} core minutes for the pass, nothing of "
                f"them shuffled; one machine: lookalike simhash batch",
            ]
        return "\n".join(lines)


def plan(documents=0, bytes=0, *, fingerprints=0, cores=64):
    """What so many documents, of so many bytes in all, take on a cluster of so many cores and on one machine."""
    for name, value, least in (("documents", documents, 0), ("bytes", bytes, 0), ("fingerprints", fingerprints, 0), ("cores", cores, 1)):
        if not least <= value < math.inf:
            raise ValueError(f"{name}: expected a number from {least} on, found {value}")
    documents, bytes, fingerprints = int(documents), int(bytes or documents * 3_000), int(fingerprints)
    if not documents and (bytes or not fingerprints):
        raise ValueError("expected how many documents there are, or fingerprints; found none")
    megabytes = bytes / 1e6
    growth = _MACHINE_GROWTH ** max(0.0, math.log10(max(documents, 1) / 1e6))
    kernel = megabytes * _KERNEL_SECONDS_PER_MEGABYTE + documents * _KERNEL_SECONDS_PER_DOCUMENT
    executor_hours = (kernel + documents * _SPARK_SECONDS_PER_DOCUMENT) / 3600
    shuffled = documents * _SHUFFLED_BYTES_PER_DOCUMENT + bytes * _SHUFFLED_SHARE_OF_TEXT
    # the largest shuffle is a third of all
    partitions = max(2, round(shuffled / 3 / _PARTITION_BYTES))
    return Plan(
        documents=documents,
        bytes=bytes,
        fingerprints=fingerprints,
        cores=cores,
        shuffled_bytes=shuffled,
        checkpoint_bytes=documents * _CHECKPOINT_BYTES_PER_DOCUMENT,
        partitions=partitions,
        executor_hours=executor_hours,
        hours=executor_hours / cores,
        task_bytes=2 * _PARTITION_BYTES,
        machine_hours=(megabytes * _MACHINE_SECONDS_PER_MEGABYTE * growth / _MACHINE_CORES + 2 * bytes / _MACHINE_DISK) / 3600,
        machine_bytes=max(documents * _MACHINE_BYTES_PER_DOCUMENT, 2 << 30),
        fingerprint_hours=fingerprints * _SECONDS_PER_FINGERPRINT / 3600,
    )


def _size(bytes):
    for unit in ("bytes", "KB", "MB", "GB", "TB"):
        if bytes < 1000 or unit == "TB":
            return f"{bytes:,.0f} {unit}" if unit == "bytes" or bytes >= 100 else f"{bytes:,.1f} {unit}"
        bytes /= 1000
    return ""
