"""rensa: R-MinHash of the whole sets and its LSH, each candidate checked by the estimate until one is near enough."""

from common import PERMUTATIONS, SEED, answer, arguments, documents, is_corpus, ngrams, threshold, write_kept
from rensa import RMinHash, RMinHashLSH

# 16 bands of 8: the curve is steepest near 0.7
BANDS = 16
BATCH = 1000


def main() -> None:
    corpus, file = arguments()
    ids, sketches, batch = [], [], []

    def sketch_batch() -> None:
        sketches.extend(RMinHash.from_token_sets(batch, num_perm=PERMUTATIONS, seed=SEED))
        batch.clear()

    for id, text in documents(corpus):
        ids.append(id)
        batch.append(ngrams(text))
        if len(batch) == BATCH:
            sketch_batch()
    sketch_batch()

    least = threshold()
    lsh = RMinHashLSH(threshold=least, num_perm=PERMUTATIONS, num_bands=BANDS)
    lsh.insert_many(sketches)

    def has_partner(number: int, among) -> bool:
        sketch = sketches[number]
        candidates = lsh.query(sketch)
        return any(other != number and among(other) and sketch.jaccard(sketches[other]) >= least for other in candidates)

    if is_corpus(file):
        # a document goes if one that stays before it is near
        kept = [True] * len(ids)
        for number in range(len(ids)):
            kept[number] = not has_partner(number, lambda other, number=number: other < number and kept[other])
        write_kept(corpus, file, kept)
        return
    answer(file, (id for number, id in enumerate(ids) if has_partner(number, lambda other: True)))


main()
