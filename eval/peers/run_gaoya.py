"""gaoya: its own word analyser, index and estimate, all in Rust and on all cores."""

from common import NGRAM, PERMUTATIONS, THRESHOLD, answer, arguments, documents
from gaoya.minhash import MinHashStringIndex

# 16 bands of 8: the curve is steepest near 0.7
BANDS = 16
BATCH = 10_000


def main() -> None:
    corpus, file = arguments()
    index = MinHashStringIndex(
        hash_size=32,
        jaccard_threshold=THRESHOLD,
        num_bands=BANDS,
        band_size=PERMUTATIONS // BANDS,
        analyzer="word",
        lowercase=True,
        ngram_range=(NGRAM, NGRAM),
        id_container="vec",
    )
    ids, texts = zip(*documents(corpus))
    numbers = range(len(ids))
    for start in range(0, len(ids), BATCH):
        index.par_bulk_insert_docs(list(numbers[start : start + BATCH]), list(texts[start : start + BATCH]))

    def flagged():
        # it keeps no way to ask by number, so documents are sketched again
        for start in range(0, len(ids), BATCH):
            found = index.par_bulk_query(list(texts[start : start + BATCH]))
            for number, partners in zip(numbers[start : start + BATCH], found):
                if any(partner != number for partner in partners):
                    yield ids[number]

    answer(file, flagged())


main()
