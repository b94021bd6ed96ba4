"""Daft: its reader, normaliser and minhash; bands are hashed and grouped with numpy. It has no check of candidates."""

import daft
import numpy as np
from common import NGRAM, PERMUTATIONS, SEED, answer, arguments, is_corpus, write_kept
from daft.functions import minhash, normalize

# 16 bands of 8: the curve is steepest near 0.7
BANDS = 16


def main() -> None:
    corpus, file = arguments()
    table = daft.read_parquet(corpus) if corpus.endswith(".parquet") else daft.read_json(corpus)
    words = normalize(table["text"], remove_punct=True, lowercase=True, white_space=True)
    sketch = minhash(words, num_hashes=PERMUTATIONS, ngram_size=NGRAM, seed=SEED, hash_function="xxhash3_64")
    result = table.select(table["id"], sketch.alias("sketch")).to_arrow()

    ids = result["id"].to_pylist()
    sketches = result["sketch"].combine_chunks()
    rows = np.asarray(sketches.values).reshape(len(ids), PERMUTATIONS)
    # one random multiplier for each row of a band makes a band one number
    multipliers = np.random.default_rng(SEED).integers(1, 2**63, PERMUTATIONS // BANDS, dtype=np.uint64) | np.uint64(1)
    bands = [(band * multipliers).sum(axis=1) for band in np.split(rows.astype(np.uint64), BANDS, axis=1)]
    if is_corpus(file):
        write_kept(corpus, file, first_of_components(bands))
        return
    flagged = np.zeros(len(ids), dtype=bool)
    for band in bands:
        _, group, size = np.unique(band, return_inverse=True, return_counts=True)
        flagged |= size[group] > 1
    answer(file, (ids[number] for number in np.flatnonzero(flagged)))


def first_of_components(bands):
    """Flags the first document of each connected component, as pipelines on Daft do: each document is linked to the first one with its band."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    documents = len(bands[0])
    numbers = np.arange(documents)
    firsts = [first[group] for _, first, group in (np.unique(band, return_index=True, return_inverse=True) for band in bands)]
    ends = (np.tile(numbers, len(bands)), np.concatenate(firsts))
    links = coo_array((np.ones(len(ends[0]), dtype=np.int8), ends), shape=(documents, documents))
    _, component = connected_components(links, directed=False)
    kept = np.zeros(documents, dtype=bool)
    kept[np.unique(component, return_index=True)[1]] = True
    return kept


main()
