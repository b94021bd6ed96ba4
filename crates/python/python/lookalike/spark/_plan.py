"""What a corpus of a size takes."""


def plan(documents=0, bytes=0, *, fingerprints=0, cores=64):
    return ""
