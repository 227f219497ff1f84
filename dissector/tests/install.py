# SPDX-License-Identifier: BSD-2-Clause
"""cmake --install puts the plugin where Wireshark looks for it, and Wireshark loads it: install.py TSHARK CMAKE SCRIPT"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import run_tshark

runner, cmake, script = sys.argv[1:]
scratch = pathlib.Path(tempfile.mkdtemp())


def install(prefix, **environment):
    """Installs what the folder of the plugin has; returns the files."""
    command = [cmake, f"-DCMAKE_INSTALL_PREFIX={prefix}", "-P", script]
    subprocess.run(command, env={**os.environ, **environment}, check=True, stdout=subprocess.DEVNULL)
    return [path for path in scratch.rglob("*") if path.is_file()]


def one(files, name):
    found = [path for path in files if path.name == name]
    run_tshark.equal(len(found), 1, f"{name}:")
    return found[0]


def it_goes_to_the_folder_of_the_system():
    listed = run_tshark.run(["tshark", "-G", "folders"], ours=False)
    folder = next(line.split("\t")[-1].strip() for line in listed.split("\n") if line.startswith("Global Plugins:"))
    plugin = one(install("/usr", DESTDIR=str(scratch / "system")), "iwarp.so")
    run_tshark.equal(str(plugin), f"{scratch}/system{folder}/epan/iwarp.so")


def what_is_installed_is_loaded():
    prefix = scratch / "own"
    files = [path for path in install(str(prefix)) if prefix in path.parents]
    plugin = one(files, "iwarp.so")
    one(files, "colorfilters")
    os.environ["IWARP_WIRESHARK_PLUGINS"] = str(plugin.parents[2])
    rows = [line.split("\t") for line in run_tshark.run([runner, "-G", "plugins"]).split("\n") if line.startswith("iwarp.so")]
    run_tshark.equal([row[3].strip() for row in rows], [str(plugin)])


os.chmod(scratch, 0o755)
try:
    run_tshark.on_each([it_goes_to_the_folder_of_the_system, what_is_installed_is_loaded])
finally:
    shutil.rmtree(scratch)
