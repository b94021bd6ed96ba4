"""How results look in a notebook. Names and texts of documents are hostile: nothing of them is markup."""

from html import escape

_CLUSTERS = 10
_MEMBERS = 5


def report(found):
    """A summary, the resemblances and the first clusters."""
    rows = found.clusters.to_pylist()
    members = [row for row in rows if row["role"] == "member"]
    clusters = {}
    for row in rows:
        clusters.setdefault(row["cluster"], []).append(row)
    parts = [f"<p>{escape(repr(found)[1:-1])}</p>", _histogram([row["resemblance"] for row in members])]
    if clusters:
        parts.append("<table><tr><th>cluster</th><th>documents</th></tr>")
        for cluster, documents in list(clusters.items())[:_CLUSTERS]:
            shown = "<br>".join(_document(row) for row in documents[: _MEMBERS + 1])
            more = len(documents) - _MEMBERS - 1
            parts.append(f"<tr><td>{int(cluster)}</td><td>{shown}{f'<br>and {more} more' if more > 0 else ''}</td></tr>")
        parts.append("</table>")
        if len(clusters) > _CLUSTERS:
            parts.append(f"<p>and {len(clusters) - _CLUSTERS} more clusters</p>")
    parts.append("<p><code>.html(path)</code> writes a page to look at and to decide on.</p>")
    return "".join(parts)


def deduplicated(found):
    """What went, in numbers, and how alike it was to what stays."""
    rows = found.removed.to_pylist()
    summary = found.summary
    text = ", ".join(f"{summary[name]:,} {name}" for name in ("documents", "kept", "removed") if name in summary)
    return f"<p>lookalike.dedup: {escape(text)}</p>" + _histogram([row["resemblance"] for row in rows])


def _document(row):
    name = escape(row["id"])
    if row["role"] == "representative":
        return f"<b>{name}</b>"
    resemblance = row["resemblance"]
    return name if resemblance is None else f"{name} <small>{resemblance:.2f}</small>"


def _histogram(shares):
    """Resemblance from 0 to 1 in twentieths, as bars."""
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
        f'<svg width="200" height="64" role="img" aria-label="resemblance of {len(shares)} documents to what stays">{drawn}'
        '<text x="0" y="62" font-size="10">0</text><text x="192" y="62" font-size="10">1</text></svg>'
    )
