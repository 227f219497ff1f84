# SPDX-License-Identifier: BSD-2-Clause
"""What mypy --strict checks of a program that uses the package. It is also run."""

import iwarp


def header(octets: bytes) -> int:
    fpdu: iwarp.Fpdu = iwarp.Fpdu.decode(octets)
    segment = fpdu.segment
    if isinstance(segment.ddp, iwarp.DdpTagged):
        return segment.ddp.stag
    return segment.ddp.msn


def again(frame: iwarp.MpaStartup) -> iwarp.MpaStartup:
    return iwarp.MpaStartup.decode(frame.encode())


def totals(path: str) -> dict[str, int]:
    """How many findings each rule has, and octets of payload of all PDUs."""
    found: dict[str, int] = {}
    for connection in iwarp.check(path):
        for finding in connection.findings:
            found[finding.rule] = found.get(finding.rule, 0) + 1
    found["payload"] = sum(pdu.payload_length or 0 for pdu in iwarp.packets(path))
    for figures in iwarp.stats(path):
        reads = figures.directions[0].reads
        found["reads"] = reads.answered if reads is not None else 0
    return found


assert totals("pcaps/real/siw/big-write-read.pcap")["reads"] == 1
assert header(iwarp.Fpdu(iwarp.Segment(iwarp.DdpUntagged(last=True, rsvdulp=0x43, msn=7), payload=b"text").encode()).encode()) == 7
assert again(iwarp.MpaStartup.request(b"data")).private_data == b"data"
