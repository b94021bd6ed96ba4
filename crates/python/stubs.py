"""stubs.py [--check]: writes python/lookalike/_lookalike.pyi from the table of flags, or fails if it is not what it would write."""

import pathlib
import sys

from lookalike import _lookalike

FILE = pathlib.Path(__file__).parent / "python" / "lookalike" / "_lookalike.pyi"
# names that are shorter in Python, and flags that a keyword cannot be called
SHORTER = {"text_field": "text", "id_field": "id"}
TYPES = {
    "SHARE": "float",
    "N": "int",
    "K": "int",
    "W": "int",
    "T": "int",
    "BITS": "int",
    "FILE": "Path",
    "DIR": "Path",
    "INDEX": "Path",
    "SIZE": "int | str",
    "FIELD": "str",
    "LENS": "str",
}

HEAD = '''"""The compiled part of lookalike. Made by stubs.py from the table of flags: do not edit."""

from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import Any, Protocol, TypeAlias

Path: TypeAlias = str | PathLike[str]

class ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

Documents: TypeAlias = (
    Path | ArrowStream | Mapping[str, str] | Iterable[str] | Iterable[tuple[str | int, str]] | Iterable[Mapping[str, Any]]
)
Progress: TypeAlias = bool | Callable[[str, int, int | None, str], object]

__version__: str
'''

CLASSES = '''
class Table:
    column_names: list[str]
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def to_arrow(self) -> Any: ...
    def to_pandas(self) -> Any: ...
    def to_polars(self) -> Any: ...
    def to_pylist(self) -> list[dict[str, Any]]: ...
    def __len__(self) -> int: ...

class Report:
    clusters: Table
    skipped: Table
    documents: int
    recipe: str
    def duplicates(self) -> Table: ...
    def pairs(self) -> Table: ...
    def json(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...
    page: Any | None
    def html(self, path: Path) -> None: ...
    def save(self, path: Path) -> None: ...

class KeptRows:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def to_arrow(self) -> Any: ...
    def to_pandas(self) -> Any: ...
    def to_polars(self) -> Any: ...

class Deduplicated:
    kept: KeptRows
    removed: Table
    summary: dict[str, Any]
    def json(self) -> str: ...
    def __iter__(self) -> Any: ...

class Sketches:
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def to_pylist(self) -> list[list[int]]: ...
    def __len__(self) -> int: ...

class HammingIndex:
    k: int
    def __init__(self, fingerprints: Any, ids: Any | None = None, *, k: int = 3) -> None: ...
    @staticmethod
    def read(file: Path, *, k: int = 3) -> HammingIndex: ...
    @staticmethod
    def open(path: Path, *, k: int = 3, sync: bool = True) -> HammingIndex: ...
    @staticmethod
    def build(
        path: Path, file: Path, *, k: int = 3, memory: int | str | None = None, threads: int = 0
    ) -> HammingIndex: ...
    def query(
        self, queries: Any, k: int | None = None, *, limit: int | None = None, threads: int = 0
    ) -> tuple[Any, Any, Any]: ...
    def insert(self, fingerprints: Any, ids: Any | None = None) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> HammingIndex: ...
    def __exit__(self, *exception: object) -> None: ...
    def __len__(self) -> int: ...

def simhash(texts: Any, recipe: str | None = None, *, key: str | None = None, threads: int = 0) -> Any: ...
def sketch(texts: Any, recipe: str | None = None, *, key: str | None = None, threads: int = 0) -> Sketches: ...
def keywords(function: str) -> str: ...
'''

INDEX = '''    def remove(self, names: list[str], *, sweep: str | None = None) -> dict[str, Any]: ...
    def lost(
        self, url: str, *, at: str | None = None, contained: float | None = None, limit: int | None = None
    ) -> dict[str, Any]: ...
    def holders(
        self, text: str | bytes | None = None, *, url: str | None = None, contained: float | None = None
    ) -> dict[str, Any]: ...
    def changes(self, *, threshold: float | None = None) -> dict[str, Any]: ...
    def info(self) -> dict[str, Any]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Index: ...
    def __exit__(self, *exception: object) -> None: ...
'''


def keywords(verb):
    """The keywords of a verb; one with a letter has that, too."""
    for name, short, *rest in _lookalike.parameters(verb):
        yield keyword(SHORTER.get(name, name), *rest)
        if short is not None:
            yield keyword(short, *rest[:2], None)


def keyword(name, value, repeats, default):
    """A keyword with its type and default."""
    kind = "bool" if value is None else TYPES.get(value, "str | int | float")
    if repeats:
        kind = f"{kind} | list[{kind}]"
    if value is None:
        return f"{name}: {kind} = False"
    if default is None:
        return f"{name}: {kind} | None = None"
    # a default in words is not of the type: "off", "2-3"
    number = default.replace(".", "", 1).isdigit()
    return f"{name}: {kind} | None = {default}" if number else f"{name}: {kind} | str | None = {default!r}"


def function(name, verb, first, result, own=(), indent=""):
    """A function whose keywords are flags of a verb."""
    taken = {word.partition(":")[0] for word in [*first, *own]}
    flags = [word for word in keywords(verb) if word.partition(":")[0] not in taken]
    lines = [f"{indent}def {name}("]
    lines += [f"{indent}    {word}," for word in [*first, *own, *flags]]
    return "\n".join([*lines, f"{indent}) -> {result}: ..."]) + "\n"


def stubs():
    """The whole file."""
    watched = ["progress: Progress | None = None"]
    pairs = [*watched, "pairs: bool = False"]
    parts = [HEAD, CLASSES]
    parts.append(function("scan", "scan", ["*data: Documents"], "Report", pairs))
    parts.append(function("copies", "copies", ["*data: Documents"], "Report", watched))
    parts.append(function("recluster", "recluster", ["run: Path", "*"], "Report"))
    parts.append(function("dedup", "dedup", ["*data: Documents"], "Deduplicated", [*watched, "output: Path | None = None"]))
    parts.append(function("compare", "compare", ["a: str | PathLike[str]", "b: str | PathLike[str]", "*"], "dict[str, Any]"))
    parts.append("\nclass Index:\n    recipe: str\n    def __init__(self, path: Path, *, key: str | None = None) -> None: ...\n")
    parts.append("    @staticmethod\n    def open(path: Path, *, key: str | None = None) -> Index: ...\n    @staticmethod\n")
    parts.append(function("build", "index build", ["path: Path", "*data: Documents"], "Index", watched, "    "))
    parts.append(function("add", "index add", ["self", "*data: Documents"], "dict[str, Any]", watched, "    "))
    question = ["self", "text: str | bytes | None = None", "*", "url: str | None = None"]
    parts.append(function("query", "query", question, "dict[str, Any]", (), "    "))
    parts.append(function("query_many", "query", ["self", "*data: Documents"], "list[dict[str, Any]]", watched, "    "))
    parts.append(INDEX)
    return "".join(parts)


compile(stubs(), FILE.name, "exec")
if "--check" in sys.argv:
    if FILE.read_text() != stubs():
        sys.exit(f"{FILE} is not what the table of flags says; run stubs.py")
else:
    FILE.write_text(stubs())
