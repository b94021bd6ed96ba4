"""What every peer's script shares: the task, reading the corpus, words, writing the answer.

The task: word 5-grams, 128 permutations, near-duplicates from Jaccard 0.7 on. The answer: the ids of all documents that
have a near-duplicate, one a line.
"""

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
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} CORPUS.jsonl ANSWER.txt")
    return sys.argv[1], sys.argv[2]


def documents(corpus: str):
    """Id and text of every line."""
    with open(corpus, "rb") as lines:
        for line in lines:
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
