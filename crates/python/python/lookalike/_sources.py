"""Collections that need a word of Python to become Arrow streams."""


def batches_of_dataset(dataset):
    """A data set of Hugging Face, with the rows that it has chosen, batch by batch."""
    import pyarrow as pa

    shown = dataset.with_format("arrow")
    schema = shown.features.arrow_schema

    def batches():
        for table in shown.iter(batch_size=1000):
            yield from table.cast(schema).to_batches()

    return pa.RecordBatchReader.from_batches(schema, batches())


def column_of_texts(texts):
    """Texts as a table with one column, if they are a column of Arrow or polars; else as they are."""
    module = type(texts).__module__.partition(".")[0]
    if module == "polars" and hasattr(texts, "to_frame"):
        return texts.to_frame("text")
    if module == "pyarrow" and hasattr(texts, "to_pylist") and not hasattr(texts, "schema"):
        import pyarrow as pa

        return pa.table({"text": texts})
    return texts
