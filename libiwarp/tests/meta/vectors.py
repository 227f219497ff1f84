# SPDX-License-Identifier: BSD-2-Clause
"""Everything on the wire has a vector: errors, opcodes, Function Codes, registered Terminates, forms and their fields."""

import json
import re

import tree

FOLDER = "libiwarp/tests/vectors"
ENCODED = {"MPA_ULPDU_LENGTH"}  # errors of encoding: they stand in arithmetic/layout.json
REVISIONS = {0, 1, 2, 129}


def load(root, folder):
    return {path.stem: json.loads(path.read_text(encoding="utf-8"))
            for path in sorted((root / folder).glob("*.json"))}


def mapped(text, name):
    """The rows of the X-macro `name`: a list of lists of arguments."""
    body = re.search(rf"#define {name}\(X\)(.*?[^\\])\n", text, re.DOTALL).group(1)
    return [[word.strip(' "\\\n') for word in re.split(r",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", row)]
            for row in re.findall(r"\bX\(((?:[^()\"]|\"[^\"]*\")*)\)", body)]


def numbers(text, enum, prefix):
    """{number: name} of the members of an enum."""
    body = re.search(rf"typedef enum {enum} {{(.*?)}} {enum};", text, re.DOTALL).group(1)
    return {int(value, 0): name for name, value in re.findall(rf"\b{prefix}(\w+) = (0x[0-9A-F]+|\d+)", body)}


def terminates(text):
    """The (layer, error type, code) of the table of errors; a code of None stands for any."""
    for _, layer, etype, code, any_code, *_ in mapped(text, "IWARP_TERM_MAP"):
        yield int(layer), int(etype), None if any_code == "true" else int(code, 0)


def missing_errors(text, frames, arithmetic):
    rows = {name: kind for name, _, kind, _ in mapped(text, "IWARP_ERR_MAP")}
    decoded = {v["error"] for v in frames if v["error"]}
    made = {case["out"]["error"] for case in arithmetic["layout"]["cases"]}
    reported = {case["in"]["error"] for case in arithmetic["terminate-of"]["cases"]}
    for name, kind in rows.items():
        if (kind in ("MPA", "DDP", "RDMAP") or name == "NEED_MORE") and \
                name not in (made if name in ENCODED else decoded):
            yield f"error {name}"
        if name not in reported:
            yield f"error {name} in arithmetic/terminate-of.json"


def missing_messages(header, sctp, term, frames):
    good = [v["value"] for v in frames if v["direction"] == "both" and v["error"] is None]
    opcodes = {value["rdmap"]["opcode"] for value in good if "rdmap" in value}
    functions = {value["sctp_control"]["function"] for value in good if "sctp_control" in value}
    triples = {(t["layer"], t["etype"], int(t["code"], 16)) for t in (v.get("terminate") for v in good) if t}
    for number, name in numbers(header, "iwarp_rdmap_opcode", "IWARP_RDMAP_OP_").items():
        if number not in opcodes:
            yield f"opcode {name}"
    for number, name in numbers(sctp, "iwarp_sctp_function", "IWARP_SCTP_").items():
        if number not in functions:
            yield f"Function Code {name}"
    for layer, etype, code in terminates(term):
        if not any((layer, etype) == found[:2] and code in (None, found[2]) for found in triples):
            yield f"Terminate {layer}/{etype}/{code}"
    for rev in REVISIONS - {value["mpa"]["rev"] for v in frames if (value := v["value"]) and "mpa" in value}:
        yield f"revision {rev}"


def missing_fields(text, frames):
    """Each field of each form, under the form's key; tagged and untagged headers share one."""
    seen = {(outer, inner) for v in frames for outer, fields in (v["value"] or {}).items()
            for part in (fields if isinstance(fields, list) else [fields]) if isinstance(part, dict) for inner in part}
    seen |= {("marker", inner) for outer, inner in seen if outer == "markers"}
    seen |= {("fpdu", "pad") for v in frames if (v["value"] or {}).get("pad")}
    forms = [row[0] for row in mapped(text, "IWARP_FORM_MAP")]
    for name in forms:
        rows = mapped(text, f"IWARP_FIELD_MAP_{name}")
        if not rows:
            yield f"form {name}: it has no field"
        for row in rows:
            if tuple(row[3].split(".")) not in seen:
                yield f"field {row[3]}"


def missing_examples(readme, frames):
    """The README names vectors that exist, and every worked example."""
    named = set(re.findall(r"`([a-z0-9/-]+(?:\.json)?)`", readme[readme.index("## Worked examples"):]))
    ids = {v["id"] for v in frames}
    for name in sorted(named - ids):
        if not name.endswith(".json"):
            yield f"{name}, which the README names"
    for v in frames:
        if "worked-example" in v["flags"] and v["id"] not in named:
            yield f"{v['id']} in the README"


def missing(root, keep=lambda vector: True):
    """What has no vector among those that are kept."""
    frames = [v for content in load(root, FOLDER).values() for v in content["vectors"] if keep(v)]
    arithmetic, include = load(root, f"{FOLDER}/arithmetic"), "libiwarp/include/iwarp"
    yield from missing_errors(tree.text(root, f"{include}/base.h"), frames, arithmetic)
    yield from missing_messages(tree.text(root, f"{include}/rdmap.h"), tree.text(root, f"{include}/sctp.h"),
                                tree.text(root, f"{include}/term.def"), frames)
    yield from missing_fields(tree.text(root, f"{include}/field.def"), frames)
    reader = tree.text(root, f"{FOLDER}/check_arithmetic.c")
    yield from (f"arithmetic/{name} that the library is asked for" for name in arithmetic if f'{{"{name}",' not in reader)
    readme = tree.text(root, f"{FOLDER}/README.md")
    yield from missing_examples(readme, frames)
    for name in re.findall(r"`((?:arithmetic|streams)/[a-z0-9-]+\.json)`", readme):
        if not (root / FOLDER / name).exists():
            yield f"{name}, which the README names"


def check(root):
    return [f"{FOLDER}: there is no vector: {what}" for what in missing(root)]


if __name__ == "__main__":
    tree.finish("vectors", check(tree.source_root()))
