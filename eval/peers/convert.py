"""convert.py CORPUS.jsonl FILE: the same documents as .parquet (zstd, 10,000 rows a group) or as .jsonl.zst.

convert.py --ids FILE IDS: the ids of a corpus, one a line; a folder is what `datasets` saves.
"""

import pathlib
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard
from common import documents

ROWS = 10_000


def convert(corpus: str, file: str) -> None:
    if file.endswith(".zst"):
        with open(corpus, "rb") as source, open(file, "wb") as out:
            zstandard.ZstdCompressor().copy_stream(source, out)
        return
    schema = pa.schema([("id", pa.string()), ("text", pa.string())])
    with pq.ParquetWriter(file, schema, compression="zstd") as out:
        rows = []
        for row in documents(corpus):
            rows.append(row)
            if len(rows) == ROWS:
                out.write_table(pa.table([list(column) for column in zip(*rows)], schema=schema))
                rows = []
        if rows:
            out.write_table(pa.table([list(column) for column in zip(*rows)], schema=schema))


def ids(corpus: str):
    if pathlib.Path(corpus).is_dir():
        for file in sorted(pathlib.Path(corpus).glob("*.arrow")):
            for batch in pa.ipc.open_stream(str(file)):
                yield from batch["id"].to_pylist()
    elif corpus.endswith(".parquet"):
        for batch in pq.ParquetFile(corpus).iter_batches(columns=["id"]):
            yield from batch["id"].to_pylist()
    else:
        yield from (id for id, _ in documents(corpus))


if sys.argv[1] == "--ids":
    with open(sys.argv[3], "w", encoding="utf-8") as out:
        out.writelines(f"{id}\n" for id in ids(sys.argv[2]))
else:
    convert(sys.argv[1], sys.argv[2])
