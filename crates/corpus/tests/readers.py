"""Tables as other tools write and read them: pyarrow, pandas, polars and DuckDB.

readers.py LOOKALIKE SHARD   writes tables of all kinds, lets both programs write them again, and reads what they wrote

LOOKALIKE is the command: `dedup`, of all tables together and of each alone, and `dedup --annotate`. SHARD is the example of
lookalike-corpus, which drops every fifth row, or adds columns to all.
"""

import datetime
import decimal
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq

EVERY = 5
ADDED = ["lookalike_duplicate_of", "lookalike_resemblance", "lookalike_containment", "lookalike_class", "lookalike_cluster"]
DUPLICATES = ["id", "file", "row", "duplicate_of", "duplicate_of_file", "duplicate_of_row", "resemblance", "containment", "contained_by"]
DUPLICATES += ["class", "cluster", "source", "verified"]
FLAT = ["id", "text", "date", "float", "bool", "required"]
ROWS = 2100
rng = random.Random(20)


def maybe(value):
    return None if rng.random() < 0.2 else value


def text():
    words = ("w%d" % rng.randrange(500) for _ in range(rng.randrange(1, 80)))
    return " ".join(words) + rng.choice(["", "", ', "quoted"', "\nnext line", "\r\n", " é", "\t"])


def texts():
    """Some of them twice."""
    made = []
    for row in range(ROWS):
        made.append(made[row // 2] if row % 9 == 8 else maybe(text()))
    return made


def column(kind, value):
    return pa.array([maybe(value(row)) for row in range(ROWS)], kind)


def table():
    pair = pa.struct([("a", pa.int64()), ("b", pa.list_(pa.struct([("c", pa.string())])))])
    columns = {
        "id": pa.array([None if row % 7 == 0 else row for row in range(ROWS)], pa.uint32()),
        "text": pa.array(texts(), pa.string()),
        "category": column(pa.string(), lambda row: rng.choice("abc")).dictionary_encode(),
        "decimal": column(pa.decimal128(20, 2), lambda row: decimal.Decimal(rng.randrange(10**9)) / 100),
        "wide_decimal": column(pa.decimal256(50, 2), lambda row: decimal.Decimal(rng.randrange(10**9)) / 100),
        "moment": column(pa.timestamp("us", "UTC"), lambda row: datetime.datetime(2020, 1, 1) + datetime.timedelta(row)),
        "local": column(pa.timestamp("ns"), lambda row: row * 10**12),
        "date": column(pa.date32(), lambda row: row),
        "time": column(pa.time64("us"), lambda row: row),
        "duration": column(pa.duration("ms"), lambda row: row),
        "bytes": column(pa.binary(), lambda row: rng.randbytes(rng.randrange(5))),
        "fixed": column(pa.binary(7), lambda row: rng.randbytes(7)),
        "half": column(pa.float16(), lambda row: row % 100 / 8),
        "float": column(pa.float32(), lambda row: rng.random()),
        "bool": column(pa.bool_(), lambda row: rng.random() < 0.5),
        "null": pa.nulls(ROWS),
        "list": column(pa.list_(pa.int16()), lambda row: [maybe(x) for x in range(rng.randrange(5))]),
        "lists": column(
            pa.large_list(pa.list_(pa.large_string())),
            lambda row: [maybe([maybe(str(y)) for y in range(rng.randrange(4))]) for _ in range(rng.randrange(4))],
        ),
        "struct": column(pair, lambda row: {"a": maybe(row), "b": maybe([{"c": maybe(str(row))}] * rng.randrange(3))}),
        "map": column(pa.map_(pa.string(), pa.int32()), lambda row: [(str(x), maybe(x)) for x in range(rng.randrange(4))]),
        "vector": column(pa.list_(pa.float64(), 3), lambda row: [1.0, None, float(row)]),
        "required": pa.array(range(ROWS), pa.int64()),
    }
    made = pa.table(columns)
    required = pa.field("required", pa.int64(), nullable=False, metadata={"key": "value"})
    schema = made.schema.set(made.schema.get_field_index("required"), required)
    features = json.dumps({"info": {"features": {"id": {"dtype": "uint32", "_type": "Value"}}}})
    return made.cast(schema).replace_schema_metadata({"mine": "x", "huggingface": features})


def simple(made):
    """What all tools can hold."""
    return made.select(["id", "text", "date", "float", "bool", "list", "required"])


def flat(made):
    return made.select(FLAT)


def write(folder):
    folder.mkdir(parents=True, exist_ok=True)
    wide = table()
    # polars has no such decimals
    made = wide.drop_columns(["wide_decimal"])
    for at, codec in enumerate(["zstd", "snappy", "gzip", "lz4", "none"]):
        options = {
            "compression": codec,
            "row_group_size": 700,
            "data_page_size": 5000,
            "data_page_version": "2.0" if at % 2 else "1.0",
            "use_dictionary": at != 2,
            "write_page_index": at % 2 == 0,
            "write_page_checksum": at == 0,
            "use_deprecated_int96_timestamps": at == 3,
        }
        if at == 1:
            options["sorting_columns"] = pq.SortingColumn.from_ordering(made.schema, [("required", "ascending")])
        if at == 2:
            options["column_encoding"] = {"required": "DELTA_BINARY_PACKED", "text": "DELTA_BYTE_ARRAY", "float": "BYTE_STREAM_SPLIT"}
        pq.write_table(wide if at == 2 else made, folder / f"pyarrow-{codec}.parquet", **options)
    frame = simple(made).to_pandas()
    frame["category"] = made["category"].to_pandas()
    frame.to_parquet(folder / "pandas.parquet")
    polars.from_arrow(simple(made)).write_parquet(folder / "polars.parquet", row_group_size=700)
    t = simple(made)
    duckdb.sql(f"copy t to '{folder}/duckdb.parquet' (format parquet, codec zstd, row_group_size 2048)")
    duckdb.sql(f"copy t to '{folder}/duckdb2.parquet' (format parquet, parquet_version v2)")

    for name, codec in [("lz4", "lz4"), ("zstd", "zstd"), ("plain", "uncompressed")]:
        pa.feather.write_feather(made, folder / f"pyarrow-{name}.feather", compression=codec, chunksize=700)
    with pa.ipc.new_stream(folder / "pyarrow-stream.arrow", made.schema) as out:
        out.write_table(made, max_chunksize=700)
    polars.from_arrow(simple(made)).write_ipc(folder / "polars.arrow", compression="zstd")
    polars.from_arrow(simple(made)).write_ipc_stream(folder / "polars-stream.arrow")

    pa.csv.write_csv(flat(made), folder / "pyarrow.csv")
    flat(made).to_pandas().to_csv(folder / "pandas.csv", index=False)
    flat(made).to_pandas().to_csv(folder / "pandas.tsv.gz", index=False, sep="\t")
    polars.from_arrow(flat(made)).write_csv(folder / "polars.csv")
    f = flat(made)
    duckdb.sql(f"copy f to '{folder}/duckdb.csv' (header)")


def same(original, copy, rows, what):
    """Values one by one, as text: dictionaries may be in another order, and not a number is not itself."""
    assert copy.num_rows == len(rows), (what, len(rows), copy.num_rows)
    for name in original.column_names:
        assert original[name].type == copy[name].type, (what, name, original[name].type, copy[name].type)
        values = original[name].to_pylist()
        assert repr([values[row] for row in rows]) == repr(copy[name].to_pylist()), (what, name)


def load(path):
    """The table of one file, by each tool that reads it."""
    name = str(path)
    if ".parquet" in path.name:
        yield "pyarrow", lambda: pq.read_table(path)
        yield "pandas", lambda: pa.Table.from_pandas(pandas.read_parquet(path, dtype_backend="pyarrow"), preserve_index=False)
        yield "polars", lambda: polars.read_parquet(path).to_arrow()
        yield "duckdb", lambda: duckdb.sql(f"select * from read_parquet('{name}')").to_arrow_table()
    elif ".csv" in path.name or ".tsv" in path.name:
        tab = "\t" if ".tsv" in path.name else ","
        yield "pandas", lambda: pa.Table.from_pandas(pandas.read_csv(path, sep=tab, dtype="string"), preserve_index=False)
        yield "polars", lambda: polars.read_csv(path, separator=tab, infer_schema=False).to_arrow()
        options = pa.csv.ParseOptions(delimiter=tab, newlines_in_values=True)
        # CSV has no schema
        strings = pa.csv.ConvertOptions(column_types={name: pa.string() for name in FLAT})
        yield "pyarrow", lambda: pa.csv.read_csv(path, parse_options=options, convert_options=strings)
        yield "duckdb", lambda: duckdb.sql(f"select * from read_csv('{name}', delim='{tab}', header=true, quote='\"', escape='\"', all_varchar=true, strict_mode=false)").to_arrow_table()
    else:
        yield "pyarrow", lambda: arrow(path)
        stream = "stream" in path.name
        yield "polars", lambda: (polars.read_ipc_stream if stream else polars.read_ipc)(path).to_arrow()


def arrow(path):
    with open(path, "rb") as file:
        if file.read(6) == b"ARROW1":
            return pa.ipc.open_file(path).read_all()
        file.seek(0)
        return pa.ipc.open_stream(file).read_all()


def compared(path, *copies):
    """What each tool reads of the original and of its copies; not every tool holds every type."""
    for (tool, original), *others in zip(load(path), *map(load, copies)):
        try:
            original = original()
        except Exception as error:
            print(f"{path.name}: {tool} does not read the original: {str(error)[:90]}")
            continue
        yield f"{path.name} in {tool}", original, *(read() for _, read in others)


def check_copy(path, out, rows):
    """A copy has these rows, and the schema of the original."""
    count = 0
    for what, original, copy in compared(path, out):
        assert copy.schema.equals(original.schema, check_metadata=True), (what, original.schema, copy.schema)
        same(original, copy, rows, what)
        count += 1
    if ".parquet" in path.name:
        check_layout(path, out)
    return count


def check_annotated(path, out):
    """A copy with all rows and more columns; returns which rows it says are duplicates."""
    duplicates = None
    for what, original, more in compared(path, out):
        assert more.column_names == original.column_names + ADDED, (what, more.column_names)
        same(original, more.select(original.column_names), range(original.num_rows), what)
        marks = [row for row, of in enumerate(more[ADDED[0]].to_pylist()) if of]
        assert duplicates in (None, marks), what
        duplicates = marks
    return duplicates


def removed_rows(path):
    """The rows that went, by file, as every tool reads them."""
    (_, first), *others = [(tool, read()) for tool, read in load(path)]
    assert first.column_names == DUPLICATES, first.column_names
    for tool, other in others:
        assert other.column_names == DUPLICATES, (tool, other.column_names)
        assert repr(other.to_pylist()) == repr(first.to_pylist()), tool
    rows = {}
    for row in first.to_pylist():
        rows.setdefault(pathlib.Path(row["file"]).name, set()).add(row["row"])
    return rows


def check_shards(folder, shard):
    count = 0
    for kind in ["out", "annotated"]:
        (folder / kind).mkdir()
    for path in sorted((folder / "in").iterdir()):
        out, annotated = folder / "out" / path.name, folder / "annotated" / path.name
        run(shard, "copy", path, out, EVERY)
        run(shard, "copy", path, annotated, EVERY, "annotate")
        count += check_copy(path, out, [row for row in range(ROWS) if row % EVERY != EVERY - 1])
        assert check_annotated(path, annotated) == list(range(0, ROWS, EVERY)), path
    print(f"{count} tables are the same")


def check_dedup(inputs, out, lookalike, how):
    """What the command writes: the rows that duplicates.parquet does not name, or all of them with marks at those that it names."""
    run(lookalike, "dedup", *inputs, "-o", out, "--quiet", *how)
    removed = removed_rows(out / "duplicates.parquet")
    tables = [path for given in inputs for path in (sorted(given.iterdir()) if given.is_dir() else [given])]
    assert removed and set(removed) <= {path.name for path in tables}, set(removed)
    for path in tables:
        gone, copy = removed.get(path.name, set()), out / "corpus" / path.name
        if how:
            assert check_annotated(path, copy) == sorted(gone), path
        else:
            check_copy(path, copy, [row for row in range(ROWS) if row not in gone])
    return sum(map(len, removed.values())), len(tables) * ROWS


def check_command(folder, lookalike):
    tables = folder / "in"
    for how in [[], ["--annotate"]]:
        gone, of = check_dedup([tables], folder / "".join(["dedup", *how]), lookalike, how)
        # all tables have the same texts, but for the short ones and what CSV cannot hold
        assert of // 2 < gone < of, (gone, of)
    for path in sorted(tables.iterdir()):
        gone, of = check_dedup([path], folder / f"dedup-{path.name}", lookalike, [])
        assert of // 20 < gone < of // 5, (path, gone, of)
    print("dedup leaves the tables as they are, but for what duplicates.parquet names")


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert done.returncode == 0, (command, done.returncode, done.stderr)


def check_layout(path, out):
    a, b = pq.read_metadata(path), pq.read_metadata(out)
    assert a.num_row_groups == b.num_row_groups and a.format_version == b.format_version, path
    for group in range(a.num_row_groups):
        x, y = a.row_group(group), b.row_group(group)
        assert x.sorting_columns == y.sorting_columns, path
        for at in range(a.num_columns):
            c, d = x.column(at), y.column(at)
            assert c.compression == d.compression, (path, c.path_in_schema)
            assert c.has_dictionary_page == d.has_dictionary_page or d.num_values == 0, (path, c.path_in_schema)
            assert (c.has_column_index, c.has_offset_index) == (d.has_column_index, d.has_offset_index), path


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        write(pathlib.Path(made) / "in")
        check_shards(pathlib.Path(made), sys.argv[2])
        check_command(pathlib.Path(made), sys.argv[1])
