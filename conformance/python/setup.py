# SPDX-License-Identifier: BSD-2-Clause
"""Wheel and sdist. CMake builds the package, by its options in CMAKE_ARGS too; the sdist brings the sources that it needs.

Both have the same octets wherever they are made, if SOURCE_DATE_EPOCH is set.
"""

import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
UNPACKED = HERE / "source"  # in an sdist
ROOT = UNPACKED if UNPACKED.exists() else HERE.parents[1]
PARTS = ("CMakeLists.txt", "LICENSE", "libiwarp", "conformance", "docs/rules", "docs/outcomes.md")
# Parts that CMake does not read here, and what setuptools leaves in the folder of the package.
LEFT_OUT = ("tests", "__pycache__", "web", "build", "dist", "*.egg-info", "setup.py", "pyproject.toml", "MANIFEST.in")
OPTIONS = {"CMAKE_BUILD_TYPE": "Release", "IWARP_BUILD_CONFORMANCE": "ON", "IWARP_BUILD_PYTHON": "ON", "IWARP_BUILD_TESTS": "OFF",
           "IWARP_BUILD_FUZZ": "OFF", "IWARP_BUILD_DISSECTOR": "OFF", "IWARP_CONFINE": "OFF", "IWARP_INSTALL": "OFF"}
BUILT = "lib/python3/dist-packages/iwarp"


def version():
    text = (ROOT / "libiwarp/include/iwarp/version.h").read_text(encoding="utf-8")
    return re.search(r'IWARP_VERSION_STRING "([^"]*)"', text)[1]


class Build(build_py):
    """Lets CMake build the package, and takes it."""

    def get_source_files(self):
        return []  # they are part of the sources that the sdist brings

    def run(self):
        folder = Path(self.get_finalized_command("build").build_temp).resolve()
        options = [f"-D{name}={value}" for name, value in OPTIONS.items()] + [f"-DIWARP_PYTHON={sys.executable}"]
        own = shlex.split(os.environ.get("CMAKE_ARGS", ""))
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, *options, *own], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "iwarp_python_package", "--parallel", str(len(os.sched_getaffinity(0)))],
                       check=True)
        target = Path(self.build_lib) / "iwarp"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(folder / BUILT, target, ignore=shutil.ignore_patterns("__pycache__"))
        for file in target.iterdir():
            file.chmod(0o755 if file.suffix == ".so" else 0o644)


class Source(sdist):
    """Adds the sources of the libraries."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        shutil.copy(ROOT / "LICENSE", base_dir)
        for part in PARTS:
            target = Path(base_dir) / "source" / part
            target.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, target, ignore=shutil.ignore_patterns(*LEFT_OUT))
            else:
                shutil.copy(ROOT / part, target)

    def make_distribution(self):
        """The tarball, without owners, and with the time of SOURCE_DATE_EPOCH. It is not made in a folder that it packs."""
        epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))

        def plain(info):
            info.uid = info.gid = 0
            info.uname = info.gname = ""
            info.mtime = epoch
            info.mode = 0o755 if info.isdir() or info.mode & 0o100 else 0o644
            return info

        name = self.distribution.get_fullname()
        path = os.path.join(self.dist_dir, name + ".tar.gz")
        self.mkpath(self.dist_dir)
        with tempfile.TemporaryDirectory() as folder:
            tree = os.path.join(folder, name)
            self.make_release_tree(tree, self.filelist.files)
            with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, epoch) as packed, \
                    tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
                tar.add(tree, name, filter=plain)
        self.archive_files = [path]
        self.distribution.dist_files.append(("sdist", "", path))


class Binary(Distribution):
    """The package has a module for this kind of machine."""

    def has_ext_modules(self):
        return True


setup(version=version(), packages=["iwarp"], cmdclass={"build_py": Build, "sdist": Source}, distclass=Binary,
      options={"bdist_wheel": {"py_limited_api": "cp311"}})
