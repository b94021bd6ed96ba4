"""What every peer's script shares: the task, reading the corpus, words, writing the answer.

The task: word 5-grams, 128 permutations, near-duplicates from a Jaccard similarity on. The answer is the ids of all documents that have
a near-duplicate, one a line; or, if the name of the answer is that of a corpus, the corpus without its near-duplicates.
"""

import io
import re
import sys

import orjson

NGRAM = 5
PERMUTATIONS = 128
THRESHOLD = 0.7
SEED = 42

WORD = re.compile(r"\w+")


def arguments() -> tuple[str, str]:
    """The corpus and the file for the answer."""
    if len(sys.argv) not in (3, 4):
        sys.exit(f"usage: {sys.argv[0]} CORPUS ANSWER [THRESHOLD]")
    return sys.argv[1], sys.argv[2]


def threshold() -> float:
    """From which Jaccard similarity on two documents are near-duplicates."""
    return float(sys.argv[3]) if len(sys.argv) == 4 else THRESHOLD


def is_corpus(answer: str) -> bool:
    """Whether the corpus is to be written without its near-duplicates."""
    return answer.endswith((".parquet", ".jsonl.zst"))


def lines(corpus: str):
    """The lines of a JSONL file, compressed or not."""
    with open(corpus, "rb") as file:
        if corpus.endswith(".zst"):
            import zstandard

            yield from io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(file), 1 << 20)
        else:
            yield from file


def documents(corpus: str):
    """Id and text of every document."""
    if corpus.endswith(".parquet"):
        import pyarrow.parquet as pq

        for batch in pq.ParquetFile(corpus).iter_batches(columns=["id", "text"]):
            yield from zip(batch["id"].to_pylist(), batch["text"].to_pylist())
        return
    for line in lines(corpus):
        document = orjson.loads(line)
        yield document["id"], document["text"]


def ngrams(text: str) -> list[str]:
    """The word 5-grams of a text; a shorter text is one of its own."""
    words = WORD.findall(text.lower())
    if len(words) < NGRAM:
        return [" ".join(words)]
    return [" ".join(gram) for gram in zip(words, words[1:], words[2:], words[3:], words[4:])]


def answer(file: str, flagged) -> None:
    """Writes the ids."""
    with open(file, "w", encoding="utf-8") as out:
        out.writelines(f"{id}\n" for id in flagged)


def write_kept(corpus: str, file: str, kept) -> None:
    """Writes the documents whose flag is set, as cheaply as a script can: rows as they are read, lines as they stand."""
    if corpus.endswith(".parquet"):
        import pyarrow as pa
        import pyarrow.parquet as pq

        source, at = pq.ParquetFile(corpus), 0
        with pq.ParquetWriter(file, source.schema_arrow, compression="zstd") as out:
            for batch in source.iter_batches():
                out.write_batch(batch.filter(pa.array(kept[at : at + len(batch)])))
                at += len(batch)
        return
    import zstandard

    with open(file, "wb") as raw, zstandard.ZstdCompressor().stream_writer(raw) as out:
        for line, flag in zip(lines(corpus), kept):
            if flag:
                out.write(line)
