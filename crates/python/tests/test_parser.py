"""The wheel has the parser program in it, and says what it needs where it has none."""

import os
import pathlib
import subprocess
import sys

import lookalike

PROGRAM = "function area(w, h)\n  local total = w * h\n  if total > 10 then return total end\n  return 0\nend\n"
MAIL = "From: a@b.example\nSubject: minutes\nMIME-Version: 1.0\n\n" + " ".join(f"word{n}" for n in range(60)) + "\n"

# prints how many files were read word by word, how many documents were skipped, and why
READ = """
import lookalike, sys
copies = lookalike.copies(sys.argv[1]).to_dict()
reasons = [f["degraded"] for s in copies["passages"]["submissions"] for f in s["files"] if f.get("degraded")]
skipped = lookalike.scan(sys.argv[2]).skipped.to_pylist()
print(len(reasons), len(skipped), sorted({*reasons, *(row["reason"] for row in skipped)}))
"""


def folders(tmp_path):
    code, mails = tmp_path / "code", tmp_path / "mails"
    code.mkdir()
    mails.mkdir()
    for name in "ab":
        (code / f"{name}.lua").write_text(PROGRAM)
        (mails / f"{name}.eml").write_text(MAIL)
        (mails / f"{name}.txt").write_text(MAIL.split("\n\n")[1])
    return [str(code), str(mails)]


def read(tmp_path, parser=None):
    environment = dict(os.environ)
    environment.pop("LOOKALIKE_PARSER", None)
    if parser:
        environment["LOOKALIKE_PARSER"] = str(parser)
    command = [sys.executable, "-c", READ, *folders(tmp_path)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100)


def test_the_wheel_has_the_parser(tmp_path):
    assert os.access(pathlib.Path(lookalike.__file__).parent / "lookalike-parser", os.X_OK)
    assert read(tmp_path).stdout == "0 0 []\n"


def test_another_parser_is_refused_by_name(tmp_path):
    other = tmp_path / "other-parser"
    other.write_text("#!/bin/sh\nprintf 'other bu'; cat > /dev/null\n")
    other.chmod(0o755)
    said = read(tmp_path, other).stdout
    assert said.startswith("2 2 [") and "needs lookalike-parser" in said and "other-parser is of another build" in said, said


def test_a_parser_that_does_not_exist_is_an_error(tmp_path):
    ended = read(tmp_path, tmp_path / "no-such-parser")
    assert ended.returncode == 1 and "FileNotFoundError" in ended.stderr and "no-such-parser" in ended.stderr, ended.stderr
