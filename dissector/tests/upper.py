# SPDX-License-Identifier: BSD-2-Clause
"""NFS over RDMA is decoded, and each call matched with its reply: upper.py TSHARK FOLDER"""
import pathlib
import sys

import run_tshark


def main():
    runner, folder = sys.argv[1:]
    plugin, builtin = run_tshark.Tshark(runner), run_tshark.Tshark(runner, plugin=False)

    def matched(capture):
        ours, theirs = (len(tshark.values(capture, "rpc.time", "-2")) for tshark in (plugin, builtin))
        calls = plugin.values(capture, "rpc.msgtyp", "-2").count("0")
        print(f"{capture.name}: {calls} calls, {ours} replies matched, {theirs} by the built-in")
        if calls == 0 or ours < calls or ours < theirs or not plugin.values(capture, "nfs.status", "-2"):
            raise run_tshark.Failed("not all calls are matched")
        return ours

    files = sorted(pathlib.Path(folder).glob("nfs*.pcap"))
    run_tshark.on_all(files, matched)


main()
