"""Columns of a DataFrame by name, looked at before anything runs: what is wrong in a worker is told late, and among its stack."""

from lookalike.errors import WrongInput


def column(df, name, what):
    """The column of that name, or the field of a struct (`meta.url`), and its type. `what` is the keyword that names it."""
    from pyspark.errors import AnalysisException

    if not hasattr(df, "sparkSession"):
        raise TypeError(f"expected a DataFrame of Spark, found {type(df).__name__}; lookalike.dedup() and scan() take what is in memory")
    if not isinstance(name, str):
        raise TypeError(f"{what}: expected the name of a column, found {type(name).__name__}")
    try:
        # a name with a dot in it is one name where there is such a column
        found = df[quoted(name) if name in df.columns else name]
        return found, df.select(found).schema[0].dataType
    except AnalysisException as error:
        raise _wrong(what, f"{what} in the column {name!r}", ", ".join(df.columns) or "no columns") from error


def text_column(df, name, what="text"):
    """A column of texts, or of their bytes."""
    found, kind = column(df, name, what)
    if kind.typeName() not in ("string", "binary", "char", "varchar"):
        raise _wrong(what, f"texts in the column {name!r}", kind.simpleString())
    return found


def text_hash(texts):
    """64 bits of a text, to tell whether a row has the same one when it is read again. Of no text too."""
    from pyspark.sql import functions

    return functions.xxhash64(texts)


def fingerprint_column(df, name, what="fingerprint"):
    """A column of fingerprints."""
    found, kind = column(df, name, what)
    if kind.typeName() != "long":
        raise _wrong(what, f"64 bits as bigint in the column {name!r}", kind.simpleString(), "cast it, or name another with")
    return found


def place(df, name, what):
    """The place of a column among those of a row. The field of a struct has none."""
    if name not in df.columns:
        raise _wrong(what, f"{what} in the column {name!r}", ", ".join(df.columns))
    return df.columns.index(name)


def new_columns(df, *names):
    """Refuses names that are taken."""
    taken = {name.lower() for name in df.columns}
    for name in names:
        if name.lower() in taken:
            raise WrongInput(f"expected no column {name!r} in the rows, to which one of that name is added; rename it first", found=name)


def changed_ids(name, lost, read):
    """The error of a column that has other ids when the rows are read again."""
    return WrongInput(
        f"expected the same ids in the column {name!r} at each read of the rows, found other ids the second time: {lost} of {read} "
        "were in no row with the same text; write the rows with their ids first, and read them from there (uuid(), rand() and row_number() over ties give other values at each read)",
        expected="the same ids at each read",
        found=f"{lost} of {read} ids in no row",
    )


def quoted(name):
    """A name in SQL, whatever characters it has."""
    return "`" + name.replace("`", "``") + "`"


def _wrong(what, expected, found, remedy="name the column with"):
    return WrongInput(f"expected {expected}, found {found}; {remedy} {what}=", expected=expected, found=found)
