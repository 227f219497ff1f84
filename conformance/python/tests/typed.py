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


assert header(iwarp.Fpdu(iwarp.Segment(iwarp.DdpUntagged(last=True, rsvdulp=0x43, msn=7), payload=b"text").encode()).encode()) == 7
assert again(iwarp.MpaStartup.request(b"data")).private_data == b"data"
