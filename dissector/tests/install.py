# SPDX-License-Identifier: BSD-2-Clause
"""cmake --install puts the plugin where Wireshark looks for it, and Wireshark loads it: install.py TSHARK CMAKE SCRIPT"""
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import run_tshark

runner, cmake, script = sys.argv[1:]
scratch = pathlib.Path(tempfile.mkdtemp())


def install(prefix, component=None, **environment):
    """Installs what the folder of the plugin has, or one component of it; returns the files."""
    component = [f"-DCMAKE_INSTALL_COMPONENT={component}"] if component else []
    command = [cmake, f"-DCMAKE_INSTALL_PREFIX={prefix}", *component, "-P", script]
    subprocess.run(command, env={**os.environ, **environment}, check=True, stdout=subprocess.DEVNULL)
    return [path for path in scratch.rglob("*") if path.is_file()]


def one(files, name):
    found = [path for path in files if path.name == name]
    run_tshark.equal(len(found), 1, f"{name}:")
    return found[0]


@functools.cache
def listed_once():
    """The folders of Wireshark for the home folder @HOME@."""
    return {name: folder.replace(str(scratch / "home"), "@HOME@") for name, folder in run_tshark.folders(scratch / "home").items()}


def global_plugins():
    return pathlib.Path(listed_once()["Global Plugins"])


def folders(home):
    return [pathlib.Path(listed_once()[name].replace("@HOME@", str(home))) for name in ("Personal Plugins", "Personal configuration")]


def it_goes_to_the_folder_of_the_system():
    plugin = one(install("/usr", DESTDIR=str(scratch / "system")), "iwarp.so")
    run_tshark.equal(str(plugin), f"{scratch}/system{global_plugins()}/epan/iwarp.so")


def loaded_from(folder):
    """The iwarp.so that Wireshark loads with this folder of plugins."""
    listed = run_tshark.about(runner, "-G", "plugins", IWARP_WIRESHARK_PLUGINS=str(folder))
    return [line.split("\t")[3].strip() for line in listed.split("\n") if line.startswith("iwarp.so")]


def what_is_installed_is_loaded():
    prefix = scratch / "own"
    files = [path for path in install(str(prefix)) if prefix in path.parents]
    plugin = one(files, "iwarp.so")
    one(files, "colorfilters")
    run_tshark.equal(loaded_from(plugin.parents[2]), [str(plugin)])


def a_user_installs_it_into_the_home_folder_and_removes_it():
    home = scratch / "home"
    files = [path for path in install(f"{home}/.local", "wireshark", HOME=str(home)) if home in path.parents]
    plugin = one(files, "iwarp.so")
    run_tshark.equal(plugin, folders(home)[0] / "epan" / "iwarp.so")
    run_tshark.equal(oct(plugin.stat().st_mode & 0o777), "0o644")
    names = {path.name for path in files}
    run_tshark.equal(names, {"iwarp.so", "colorfilters", "dfilter_buttons", "preferences", "LICENSE", "LICENSE-plugin.txt"})
    install(f"{home}/.local", "wireshark-uninstall", HOME=str(home))
    left = {str(path.relative_to(home)) for path in home.rglob("*")}
    run_tshark.equal(left, {".local", ".local/lib", ".local/share"}, "left after it was removed:")


def removing_it_leaves_what_others_installed():
    """Also where the name of a folder is a pattern of names: it matches no file in it."""
    prefix = scratch / "mine [1]"
    plugin = one([path for path in install(str(prefix), "wireshark") if prefix in path.parents], "iwarp.so")
    other = plugin.parent / "other.so"
    other.touch()
    install(str(prefix), "wireshark-uninstall")
    run_tshark.equal((plugin.exists(), other.exists()), (False, True), "iwarp.so and other.so:")


def archive():
    """What .ci/dissector --release packs, with the plugin of this build tree alone."""
    folder, sources = scratch / "archive", pathlib.Path(__file__).resolve().parents[1]
    if not folder.exists():
        plugin = one([path for path in install(str(scratch / "built")) if scratch / "built" in path.parents], "iwarp.so")
        release = global_plugins().name
        (folder / "plugins" / release).mkdir(parents=True)
        shutil.copy(plugin, folder / "plugins" / release)
        shutil.copy(sources / "install.sh", folder)
        shutil.copytree(sources / "profile", folder / "profile")
    return folder


PROGRAM = """#!/bin/sh
case $1 in
--version) echo "{name} {release}.0" ;;
*) sed "s,@HOME@,$HOME," <<'END'
{folders}
END
esac
"""


@functools.cache
def programs():
    """A folder with a wireshark and a tshark that give install.sh the recorded answers, without the long start."""
    folder = scratch / "programs"
    folder.mkdir()
    listed = "\n".join(f"{name}:\t{value}" for name, value in listed_once().items())
    for name in ("wireshark", "tshark"):
        (folder / name).write_text(PROGRAM.format(name=name, release=global_plugins().name, folders=listed))
        (folder / name).chmod(0o755)
    return folder


def run_archive(home, *args, path=None):
    path = path or f"{programs()}:{os.environ['PATH']}"
    done = subprocess.run([str(archive() / "install.sh"), *args], env={**os.environ, "HOME": str(home), "PATH": path}, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode()


def the_archive_installs_what_fits_and_removes_it():
    home = scratch / "user"
    home.mkdir()
    (home / ".config" / "wireshark" / "profiles" / "mine").mkdir(parents=True)
    plugins, settings = folders(home)
    run_tshark.equal(run_archive(home, path=os.environ["PATH"])[0], 0)
    run_tshark.equal(oct((plugins / "epan" / "iwarp.so").stat().st_mode & 0o777), "0o644")
    run_tshark.equal((settings / "profiles" / "iWARP" / "colorfilters").exists(), True)
    run_tshark.equal(loaded_from(plugins.parent), [str(plugins / "epan" / "iwarp.so")])
    run_tshark.equal(run_archive(home, "--uninstall")[0], 0)
    run_tshark.equal([str(path) for path in home.rglob("*") if path.is_file()], [], "left after it was removed:")
    run_tshark.equal(plugins.exists(), False, f"{plugins} exists:")
    run_tshark.equal((settings / "profiles" / "mine").exists(), True)


def the_archive_leaves_what_the_user_keeps_in_the_profile():
    """Wireshark writes files into the profile that is chosen; and the plugin may be a link to a build tree."""
    home = scratch / "keeps"
    home.mkdir()
    plugins, settings = folders(home)
    built, recent = home / "built.so", settings / "profiles" / "iWARP" / "recent"
    built.write_bytes(b"built")
    (plugins / "epan").mkdir(parents=True)
    (plugins / "epan" / "iwarp.so").symlink_to(built)
    run_tshark.equal(run_archive(home)[0], 0)
    recent.touch()
    run_tshark.equal(run_archive(home)[0], 0)
    run_tshark.equal((recent.exists(), built.read_bytes()), (True, b"built"), "after it was installed again:")
    status, said = run_archive(home, "--uninstall")
    run_tshark.equal((status, "kept files of yours in" in said), (0, True), said)
    run_tshark.equal({path for path in home.rglob("*") if path.is_file()}, {built, recent}, "left after it was removed:")


def removing_it_takes_the_plugins_of_other_releases():
    """Wireshark was upgraded since; what others put into the same folders stays."""
    home = scratch / "upgraded"
    home.mkdir()
    plugins, _ = folders(home)
    older, shared, other = (plugins.parent / release / "epan" for release in ("3.6", "9.9", "mine"))
    for folder in (older, shared, other):
        folder.mkdir(parents=True)
        (folder / "iwarp.so").touch()
    (shared / "other.so").touch()
    run_tshark.equal(run_archive(home)[0], 0)
    status, said = run_archive(home, "--uninstall")
    run_tshark.equal((status, all(str(folder) in said for folder in (plugins, older, shared))), (0, True), said)
    left = {path for path in home.rglob("*") if path.is_file()}
    run_tshark.equal(left, {shared / "other.so", other / "iwarp.so"}, "left after it was removed:")
    run_tshark.equal((older.parent.exists(), plugins.exists()), (False, False))


def a_file_of_the_profile_that_the_user_changed_is_kept():
    """Any other one is replaced by the file of a later archive."""
    home = scratch / "changed"
    home.mkdir()
    installed, shipped = folders(home)[1] / "profiles" / "iWARP", archive() / "profile" / "iWARP"
    later = shipped / "preferences"
    before = later.read_text()
    run_archive(home)
    with (installed / "colorfilters").open("a") as file:
        file.write("# mine\n")
    mine = (installed / "colorfilters").read_text()
    later.write_text(before + "# later\n")
    status, said = run_archive(home)
    now = (installed / "colorfilters").read_text(), (installed / "preferences").read_text()
    later.write_text(before)
    run_tshark.equal(now, (mine, before + "# later\n"), said)
    lines = [line for line in said.split("\n") if "kept" in line]
    run_tshark.equal((status, len(lines), str(installed / "colorfilters") in said), (0, 1, True), said)
    run_archive(home, "--uninstall")
    run_tshark.equal([path for path in home.rglob("*") if path.is_file()], [installed / "colorfilters"], "left after it was removed:")


def an_archive_without_the_release_says_so():
    home = scratch / "other"
    home.mkdir()
    [release] = os.listdir(archive() / "plugins")
    (archive() / "plugins" / release).rename(archive() / "plugins" / "3.6")
    status, said = run_archive(home)
    (archive() / "plugins" / "3.6").rename(archive() / "plugins" / release)
    run_tshark.equal((status, f"no plugin for Wireshark {release}; it has: 3.6" in said), (1, True), said)
    run_tshark.equal(list(home.rglob("*.so")), [])


os.chmod(scratch, 0o755)
try:
    run_tshark.on_each([it_goes_to_the_folder_of_the_system,
                        a_user_installs_it_into_the_home_folder_and_removes_it, removing_it_leaves_what_others_installed,
                        what_is_installed_is_loaded, the_archive_installs_what_fits_and_removes_it,
                        the_archive_leaves_what_the_user_keeps_in_the_profile, removing_it_takes_the_plugins_of_other_releases,
                        a_file_of_the_profile_that_the_user_changed_is_kept, an_archive_without_the_release_says_so])
finally:
    shutil.rmtree(scratch)
