# SPDX-License-Identifier: BSD-2-Clause
"""Usage: upper_names.py TOOL PCAPS

Names of upper layers: each Send of the scenarios in upper/ has the name in its comment, in each output, and those near to it
have none. In the captures of PCAPS, of a real stack, each first segment has a name where the application is known.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PAGES = Path(__file__).parent / "upper"
LABELS = {"rpc-rdma": "RPC-over-RDMA", "smb-direct": "SMB Direct", "nvme-rdma": "NVMe", "iser": "iSER"}
NAME = re.compile("(?:" + "|".join(LABELS.values()) + ")" + r" [^!]*?(?=, markers|, crc|, stream|, cut|, error|$)")
SEND = re.compile(r"\b(send(?:-se)?(?:-invalidate)?) (?:L )?qn ")
# Captures of real applications: the protocol, and how many Sends have a name.
REAL = {"nfs3-mixed": ("rpc-rdma", 68), "nfs4-mount-ls": ("rpc-rdma", 48), "smbdirect-session": ("smb-direct", 22),
        "nvme-connect": ("nvme-rdma", 61), "nvme-queues": ("nvme-rdma", 185), "iser-read-write": ("iser", 52)}


def expected(page):
    """The names of the Sends of a page, in its order."""
    names = []
    for line in page.read_text().splitlines():
        if re.match(r"[ir]> send", line):
            names.append(re.search(r"# (.*)$", line).group(1))
    return names


def run(*args):
    return subprocess.run(args, check=False, capture_output=True, text=True).stdout


def of_text(lines):
    """The names of the Sends in lines of text."""
    found = []
    for line in lines:
        if SEND.search(line):
            name = NAME.search(line)
            found.append(name.group(0) if name else "-")
    return found


def of_json(text):
    found = []
    for line in map(json.loads, text.splitlines()):
        if line.get("rdmap", {}).get("name", "").startswith("send"):
            ulp = line.get("ulp")
            status = f", status {ulp['status']}" if ulp and "status" in ulp else ""
            found.append(f"{LABELS[ulp['protocol']]} {ulp['message']}{status}" if ulp else "-")
    return found


def of_page(text):
    """The lines of PDUs in the data of the HTML page."""
    rows = json.loads(re.search(r"<script[^>]*application/json[^>]*>(.*?)</script>", text, re.S).group(1))
    return of_text(row[6] for row in rows if row[0] == "p")


def check_page(tool, page, folder):
    capture = f"{folder}/{page.stem}.pcap"
    subprocess.run([tool, "gen", str(page), "-o", capture], check=True)
    due = expected(page)
    outputs = {"dump": of_text(run(tool, "dump", capture).splitlines()),
               "dump -T jsonl": of_json(run(tool, "dump", "-T", "jsonl", capture)),
               "timeline": of_text(run(tool, "timeline", capture).splitlines()),
               "check -T html": of_page(run(tool, "check", "-T", "html", capture))}
    complaints = []
    for output, found in outputs.items():
        for i, (a, b) in enumerate(zip(due, found)):
            if a != b:
                complaints.append(f"{page.name}: {output}: Send {i + 1} is {b!r} instead of {a!r}")
        if len(found) != len(due):
            complaints.append(f"{page.name}: {output}: {len(found)} Sends instead of {len(due)}")
    return complaints


def check_real(tool, pcaps):
    complaints = []
    for name, (protocol, count) in REAL.items():
        found = [line["ulp"]["protocol"] for line in map(json.loads, run(
            tool, "dump", "-T", "jsonl", f"{pcaps}/real/siw/{name}.pcap").splitlines()) if "ulp" in line]
        if found != [protocol] * count:
            complaints.append(f"{name}: {len(found)} names, of {sorted(set(found))}, instead of {count} of {protocol}")
    for capture in sorted(Path(pcaps, "real/siw").glob("*.pcap")):
        application = re.match(r"nfs|nvme|iser|smbdirect", capture.name)
        if not application and '"ulp"' in run(tool, "dump", "-T", "jsonl", str(capture)):
            complaints.append(f"{capture.name}: a name although no such application made it")
    return complaints


def main():
    tool, pcaps = sys.argv[1:]
    pages = sorted(PAGES.glob("*.scn"))
    with tempfile.TemporaryDirectory() as folder:
        complaints = [c for page in pages for c in check_page(tool, page, folder)]
    complaints += check_real(tool, pcaps)
    print(*complaints, sep="\n")
    print(f"upper_names: {len(pages)} scenarios, {len(complaints)} complaint(s)")
    return 1 if complaints or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
