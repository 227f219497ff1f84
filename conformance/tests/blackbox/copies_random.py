#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""copies_random: `TOOL check` on conformant connections of which some octets were captured twice and differ.

copies_random.py TOOL [--seed N] [--keep DIR] COUNT: one of two captures is of TCP, one of SCTP.  A wrong copy, which has
a right checksum, stands before the right one or after it.  Whatever the receiver accepted, nothing shows that its peer
sent something wrong: no violation, no warning.  A copy that differs has its line.  Once a connection is closed its
octets are not compared any more, so that wrong copies stand before its last packet.  Each run takes the seeds that were
judged wrongly once, too.  Seed 0 takes another one each time.
"""

import argparse
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

import kit  # noqa: F401  isort: skip
import capfile
import faults
import gencaps
import gensctp
import sctp_paths
import sctp_random
import sctp_variants
import talks
import variants

BATCH = 40
# Octets that came out before their second copy: where CRCs are off, after octets of the other side, in an FPDU or a
# startup frame that came in pieces, and over SCTP.  What rests on other octets that differ: the place of a Request, the
# FPDU that has not ended, and the Accept of an Initiate.  A copy of a Request with the key of a Reply.  A ULPDU_Length that
# led into payload; a first FPDU whose CRC could not be judged; a key long before one in payload; a
# Marker in payload; the IRD of an Initiate.
ONCE_WRONG = (1018, 1044, 1252, 1344, 1376, 1480, 50176, 920622, 920984, 1351, 1357, 1369, 1385, 920041, 910534637499,
              910534638734, 910534638934, 910534640252, 910534640308, 910534641620, 910534641698, 306333611357, 336354130539,
              91000196, 1084443490768, 2644472584, 2671878402, 5000005250, 5300000029)
GRAVE = ("violation", "warning")


def spoilt(octets, rng, low=0):
    """The octets with one to three of them changed, from `low` on."""
    out = bytearray(octets)
    while out == octets:
        for _ in range(rng.choice((1, 1, 2, 3))):
            at = rng.randrange(low, len(out))
            out[at] ^= rng.choice((1, 2, 4, 8, 16, 32, 64, 128, rng.randrange(1, 256)))
    return bytes(out)


def placed(packets, at, wrong, rng, end):
    """The wrong copy of packet `at` right before it, or a few packets after it, but before packet `end`."""
    where = at if rng.random() < 0.5 else min(at + rng.choice((1, 1, 1, 2, 3, 6, 12)), end)
    return packets[:where] + [wrong] + packets[where:]


# --- SCTP ---


def sctp_wrong(packet, rng):
    """The packet with other octets in one of its DATA chunks; None: it has none."""
    ip = sctp_paths.ip_of(packet)
    body, chunks = ip[20:], []
    at = 12
    data = []
    while at + 4 <= len(body):
        length = struct.unpack_from("!H", body, at + 2)[0]
        chunks.append(body[at:at + length])
        if body[at] == gensctp.DATA and length > 16:
            data.append(len(chunks) - 1)
        at += length + -length % 4
    if not data:
        return None
    which = rng.choice(data)
    chunk = chunks[which]
    low = 8 if rng.random() < 0.2 else 16
    high = len(chunk) if rng.random() < 0.3 else min(len(chunk), 40)
    chunks[which] = chunk[:low] + spoilt(chunk[low:high], rng) + chunk[high:]
    padded = [c + bytes(-len(c) % 4) for c in chunks]
    sport, dport, tag = struct.unpack_from("!HHI", body)
    return packet.copy(packet.data[:14] + ip[:20] + gensctp.sctp_packet(sport, dport, tag, padded))


def sctp_case(rng, path):
    packets = sctp_paths.of_capture(sctp_random.conformant(rng))
    places = [(at, sctp_wrong(p, rng)) for at, p in enumerate(packets)]
    places = [(at, wrong) for at, wrong in places if wrong is not None]
    chosen = rng.sample(places, min(len(places), rng.choice((1, 1, 2, 4))))
    for at, wrong in sorted(chosen, key=lambda c: -c[0]):
        packets = placed(packets, at, wrong, rng, len(packets) - 1)
    for number, packet in enumerate(packets):
        packet.time = packets[0].time + number * 1000
    capfile.write_pcap(path, packets, capfile.EN10MB)
    return bool(chosen)


# --- TCP ---


def tcp_case(rng, path):
    cap = faults.conformant(rng)
    cap.write(path)
    packets = variants.load(capfile.read_capture(path))
    places = [at for at, p in enumerate(packets) if variants.plain_data(p)]
    chosen = rng.sample(places, min(len(places), rng.choice((1, 1, 2, 4))))
    ends = [at for at, p in enumerate(packets) if p.flags & (capfile.FIN | capfile.RST)]
    for at in sorted(chosen, reverse=True):
        high = len(packets[at].payload) if rng.random() < 0.5 else min(len(packets[at].payload), 40)
        payload = packets[at].payload
        wrong = packets[at].copy(payload=spoilt(payload[:high], rng) + payload[high:])
        packets = placed(packets, at, wrong, rng, max(at, min(ends, default=len(packets))))
    talks.written(packets, cap.link, path, rng)
    return bool(chosen)


def lines_of(tool, paths):
    done = subprocess.run([tool, "check", "-T", "jsonl"] + paths, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1, 3, 4):
        raise AssertionError(f"status {done.returncode}: {done.stderr.decode()}")
    out = {os.path.basename(path): [] for path in paths}
    for line in done.stdout.splitlines():
        item = json.loads(line)
        if "file" in item:
            out[os.path.basename(item["file"])].append(item)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    args = parser.parse_args()
    first = args.seed or random.SystemRandom().randrange(1, 1 << 32)
    print(f"seeds from {first} on", flush=True)
    seeds = list(ONCE_WRONG) + list(range(first, first + args.count))
    bad = said = 0
    with tempfile.TemporaryDirectory() as folder:
        for begin in range(0, len(seeds), BATCH):
            made = {}
            for seed in seeds[begin:begin + BATCH]:
                rng = random.Random(seed)
                path = os.path.join(folder, f"{seed}.pcap")
                made[path] = (sctp_case if seed % 2 else tcp_case)(rng, path)
            for name, lines in lines_of(args.tool, list(made)).items():
                path = os.path.join(folder, name)
                grave = [(x["rule"], x["frame"]) for x in lines if x["type"] == "finding" and x["severity"] in GRAVE]
                differ = [x for x in lines if x["type"] == "capture" and x["kind"] == "octets-differ"]
                said += bool(differ)
                if grave or (made[path] and not differ):
                    bad += 1
                    print(f"seed {name[:-5]}: {grave}, {len(differ)} lines", flush=True)
                    if args.keep:
                        shutil.copy(path, args.keep)
                os.unlink(path)
    print(f"{len(seeds)} captures: {bad} bad; copies were reported in {said}")
    return 1 if bad else 0


sys.exit(main())
