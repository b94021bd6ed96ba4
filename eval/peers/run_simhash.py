"""PyPI simhash: one 64-bit fingerprint for each document, on one core.

With `text` it makes its own features of the text, runs of four letters; with `words` it gets the features that lookalike
uses, runs of two and three words.
"""

import sys

from common import WORD, documents
from simhash import Simhash


def features(text: str) -> list[str]:
    """Runs of two and three words."""
    words = WORD.findall(text.lower())
    return [" ".join(words[at : at + n]) for n in (2, 3) for at in range(len(words) - n + 1)]


def main() -> None:
    if len(sys.argv) != 4 or sys.argv[3] not in ("text", "words"):
        sys.exit(f"usage: {sys.argv[0]} CORPUS.jsonl PRINTS.tsv text|words")
    made = features if sys.argv[3] == "words" else str
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        for id, text in documents(sys.argv[1]):
            out.write(f"{Simhash(made(text)).value:016x}\t{id}\n")


main()
