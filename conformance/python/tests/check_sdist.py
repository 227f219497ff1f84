# SPDX-License-Identifier: BSD-2-Clause
"""The sdist has the sources of the libraries, and the same octets each time: check_sdist.py [--build].

--build makes the wheel of the sdist twice, in two folders, without optimisation, which takes long. It compares the octets, installs
one in a new environment, and runs the tests of the package on it.
"""

import filecmp
import importlib.util
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PYTHON = Path(__file__).resolve().parents[1]
ROOT = PYTHON.parents[1]
# What a build reads: all else may be there or not.
READ = ("CMakeLists.txt", "*.cmake", "*.cmake.in", "*.c", "*.h", "*.def", "*.tsv", "*.profile", "*.scn", "*.cdef", "iwarp/*.py", "iwarp/*.pyi")
NOT_READ = {"tests", "web", "cluster", "build", "dist"}
EPOCH = "1700000000"
def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        print(done.stdout, done.stderr)
        sys.exit(f"failed: {' '.join(str(word) for word in command)}")
    return done.stdout


def environment():
    return {**os.environ, "SOURCE_DATE_EPOCH": EPOCH, "PYTHONPATH": ""}


def make_sdist(folder):
    run(sys.executable, PYTHON / "setup.py", "-q", "egg_info", "--egg-base", folder, "sdist", "-d", folder, cwd=PYTHON, env=environment())
    found = list(folder.glob("*.tar.gz"))
    assert len(found) == 1, found
    return found[0]


def version():
    return re.search(r'IWARP_VERSION_STRING "([^"]*)"', (ROOT / "libiwarp/include/iwarp/version.h").read_text(encoding="utf-8"))[1]


def check_contents(sdist):
    """All that a build reads is there, and nothing that an earlier build left."""
    wanted = {path.relative_to(ROOT) for part in ("libiwarp", "conformance") for pattern in READ for path in (ROOT / part).rglob(pattern)}
    wanted = {path for path in wanted if not NOT_READ & set(path.parts)} | {path.relative_to(ROOT) for path in (ROOT / "docs/rules").glob("*.md")}
    wanted -= {Path("conformance/python/setup.py")}
    top = f"iwarp-{version()}"
    with tarfile.open(sdist) as tar:
        infos = {info.name: info for info in tar if info.isfile()}
        missing = [str(path) for path in sorted(wanted) if f"{top}/source/{path}" not in infos]
        if missing:
            sys.exit(f"failed: not in the sdist: {', '.join(missing[:10])}")
        for path in sorted(wanted):
            assert tar.extractfile(infos[f"{top}/source/{path}"]).read() == (ROOT / path).read_bytes(), path
    for info in infos.values():
        assert (info.uid, info.gid, info.uname, info.mtime) == (0, 0, "", int(EPOCH)), info
        assert not re.search(r"/(tests|dist|__pycache__)/|\.(so|o|a|pyc)$", info.name), info.name
    assert {f"{top}/LICENSE", f"{top}/PKG-INFO", f"{top}/pyproject.toml", f"{top}/setup.py"} <= set(infos)
    print(f"{len(infos)} files, of which a build reads {len(wanted)}")


def make_wheel(sdist, folder):
    """The wheel of an sdist, which is unpacked in `folder`."""
    with tarfile.open(sdist) as tar:
        tar.extractall(folder)
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-index", "--no-build-isolation", "--no-deps", "-w", folder / "wheel",
        folder / f"iwarp-{version()}", env={**environment(), "CMAKE_ARGS": "-DCMAKE_BUILD_TYPE=Debug"})
    found = list((folder / "wheel").glob("*.whl"))
    assert len(found) == 1 and f"iwarp-{version()}-cp311-abi3-" in found[0].name, found
    return found[0]


def try_wheel(wheel, folder):
    run(sys.executable, "-m", "venv", "--system-site-packages", folder / "venv")
    python = folder / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", wheel, env=environment())
    capture = ROOT / "pcaps/real/siw/term-read-badkey.pcap"
    run(python, PYTHON / "tests" / "smoke.py", version(), capture, cwd=folder, env=environment())
    tests = [PYTHON / "tests" / f"test_{name}.py" for name in ("codec", "vectors", "capture", "endpoint")]
    print(run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, cwd=folder, env=environment()).splitlines()[-1])
    run(python, "-m", "pip", "uninstall", "-q", "-y", "iwarp", env=environment())
    assert not list((folder / "venv").glob("lib/python3*/site-packages/iwarp*"))


def want(*modules):
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        sys.exit(f"failed: there is no {', '.join(missing)} (Debian: python3-setuptools python3-wheel python3-pip python3-venv)")


def main():
    build = "--build" in sys.argv[1:]
    want("setuptools", *(("wheel", "pip", "venv", "ensurepip") if build else ()))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sdist = make_sdist(folder)
        check_contents(sdist)
        if build:
            again = folder / "again"
            again.mkdir()
            assert filecmp.cmp(sdist, make_sdist(again), shallow=False), "two sdists differ"
            first = make_wheel(sdist, folder / "first")
            second = make_wheel(sdist, folder / "another-with-a-longer-name")
            if not filecmp.cmp(first, second, shallow=False):
                sys.exit("failed: two wheels differ")
            try_wheel(first, folder)
            print(f"{first.name}: {first.stat().st_size} octets")


if __name__ == "__main__":
    main()
