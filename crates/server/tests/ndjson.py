"""How schemathesis writes the body of a batch: it knows no lines of JSON."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    return "".join(json.dumps(line) + "\n" for line in (value if isinstance(value, list) else [value])).encode()
