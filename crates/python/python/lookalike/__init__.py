"""Where have I seen this before? Near-duplicates, documents inside others and copied passages: verified, in bounded memory.

>>> import lookalike
>>> text = "the quick brown fox jumps over the lazy dog and then sleeps in the sun"
>>> report = lookalike.scan({"a": text, "b": text + " again", "c": "something else"}, w=3)
>>> [(row["id"], row["duplicate_of"]) for row in report.duplicates().to_pylist()]
[('a', 'b')]

A string or a path by itself is read as the command reads it: a folder, a file, a pattern. Whatever speaks the Arrow PyCapsule interface
(pyarrow, polars, pandas, DuckDB) is a table. Anything else that can be iterated is documents: texts, (id, text), or dictionaries.
Keywords are the flags of the command, with underscores: `lookalike scan --max-df 100` is `scan(..., max_df=100)`.
"""

from pathlib import Path as _Path

from . import _lookalike
from ._client import RemoteIndex, connect
from ._lookalike import (
    Deduplicated,
    HammingIndex,
    Index,
    KeptRows,
    Report,
    Sketches,
    Table,
    __version__,
    compare,
    copies,
    dedup,
    keywords,
    recluster,
    scan,
    simhash,
    sketch,
)
from .errors import (
    AlreadyExists,
    DamagedFile,
    Locked,
    LookalikeError,
    NotFound,
    RecipeMismatch,
    WrongInput,
    WrongOption,
)

__all__ = [
    "AlreadyExists",
    "DamagedFile",
    "Deduplicated",
    "HammingIndex",
    "Index",
    "KeptRows",
    "Locked",
    "LookalikeError",
    "NotFound",
    "RecipeMismatch",
    "RemoteIndex",
    "Report",
    "Sketches",
    "Table",
    "WrongInput",
    "WrongOption",
    "__version__",
    "compare",
    "connect",
    "copies",
    "dedup",
    "keywords",
    "recluster",
    "scan",
    "simhash",
    "sketch",
]

# the parser program is in the wheel
_lookalike.use_parser_in(_Path(__file__).resolve().parent)
