"""Daft: its reader, normaliser and minhash; bands are hashed and grouped with numpy. It has no check of candidates."""

import daft
import numpy as np
from common import NGRAM, PERMUTATIONS, SEED, answer, arguments
from daft.functions import minhash, normalize

# 16 bands of 8: the curve is steepest near 0.7
BANDS = 16


def main() -> None:
    corpus, file = arguments()
    table = daft.read_json(corpus)
    words = normalize(table["text"], remove_punct=True, lowercase=True, white_space=True)
    sketch = minhash(words, num_hashes=PERMUTATIONS, ngram_size=NGRAM, seed=SEED, hash_function="xxhash3_64")
    result = table.select(table["id"], sketch.alias("sketch")).to_arrow()

    ids = result["id"].to_pylist()
    sketches = result["sketch"].combine_chunks()
    rows = np.asarray(sketches.values).reshape(len(ids), PERMUTATIONS)
    flagged = np.zeros(len(ids), dtype=bool)
    # one random multiplier for each row of a band makes a band one number
    multipliers = np.random.default_rng(SEED).integers(1, 2**63, PERMUTATIONS // BANDS, dtype=np.uint64) | np.uint64(1)
    for band in np.split(rows.astype(np.uint64), BANDS, axis=1):
        _, group, size = np.unique((band * multipliers).sum(axis=1), return_inverse=True, return_counts=True)
        flagged |= size[group] > 1
    answer(file, (ids[number] for number in np.flatnonzero(flagged)))


main()
