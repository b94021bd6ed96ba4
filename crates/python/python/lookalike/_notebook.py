"""How results look in a notebook. Names and texts of documents are hostile: nothing of them is markup."""

import html
import pathlib
import unicodedata

_CLUSTERS = 10
_MEMBERS = 5
_PAIRS = 10


def report(found):
    """A summary, how alike things are, and the first of them."""
    parts = [f"<p>{_shown(repr(found)[1:-1])}</p>"]
    parts += _submissions(found) if "submissions" in repr(found) else _clusters(found)
    if found.page is None:
        parts.append("<p><code>.html(path)</code> writes a page to look at and to decide on.</p>")
    else:
        page = pathlib.Path(found.page)
        parts.append(f'<p><a href="{html.escape(page.absolute().as_uri())}">{_shown(page.name)}</a>: look and decide.</p>')
    return "".join(parts)


def deduplicated(found):
    """What went, in numbers, and how alike it was to what stays."""
    rows = found.removed.to_pylist()
    summary = found.summary
    text = ", ".join(f"{summary[name]:,} {name}" for name in ("documents", "kept", "removed") if name in summary)
    return f"<p>lookalike.dedup: {_shown(text)}</p>" + _histogram([row["resemblance"] for row in rows])


def _clusters(found):
    rows = found.clusters.to_pylist()
    clusters = {}
    for row in rows:
        clusters.setdefault(row["cluster"], []).append(row)
    parts = [_histogram([row["resemblance"] for row in rows if row["role"] == "member"])]
    if not clusters:
        return parts
    parts.append("<table><tr><th>cluster</th><th>documents</th></tr>")
    for cluster, documents in list(clusters.items())[:_CLUSTERS]:
        shown = "<br>".join(_document(row) for row in documents[: _MEMBERS + 1])
        more = len(documents) - _MEMBERS - 1
        parts.append(f"<tr><td>{int(cluster)}</td><td>{shown}{f'<br>and {more} more' if more > 0 else ''}</td></tr>")
    parts.append("</table>")
    if len(clusters) > _CLUSTERS:
        parts.append(f"<p>and {len(clusters) - _CLUSTERS} more clusters</p>")
    return parts


def _submissions(found):
    pairs = sorted(found.pairs().to_pylist(), key=lambda pair: -(pair["similarity"] or 0))
    parts = [_histogram([pair["similarity"] for pair in pairs])]
    if pairs:
        parts.append("<table><tr><th>similarity</th><th>submissions</th></tr>")
        for pair in pairs[:_PAIRS]:
            parts.append(f"<tr><td>{pair['similarity']:.2f}</td><td>{_shown(pair['a'])}<br>{_shown(pair['b'])}</td></tr>")
        parts.append("</table>")
    if len(pairs) > _PAIRS:
        parts.append(f"<p>and {len(pairs) - _PAIRS} more pairs</p>")
    return parts


def _document(row):
    name = _shown(row["id"])
    if row["role"] == "representative":
        return f"<b>{name}</b>"
    resemblance = row["resemblance"]
    return name if resemblance is None else f"{name} <small>{resemblance:.2f}</small>"


def _shown(text):
    """Text as text: no markup, and what cannot be seen or turns the line around is spelled out."""
    hidden = ("Cc", "Cf", "Cs", "Zl", "Zp")
    spelled = (f"\\u{{{ord(c):x}}}" if unicodedata.category(c) in hidden else c for c in text)
    return html.escape("".join(spelled))


def _histogram(shares):
    """Shares from 0 to 1 in twentieths, as bars."""
    shares = [share for share in shares if share is not None]
    if not shares:
        return ""
    bars = [0] * 20
    for share in shares:
        bars[min(int(share * 20), 19)] += 1
    most = max(bars)
    drawn = "".join(
        f'<rect x="{at * 10}" y="{50 - height}" width="9" height="{height}" fill="#4a7"/>'
        for at, height in ((at, round(count / most * 48)) for at, count in enumerate(bars))
    )
    return (
        f'<svg width="200" height="64" role="img" aria-label="how alike {len(shares)} are">{drawn}'
        '<text x="0" y="62" font-size="10">0</text><text x="192" y="62" font-size="10">1</text></svg>'
    )
