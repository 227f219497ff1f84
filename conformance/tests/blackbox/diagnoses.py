#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""diagnoses: why connections failed, by `TOOL check`, against how the captures were made.   diagnoses.py TOOL PCAPS PAGE [--write]

CASES: real captures whose making is known. All captures: each connection that failed has a diagnosis, a connection that ended
well has no certain one, and each text is whole. PAGE is made of the catalogue; --write writes it.
"""

import glob
import json
import os
import struct
import subprocess
import sys
import tempfile

import kit

# Capture of pcaps/real/siw, connection (None: a TCP connection without iWARP), the diagnoses, C for certain and L for likely.
CASES = """
rping-closed-port - C tcp-refused
rping-plain-tcp-listener 0 C no-reply-timeout
hp-srv-no-reply 0 C no-reply-timeout
rping-3-clients-one-unanswered 0 C no-reply-timeout
hp-srv-fin-after-request 0 C no-reply-close L ird-ord-refused
ird-strict 0 C no-reply-close L ird-ord-refused
ird-strict-2 0 C no-reply-close L ird-ord-refused
hp-hs-pd-508 0 L private-data-long C no-reply-reset
hp-hs-rev1-pd-512 0 L private-data-long C no-reply-reset
hp-hs-rev3 0 L rev-unsupported C no-reply-close
hp-hs-rev255 0 L rev-unsupported C no-reply-close
hp-hs-fpdu-with-request 0 L startup-malformed C no-reply-reset
hp-hs-unfinished-pd 0 C startup-unfinished
hp-hs-rev1-pd-513 0 C startup-malformed
pd-252-wraps 0 C startup-malformed
pd-reply-252-wraps 0 C startup-malformed
hp-srv-enhanced-missing-pd 0 C startup-malformed
crc-refused 0 L rejected-crc
hp-hs-rev1-markers 0 L rejected-markers
hp-hs-rev2-markers-crc 0 L rejected-markers
hp-srv-reject-rev1 0 L rejected-rev
hp-srv-reject 0 L rejected-ird-ord
hp-hs-reject-bit-in-request 0 L startup-malformed
hp-hs-rev2-short-enhanced 0 L startup-malformed
reject-pd 0 L rejected
rev1-reject 0 L rejected
rev1-rping 0 L rev1-no-reads
hp-srv-rev1-reply 0 L rev1-fallback
hp-srv-markers 0 L markers-refused
cmtime 0 L no-messages
term-read-badkey 0 L term-stag
crc-term-read-badkey 0 L term-stag
term-by-server 0 L term-stag
term-write-badkey-long 0 L term-stag
term-deregistered 0 L term-stag
term-write-noaccess 0 L term-stag
hp-term-from-host-with-headers 0 L term-stag
term-read-bounds 0 L term-bounds
term-write-bounds-segments 0 L term-bounds
hp-err-write-before-region 0 L term-bounds
term-no-receive 0 L term-no-receive-again
term-send-too-long 0 L term-too-long
term-send-too-long-segments 0 L term-too-long
term-sge-one-too-long 0 L term-too-long
hp-err-send-too-long 0 L term-too-long
hp-err-crc-bad-send 0 C term-crc
hp-err-crc-zero-when-on 0 C term-crc
hp-good-crc-unaligned 0 L term-crc-path
hp-err-read-too-many 0 C term-reads
send-inv-stag0 0 L term-invalidate
term-late-sendinv-badkey 0 L term-invalidate
hp-err-opcode-10-atomic 0 L term-opcode
hp-err-opcode-8 0 L term-opcode
hp-err-msn-skip 0 C term-peer-fault
hp-err-write-to-jump 0 C term-peer-fault
zero-read-behind-read 0 C term-peer-fault
hp-err-ulpdu-0 0 L term-peer-fault
hp-srv-bad-key 0 C term-startup
hp-srv-ird-ord-max 0 L term-ird
hp-term-from-host 0 L term-unexplained
rping-kill-client 0 L process-killed
rping-kill-server 0 L process-killed
hp-half-fpdu-then-fin 0 L process-killed
link-cut 0 L path-lost
hp-rst 0 L reset
hp-err-interleaved-untagged 0 L left-after-fault C work-unanswered
hp-err-read-req-long 0 L left-after-fault C work-unanswered
hp-srv-fpdu-with-reply 0 L left-after-fault
stalled-first-fpdu 3 L silent-peer
loss-after-capture 0 L packets-lost
rping-64 0
hp-srv-ird0-ord0 0 L silent-peer
hp-srv-rtr-send 0 L silent-peer
hp-hs-fin-in-request - L key-wrong
crc-verbs 0
disconnect-by-server 0
"""

FAILED = ("rejected", "terminated", "startup-failed", "no-reply", "reset")
LEFT = ("closed",)
OUTCOMES = (*FAILED, "closed", "half-closed", "open", "unknown")


def lines(tool, *words):
    done = subprocess.run([tool, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


def said(line):
    return ["%s %s" % (d["certainty"][0].upper(), d["id"]) for d in line.get("diagnosis", [])]


def cases():
    for row in CASES.strip().splitlines():
        name, conn, *words = row.split()
        yield name, conn, [" ".join(words[i:i + 2]) for i in range(0, len(words), 2)]


def check_cases(tool, pcaps):
    for name, conn, expected in cases():
        path = os.path.join(pcaps, "real", "siw", name + ".pcap")
        found = [line for line in lines(tool, "check", "-T", "jsonl", path)
                 if line["type"] == "transport" or line["type"] == "connection" and str(line["conn"]) == conn]
        if [said(line) for line in found] != [expected]:
            yield "%s %s: %s in place of %s" % (name, conn, [said(line) for line in found], expected)


def failed(line):
    """As the contract defines it. A FIN alone leaves work to the side that did not send it."""
    if line["type"] == "transport":
        return line["state"] in ("refused", "unanswered")
    end = line["at_end"]
    return line["outcome"] in FAILED or (
        line["outcome"] in LEFT and end.get("reads_unanswered", 0) + end.get("atomics_unanswered", 0) > 0)


def check_text(tool, pcaps):
    """A connection with up to three findings takes at most 15 lines; what happened stands first, then why, then what to do."""
    for name, conn, expected in cases():
        path = os.path.join(pcaps, "real", "siw", name + ".pcap")
        done = subprocess.run([tool, "check", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        text = done.stdout.decode("utf-8").splitlines()
        problems = sum(": violation: " in line or ": warning: " in line for line in text)
        if conn != "0" or len(expected) != 1 or problems > 3 or name == "cmtime":
            continue
        text = text[:next((i for i, line in enumerate(text) if line.startswith("capture:")), len(text))] + \
            text[-2:] * any(line.startswith("capture:") for line in text)
        starts = [line.split(":")[0].strip() for line in text if line.startswith("  ") and ": " in line]
        if starts[:3] not in (["why", "operator", "implementer"], ["Terminate", "why", "operator"]) or len(text) > 15:
            yield "%s: %d lines of text: %s" % (name, len(text), starts)


def check_line(line, ids):
    for d in line.get("diagnosis", []):
        if d["id"] not in ids:
            yield "%s is not in the catalogue" % d["id"]
        if d["certainty"] == "certain" and ids.get(d["id"], {}).get("certainty") != "certain":
            yield "%s is certain" % d["id"]
        if "%" in d["text"] or "frame 0" in d["text"] or d["text"].endswith("."):
            yield "text: %s" % d["text"]
        if not d["frames"] or sorted(set(d["frames"])) != sorted(d["frames"]):
            yield "frames %s of %s" % (d["frames"], d["id"])
    if failed(line) and not said(line):
        yield "no diagnosis of %s" % line.get("outcome", line.get("state"))
    if line["type"] == "connection" and not failed(line) and line["outcome"] == "closed":
        if any(word.startswith("C") for word in said(line)):
            yield "it ended well, and is said to have failed: %s" % said(line)


def check_all(tool, pcaps, ids, seen):
    paths = sorted(glob.glob(os.path.join(pcaps, "**", "*.pcap*"), recursive=True))
    for line in (line for i in range(0, len(paths), 50) for line in lines(tool, "check", "-T", "jsonl", *paths[i:i + 50])):
        if line["type"] in ("connection", "transport"):
            seen.update(d["id"] for d in line.get("diagnosis", []))
            for complaint in check_line(line, ids):
                yield "%s conn %s: %s" % (line["file"], line.get("conn", "-"), complaint)


def words_of(tool):
    """What `explain` takes, by kind."""
    rules = [line["rule"] for line in lines(tool, "rules", "-T", "jsonl") if line["type"] == "rule"]
    required = [line["requirement"] for line in lines(tool, "coverage", "-T", "jsonl") if "requirement" in line]
    ids = ["diag." + line["id"] for line in lines(tool, "rules", "--diagnoses", "-T", "jsonl") if line["type"] == "diagnosis"]
    return {"rules": rules, "requirements": required, "diagnoses": ids, "outcomes": ["outcome." + name for name in OUTCOMES],
            "verdicts": ["verdict." + name for name in ("pass", "fail", "undecided", "no-iwarp", "error")],
            "statuses": ["status.%d" % number for number in (0, 1, 2, 3, 4, 70)]}


def scenes():
    """(name, diagnoses, lines of the scenario, changes of the capture) of each conversation of SCENES."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "diagnose_scenes.txt"), encoding="utf-8") as stream:
        text = stream.read()
    for block in text.split("\n= ")[1:]:
        head, *rows = block.splitlines()
        name, _, due = head.partition(":")
        words = due.split()
        yield (name, [" ".join(words[i:i + 2]) for i in range(0, len(words), 2)],
               "\n".join(row for row in rows if not row.startswith("@")) + "\n", [row[1:].split() for row in rows if row.startswith("@")])


def summed(octets):
    total = sum(struct.unpack("!%dH" % (len(octets) // 2), octets))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return 0xffff - total


def icmp_error(frame, kind, code, last=0, by_host=0):
    """An error about an Ethernet frame with IPv4: its IP header and eight octets more are quoted. `last`: the MTU."""
    quoted = bytes(frame[14:14 + 28])
    message = struct.pack("!BBHHH", kind, code, 0, 0, last) + quoted
    message = message[:2] + struct.pack("!H", summed(message)) + message[4:]
    source = quoted[16:20] if by_host else b"\x0a\x63\x00\x01"
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(message), 1, 0, 64, 1, 0, source, quoted[12:16])
    head = head[:10] + struct.pack("!H", summed(head)) + head[12:]
    return bytes(frame[6:12] + frame[0:6] + frame[12:14]) + head + message


def changed(octets, changes):
    """A capture in pcap format with the changes. The checksum counts a window of 0 as it counts 65535."""
    packets, at = [], 24
    while at < len(octets):
        seconds, micros, kept, length = struct.unpack_from("<IIII", octets, at)
        packets.append([seconds, micros, length, bytearray(octets[at + 16:at + 16 + kept])])
        at += 16 + kept
    for word, number, *more in changes:
        if word == "first":
            packets = packets[:int(number)]
        elif word == "wait":
            for packet in packets[int(number) - 1:]:
                packet[0] += int(more[0])
        elif word == "icmp":
            about = packets[int(number) - 1]
            data = icmp_error(about[3], *map(int, more))
            packets.insert(int(number), [about[0], about[1] + 50, len(data), bytearray(data)])
        else:
            packets[int(number) - 1][3][14 + 20 + 14:14 + 20 + 16] = bytes(2)
    return octets[:24] + b"".join(struct.pack("<IIII", s, us, len(data), length) + data for s, us, length, data in packets)


def ended(tool, path):
    return [said(line) for line in lines(tool, "check", "-T", "jsonl", path) if line["type"] in ("connection", "transport")]


def check_scenes(tool, seen):
    with tempfile.TemporaryDirectory() as folder:
        path, scrubbed = os.path.join(folder, "scene.pcap"), os.path.join(folder, "scrubbed.pcap")
        for number, (name, expected, text, changes) in enumerate(scenes()):
            made = subprocess.run([tool, "gen", "-", "-o", "-"], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout
            with open(path, "wb") as stream:
                stream.write(changed(made, changes))
            found = ended(tool, path)
            if found != [expected]:
                yield "%s: %s in place of %s" % (name, found, expected)
            if number % kit.REPEATED == 0:
                subprocess.run([tool, "scrub", path, "-o", scrubbed], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
                if ended(tool, scrubbed) != found:
                    yield "%s: %s when it is scrubbed" % (name, ended(tool, scrubbed))
                os.unlink(scrubbed)
            seen.update(word.split()[1] for word in expected)


def check_explain(tool):
    """Each word has one meaning, and a page that begins with it."""
    kinds = words_of(tool)
    every = [word for words in kinds.values() for word in words]
    if len(set(every)) != len(every) or not all(kinds.values()):
        yield "words with two meanings, or a kind without any: %s" % {kind: len(words) for kind, words in kinds.items()}
    for word in kinds["diagnoses"][::kit.REPEATED] + kinds["outcomes"] + kinds["verdicts"] + kinds["statuses"]:
        done = subprocess.run([tool, "explain", word], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        text = done.stdout.decode("utf-8")
        if done.returncode != 0 or done.stderr or not text.startswith(word + "\n") or len(text) < 60:
            yield "explain %s: %d, %r" % (word, done.returncode, text[:80])
    for word in ("diag.", "diag.nothing", "outcome.", "verdict.passed", "status.5", "status"):
        if subprocess.run([tool, "explain", word], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode != 2:
            yield "explain %s is not refused" % word


# Options of check, a capture, the exit status, and what failed the run.
STATUSES = """
--fail-on-outcome=no-reply siw/rping-plain-tcp-listener 1 outcome
--fail-on-outcome=failed siw/rping-plain-tcp-listener 1 outcome
--fail-on-outcome=rejected,reset siw/rping-plain-tcp-listener 0 None
--fail-on-outcome=syn-refused siw/rping-closed-port 1 outcome
--fail-on-outcome=failed siw/rping-closed-port 1 outcome
--fail-on-outcome=syn-unanswered,closed siw/rping-closed-port 3 None
--fail-on-outcome=work-unanswered siw/link-cut 1 outcome
--fail-on-outcome=work-unanswered siw/hp-rst 0 None
--fail-on-outcome=failed siw/rping-64 0 None
--fail-on-outcome=closed siw/rping-64 1 outcome
--fail-on-outcome=open siw/hp-err-read-req-long 1 None
--fail-on=note siw/hp-hs-rev0 1 None
--fail-on=violation siw/hp-hs-rev0 0 None
--fail-on=warning siw/hp-hs-rev0 0 None
--fail-on=violation siw/rev0 1 None
--fail-on-outcome=closed,nothing siw/rping-64 2 -
--fail-on-outcome= siw/rping-64 2 -
"""


def check_statuses(tool, pcaps):
    for option, name, status, by in map(str.split, STATUSES.strip().splitlines()):
        path = os.path.join(pcaps, "real", name + ".pcap")
        for more in ([], ["--jobs", "2"]):
            done = subprocess.run([tool, "check", "-T", "jsonl", option, *more, path], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, check=False)
            found = [json.loads(line) for line in done.stdout.splitlines()][-1:]
            if done.returncode != int(status) or by != "-" and str(found[0].get("failed_by")) != by:
                yield "check %s %s: %d %s" % (option, name, done.returncode, found)


def check_merge(tool, pcaps):
    """The joined result of shards fails as one run does."""
    paths = [os.path.join(pcaps, "real", "siw", name + ".pcap") for name in ("rping-64", "rping-closed-port", "crc-refused")]
    words = ["check", "-T", "jsonl", "--fail-on-outcome", "syn-refused,rejected"]
    whole = subprocess.run([tool, *words, *paths], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    with tempfile.TemporaryDirectory() as folder:
        parts = [os.path.join(folder, str(i)) for i in range(2)]
        for i, part in enumerate(parts):
            with open(part, "wb") as stream:
                subprocess.run([tool, *words, "--shard", "%d/2" % i, *paths], stdout=stream, stderr=subprocess.DEVNULL, check=False)
        joined = subprocess.run([tool, "merge", *parts], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if whole.returncode != 1 or joined.returncode != 1 or \
            joined.stdout.partition(b"\n")[2] != whole.stdout.partition(b"\n")[2]:
        yield "merge: %d, one run: %d" % (joined.returncode, whole.returncode)


def page_of(rows):
    out = ["<!-- SPDX-License-Identifier: BSD-2-Clause -->", "# Diagnoses", "",
           "`iwarp check` says in words why a connection failed. This page lists the diagnoses; it is made of the catalogue by",
           "`conformance/tests/blackbox/diagnoses.py`. `iwarp explain diag.ID` prints one of them.", "",
           "A diagnosis is `certain` if the capture proves it, and `likely` if another cause is possible. The table has the most that",
           "it can be.", "", "| id | certainty | what happened |", "|---|---|---|"]
    out += ["| [%s](#%s) | %s | %s |" % (r["id"], r["id"], r["certainty"], r["summary"]) for r in rows]
    for r in rows:
        out += ["", "## " + r["id"], "", r["summary"] + ".", "", r["meaning"], "",
                "- Operator: " + r["operator"], "- Implementer: " + r["implementer"]]
    return "\n".join(out) + "\n"


def main(tool, pcaps, page, *rest):
    rows = [line for line in lines(tool, "rules", "--diagnoses", "-T", "jsonl") if line["type"] == "diagnosis"]
    ids = {row["id"]: row for row in rows}
    if rest == ("--write",):
        with open(page, "w", encoding="utf-8") as stream:
            stream.write(page_of(rows))
        return 0
    seen = set()
    complaints = [*check_cases(tool, pcaps), *check_all(tool, pcaps, ids, seen), *check_scenes(tool, seen), *check_explain(tool), *check_text(tool, pcaps),
                  *check_statuses(tool, pcaps), *check_merge(tool, pcaps)]
    with open(page, encoding="utf-8") as stream:
        if stream.read() != page_of(rows):
            complaints.append("%s is not what the catalogue says" % os.path.basename(page))
    complaints += ["%s is met in no capture and no scene" % name for name in sorted(set(ids) - seen)]
    print("\n".join(complaints) or "%d diagnoses are met in captures and scenes" % len(seen))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
