"""text-dedup: its own command in this process; the answer is its union-find. It checks no candidates.

The corpus that it writes is a folder with Arrow files: the one named by the answer.
"""

import sys
import tempfile
from collections import Counter

from common import NGRAM, PERMUTATIONS, answer, arguments, documents, is_corpus, threshold
from text_dedup import minhash


def main() -> None:
    corpus, file = arguments()
    # a new folder for each run: what it keeps in its cache would make the next run look faster than it is
    with tempfile.TemporaryDirectory() as folder:
        told = {
            "path": "parquet" if corpus.endswith(".parquet") else "json",
            "data_files": corpus,
            "split": "train",
            "cache_dir": f"{folder}/cache",
            "output": file if is_corpus(file) else f"{folder}/output",
            "column": "text",
            "ngram": NGRAM,
            "num_perm": PERMUTATIONS,
            "threshold": threshold(),
            "min_length": 0,
            "hash_func": "xxh3",
            "num_proc": 1,
        }
        flags = [word for name, value in told.items() for word in (f"--{name}", str(value))]
        minhash.main(flags, standalone_mode=False)
    if is_corpus(file):
        return
    ids = [id for id, _ in documents(corpus)]
    roots = [minhash.uf.find(number) for number in range(len(ids))]
    sizes = Counter(roots)
    answer(file, (id for id, root in zip(ids, roots) if sizes[root] > 1))


if __name__ == "__main__":
    sys.exit(main())
