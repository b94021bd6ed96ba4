"""datasketch: MinHashLSH, each candidate checked by the estimate until one is near enough."""

from common import PERMUTATIONS, SEED, THRESHOLD, answer, arguments, documents, ngrams
from datasketch import MinHash, MinHashLSH


def main() -> None:
    corpus, file = arguments()
    ids, sketches = [], []
    lsh = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
    for number, (id, text) in enumerate(documents(corpus)):
        sketch = MinHash(num_perm=PERMUTATIONS, seed=SEED)
        sketch.update_batch([gram.encode() for gram in set(ngrams(text))])
        ids.append(id)
        sketches.append(sketch)
        lsh.insert(number, sketch, check_duplication=False)

    def has_partner(number: int) -> bool:
        sketch = sketches[number]
        candidates = lsh.query(sketch)
        return any(other != number and sketch.jaccard(sketches[other]) >= THRESHOLD for other in candidates)

    answer(file, (id for number, id in enumerate(ids) if has_partner(number)))


main()
