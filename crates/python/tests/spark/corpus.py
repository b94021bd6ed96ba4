"""Documents that were made up, the same for ever."""

import random

WORDS = [f"{a}{b}{c}" for a in "bdfgklmn" for b in "aeiou" for c in ("r", "s", "t", "n", "l", "ck")]


def corpus(seed, documents):
    """Rows of id and text: near-copies, copies, chains, templates, short and empty texts, in no order."""
    rng = random.Random(seed)

    def words(count):
        return [rng.choice(WORDS) for _ in range(count)]

    template, texts, rows = words(80), [words(120)], []
    for number in range(documents):
        before = rng.choice(texts)
        kind = rng.randrange(9)
        if kind == 0:
            made = words(rng.randrange(20, 400))
        elif kind in (1, 2, 3):
            made = list(before)
            for _ in range(rng.randrange(1, 4)):
                made[rng.randrange(len(made))] = f"changed{rng.randrange(1000)}"
        elif kind == 4:
            made = list(before)
        elif kind == 5:
            made = template + words(rng.randrange(10, 60))
        elif kind == 6:
            made = list(template)
            made[rng.randrange(len(made))] = f"changed{rng.randrange(50)}"
        elif kind == 7:
            made = before[: max(5, len(before) * 9 // 10)]
        else:
            made = words(rng.randrange(0, 6))
        if len(made) > 4:
            texts.append(made)
        rows.append({"id": f"d{number * 7919 % 100_003}", "text": " ".join(made), "quality": rng.randrange(9)})
    rng.shuffle(rows)
    return rows


def chain(seed, versions):
    """Each version of a text changes a piece of the one before."""
    rng = random.Random(seed)
    made = [rng.choice(WORDS) for _ in range(200)]
    rows = []
    for version in range(versions):
        rows.append({"id": f"v{version}", "text": " ".join(made), "quality": version})
        at = version * 12 % 188
        made[at : at + 12] = [rng.choice(WORDS) for _ in range(12)]
    return rows
