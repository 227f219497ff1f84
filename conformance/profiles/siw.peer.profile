# What siw of Linux 6.1 under rping -s does in another way than the cases demand, as runs of
# iwarp peer connect HOST:PORT --ulp rping show. A line: case, verdict, what was seen.
ddp.mo fail terminate layer=2 etype=1 code=4 (unknown)
ddp.msn fail terminate layer=2 etype=1 code=3 (unknown)
ddp.qn.4 fail terminate layer=2 etype=1 code=1 (unknown)
ddp.qn.256 fail terminate layer=2 etype=1 code=1 (unknown)
ddp.qn.0xffffffff fail terminate layer=2 etype=1 code=1 (unknown)
ddp.stag-unknown fail Reserved bits of a Terminate are set
ddp.too-long fail terminate layer=2 etype=1 code=4 (unknown)
ddp.version-untagged.0 fail terminate layer=2 etype=1 code=6 (unknown)
ddp.version-untagged.2 fail terminate layer=2 etype=1 code=6 (unknown)
ddp.version-untagged.3 fail terminate layer=2 etype=1 code=6 (unknown)
mpa.crc-bad fail terminate layer=0 etype=2 code=2 (unknown)
mpa.crc-bad-first fail terminate layer=0 etype=2 code=2 (unknown)
mpa.ulpdu-short.2 fail The error of a Terminate is not assigned
mpa.ulpdu-short.6 fail The error of a Terminate is not assigned
rdmap.opcode.12 fail terminate layer=2 etype=0 code=6 (Insufficient IRD resources)
rdmap.opcode.13 fail terminate layer=2 etype=0 code=6 (Insufficient IRD resources)
rdmap.opcode.14 fail terminate layer=2 etype=0 code=6 (Insufficient IRD resources)
rdmap.read-response-unexpected fail Reserved bits of a Terminate are set
rdmap.read-stag-unknown fail terminate layer=1 etype=0 code=0 (Local Catastrophic)
rdmap.send-tagged fail terminate layer=0 etype=2 code=3 (unknown)
rdmap.version.2 fail terminate layer=2 etype=0 code=5 (Local catastrophic error)
rdmap.version.3 fail terminate layer=2 etype=0 code=5 (Local catastrophic error)
rdmap.write-untagged fail terminate layer=1 etype=1 code=0 (Invalid STag)
startup.depth-unspecified fail mpa-reply S rev=2 pd_length=4 ird=128 ord=128
startup.markers fail mpa-reply R S rev=2 pd_length=4 ird=0 ord=0
startup.reject-in-request fail mpa-reply R S rev=2 pd_length=4 ird=2 ord=2
startup.reserved-flags.1 fail mpa-reply rev=1 pd_length=0
startup.reserved-flags.8 fail mpa-reply rev=1 pd_length=0
startup.reserved-flags.15 fail mpa-reply rev=1 pd_length=0
