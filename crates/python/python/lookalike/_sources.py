"""Collections that need a word of Python to become Arrow streams."""


def table_of(item, text):
    """A table, where a package has one under another name; else the item as it is. A column of texts is a table with that column."""
    kind = type(item)
    module, name = kind.__module__.partition(".")[0], kind.__name__
    if module == "datasets":
        return _dataset(item, name)
    if module == "polars":
        if name == "LazyFrame":
            raise TypeError("expected a table, found a polars LazyFrame; collect() it first")
        return item.to_frame(text) if name == "Series" else item
    if module == "pandas" and name != "DataFrame":
        import pyarrow as pa

        return pa.table({text: pa.Array.from_pandas(item)})
    if module == "pyarrow":
        if hasattr(item, "scanner"):
            return item.scanner().to_reader()
        if name == "Scanner":
            return item.to_reader()
        if hasattr(item, "to_pylist") and not hasattr(item, "schema"):
            import pyarrow as pa

            return pa.table({text: item})
    return item


def _dataset(dataset, name):
    """A data set of Hugging Face, with the rows that it has chosen."""
    if name.endswith("DatasetDict"):
        splits = ", ".join(map(str, dataset))
        raise TypeError(f"expected one data set, found a {name} of {splits}; choose one of them")
    if not hasattr(dataset, "with_format"):
        # a column
        return iter(dataset)
    if getattr(dataset, "features", None) is None:
        # what a generator gives is not known before
        return iter(dataset)
    import pyarrow as pa

    shown = dataset.with_format("arrow")
    schema = shown.features.arrow_schema

    def batches():
        for table in shown.iter(batch_size=1000):
            yield from table.cast(schema).to_batches()

    return pa.RecordBatchReader.from_batches(schema, batches())


def with_labels(frame, index, rows):
    """The frame of the rows that stay, with the labels that they had: a range does not say which are missing."""
    frame.index = index.take(rows)
    return frame
