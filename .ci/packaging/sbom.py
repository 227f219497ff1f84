#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""sbom: what a release holds, as SPDX 2.3 in JSON.

sbom.py OUT VERSION TREE           writes OUT/libiwarp-VERSION.spdx.json: each file of the sources in TREE with its licence and
                                   checksums, each artefact in OUT, and for packages what they need
sbom.py --check OUT VERSION TREE   the file has the form, and names exactly what is in OUT and TREE

The date is SOURCE_DATE_EPOCH, so the same release has the same octets.
"""

import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

LICENCE = re.compile(rb"SPDX-License-Identifier: ([\w.-]+)")
OURS = "BSD-2-Clause"
COPYRIGHT = "Copyright (c) 2026, the libiwarp authors"
# Of Debian's packages those that others have under another licence are named by it; for all others Debian's copyright file counts.
PLUGIN = "wireshark-iwarp"


def checksums(path):
    octets = path.read_bytes()
    return [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(octets).hexdigest()},
            {"algorithm": "SHA256", "checksumValue": hashlib.sha256(octets).hexdigest()}], octets


def spdx_id(*words):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", "-".join(words))


def source_files(tree):
    for path in sorted(p for p in Path(tree).rglob("*") if p.is_file() and not p.is_symlink()):
        sums, octets = checksums(path)
        found = LICENCE.search(octets[:4096])
        licence = found.group(1).decode() if found else OURS  # LICENSE covers what cannot say it, such as captures
        yield {"fileName": "./" + path.relative_to(tree).as_posix(), "SPDXID": spdx_id("File", hashlib.sha1(str(path.relative_to(tree)).encode()).hexdigest()[:16]),
               "checksums": sums, "licenseConcluded": licence, "licenseInfoInFiles": [licence if found else "NOASSERTION"], "copyrightText": COPYRIGHT}


def verification_code(files):
    sums = sorted(f["checksums"][0]["checksumValue"] for f in files)
    return hashlib.sha1("".join(sums).encode()).hexdigest()


def needs(deb):
    """The packages that a Debian package depends on, without versions and alternatives."""
    field = subprocess.run(["dpkg-deb", "-f", deb, "Depends"], stdout=subprocess.PIPE, check=True, text=True).stdout
    return sorted({re.split(r"[ (:|]", part.strip())[0] for part in field.split(",") if part.strip()})


def artefacts(out):
    skipped = ("SHA256SUMS", ".spdx.json")
    return sorted(p for p in Path(out).iterdir() if p.is_file() and not p.name.endswith(skipped))


def package(name, version, sums, **more):
    return {"name": name, "SPDXID": spdx_id("Package", name), "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "checksums": sums, "licenseConcluded": OURS, "licenseDeclared": OURS, "copyrightText": COPYRIGHT, **more}


def document(out, version, tree):
    files = list(source_files(tree))
    packages = [{"name": "libiwarp", "SPDXID": "SPDXRef-Package-libiwarp", "versionInfo": version, "downloadLocation": "NOASSERTION",
                 "filesAnalyzed": True, "packageVerificationCode": {"packageVerificationCodeValue": verification_code(files)},
                 "licenseConcluded": OURS, "licenseDeclared": OURS, "licenseInfoFromFiles": sorted({n for f in files for n in f["licenseInfoInFiles"]}),
                 "copyrightText": COPYRIGHT, "primaryPackagePurpose": "SOURCE"}]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-Package-libiwarp")]
    relations += [("SPDXRef-Package-libiwarp", "CONTAINS", f["SPDXID"]) for f in files]
    outside = set()
    for path in artefacts(out):
        entry = package(path.name, version, checksums(path)[0], packageFileName=path.name)
        if path.name.startswith(PLUGIN):
            entry["licenseConcluded"] = "GPL-2.0-or-later"
            entry["comment"] = "The sources are under BSD-2-Clause; the plugin is linked with Wireshark."
        packages.append(entry)
        relations.append((entry["SPDXID"], "GENERATED_FROM", "SPDXRef-Package-libiwarp"))
        if path.suffix == ".deb":
            for name in needs(path):
                outside.add(name)
                relations.append((entry["SPDXID"], "DEPENDS_ON", spdx_id("Outside", name)))
    for name in sorted(outside):
        packages.append({"name": name, "SPDXID": spdx_id("Outside", name), "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                         "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
                         "comment": "A package of Debian."})
    digest = hashlib.sha256(json.dumps([packages, files]).encode()).hexdigest()
    created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"libiwarp-{version}",
            "documentNamespace": f"urn:sha256:{digest}",
            "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Organization: the libiwarp authors", "Tool: sbom.py"]},
            "packages": packages, "files": files,
            "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations]}


def check(out, version, tree):
    """What is wrong with the document, as lines."""
    with open(Path(out) / f"libiwarp-{version}.spdx.json", encoding="utf-8") as stream:
        doc = json.load(stream)
    elements = [doc["SPDXID"], *(p["SPDXID"] for p in doc["packages"]), *(f["SPDXID"] for f in doc["files"])]
    if len(elements) != len(set(elements)):
        yield "an identifier stands twice"
    for element in elements:
        if not re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", element):
            yield f"{element} is no identifier"
    known = set(elements)
    for relation in doc["relationships"]:
        if not {relation["spdxElementId"], relation["relatedSpdxElement"]} <= known:
            yield f"a relation names nothing: {relation}"
    named = {p["packageFileName"]: p["checksums"] for p in doc["packages"] if "packageFileName" in p}
    there = {p.name: checksums(p)[0] for p in artefacts(out)}
    yield from (f"artefacts differ: {name}" for name in sorted(named.keys() | there.keys()) if named.get(name) != there.get(name))
    listed = {f["fileName"]: f["checksums"] for f in doc["files"]}
    found = {f["fileName"]: f["checksums"] for f in source_files(tree)}
    yield from (f"files differ: {name}" for name in sorted(listed.keys() | found.keys()) if listed.get(name) != found.get(name))
    if doc != document(out, version, tree):
        yield "written again it is another one"


def main(*words):
    if words[0] == "--check":
        wrong = list(check(*words[1:]))
        print("\n".join(wrong) or "the document names what is there")
        return 1 if wrong else 0
    out, version, tree = words
    text = json.dumps(document(out, version, tree), indent=1) + "\n"
    (Path(out) / f"libiwarp-{version}.spdx.json").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
