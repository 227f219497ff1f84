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

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = os.path.join(HERE, "..", "..", "..", "pcaps", "tools")
ALL, SOME = ("synthetic/wireshark-defects/t", "real/siw/rping"), ("synthetic/wireshark-defects/t1", "real/siw/rping-6")
EMPTY = "real/siw/rping-closed-port.pcap"  # its row has no PDUs


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
    """The status, and what is printed, errors too."""
    runner = [sys.executable, os.path.join(TOOLS, "run_decoder.py")]
    done = subprocess.run([*runner, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def statuses():
    """Only status 0 can be right; 77 leaves out what nothing was printed of."""
    empty = ("--under", EMPTY)
    assert run(*empty, "true")[1] == "1 captures are right, 0 are not, 0 left out\n"
    for script, ending in (("exit 1", "status 1"), ("exit 78", "status 78"), ("kill -9 $$", "signal 9"), ("echo send; exit 77", "status 77")):
        status, said = run(*empty, "sh", "-c", script)
        assert status == 1 and said.startswith(EMPTY + ": ended ") and ending in said, said
        assert said.endswith("\n0 captures are right, 1 are not, 0 left out\n"), said
    for missing, reason in (("no/such/decoder", "No such file or directory"), (TOOLS, "Permission denied")):
        assert run(*empty, missing) == (2, "run_decoder.py: cannot run %s: %s\n" % (missing, reason))
    status, said = run(*empty)
    assert status == 2 and said.endswith("error: COMMAND is missing\n") and "Traceback" not in said, said


def main():
    sys.path.insert(0, os.path.join(HERE, "..", "blackbox"))
    import kit
    mine = [sys.executable, os.path.abspath(__file__), "names"]
    right = [run("--under", folder, *mine) for folder in (ALL if kit.REPEATED == 1 else SOME)]
    assert all(status == 0 and " 0 are not, 0 left out" in said for status, said in right), right
    status, said = run("--under", "synthetic/wireshark-defects/t1", "echo", "send")
    assert status == 1 and "send: " in said and " 0 left out" in said, said
    status, said = run("--under", "synthetic/sctp", "sh", "-c", "exit 77")
    assert status == 1 and "0 captures are right, 0 are not" in said, said
    statuses()
    print("a decoder of another project is held against the manifest")


if __name__ == "__main__":
    if sys.argv[1:2] == ["names"]:
        names(*sys.argv[2:])
    else:
        main()
