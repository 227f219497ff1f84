# SPDX-License-Identifier: BSD-2-Clause
"""Makes docs/wire-format.md and its bit diagrams of the field table: wire.py ROOT [--update].

Without --update: says which of these files differ from what the table gives, and fails if one does.
"""

import re
import sys
from html import escape
from pathlib import Path

PAGE = "docs/wire-format.md"
FOLDER = "docs/wire"
TABLE = "libiwarp/include/iwarp/field.def"

ROW_BITS = 32
CELL, ROW, TOP, SIDE = 22, 34, 22, 1  # of a diagram, in its units
CHARACTER = 7.6  # the width of a character in a label, at most

# The sections of the page: title, text, forms in their order. Each form of the table is in one of them.
SECTIONS = [
    ("MPA startup", """The Initiator sends a Request, the Responder a Reply. Both have the same form; the Key tells them apart. With the S flag, the
Private Data of a Rev 2 frame begin with the enhanced data.""", ["MPA_STARTUP", "MPA_ENHANCED"]),
    ("FPDUs", """After the startup, all octets belong to FPDUs. An FPDU is ULPDU_Length, a ULPDU of that many octets, PAD up to a multiple of four
octets, and the CRC. A ULPDU is one DDP Segment. If the receiver asked for Markers, one stands at every 512th octet of the stream, also
inside an FPDU.""", ["MPA_FPDU", "MPA_PAD", "MPA_CRC", "MPA_MARKER"]),
    ("DDP headers", """A DDP Segment begins with one of two headers. The T flag tells them apart: tagged for RDMA Write and RDMA Read Response, untagged
for all other messages.""", ["DDP_TAGGED", "DDP_UNTAGGED"]),
    ("RDMAP", """DDP carries the RDMAP Control Field in RsvdULP, the second octet of both headers. The headers below follow the untagged DDP
header.""", ["RDMAP_CTRL", "RDMAP_READ_REQ", "RDMAP_TERM", "RDMAP_TERM_LENGTH", "RDMAP_IMMEDIATE", "RDMAP_ATOMIC_REQ", "RDMAP_ATOMIC_RESP"]),
    ("DDP over SCTP", """Over SCTP there is no MPA. A DATA chunk carries a DDP Segment or a control message of the session. The Adaptation Layer
Indication is a parameter of INIT and INIT ACK.""", ["SCTP_SEGMENT", "SCTP_CONTROL", "SCTP_ADAPTATION"]),
    ("Private Data of upper layers", """These forms stand in the Private Data of startup frames.""",
     ["ERDMA_EXT", "SMBD_DEPTHS", "SMBD_DEPTHS_LE", "RPC_RDMA"]),
]
KINDS = {"FLAG": "flag", "UINT": "number", "UINT_LE": "number, little-endian", "HEX": "number in hex", "HEX_LE": "number in hex, little-endian",
         "OCTETS": "octets"}

RESERVED = {"reserved", "rsvd", "rsv"}
# Diagrams that begin in the middle of a line, after the field that stands before the form in an FPDU.
STARTS = {"DDP_TAGGED": 16, "DDP_UNTAGGED": 16}
# Where the names of values stand, and the numbers that they have there.
NAMES = "libiwarp/src/field/tables.c"
NUMBERS = ["private_data.h", "rdmap.h", "sctp.h"]

STYLE = """  rect { fill: #fff; }
  rect.reserved { fill: #e8e8e8; }
  line { stroke: #333; stroke-width: 1.2; stroke-linecap: square; }
  line.inner { stroke: #bbb; stroke-dasharray: 2 4; }
  line.open { stroke-dasharray: 6 6; }
  text { font-family: sans-serif; font-size: 13px; text-anchor: middle; fill: #111; }
  text.over { stroke: #fff; stroke-width: 6; paint-order: stroke; }
  text.number { font-size: 10px; fill: #555; }"""


def table(root):
    """The forms, and the fields of each, as rows of strings."""
    sys.path.insert(0, str(root / "conformance/python"))
    import make_frames  # what reads the table for Python reads it for this page
    forms, fields = [], {}
    for row in make_frames.rows((root / TABLE).read_text(encoding="utf-8")):
        if len(row) == 6:
            forms.append(row)
        else:
            fields.setdefault(row[0], []).append(row)
    return forms, fields


def cells(fields, start):
    """The field that each bit of the lines belongs to, by line and column; a field without an end has the rest of its line."""
    owners = {}
    for field in fields:
        at, bits = start + int(field[5]), int(field[6])
        for bit in range(at, at + (bits or ROW_BITS - at % ROW_BITS)):
            owners[bit // ROW_BITS, bit % ROW_BITS] = field
    return owners


def blocks(field, owners):
    """Rectangles of a field, as (first line, lines, first column, columns): lines with the same columns are one."""
    found = []
    for line in sorted({line for line, _ in owners}):
        columns = [column for at, column in owners if at == line and owners[at, column] is field]
        if columns:
            span = (min(columns), len(columns))
            if found and found[-1][2:] == span:
                found[-1] = (found[-1][0], found[-1][1] + 1, *span)
            else:
                found.append((line, 1, *span))
    return found


def label_lines(label, width):
    """The label as one or two lines that fit the width; its initials where they do not."""
    fits = int(width / CHARACTER)
    if len(label) <= fits:
        return [label]
    words = label.split()
    for cut in range(1, len(words)):
        lines = [" ".join(words[:cut]), " ".join(words[cut:])]
        if max(map(len, lines)) <= fits:
            return lines
    return ["".join(word[0] for word in words)]


def edges(owners):
    """Yields (class, x1, y1, x2, y2) of each line between two bits, and around all."""
    for (line, column), field in sorted(owners.items(), key=lambda item: item[0]):
        x, y = SIDE + CELL * column, TOP + ROW * line
        for other, place_of in ((owners.get((line - 1, column)), (x, y, x + CELL, y)), (owners.get((line, column - 1)), (x, y, x, y + ROW))):
            if other is not field:
                yield "edge", *place_of
            elif place_of[1] == place_of[3]:  # the field goes on in the next line
                yield "inner", *place_of
        open_ended = field[6] == "0"
        if (line + 1, column) not in owners:
            yield "open" if open_ended else "edge", x, y + ROW, x + CELL, y + ROW
        if (line, column + 1) not in owners:
            yield "edge", x + CELL, y, x + CELL, y + ROW


def joined(found):
    """Lines of the same class that follow each other are one."""
    lines = []
    for kind, x1, y1, x2, y2 in sorted(found, key=lambda line: (line[0], line[1] == line[3], line[2] if line[2] == line[4] else line[1], line[1], line[2])):
        last = lines[-1] if lines else None
        flat = y1 == y2
        if last and last[0] == kind and last[3:] == [x1, y1] and (last[2] == last[4]) == flat:
            last[3:] = [x2, y2]
        else:
            lines.append([kind, x1, y1, x2, y2])
    return lines


def label_texts(label, line, lines, first, bits):
    """The label in the middle of a rectangle; it hides the lines inside of it."""
    texts = label_lines(label, CELL * bits)
    for number, text in enumerate(texts):
        base = TOP + ROW * (line + lines / 2) + 5 + (number - (len(texts) - 1) / 2) * 14
        hides = ' class="over"' if lines > 1 else ""
        yield f'<text{hides} x="{SIDE + CELL * (first + bits / 2):g}" y="{base:g}">{escape(text)}</text>'


def svg(label, fields, start):
    """The diagram of a form: lines of 32 bits."""
    owners = cells(fields, start)
    columns = max(column for _, column in owners) + 1
    width = 2 * SIDE + CELL * ROW_BITS
    height = TOP + ROW * (1 + max(line for line, _ in owners)) + SIDE
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
    yield f"<title>{escape(label)}</title>"
    yield f"<style>\n{STYLE}\n</style>"
    yield f'<rect width="{width}" height="{height}"/>'
    for column in range(columns):
        yield f'<text class="number" x="{SIDE + CELL * column + CELL // 2}" y="{TOP - 7}">{column}</text>'
    texts = []
    for field in fields:
        found = blocks(field, owners)
        if field[7] == "HEX" and field[3].split(".")[1] in RESERVED:
            for line, lines, first, bits in found:
                yield f'<rect class="reserved" x="{SIDE + CELL * first}" y="{TOP + ROW * line}" width="{CELL * bits}" height="{ROW * lines}"/>'
        texts.extend(label_texts(field[4], *max(found, key=lambda block: block[3])))
    for kind, x1, y1, x2, y2 in joined(edges(owners)):
        yield f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'
    yield from texts
    yield "</svg>"


def value_names(root):
    """The names of values by the name of their list, as pairs of a number and a name."""
    headers = "".join((root / "libiwarp/include/iwarp" / name).read_text(encoding="utf-8") for name in NUMBERS)
    numbers = dict(re.findall(r"\b(IWARP_\w+) (?:= )?(0x[0-9A-F]+|\d+)(?=u?[ ,\n])", headers))
    lists = {}
    source_text = (root / NAMES).read_text(encoding="utf-8")
    for name, rows in re.findall(r"field_tables_(\w+)\[\] = \{(.*?)\};", source_text, re.DOTALL):
        pairs = re.findall(r'\{(\w+),\s*"([^"]*)"\}', rows) or re.findall(r'X\((0x\w+)u, "([^"]*)"\)', headers)
        lists[name.upper()] = [(numbers.get(number, number), text) for number, text in pairs]
    return lists


def place(at, bits):
    """Where a field stands: its octets, and its bits where it does not fill them."""
    first, last = at // 8, (at + max(bits, 1) - 1) // 8
    if bits == 0:
        return f"from {first}"
    octets = f"{first}" if first == last else f"{first} to {last}"
    if at % 8 == 0 and bits % 8 == 0:
        return octets
    return f"{octets}, bit {at % 8}" if bits == 1 else f"{octets}, bits {at % 8} to {(at + bits - 1) % 8}"


def form_lines(form, fields, values):
    name, _, _, label, octets, rfc = form
    size = f"{octets} octets" if int(octets) != 1 else "1 octet"
    if any(field[6] == "0" for field in fields):
        size = f"{size} and what follows" if int(octets) else "0 to 3 octets"
    yield f"### {label}"
    yield ""
    yield f"{size[0].upper()}{size[1:]}; {source(rfc)}."
    yield ""
    yield f"![{label}: {', '.join(field[4] for field in fields)}](wire/{file_name(name)})"
    yield ""
    yield "| Field | Bits | Octets | Name in the output | Kind | Source |"
    yield "|---|---|---|---|---|---|"
    for _, _, _, path, field_label, at, bits, kind, _, field_rfc, _ in fields:
        yield f"| {field_label} | {'any' if bits == '0' else bits} | {place(int(at), int(bits))} | `{path}` | {KINDS[kind]} | {source(field_rfc)} |"
    yield ""
    for row in fields:
        if row[8] != "NONE":
            yield f"Values of {row[4]}: {'; '.join(f'{number} {text}' for number, text in values[row[8]])}."
            yield ""


def source(rfc):
    return {"erdma": "the Linux driver erdma", "MS-SMBD": "MS-SMBD"}.get(rfc, rfc)


def file_name(form):
    return f"wire-{form.lower().replace('_', '-')}.svg"


def page(forms, fields, values):
    by_name = {form[0]: form for form in forms}
    yield "<!-- SPDX-License-Identifier: BSD-2-Clause -->"
    yield "<!-- Made by docs/site/wire.py --update of libiwarp/include/iwarp/field.def. -->"
    yield "# Wire format"
    yield ""
    yield "Each form that the library decodes and encodes, with its fields. A line of a diagram has 32 bits. Bit 0 is the most significant bit of"
    yield "the first octet. Numbers stand with the most significant octet first, unless their kind says little-endian. Reserved fields are grey."
    yield "A field with a dashed end has as many octets as are left. A DDP header begins in the middle of a line: in an FPDU, ULPDU_Length stands"
    yield "before it. The name in the output is the key in JSON, in findings and in display filters."
    yield ""
    for title, text, names in SECTIONS:
        yield f"## {title}"
        yield ""
        yield text
        yield ""
        for name in names:
            yield from form_lines(by_name[name], fields[name], values)


def made(root):
    """Returns the files, by their paths."""
    forms, fields = table(root)
    known = [name for _, _, names in SECTIONS for name in names]
    if sorted(known) != sorted(form[0] for form in forms) or set(known) != set(fields):
        sys.exit(f"wire.py: the forms of {TABLE} and those of SECTIONS differ: {sorted({form[0] for form in forms} ^ set(known))}")
    files = {PAGE: "\n".join(page(forms, fields, value_names(root)))}
    for form in forms:
        files[f"{FOLDER}/{file_name(form[0])}"] = "\n".join(svg(form[3], fields[form[0]], STARTS.get(form[0], 0))) + "\n"
    return files


def main():
    root = Path(sys.argv[1]).resolve()
    files = made(root)
    there = {path.relative_to(root).as_posix() for path in (root / FOLDER).glob("*")} | ({PAGE} if (root / PAGE).exists() else set())
    stale = [name for name, text in files.items() if name not in there or (root / name).read_text(encoding="utf-8") != text]
    extra = sorted(there - set(files))
    if sys.argv[2:] == ["--update"]:
        (root / FOLDER).mkdir(exist_ok=True)
        for name in stale:
            (root / name).write_text(files[name], encoding="utf-8")
        for name in extra:
            (root / name).unlink()
        return
    for name in stale + extra:
        print(f"{name} is not what the field table gives: python3 docs/site/wire.py . --update")
    print(f"wire: {len(files)} files, {len(stale + extra)} stale")
    sys.exit(1 if stale or extra else 0)


if __name__ == "__main__":
    main()
