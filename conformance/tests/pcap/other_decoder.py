#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""other_decoder: pcaps/tools/run_decoder.py holds a decoder that is not ours against the manifest, as pcaps/README.md says.

other_decoder.py PCAPS            runs refdec through it, right and wrong
other_decoder.py names CAPTURE... the adapter that the README shows: the names of the PDUs
"""

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stdout

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "pcaps", "tools")


def names(capture, *options):
    """The names that refdec has for the PDUs."""
    sys.path.insert(0, TOOLS)
    import refdec
    words = {"-d": "--decode-port"}
    said = io.StringIO()
    with redirect_stdout(said):
        refdec.main([capture, *(words.get(o, o.removeprefix("tcp.port==")) for o in options)])
    for line in map(json.loads, said.getvalue().splitlines()):
        print(line.get("rdmap", {}).get("name", "fpdu") if line["pdu"] in ("fpdu", "ddp-segment") else line["pdu"])


def run(*words):
    runner = [sys.executable, os.path.join(TOOLS, "run_decoder.py")]
    done = subprocess.run([*runner, *words], stdout=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout


def main():
    mine = [sys.executable, os.path.abspath(__file__), "names"]
    right = [run("--under", folder, *mine) for folder in ("synthetic/wireshark-defects/t", "real/siw/rping")]
    assert all(status == 0 and " 0 are not, 0 left out" in said for status, said in right), right
    status, said = run("--under", "synthetic/wireshark-defects/t1", "echo", "send")
    assert status == 1 and "send: " in said and " 0 left out" in said, said
    status, said = run("--under", "synthetic/sctp", "sh", "-c", "exit 77")
    assert status == 1 and "0 captures are right, 0 are not" in said, said
    print("a decoder of another project is held against the manifest")


if __name__ == "__main__":
    if sys.argv[1:2] == ["names"]:
        names(*sys.argv[2:])
    else:
        main()
