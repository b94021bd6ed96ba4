"""spark_answers.py PART ANSWER.json …: what runs of `lookalike.spark` gave, held against the command.

removals A B                 rows of two tables of removals that are not in both; a table is a Parquet file or a folder of them
pairs A PAIRS.tsv            the same of pairs of fingerprints, against what `lookalike simhash batch` writes
parquet NUMBERS.u64 FILE     little-endian numbers as a Parquet file: id, fingerprint
"""

import json
import sys

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq

REMOVALS = ["id", "duplicate_of", "class", "resemblance", "containment", "contained_by"]
ROWS = 1_000_000


def removals(one, other):
    # all digits of all numbers: the same bytes
    rows = [set(zip(*(column.to_pylist() for column in pq.read_table(path, columns=REMOVALS).columns))) for path in (one, other)]
    count = pq.read_table(one, columns=["id"]).num_rows
    return {"rows": count, "differing": len(rows[0] ^ rows[1]) + count - len(rows[0]), "example": min(rows[0] ^ rows[1], key=repr, default=None)}


def pairs(found, told):
    found = pq.read_table(found, columns=["query_id", "id", "distance"])
    told = csv.read_csv(told, parse_options=csv.ParseOptions(delimiter="\t"))
    columns = [[np.asarray(column, "int64") for column in table.columns] for table in (found, told)]
    one, other = (np.stack([c[np.lexsort(some[::-1])] for c in some]) for some in columns)
    if one.shape == other.shape:
        differing = int((one != other).any(axis=0).sum())
    else:
        differing = abs(one.shape[1] - other.shape[1])
    return {"rows": found.num_rows, "differing": differing}


def parquet(numbers, file):
    numbers = np.memmap(numbers, "<i8", mode="r")
    schema = pa.schema([("id", pa.int64()), ("fingerprint", pa.int64())])
    # random numbers are not smaller in any other form
    with pq.ParquetWriter(file, schema, compression="none", use_dictionary=False) as out:
        for first in range(0, len(numbers), ROWS):
            some = np.asarray(numbers[first : first + ROWS])
            out.write_table(pa.table([np.arange(first, first + len(some)), some], schema=schema))
    return {"rows": len(numbers)}


part, answer, *arguments = sys.argv[1:]
found = {"removals": removals, "pairs": pairs, "parquet": parquet}[part](*arguments)
with open(answer, "w") as out:
    json.dump(found, out)
