# SPDX-License-Identifier: BSD-2-Clause
"""Includes go down the layers only, and only through public headers."""

import re
from pathlib import Path

import tree

CODEC = {"base", "crc32c", "mpa", "sctp", "ddp", "rdmap", "field"}

# Which layers a layer may use. DDP does not know MPA: a segment is a span, whatever carried it. An endpoint gets its
# octets in order and takes FPDUs off them itself, so it uses tx and not rx.
USES = {
    "base": set(),
    "crc32c": {"base"},
    "mpa": {"base", "crc32c"},
    "sctp": {"base", "crc32c"},
    "ddp": {"base"},
    "rdmap": {"base", "ddp"},
    "field": {"base", "mpa", "sctp", "ddp", "rdmap"},
    "event": CODEC,
    "rx": CODEC | {"event"},
    "tx": CODEC,
    "observer": CODEC | {"event", "rx"},
    "sctp_observer": CODEC | {"event", "observer"},
    "endpoint": CODEC | {"event", "tx"},
}

# The layer of each public header; one that is not named here has the layer of its own name.
HEADER_LAYER = {
    "export.h": "base",
    "version.h": "base",
    "private_data.h": "mpa",
    "pdu.h": "field",
    "sctp_session.h": "sctp",
    "field.def": "base",
    "form.h": "base",
    "term.def": "rdmap",
    "scan.h": "observer",
    "shared.h": "endpoint",
}

# Private headers that one engine offers to another. docs/design.md says why.
OFFERED = {
    "rx/state.h": {"observer"},
    "rx/data_fpdu.h": {"observer"},
    "tx/for_endpoint.h": {"endpoint"},
    "observer/term_place.h": {"sctp_observer"},
}
UMBRELLA = "iwarp.h"
RULES_HEADERS = {"rules.h", "sctp_certainty.h"}

FREESTANDING = {"limits.h", "stdalign.h", "stdbool.h", "stddef.h", "stdint.h"}
PURE = FREESTANDING | {"assert.h", "string.h"}
# CPU features and instructions for the CRC variants, and the word that remembers which one runs.
INTRINSICS = {"arm_acle.h", "stdatomic.h", "cpuid.h", "immintrin.h", "nmmintrin.h", "wmmintrin.h"}

# Private headers of base that hold no iWARP and that ingest and scrub may use as well, so that there is one of each.
SHARED = {"base/minmax.h", "base/siphash.h"}

# Allocations of all of conformance but the rules.
MEMORY = {"memory/memory.h"}
MEMORY_SYSTEM = PURE | {"errno.h", "stdatomic.h", "stdlib.h"}

ALLOCATION = re.compile(r"\b(malloc|calloc|realloc|reallocarray|strn?dup|posix_memalign|aligned_alloc)\s*\(")

# Where a scenario's capture is written, and as what; which rules its patterns name.
SCENARIO_REPORT = {"report/out_buf.h", "report/pcapng.h", "report/rule_match.h"}

OBSERVE_CONN = "observe/conn.h"
DIAGNOSES = "diagnose/diagnose.h"
OBSERVE_SYSTEM = {"arpa/inet.h", "stdio.h", "stdlib.h"}

# A variant of CRC32c by itself is reached by no public header; what compares them may see it.
BENCH_PRIVATE = {"libiwarp/bench/bench_crc.c": {"crc32c/variants.h"}}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


def includes(root, file):
    for match in INCLUDE.finditer(tree.text(root, file)):
        yield match.group(1) == "<", match.group(2)


def check_allocations(root, file):
    """A failure of an allocation is remembered, so all of them go through one place."""
    for match in ALLOCATION.finditer(tree.text(root, file)):
        yield f"{match.group(1)}: conformance allocates through <memory/memory.h>"


def header_layer(name):
    if name in HEADER_LAYER:
        return HEADER_LAYER[name]
    stem = name.removesuffix(".h")
    return stem if stem in USES else None


def public_include(layer, name):
    """Complains about <iwarp/name> in a file of the layer, or returns None."""
    other = header_layer(name)
    if other is None:
        return f"<iwarp/{name}> has no layer that libiwarp may use"
    if other != layer and other not in USES[layer]:
        return f"<iwarp/{name}> is of layer {other}, which {layer} does not use"
    return None


def private_header(root, file, name):
    """The path below src of the header that a source of the library includes as "name", or None."""
    src = (Path(root) / "libiwarp" / "src").resolve()
    for folder in (Path(root) / file.parent, src):
        path = (folder / name).resolve()
        if path.exists():
            return path.relative_to(src).as_posix() if src in path.parents else None
    return None


def private_include(layer, header):
    """True if a file of the layer may include the private header, a path below src."""
    return header.split("/")[0] in (layer, "base") or layer in OFFERED.get(header, ())


def check_offered(root):
    """An offer that no file of its layer takes is not needed."""
    sources = [f for f in tree.c_files(root, "libiwarp/src") if len(f.parts) > 3]
    taken = {(private_header(root, f, name), f.parts[2]) for f in sources for system, name in includes(root, f) if not system}
    for header, layers in OFFERED.items():
        for layer in sorted(layers):
            if (Path(root) / "libiwarp" / "src" / header).exists() and (header, layer) not in taken:
                yield f"layers.py offers {header} to {layer}, where no file includes it"


def check_library_source(root, file):
    layer = file.parts[2]
    if layer not in USES:
        yield f"{layer} is no layer"
        return
    for system, name in includes(root, file):
        if system and name.startswith("iwarp/"):
            complaint = public_include(layer, name.removeprefix("iwarp/"))
            if complaint:
                yield complaint
        elif system:
            if name not in PURE and not (layer == "crc32c" and name in INTRINSICS):
                yield f"<{name}> is not among the headers a pure library needs"
        else:
            header = private_header(root, file, name)
            if header is None or not private_include(layer, header):
                yield f'"{name}" is neither a private header of {layer} or base nor one that another engine offers'


def check_public_header(root, file):
    if file.name == UMBRELLA:
        return
    layer = header_layer(file.name)
    if layer is None:
        yield "has no layer: name it in layers.py"
        return
    for system, name in includes(root, file):
        if not system:
            yield f'"{name}": a public header includes with <>'
        elif name.startswith("iwarp/"):
            complaint = public_include(layer, name.removeprefix("iwarp/"))
            if complaint:
                yield complaint
        elif name not in FREESTANDING:
            yield f"<{name}> in a public header"


def check_own_only(root, file, folder, iwarp, system_ok):
    """Complains about includes that are neither the folder's own, nor public iwarp headers, nor allowed ones."""
    for system, name in includes(root, file):
        if name.startswith("iwarp/") and system:
            if not iwarp:
                yield f"<{name}>: {folder} knows no iWARP"
        elif system and not name.startswith(folder + "/"):
            if not system_ok(name):
                yield f"<{name}> is not allowed in {folder}"
        elif name not in SHARED or folder not in ("ingest", "scrub"):
            base = Path(root) / "conformance" / folder
            places = [Path(root) / file.parent / name, base / name, base / "include" / name]
            if not any(p.exists() and base in p.resolve().parents for p in places):
                yield f'"{name}" is not a header of {folder}'


def report_system(file):
    """What reporters get stands in observe's header of a connection; how it was found is not theirs. Lines about a whole capture
    come from the counts of ingest."""
    counts = {"ingest/ingest.h"} if file.name.startswith("traits_of.") else set()

    def allowed(name):
        if name.startswith("observe/"):
            return name == OBSERVE_CONN
        if name.startswith("diagnose/"):
            return name == DIAGNOSES
        return name in counts or ("pcap" not in name and not name.startswith(("ingest/", "cli/", "rules/")))

    return allowed


def upper_system(name):
    """A Send is named by its event and by the Private Data of the startup."""
    return name in PURE | {"stdlib.h", "observe/ulp.h"} | MEMORY


def diagnose_system(name):
    """A diagnosis is computed from what observe keeps of a connection, and from nothing else."""
    return name in PURE | {OBSERVE_CONN, "observe/ulp.h"}


def scenario_system(name):
    """A scenario makes packets of text with the library's encoders, and reads none."""
    return name in PURE | {"stdio.h", "stdlib.h"} | SCENARIO_REPORT | MEMORY


PEER_NET_NOT = ("confine/", "unpack/", "ingest/", "observe/", "diagnose/", "stats/", "rules/", "scrub/", "cli/")


def peer_system(name):
    """The player sees octets and the time, and knows neither sockets nor clocks nor processes."""
    return name in PURE | {"stdio.h", "stdlib.h"} | MEMORY or name.startswith("scenario/")


def peer_net_system(name):
    """The only room of peer with sockets, processes and the clock. It prints nothing and opens no capture."""
    return "pcap" not in name and not name.startswith(PEER_NET_NOT)


def peer_report_system(name):
    """What a probe or a play found out, printed by the writers of report."""
    return name in PURE | {"stdio.h", "stdlib.h"} | MEMORY or name.startswith(("peer/", "peer_report/", "report/"))


# The rooms of peer, the longest path first.
PEER_ROOMS = {"peer/net": peer_net_system, "peer/report": peer_report_system, "peer": peer_system}


def stats_system(name):
    """Figures come out of packets and events as observe shows them, whoever finds them."""
    return name in PURE | {"stdlib.h", OBSERVE_CONN} | MEMORY


def scrub_system(name):
    """A scrub sees packets, and connections as observe finds them. Its caller opens all files."""
    return (name in PURE | {"errno.h", "stdio.h", "stdlib.h"} | MEMORY or
            (name.startswith(("ingest/", "observe/")) and name != "ingest/pcap_src.h"))


def records_system(name):
    """Records read a capture through ingest's header, by what observe, stats and report make of it."""
    return (name in PURE | {"stdatomic.h", "stdlib.h", "unistd.h"} | MEMORY or
            name.startswith(("ingest/", "observe/", "diagnose/", "stats/", "report/")))


def observe_system(name):
    """Observe takes the events of ingest, and from the system only memory and the text of addresses."""
    return name in PURE | OBSERVE_SYSTEM | MEMORY or (name.startswith("ingest/") and name != "ingest/pcap_src.h")


# The library of each form of compression are seen by one file.
UNPACK_LIBRARIES = {"unpack_gzip.c": {"zlib.h"}, "unpack_zstd.c": {"zstd.h", "zstd_errors.h"},
                    "unpack_lz4.c": {"lz4frame.h"}, "unpack_xz.c": {"lzma.h"}}


def unpack_system(file):
    return lambda name: name in PURE | {"stdlib.h"} | MEMORY | UNPACK_LIBRARIES.get(file.name, set())


# Each mechanism that confines the process is seen by one file.
CONFINE_SYSTEM = {"landlock.c": {"linux/landlock.h"}, "seccomp.c": {"seccomp.h"}}


def confine_system(file):
    """What confines the process knows the system, and neither captures nor the tool."""
    others = set().union(*CONFINE_SYSTEM.values()) - CONFINE_SYSTEM.get(file.name, set())
    return lambda name: name not in others and "pcap" not in name and not name.startswith(CONFORMANCE)


def ingest_system(file):
    if file.name.startswith(("pcap_src.", "file_src.")):
        return lambda name: True
    wide = {"immintrin.h"} if file.name == "sum.c" else set()
    return lambda name: name in PURE | wide or name == "uthash.h"


# What may open a capture are ingest's file_src.c and pcap_src.c; all others go through its header.
CLI_LAYERS = ("memory/", "iwarp/", "confine/", "ingest/", "observe/", "diagnose/", "stats/", "upper/", "report/", "scenario/", "scrub/",
              "peer/", "peer_net/", "peer_report/")
CONFORMANCE = ("memory/", "confine/", "unpack/", "ingest/", "observe/", "diagnose/", "stats/", "upper/", "report/", "rules/", "scenario/", "scrub/",
               "peer/", "peer_net/", "peer_report/", "records/", "cli/")


def found_in(root, name, folders):
    """The folder, relative to the root, of the first one that has the header, or None."""
    for folder in folders:
        path = (Path(root) / folder / name).resolve()
        if path.exists() and Path(root).resolve() in path.parents:
            return path.parent.relative_to(Path(root).resolve()).as_posix() + "/"
    return None


def check_cli(root, file):
    """The tool is made of the public headers of libiwarp, the rules, confine, ingest, observe, report and scenario, and of its own."""
    for system, name in includes(root, file):
        if system and "pcap" in name and not name.startswith(CLI_LAYERS):
            yield f"<{name}>: only ingest/pcap_src.c opens captures"
        elif not system and found_in(root, name, [file.parent]) != "conformance/cli/":
            yield f'"{name}" is not a header of cli'


def check_public_user(root, file):
    """An example, a benchmark, an API test: public headers, and helpers that know no more."""
    for system, name in includes(root, file):
        if not system and name.endswith(".h"):
            place = found_in(root, name, [file.parent, "libiwarp/bench", "libiwarp/tests/support"])
            if name in BENCH_PRIVATE.get(file.as_posix(), ()):
                continue
            if place is None or place.startswith("libiwarp/src/"):
                yield f'"{name}" is not a public header'


def check_library_test(root, file):
    """The library's tests do not know that there are rules, captures or a tool. An API test may try an example."""
    allowed = ("libiwarp/tests/", "libiwarp/src/", "libiwarp/include/")
    if file.parent.name == "api":
        allowed += ("docs/examples/",)
    for system, name in includes(root, file):
        if name.startswith(CONFORMANCE) or name.removeprefix("iwarp/") in RULES_HEADERS:
            yield f"{name} is of conformance, which the library's tests do not know"
        elif not system and not ("amalgamation" in file.parts and name == UMBRELLA):
            place = found_in(root, name, [file.parent, "libiwarp/tests/support", "libiwarp/src", "libiwarp/include"])
            if place is None or not place.startswith(allowed):
                yield f'"{name}" is neither of the library nor of its tests'


def check_conformance_test(root, file):
    """A test of conformance sees all of conformance, but of the library only what is public."""
    property_test = "property" in file.parts
    for system, name in includes(root, file):
        if not system:
            place = found_in(root, name, [file.parent, "libiwarp/tests/support", "conformance/tests/support", "conformance"])
            if place is None or place.startswith(("libiwarp/src/", "docs/")):
                yield f'"{name}" is neither of conformance nor a helper of tests'
            elif property_test and not place.startswith(("libiwarp/tests/support/", "conformance/tests/")):
                yield f'"{name}": a property test of conformance uses public headers'


# The files that may see the whole endpoint; the others get a view of the parts that they need. These four are its
# owner: endpoint.c and event.c give the state machine its inputs and show the others what they may see. actions.c does
# to all parts what a cell of the table says. init.c lays all parts out in the caller's memory.
ENDPOINT = Path("libiwarp/src/endpoint")
OBSERVER = Path("libiwarp/src/observer")
ENDPOINT_WHOLE = {"endpoint.c", "event.c", "init.c", "actions.c"}
ENDPOINT_MEMBER = re.compile(r"\bep->")


def check_endpoint_part(root, file):
    """Who includes the header of the endpoint's owner is listed, and who is listed includes it. Others use views."""
    sees = any(name == "owner.h" for _, name in includes(root, file))
    listed = file.name in ENDPOINT_WHOLE
    if sees and not listed:
        yield '"owner.h": this file is not one of the endpoint\'s owner'
    if not listed and file.name != "owner.h" and ENDPOINT_MEMBER.search(tree.without_comments(tree.text(root, file))):
        yield "reads or writes a member of the endpoint itself instead of a view"
    if listed and not sees:
        yield "is listed in layers.py as one that sees the whole endpoint, and does not"


# An observer contains two receive engines and reads their state; it changes it by calls of rx/state.h alone.
RX_MEMBER_SET = re.compile(r"\brx(?:\[[^\]]*\])?(?:->|\.)\w+(?:\.\w+)*\s*(?:[-+|&^]?=(?!=)|\+\+|--)")


def check_observer(root, file):
    for match in RX_MEMBER_SET.finditer(tree.without_comments(tree.text(root, file))):
        yield f"{match.group(0).strip()}: sets a member of the receive engine itself instead of calling it"


def check_rule(root, file):
    """A rule and the files that classify an event see the state of a connection through const pointers."""
    if file.name.startswith("rules_") or file.name in RULES_CONST:
        for _, name in includes(root, file):
            if name in RULES_STATE:
                yield f'"{name}": this file does not change the state of a connection'


# The headers by which an event changes the state, before it is classified and after the rules were asked.
RULES_STATE = ("state.h", "enter.h", "settle.h", "leave.h", "lose.h", "headers.h", "slot.h", "framing_keep.h", "held.h")
# The files that find out what an event is, and what the capture lets one know.
RULES_CONST = ("classify.c", "trust.c", "place.c", "diagnosis.c", "framing.c", "markers.c", "evidence.c", "ordinary.c",
               "sctp_event.c", "verdict.c")


# What is inside the library for a fuzzer: the CRC of other machines, the state tables that its inputs must reach, and the
# sending half of a session.
FUZZ_PRIVATE = {("portable.c", "crc32c/variants.h"), ("points.h", "endpoint/machine.h"), ("probe.c", "endpoint/owner.h"),
                ("fuzz_config.c", "sctp/session_send.h"), ("fuzz_sctp_session.c", "sctp/session_send.h")}


def check_fuzz(root, file):
    """A fuzz target stands outside: public headers, its own helpers and the helpers of tests; one file runs the tool."""
    folders = [file.parent, "fuzz/support", "fuzz/mutator", "fuzz/proxy", "libiwarp/tests/support", "conformance/tests/support"]
    for system, name in includes(root, file):
        if not system and (file.name, name) not in FUZZ_PRIVATE:
            tool = name.startswith("cli/") and file.name == "tool.c"
            place = found_in(root, name, [*folders, "conformance"] if tool else folders)
            if place is None or place.startswith(("libiwarp/src/", "docs/")):
                yield f'"{name}" is neither a helper nor a public header'


def check(root):
    root = Path(root).resolve()
    complaints = []

    def add(file, found):
        complaints.extend(f"{file}: {c}" for c in found)

    for file in tree.c_files(root, "libiwarp/src"):
        add(file, check_library_source(root, file))
        if file.parent == ENDPOINT:
            add(file, check_endpoint_part(root, file))
        if file.parent == OBSERVER:
            add(file, check_observer(root, file))
    complaints.extend(check_offered(root))
    for file in tree.c_files(root, "libiwarp/include"):
        add(file, check_public_header(root, file))
    for file in tree.c_files(root, "conformance/rules"):
        add(file, check_own_only(root, file, "rules", True, lambda name: name in PURE))
        add(file, check_rule(root, file))
    for file in tree.c_files(root, "conformance/memory"):
        add(file, check_own_only(root, file, "memory", False, lambda name: name in MEMORY_SYSTEM))
    for folder in ("unpack", "ingest", "observe", "diagnose", "stats", "upper", "report", "scenario", "scrub", "peer", "records", "cli"):
        for file in tree.c_files(root, f"conformance/{folder}"):
            add(file, check_allocations(root, file))
    for file in tree.c_files(root, "conformance/unpack"):
        add(file, check_own_only(root, file, "unpack", False, unpack_system(file)))
    for file in tree.c_files(root, "conformance/confine"):
        add(file, check_own_only(root, file, "confine", False, confine_system(file)))
    for file in tree.c_files(root, "conformance/ingest"):
        add(file, check_own_only(root, file, "ingest", False, ingest_system(file)))
    for file in tree.c_files(root, "conformance/observe"):
        add(file, check_own_only(root, file, "observe", True, observe_system))
    for file in tree.c_files(root, "conformance/diagnose"):
        add(file, check_own_only(root, file, "diagnose", True, diagnose_system))
    for file in tree.c_files(root, "conformance/stats"):
        add(file, check_own_only(root, file, "stats", True, stats_system))
    for file in tree.c_files(root, "conformance/upper"):
        add(file, check_own_only(root, file, "upper", True, upper_system))
    for file in tree.c_files(root, "conformance/report"):
        add(file, check_own_only(root, file, "report", True, report_system(file)))
    for file in tree.c_files(root, "conformance/scenario"):
        add(file, check_own_only(root, file, "scenario", True, scenario_system))
    for file in tree.c_files(root, "conformance/records"):
        add(file, check_own_only(root, file, "records", True, records_system))
    for file in tree.c_files(root, "conformance/peer"):
        room = next(room for room in PEER_ROOMS if file.as_posix().startswith(f"conformance/{room}/"))
        add(file, check_own_only(root, file, room, True, PEER_ROOMS[room]))
    for file in tree.c_files(root, "conformance/scrub"):
        add(file, check_own_only(root, file, "scrub", True, scrub_system))
    for file in tree.c_files(root, "conformance/cli"):
        add(file, check_cli(root, file))
    for file in tree.c_files(root, "libiwarp/tests"):
        if file.parts[2] in ("api", "vectors"):
            add(file, check_public_user(root, file))
        if file.parts[2] != "proof":  # a proof includes sources, and stands in for headers of the machine
            add(file, check_library_test(root, file))
    for file in [*tree.c_files(root, "libiwarp/bench"), *tree.c_files(root, "docs/examples"),
                 *tree.c_files(root, "conformance/bench")]:
        add(file, check_public_user(root, file))
    for file in tree.c_files(root, "conformance/tests"):
        add(file, check_conformance_test(root, file))
    for file in tree.c_files(root, "fuzz"):
        add(file, check_fuzz(root, file))
    return complaints


if __name__ == "__main__":
    tree.finish("layers", check(tree.source_root()))
