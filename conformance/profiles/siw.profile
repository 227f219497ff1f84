iwarp-profile 1
# What Linux siw (drivers/infiniband/sw/siw) is known to do, as pcaps/real/siw shows it and
# pcaps/DEVIATIONS.md lists it. A line: rule, role of the sender or any, a name, what it is.
mpa.pad-zero any siw-05 PAD octets of short FPDUs keep what an earlier message left there
mpa.responder-first responder siw-21 an application may send before the first FPDU of the Initiator
mpa.enhanced-length any siw-11 PD_Length wraps at 256: 252 octets of Private Data or more give 0 to 3
mpa.ulpdu-length-max any siw-28 ULPDU_Length exceeds 64768 on an interface with a large MTU
mpa.flags-reserved any siw-33 with try_gso siw announces itself by the reserved flag 0x08
mpa.rtr-first initiator siw-29 an ordinary Send comes first although the Reply has A
mpa.rtr-offered initiator siw-22 the peer-to-peer model without any RTR type
mpa.rev-rdmac any siw-12 revision 0 is accepted and answered
mpa.rdmac-flags any siw-12 revision 0 without M and C
ddp.version-family any siw-12 revision 0 with DDP and RDMAP version 1
rdmap.read-response-length any siw-13 a zero-length Read after another one is answered with the data of that
rdmap.terminate-code any siw-01 Layer and Error Type have changed places on little-endian machines
rdmap.terminate-reserved any siw-01 M, D and R stand in reserved bits on little-endian machines
rdmap.terminate-reset any siw-teardown RST right after the Terminate
