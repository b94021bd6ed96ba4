import importlib.util
import random

import pytest

# the tests of lookalike.spark have an environment of their own
collect_ignore = [] if importlib.util.find_spec("pyspark") else ["spark"]

WORDS = [f"{a}{b}" for a in "bcdfghklmnprst" for b in ("a", "e", "i", "o", "u", "an", "er", "il")]


def text(seed, words=120):
    rng = random.Random(seed)
    return " ".join(rng.choice(WORDS) for _ in range(words))


def edited(original, seed, changes=2):
    rng = random.Random(seed)
    words = original.split()
    for _ in range(changes):
        words[rng.randrange(len(words))] = "changed"
    return " ".join(words)


@pytest.fixture(scope="session")
def documents():
    """Sixty documents by id: twenty originals, each with a copy and a near-copy."""
    made = {}
    for number in range(20):
        original = text(number)
        made[f"original-{number}"] = original
        made[f"copy-{number}"] = original
        made[f"near-{number}"] = edited(original, number)
    return made


@pytest.fixture
def jsonl(documents, tmp_path):
    import json

    path = tmp_path / "documents.jsonl"
    path.write_text("".join(json.dumps({"id": id, "text": text}) + "\n" for id, text in documents.items()))
    return path
