#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""known: findings that are expected.   known.py TOOL PCAPS

A baseline of captures makes their check pass, findings beyond it and below it fail it, whatever the
captures are called; the profile siw covers what siw does in the captures of siw alone; wrong files
are refused in one line.
"""

import collections
import glob
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

CAPTURES = ("crc-ib_read_bw-5001.pcap", "hp-err-msn-skip.pcap", "rping-64.pcap")
SIW = "real/siw"
LONGEST = 16 * 1024 * 1024
WRONG = (
    ("", "x:1: expected iwarp-baseline 2, found ''"),
    ("iwarp-profile 1\n", "x:1: expected iwarp-baseline 2, found 'iwarp-profile 1'"),
    ("iwarp-baseline 2\nmpa.crc initiator 1- 1", "x:2: expected an offset, two with '-' between them, or '-', found '1-'"),
    ("iwarp-baseline 2\nmpa.crc initiator 2-1 1", "x:2: expected an offset, two with '-' between them, or '-', found '2-1'"),
    ("iwarp-baseline 2\nmpa.crc initiator", "x:2: expected an offset, two with '-' between them, or '-', found ''"),
    ("iwarp-baseline 2\nmpa.crc initiator 0 -", "x:2: expected how many findings there are, found '-'"),
    ("iwarp-baseline 2\nmpa.crc initiator 0 1 f", "x:2: expected the end of the line, found 'f'"),
    ("iwarp-baseline 2\ncaptures x", "x:2: expected how many captures there are, found 'x'"),
    ("iwarp-baseline 1\nmpa.pad-zer initiator 0 1 f",
     "x:2: no rule is called 'mpa.pad-zer' (did you mean 'mpa.pad-zero'?)"),
    ("iwarp-baseline 1\n\n# c\nmpa.crc sender 0 1 f",
     "x:4: expected initiator, responder or unknown, found 'sender'"),
    ("iwarp-baseline 1\nmpa.crc initiator -1 1 f",
     "x:2: expected the number of a connection, found '-1'"),
    ("iwarp-baseline 1\r\nmpa.crc initiator 0 1x f",
     "x:2: expected how many findings there are, found '1x'"),
    ("iwarp-baseline 1\nmpa.crc initiator 0 1", "x:2: expected the name of a capture, found ''"),
    ("iwarp-baseline 1\n\0mpa.crc initiator 0 1 f", "x: octet 17 is 0, so this is no text"),
)
WRONG_PROFILES = (
    ("iwarp-profile 1\nmpa.crc sender a",
     "x:2: expected initiator, responder, unknown or any, found 'sender'"),
    ("iwarp-profile 1\nmpa.crc any", "x:2: expected a name for what is known, found ''"),
    ("iwarp-profile 1\nmpa.crc any cause=a", "x:2: expected a name for what is known, found ''"),
)


class Failed(Exception):
    """What was not as it should be."""


def expect(condition, text):
    if not condition:
        raise Failed(text)


def run(tool, folder, *words):
    done = subprocess.run((tool,) + words, cwd=folder, capture_output=True, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def write(path, text):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


def lines(text, kind):
    return [line for line in map(json.loads, text.splitlines()) if line["type"] == kind]


def check_verdicts(out):
    """All is expected: no rule failed, and those that would have are counted apart."""
    found = collections.Counter((f["file"], f["conn"], f["rule"]) for f in lines(out, "finding"))
    for one in lines(out, "connection"):
        due = sum(key[:2] == (one["file"], one["conn"]) for key in found)
        expect((one["rules"]["fail"], one["rules"].get("xfail", 0)) == (0, due), "rules: %r" % one["rules"])
        expected = sum(number for key, number in found.items() if key[:2] == (one["file"], one["conn"]))
        expect((sum(one["findings"].values()), one.get("xfail", 0)) == (0, expected), "findings: %r" % one["findings"])
    verdicts = lines(out, "summary")[0]["verdicts"]
    expect((verdicts["fail"], verdicts["xfail"]) == (0, len({key[2] for key in found})), "verdicts: %r" % verdicts)


def check_baseline(tool, folder, scratch):
    path = os.path.join(scratch, "known")
    status, text, _ = run(tool, folder, "baseline", *CAPTURES)
    expect(status == 0 and text.count("\n") == 8, "baseline: %d %r" % (status, text))

    def check(known, *words):
        with open(path, "w", encoding="utf-8") as out:
            out.write(known)
        return run(tool, folder, "check", "--baseline", path, "-T", "jsonl", *words, *CAPTURES)

    status, out, err = check(text)
    expect(status == 0 and err == "", "with its baseline: %d %s" % (status, err))
    expect(all(f["verdict"] == "xfail" and f["known"] == "baseline" for f in lines(out, "finding")),
           "a finding of the baseline is not expected")
    expect(lines(out, "summary")[0]["xfail"] == 5, "xfail is not 5")
    check_verdicts(out)
    status, out, _ = check(text.replace("ddp.msn-sequence", "ddp.msn-first"))
    expect(status == 1, "a finding beyond the baseline: %d" % status)
    expect(sum("verdict" not in f for f in lines(out, "finding")) == 1, "not one is new")
    expect(lines(out, "summary")[0]["verdicts"]["fail"] == 1, "the new one is no fail")
    status, out, err = check(text.replace("msn-sequence initiator 28 1", "msn-sequence initiator 28 2"))
    expect(status == 1 and lines(out, "summary")[0]["xpass"] == 1, "xpass: %d" % status)
    expect("known:6: xpass: ddp.msn-sequence by the initiator at offset 28: expected 2, found 1" in err, err)
    status, _, err = check(text.replace("initiator 96 1", "initiator 96 2"), "--exclude", "*")
    expect(err == "" and status == 4, "rules left out are none of the baseline's: %d %s"
           % (status, err))


def check_missing(tool, folder, scratch):
    """JUnit, TAP and SARIF say why a run fails whose rules all passed, in the words of standard error."""
    path = os.path.join(scratch, "gone")
    with open(path, "w", encoding="utf-8") as out:
        out.write("iwarp-baseline 1\nmpa.crc initiator 0 2 rping-64.pcap\nmpa.crc responder 0 1 rping-64.pcap\n")
    words = ("check", "--baseline", path, "rping-64.pcap", "-T")
    status, _, err = run(tool, folder, *words, "text")
    due = [line.split(": xpass: ", 1)[1] for line in err.splitlines()]
    expect(status == 1 and len(due) == 2, err)
    title = "2 lines of the baseline were not found (xpass)"
    failure, = ET.fromstring(run(tool, folder, *words, "junit")[1]).iter("failure")
    expect(failure.attrib["message"] == "fail; " + title and failure.text.splitlines() == due, ET.tostring(failure))
    block = re.search(r"\nnot ok 2 - verdict: fail\n((?:  .*\n)+)# rules", run(tool, folder, *words, "tap")[1])
    shown = ["  ---", "  message: " + json.dumps(title), "  missing:", *("    - " + json.dumps(line) for line in due), "  ..."]
    expect(block and block.group(1).splitlines() == shown, "TAP: %r, not %r" % (block and block.group(1).splitlines(), shown))
    invocation, = json.loads(run(tool, folder, *words, "sarif")[1])["runs"][0]["invocations"]
    note, = invocation["toolExecutionNotifications"]
    expect(note == {"level": "error", "message": {"text": "\n".join([title, *due, ""])}}, "SARIF: %r" % note)


def check_both(tool, folder, scratch):
    """A finding that a profile knows has come for the baseline too."""
    _, text, _ = run(tool, folder, "baseline", *CAPTURES)
    with open(os.path.join(scratch, "both"), "w", encoding="utf-8") as out:
        out.write(text)
    words = ("check", "-T", "jsonl", "--baseline", os.path.join(scratch, "both"), "--profile", "siw")
    status, out, err = run(tool, folder, *words, *CAPTURES)
    expect((status, err) == (0, ""), "baseline and profile: %d %s" % (status, err))
    expect({f["known"] for f in lines(out, "finding")} > {"baseline"}, "the profile knows nothing")


def check_late_role(tool, pcaps, scratch):
    """A finding that comes before the role of its side is known has none in the baseline either."""
    words = (os.path.join(pcaps, "scenarios", "sctp.stream-count-fail.scn"), "-o", "late.pcap")
    expect(run(tool, scratch, "gen", *words)[0] == 0, "no capture of a late role")
    status, text, _ = run(tool, scratch, "baseline", "late.pcap")
    expect(status == 0 and "\nsctp.stream-count unknown - 1\n" in text, "late role: %r" % text)
    with open(os.path.join(scratch, "late"), "w", encoding="utf-8") as out:
        out.write(text)
    status, _, err = run(tool, scratch, "check", "--baseline", "late", "late.pcap")
    expect((status, err) == (0, ""), "with the baseline of a late role: %d %s" % (status, err))


def check_names(tool, folder, scratch):
    """A baseline of form 1 fits the captures that it names, whatever their names hold."""
    for name, shown in ((b"caf\xe9.pcap", "caf?.pcap"), (b"nl\nx.pcap", "nl?x.pcap"),
                        ("\u202egpj.pcap".encode(), "???gpj.pcap"), (b"a b.pcap", "a b.pcap")):
        shutil.copy(os.path.join(folder, CAPTURES[1]), os.path.join(scratch.encode(), name))
        text = "iwarp-baseline 1\n" + "".join("%s 0 1 %s\n" % (one, shown) for one in (
            "ddp.msn-sequence initiator", "rdmap.terminate-code responder", "rdmap.terminate-reserved responder"))
        write(os.path.join(scratch, "named"), text)
        status, _, err = run(tool, scratch, "check", "-q", "--baseline", "named", name)
        expect((status, err) == (0, ""), "a baseline of %r: %d %s" % (name, status, err))
        write(os.path.join(scratch, "named"), text.replace("initiator 0 1", "initiator 0 2"))
        status, _, err = run(tool, scratch, "check", "-q", "--baseline", "named", name)
        expect(status == 1 and err.count("xpass") == 1, "xpass of %r: %d %s" % (name, status, err))


def with_packet_before(source, target):
    """Writes a capture with a packet of another protocol before all others (pcap, as the host writes it)."""
    with open(source, "rb") as stream:
        octets = stream.read()
    packet = bytes(12) + b"\x88\xb5" + bytes(46)
    with open(target, "wb") as out:
        out.write(octets[:24] + octets[24:32] + 2 * struct.pack("<I", len(packet)) + packet + octets[24:])


def check_moved(tool, folder, scratch):
    """What a baseline knows survives another name, another folder and other frames; what it counts does not."""
    os.mkdir(os.path.join(scratch, "moved"))
    moved = [os.path.join("moved", name) for name in ("x.pcap", "y.pcap", "z.pcap")]
    for source, target in zip(CAPTURES, moved):
        with_packet_before(os.path.join(folder, source), os.path.join(scratch, target))
    write(os.path.join(scratch, "of"), run(tool, folder, "baseline", *CAPTURES)[1])
    check = ("check", "-q", "--baseline", "of")
    for words in ((), ("--jobs", "3")):
        status, _, err = run(tool, scratch, *check, *words, *moved)
        expect((status, err) == (0, ""), "moved captures, %r: %d %s" % (words, status, err))
    status, out, err = run(tool, scratch, *check, *moved, moved[1])
    expect(status == 1 and err == "" and "3 violations," in out, "a second copy: %d %s %s" % (status, out, err))
    write(os.path.join(scratch, "of"), run(tool, scratch, "baseline", *moved, moved[1])[1])
    status, _, err = run(tool, scratch, *check, *moved, moved[1])
    expect((status, err) == (0, ""), "equal connections: %d %s" % (status, err))
    status, _, err = run(tool, scratch, *check, moved[1])
    expect(status == 0 and "lines that did not come" in err and "of more captures" in err, "a part: %d %s" % (status, err))
    status, _, err = run(tool, scratch, *check, "--conn", "9", *moved, moved[1])
    expect("xpass" not in err and "--conn leaves connections out" in err, "--conn: %d %s" % (status, err))


def check_offsets(tool, scratch):
    """A finding at another offset is new; of many, those beyond the first 512 offsets are counted between two."""
    talk = "i> mpa-request C\nr> mpa-reply C\n"
    def capture(name, *lines):
        write(os.path.join(scratch, name + ".scn"), talk + "".join(line + "\n" for line in lines))
        expect(run(tool, scratch, "gen", name + ".scn", "-o", name)[0] == 0, "no capture of %s" % name)
        return run(tool, scratch, "baseline", name)[1]

    bad = "i> send len=1 pad=ffffff"
    write(os.path.join(scratch, "of"), capture("one", bad))
    capture("later", "i> send len=1", bad)
    status, _, err = run(tool, scratch, "check", "-q", "--baseline", "of", "later")
    expect(status == 1 and err.endswith("of:4: xpass: mpa.pad-zero by the initiator at offset 0: expected 1, found 0\n"),
           "another offset: %d %s" % (status, err))
    text = capture("many", *([bad] * 600))
    expect(text.count("\n") == 3 + 513 and text.endswith(" initiator %d-%d 88\n" % (512 * 28, 599 * 28)), text[-60:])
    write(os.path.join(scratch, "of"), text)
    status, _, err = run(tool, scratch, "check", "-q", "--baseline", "of", "many")
    expect((status, err) == (0, ""), "many offsets: %d %s" % (status, err))
    capture("more", *([bad] * 601))
    status, out, err = run(tool, scratch, "check", "-q", "--baseline", "of", "more")
    expect(status == 1 and err == "" and "1 violation," in out, "one more: %d %s %s" % (status, out, err))
    capture("fewer", *([bad] * 599))
    status, _, err = run(tool, scratch, "check", "-q", "--baseline", "of", "fewer")
    expect(status == 1 and "at offsets %d to %d: expected 88, found 87" % (512 * 28, 599 * 28) in err, "one less: %s" % err)
    write(os.path.join(scratch, "of"), text + text[text.index("mpa."):])
    status, _, err = run(tool, scratch, "check", "-q", "--baseline", "of", "many", "many")
    expect((status, err) == (0, ""), "equal lines add up: %d %s" % (status, err))


def check_wrong(tool, scratch):
    for option, files in (("--baseline", WRONG), ("--profile", WRONG_PROFILES)):
        for content, message in files:
            with open(os.path.join(scratch, "x"), "w", encoding="utf-8", newline="") as out:
                out.write(content)
            status, out, err = run(tool, scratch, "check", option, "x", "none.pcap")
            expect((status, out, err) == (2, "", "iwarp: %s\n" % message),
                   "%r: %d %s" % (content, status, err))
    status, _, err = run(tool, scratch, "check", "--profile", "no", "none.pcap")
    expect(status == 2 and "no profile (siw), and as a file" in err, err)


def check_level(tool, folder, scratch):
    """A finding that --level leaves out still counts as expected."""
    with open(os.path.join(scratch, "notes"), "w", encoding="utf-8") as out:
        out.write("iwarp-profile 1\nmpa.rdmac-flags any old its startup is that of the Consortium\n")
    for level in "note", "must":
        _, out, _ = run(tool, folder, "check", "--profile", os.path.join(scratch, "notes"), "-T", "jsonl",
                        "--level", level, "hp-hs-rev0.pcap")
        counts = [one["rules"].get("xfail") for one in lines(out, "connection")]
        expect(counts == [1], "--level %s: %r" % (level, counts))


def check_words(tool, folder):
    """The text and TAP count apart, too, what failed as expected."""
    for form, words in (("text", (" 0 fail, 1 xfail, 0 inconclusive", "\n    xfail         mpa.pad-zero: ",
                                  " 0 failed, 1 failed as expected; ")),
                        ("tap", (" 0 failed, 1 failed as expected, 0 inconclusive",))):
        status, out, _ = run(tool, folder, "check", "--profile", "siw", "-v", "-T", form, CAPTURES[0])
        missing = [word for word in words if word not in out]
        expect(status == 0 and not missing, "%s: %r is missing" % (form, missing))


def expected_sarif(text):
    results = [one for part in json.loads(text)["runs"] for one in part["results"] if one.get("kind") != "informational"]
    expect(all(one["level"] == "error" for one in results), "SARIF: the level is that of the rule")
    expect(all(s["kind"] == "external" for one in results for s in one.get("suppressions", ())), "SARIF: kind")
    return [one.get("suppressions", [{}])[0].get("justification") for one in results]


def expected_timeline(text):
    return [name or None for name in re.findall(r"\|  ! (?:violation|expected \(([^)]*)\):) ", text)]


def expected_page(text):
    data = json.loads(re.search(r"(?s)id=\"data\">\n(.*?)</script>", text).group(1))
    return [one[10] if len(one) > 10 else None for one in data if one[0] == "f"]


def expected_comments(octets):
    return [name.decode() or None for name in
            re.findall(rb"(?:violation|expected \(([^)]*)\):) [a-z]+\.[a-z-]+: ", octets)]


def check_forms(tool, folder, scratch):
    """Each format says the same of the same findings: one is new, and two are known under a name."""
    words = ("check", "--profile", "siw", "hp-err-msn-skip.pcap")
    known = [f.get("known") for f in lines(run(tool, folder, *words, "-T", "jsonl")[1], "finding")]
    expect([name is None for name in known] == [True, False, False], known)
    for form, read in (("sarif", expected_sarif), ("timeline", expected_timeline), ("html", expected_page)):
        found = read(run(tool, folder, *words, "-T", form)[1])
        expect(found == known, "%s: %r, not %r" % (form, found, known))
    path = os.path.join(scratch, "known.pcapng")
    run(tool, folder, *words, "-q", "--annotate", path)
    with open(path, "rb") as annotated:
        found = expected_comments(annotated.read())
    expect(found == known, "comments: %r, not %r" % (found, known))


def check_longest(tool, folder, scratch):
    """A file of 16 MiB is read to its end; a longer one is refused, though a line of it would be enough."""
    for option, title, line, status in (("--baseline", "iwarp-baseline 1", "mpa.crc initiator 0 1 rping-64.pcap", 1),
                                        ("--profile", "iwarp-profile 1", "mpa.crc any x", 0)):
        for more in (0, 1):
            with open(os.path.join(scratch, "long"), "w", encoding="utf-8") as out:
                out.write("%s\n%s\n%s" % (title, "#" * (LONGEST + more - len(title) - len(line) - 2), line))
            done, out, err = run(tool, folder, "check", "-q", option, os.path.join(scratch, "long"), "rping-64.pcap")
            text = ": is longer than %d octets, the limit of baselines and profiles\n" % LONGEST
            expect((done == 2 and out == "" and err.count("\n") == 1 and err.endswith(text)) if more else
                   (done == status and ("xpass: mpa.crc" in err) == (option == "--baseline")),
                   "%s of %d octets: %d %s" % (option, LONGEST + more, done, err))


def check_profile(tool, folder, scratch):
    """All habits of siw alone are known; faults that a host makes on purpose are not."""
    captures = [os.path.basename(path) for path in sorted(glob.glob(os.path.join(folder, "*.pcap*")))
                if not os.path.basename(path).startswith("hp-")]
    _, out, _ = run(tool, folder, "check", "--profile", "siw", "-T", "jsonl", *captures)
    found = lines(out, "finding")
    new = ["%s %s" % (f["file"], f["rule"]) for f in found if "verdict" not in f]
    expect(found and not new, "not known of siw: %s" % new[:5])
    status, out, _ = run(tool, folder, "check", "--profile", "siw", "-T", "jsonl",
                         "hp-err-msn-skip.pcap")
    expect(status == 1 and [f["rule"] for f in lines(out, "finding") if "verdict" not in f]
           == ["ddp.msn-sequence"], "the fault of the host")
    check_level(tool, folder, scratch)
    check_words(tool, folder)
    check_forms(tool, folder, scratch)
    with open(os.path.join(scratch, "own"), "w", encoding="utf-8") as out:
        out.write("iwarp-profile 1\nddp.msn-sequence initiator ours it counts so\n"
                  "rdmap.terminate-code any cause=terminate-host-bit-order order x\n"
                  "rdmap.terminate-reserved any cause=none nothing x\n")
    status, out, _ = run(tool, folder, "check", "--profile", os.path.join(scratch, "own"), "-T",
                         "jsonl", "hp-err-msn-skip.pcap")
    expect([f.get("known") for f in lines(out, "finding")] == ["ours", "order", None], out)


def main(tool, pcaps):
    folder = os.path.join(os.path.abspath(pcaps), SIW)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            check_baseline(os.path.abspath(tool), folder, scratch)
            check_missing(os.path.abspath(tool), folder, scratch)
            check_both(os.path.abspath(tool), folder, scratch)
            check_late_role(os.path.abspath(tool), os.path.abspath(pcaps), scratch)
            check_names(os.path.abspath(tool), folder, scratch)
            check_moved(os.path.abspath(tool), folder, scratch)
            check_offsets(os.path.abspath(tool), scratch)
            check_wrong(os.path.abspath(tool), scratch)
            check_longest(os.path.abspath(tool), folder, scratch)
            check_profile(os.path.abspath(tool), folder, scratch)
        except Failed as problem:
            print("known: %s" % problem)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
