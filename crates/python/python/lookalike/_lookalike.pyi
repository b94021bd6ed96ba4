"""The compiled part of lookalike. Made by stubs.py from the table of flags: do not edit."""

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
def scan(
    *data: Documents,
    progress: Progress | None = None,
    pairs: bool = False,
    lens: str | None = None,
    words: int | None = 10,
    w: int | None = None,
    sketch: str | int | float | str | None = 'nested:100',
    avg_chunk: str | int | float | None = 1000,
    refine: str | int | float | None = None,
    exact: bool = False,
    ngrams: int | str | None = '2-3',
    stop_words: str | int | float | None = None,
    weight: str | int | float | str | None = 'log',
    idf: Path | None = None,
    bits: int | None = 64,
    format: str | int | float | str | None = 'auto',
    select: str | int | float | None = None,
    drop: str | int | float | None = None,
    key: str | int | float | None = None,
    threshold: float | None = 0.5,
    contained: float | str | None = 'off',
    min_words: int | None = None,
    relation: str | int | float | list[str | int | float] | None = None,
    disagreement: str | int | float | list[str | int | float] | None = None,
    min_shared: int | str | None = 0,
    distance: int | None = 3,
    verify: bool = False,
    length_ratio: float | None = None,
    max_df: str | int | float | None = None,
    boilerplate: str | int | float | str | None = 'drop',
    linkage: str | int | float | str | None = 'star',
    keep: str | int | float | list[str | int | float] | None = None,
    decisions: Path | None = None,
    against: Path | None = None,
    templates: str | int | float | None = None,
    estimate: bool = False,
    candidates: str | int | float | str | None = 'shingles',
    id: str | str | None = 'id',
    text: str | str | None = 'text',
    features_field: str | None = None,
    category_field: str | None = None,
    include: str | int | float | list[str | int | float] | None = None,
    exclude: str | int | float | list[str | int | float] | None = None,
    hidden: bool = False,
    no_ignore: bool = False,
    ignore_files: bool = False,
    follow_links: bool = False,
    one_fs: bool = False,
    min_size: int | str | None = 0,
    max_size: int | str | str | None = '64M',
    memory: int | str | None = None,
    threads: int | None = 0,
    j: int | None = None,
    tmp: Path | None = None,
    cache: Path | None = None,
) -> Report: ...
def copies(
    *data: Documents,
    progress: Progress | None = None,
    lang: str | int | float | str | None = 'auto',
    kgram: str | int | float | None = None,
    k: str | int | float | None = None,
    guarantee: str | int | float | None = None,
    t: str | int | float | None = None,
    keep_identifiers: bool = False,
    keep_literals: bool = False,
    keep_comments: bool = False,
    key: str | int | float | None = None,
    threshold: float | None = None,
    min_similarity: float | None = None,
    max_df: str | int | float | None = None,
    decisions: Path | None = None,
    limit: int | None = None,
    id: str | str | None = 'id',
    text: str | str | None = 'text',
    include: str | int | float | list[str | int | float] | None = None,
    exclude: str | int | float | list[str | int | float] | None = None,
    hidden: bool = False,
    no_ignore: bool = False,
    follow_links: bool = False,
    one_fs: bool = False,
    min_size: int | str | None = 0,
    max_size: int | str | str | None = '64M',
    memory: int | str | None = None,
    threads: int | None = 0,
    j: int | None = None,
    tmp: Path | None = None,
    per_folder: bool = False,
    base: str | int | float | list[str | int | float] | None = None,
    archive: str | int | float | list[str | int | float] | None = None,
    owner: str | int | float | None = None,
    info: Path | None = None,
) -> Report: ...
def recluster(
    run: Path,
    *,
    threshold: float | None = None,
    contained: float | None = None,
    min_shared: int | str | None = None,
    distance: int | None = None,
    length_ratio: float | None = None,
    linkage: str | int | float | None = None,
    templates: str | int | float | None = None,
) -> Report: ...
def dedup(
    *data: Documents,
    progress: Progress | None = None,
    output: Path | None = None,
    words: int | None = 5,
    w: int | None = None,
    sketch: str | int | float | str | None = 'nested:100',
    select: str | int | float | None = None,
    drop: str | int | float | None = None,
    threshold: float | None = 0.8,
    contained: float | str | None = 'off',
    min_words: int | None = None,
    max_df: str | int | float | None = 1000,
    boilerplate: str | int | float | str | None = 'keep',
    linkage: str | int | float | str | None = 'star',
    keep: str | int | float | list[str | int | float] | None = None,
    decisions: Path | None = None,
    like: str | int | float | None = None,
    source_field: str | None = None,
    drop_only_from: str | int | float | list[str | int | float] | None = None,
    against: str | int | float | list[str | int | float] | None = None,
    against_field: str | str | None = 'text',
    against_share: float | None = 0.5,
    update: Path | None = None,
    paragraphs: str | int | float | None = None,
    exact_substrings: int | None = None,
    allow_damaged: bool = False,
    resume: bool = False,
    id: str | str | None = 'id',
    text: str | str | None = 'text',
    include: str | int | float | list[str | int | float] | None = None,
    exclude: str | int | float | list[str | int | float] | None = None,
    hidden: bool = False,
    no_ignore: bool = False,
    follow_links: bool = False,
    one_fs: bool = False,
    min_size: int | str | None = 0,
    max_size: int | str | str | None = '64M',
    memory: int | str | None = None,
    threads: int | None = 0,
    j: int | None = None,
    tmp: Path | None = None,
) -> Deduplicated: ...
def compare(
    a: str | PathLike[str],
    b: str | PathLike[str],
    *,
    lens: str | None = None,
    words: int | None = 10,
    w: int | None = None,
    sketch: str | int | float | str | None = 'nested:100',
    ngrams: int | str | None = '2-3',
    stop_words: str | int | float | None = None,
    weight: str | int | float | str | None = 'log',
    idf: Path | None = None,
    bits: int | None = 64,
    format: str | int | float | str | None = 'auto',
    select: str | int | float | None = None,
    drop: str | int | float | None = None,
    key: str | int | float | None = None,
    threshold: float | None = 0.5,
    contained: float | None = 0.9,
    min_words: int | None = None,
    distance: int | None = 3,
    boilerplate: str | int | float | str | None = 'drop',
    max_size: int | str | str | None = '64M',
    memory: int | str | None = None,
    tmp: Path | None = None,
) -> dict[str, Any]: ...

class Index:
    recipe: str
    def __init__(self, path: Path, *, key: str | None = None) -> None: ...
    @staticmethod
    def open(path: Path, *, key: str | None = None) -> Index: ...
    @staticmethod
    def build(
        path: Path,
        *data: Documents,
        progress: Progress | None = None,
        lens: str | None = None,
        words: int | None = 10,
        w: int | None = None,
        sketch: str | int | float | str | None = 'nested:100',
        avg_chunk: str | int | float | None = 1000,
        ngrams: int | str | None = '2-3',
        stop_words: str | int | float | None = None,
        weight: str | int | float | str | None = 'log',
        idf: Path | None = None,
        bits: int | None = 64,
        lang: str | int | float | str | None = 'auto',
        kgram: str | int | float | None = None,
        k: str | int | float | None = None,
        guarantee: str | int | float | None = None,
        t: str | int | float | None = None,
        keep_identifiers: bool = False,
        keep_literals: bool = False,
        keep_comments: bool = False,
        format: str | int | float | str | None = 'auto',
        select: str | int | float | None = None,
        drop: str | int | float | None = None,
        key: str | int | float | None = None,
        threshold: float | None = 0.5,
        contained: float | str | None = 'off',
        max_df: str | int | float | None = 1000,
        boilerplate: str | int | float | str | None = 'drop',
        id: str | str | None = 'id',
        text: str | str | None = 'text',
        features_field: str | None = None,
        include: str | int | float | list[str | int | float] | None = None,
        exclude: str | int | float | list[str | int | float] | None = None,
        hidden: bool = False,
        no_ignore: bool = False,
        ignore_files: bool = False,
        follow_links: bool = False,
        one_fs: bool = False,
        min_size: int | str | None = 0,
        max_size: int | str | str | None = '64M',
        memory: int | str | None = None,
        threads: int | None = 0,
        j: int | None = None,
        tmp: Path | None = None,
        sweep: str | int | float | None = None,
    ) -> Index: ...
    def add(
        self,
        *data: Documents,
        progress: Progress | None = None,
        words: int | None = None,
        w: int | None = None,
        sketch: str | int | float | None = None,
        avg_chunk: str | int | float | None = None,
        ngrams: int | None = None,
        stop_words: str | int | float | None = None,
        weight: str | int | float | None = None,
        idf: Path | None = None,
        bits: int | None = None,
        format: str | int | float | None = None,
        key: str | int | float | None = None,
        id: str | str | None = 'id',
        text: str | str | None = 'text',
        features_field: str | None = None,
        include: str | int | float | list[str | int | float] | None = None,
        exclude: str | int | float | list[str | int | float] | None = None,
        hidden: bool = False,
        no_ignore: bool = False,
        ignore_files: bool = False,
        follow_links: bool = False,
        one_fs: bool = False,
        min_size: int | str | None = 0,
        max_size: int | str | str | None = '64M',
        memory: int | str | None = None,
        threads: int | None = 0,
        j: int | None = None,
        tmp: Path | None = None,
        sweep: str | int | float | None = None,
    ) -> dict[str, Any]: ...
    def query(
        self,
        text: str | bytes | None = None,
        *,
        url: str | None = None,
        idf: Path | None = None,
        guarantee: str | int | float | None = None,
        t: str | int | float | None = None,
        key: str | int | float | None = None,
        threshold: float | None = None,
        contained: float | None = None,
        min_similarity: float | None = None,
        min_shared: int | str | None = 0,
        distance: int | None = 3,
        verify: bool = False,
        max_df: str | int | float | None = 0.5,
        boilerplate: str | int | float | str | None = 'drop',
        limit: int | None = 20,
        id: str | str | None = 'id',
        features_field: str | None = None,
        max_size: int | str | str | None = '64M',
        threads: int | None = 0,
        j: int | None = None,
    ) -> dict[str, Any]: ...
    def query_many(
        self,
        *data: Documents,
        progress: Progress | None = None,
        idf: Path | None = None,
        guarantee: str | int | float | None = None,
        t: str | int | float | None = None,
        key: str | int | float | None = None,
        threshold: float | None = None,
        contained: float | None = None,
        min_similarity: float | None = None,
        min_shared: int | str | None = 0,
        distance: int | None = 3,
        verify: bool = False,
        max_df: str | int | float | None = 0.5,
        boilerplate: str | int | float | str | None = 'drop',
        limit: int | None = 20,
        id: str | str | None = 'id',
        text: str | str | None = 'text',
        features_field: str | None = None,
        max_size: int | str | str | None = '64M',
        threads: int | None = 0,
        j: int | None = None,
    ) -> list[dict[str, Any]]: ...
    def remove(self, names: list[str], *, sweep: str | None = None) -> dict[str, Any]: ...
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
