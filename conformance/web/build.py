# SPDX-License-Identifier: BSD-2-Clause
"""Makes the page of one file: build.py SOURCES MODULE REPORT-PAGE OUT. SOURCES is the top of the repository, MODULE iwarp.wasm.
REPORT-PAGE is the C file with the page of the HTML report. The policy allows the script and styles of that page as well."""

import base64
import gzip
import hashlib
import html
import json
import re
import sys
from pathlib import Path

IMPORT = re.compile(r"^import .*;\n", re.MULTILINE)
EXPORT = re.compile(r"^export .*;\n", re.MULTILINE)
WORKER = ("wasi.js", "iwarp.js", "worker.js")


def packed(octets):
    """Octets as text: gzip, the same for the same octets, in base64."""
    return base64.b64encode(gzip.compress(octets, 9, mtime=0)).decode()


def source(text):
    """The hash by which a policy allows a script or a style."""
    return "'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def classic(text):
    """A module as a part of one script."""
    return EXPORT.sub("", IMPORT.sub("", text))


def policy(js, css, report):
    """Only the scripts and styles of this page and of the reports that it shows; a worker and frames from its own Blobs; and no
    connection, image, font or form."""
    own = {kind: sorted(set(re.findall(kind + r" ('sha256-[^']+')", report))) for kind in ("script-src", "style-src")}
    if len(own["script-src"]) != 2 or len(own["style-src"]) != 2:
        sys.exit("build.py: the page of the report names other hashes than expected")
    parts = ["default-src 'none'", " ".join(["script-src", source(js), *own["script-src"], "'wasm-unsafe-eval'"]),
             " ".join(["style-src", source(css), *own["style-src"]]), "worker-src blob:", "frame-src blob:", "base-uri 'none'",
             "form-action 'none'"]
    return html.escape("; ".join(parts), quote=True).replace("&#x27;", "'")


def main(top, module, report, out):
    web = Path(top) / "conformance" / "web"
    read = {name: (web / "page" / f"page.{name}").read_text(encoding="utf-8") for name in ("html", "css", "js")}
    worker = "".join(classic((web / name).read_text(encoding="utf-8")) for name in WORKER)
    examples = [{"name": Path(e["file"]).name, "title": e["title"], "data": packed((Path(top) / e["file"]).read_bytes())}
                for e in json.loads((web / "examples.json").read_text(encoding="utf-8"))]
    for text in (worker, read["js"]):
        if "</script" in text.lower() or "<!--" in text:
            sys.exit("build.py: a script would end the element that holds it")
    css, js = "\n" + read["css"], "\n" + read["js"]
    values = {"POLICY": policy(js, css, Path(report).read_text(encoding="utf-8")), "CSS": css, "JS": js, "WORKER": worker,
              "MODULE": packed(Path(module).read_bytes()), "EXAMPLES": json.dumps(examples)}
    page = re.sub(r"@([A-Z]+)@", lambda match: values[match.group(1)], read["html"])
    Path(out).write_text(page, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
