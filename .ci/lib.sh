# SPDX-License-Identifier: BSD-2-Clause
# What the scripts of this folder share. Sourced, from the top of the repository.

# usage prints the head of the script that sources this.
usage() {
  sed -n '3,/^[^#]/s/^# \{0,1\}//p' ".ci/${0##*/}"
}

# take_options KNOWN ARGUMENT... answers --help, and ends the script where an option is none of KNOWN, words with spaces
# between them; other arguments too, unless "..." is one of the words.
take_options() {
  known=" $1 "
  shift
  for argument in "$@"; do
    case $argument in
      -h | --help) usage; exit 0 ;;
      -*) kind=$argument ;;
      *) kind=... ;;
    esac
    case $known in
      *" $kind "*) ;;
      *) { echo "${0##*/}: not known: $argument"; usage; } >&2; exit 2 ;;
    esac
  done
}

# Debian packages by purpose; a set includes those that it names.
PACKAGES_build="build-essential cmake ninja-build pkg-config libpcap-dev uthash-dev
  zlib1g-dev libzstd-dev liblz4-dev liblzma-dev libseccomp-dev"
PACKAGES_test="$PACKAGES_build check libjansson-dev python3 clang-format"
# Programs that read the reports in tests; without them those parts are skipped.
PACKAGES_readers="chromium mandoc zsh fish python3-junitparser python3-html5lib python3-lxml python3-jsonschema"
PACKAGES_gate="$PACKAGES_test git clang lld libclang-rt-dev gcovr doxygen"
PACKAGES_mcdc="$PACKAGES_test clang-19 libclang-rt-19-dev llvm-19"
# The compilers only recommend the C library of their machine, and recommendations are not installed.
PACKAGES_cross="$PACKAGES_test gcc-i686-linux-gnu gcc-s390x-linux-gnu gcc-aarch64-linux-gnu
  libc6-dev-i386-cross libc6-dev-s390x-cross libc6-dev-arm64-cross qemu-user"
PACKAGES_fuzz="$PACKAGES_build python3 clang libclang-rt-dev llvm"
PACKAGES_campaign="$PACKAGES_fuzz afl++ gcovr"
PACKAGES_dissector="$PACKAGES_build wireshark-dev tshark"
PACKAGES_dissector_test="$PACKAGES_test wireshark-dev tshark wireshark-common"
# What reads the metrics is unpacked by .ci/metrics, since its packages would start services.
PACKAGES_metrics="$PACKAGES_test systemd iproute2 util-linux"
PACKAGES_python="$PACKAGES_test python3-cffi python3-dev python3-pytest python3-setuptools mypy"
PACKAGES_python_packages="$PACKAGES_build python3-cffi python3-dev python3-pip python3-setuptools python3-wheel"
PACKAGES_python_slow="$PACKAGES_python $PACKAGES_python_packages python3-venv python3-pandas python3-scapy python3-matplotlib"
PACKAGES_dissector_suite="git mmdebstrap debian-archive-keyring"
PACKAGES_release="git mmdebstrap debian-archive-keyring xz-utils python3"
PACKAGES_dissector_gui="$PACKAGES_dissector wireshark-qt xvfb xdotool imagemagick dbus-daemon at-spi2-core python3-pyatspi fonts-dejavu-core"
PACKAGES_web="cmake ninja-build clang lld wasi-libc libclang-rt-dev-wasm32 uthash-dev python3 nodejs"
PACKAGES_web_test="$PACKAGES_web $PACKAGES_build chromium"
# The generator of the site, what reads the headers for it, and a browser that looks at it.
PACKAGES_site="python3 python3-sphinx python3-myst-parser furo python3-breathe doxygen"
PACKAGES_site_test="$PACKAGES_site chromium"
# What Frama-C's WP calls to prove the contracts of the cursor.
PACKAGES_provers="why3 z3 cvc4"
PACKAGES_cluster="$PACKAGES_fuzz $PACKAGES_test slurmctld slurmd slurm-client munge"
PACKAGES_proof="$PACKAGES_test frama-c-base $PACKAGES_provers"

# missing_packages SET prints the packages of a set that are not installed.
missing_packages() {
  eval "wanted=\$PACKAGES_$1"
  missing=
  for package in $wanted; do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
      *" installed") ;;
      *) missing="$missing $package" ;;
    esac
  done
  # shellcheck disable=SC2086 # the names are words
  echo $missing
}

# install_packages SET installs what is missing of a set, with sudo when not root. Touches nothing else.
install_packages() {
  missing=$(missing_packages "$1")
  [ -n "$missing" ] || return 0
  echo "== installing: $missing"
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "not root, and there is no sudo: install them by hand" >&2; return 1; }
    as_root=sudo
  fi
  apt_get update || return 1
  # shellcheck disable=SC2086 # the package names are words
  apt_get -y --no-install-recommends install $missing
}

# apt_get ARGUMENT... runs apt-get, by $as_root; its output is shown only when it fails. Another package manager, such as
# the daily update of a fresh machine, is waited for: apt itself waits for dpkg's lock, but not for those of its lists.
apt_get() {
  waited=
  until answer=$($as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
    apt-get -qq -o DPkg::Lock::Timeout=-1 "$@" 2>&1); do
    case $answer in
      *"Could not get lock"*) ;; # held by another process; without permission it says something else
      *)
        echo "$answer" >&2
        return 1
        ;;
    esac
    [ -n "$waited" ] || echo "== waiting for another package manager to end"
    waited=yes
    sleep 2
  done
}

# quietly LOG COMMAND... runs a command and shows its output only when it fails.
quietly() {
  log=$1
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 && return 0
  tail -n 100 "$log" >&2
  echo "failed: $*" >&2
  return 1
}

# processor prints the seconds of all processors that ended children of this script have taken.
processor() {
  read -r _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ user system _ </proc/$$/stat
  echo $(((user + system) / $(getconf CLK_TCK)))
}

# release_version prints the version that a version.h on its input has.
release_version() {
  sed -n 's/^#define IWARP_VERSION_STRING "\([^"]*\)".*/\1/p'
}

# parallel prints how many programs a script runs at a time: one more than there are processors, since some wait, or its share as a
# stage of .ci/run.
parallel() {
  echo "${IWARP_CI_PARALLEL:-$(($(nproc) + 1))}"
}

# build_preset PRESET [OPTION...] configures and builds. Another stage of .ci/run may want the same build: it waits.
build_preset() {
  echo "== building the preset $1 in build/$1"
  quietly "build/$1.log" flock "build/$1.lock" cmake --preset "$@" &&
    quietly "build/$1.log" flock "build/$1.lock" cmake --build --preset "$1"
}

# check_binaries PRESET looks at where the binaries of a preset look for libraries, and at their protections.
check_binaries() {
  command -v python3 >/dev/null || { echo "skipped: the look at the binaries of $1: there is no Python 3"; return 0; }
  compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "build/$1/CMakeCache.txt")
  python3 -B libiwarp/tests/meta/runpath.py "$PWD/build/$1" &&
    python3 -B libiwarp/tests/meta/hardening.py "$compiler" "$PWD/build/$1" &&
    python3 -B libiwarp/tests/meta/planted.py "$compiler" "$PWD/build/$1/bin/iwarp"
}

# temporary_files_in_memory lets the tests have their temporary files in memory where there is enough of it, and TMPDIR names no
# other place: they write many small captures, and making a file on a disk costs more than what is in it. The caller removes
# $in_memory.
temporary_files_in_memory() {
  [ -z "${TMPDIR-}" ] || return 0
  free=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
  memory=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo 2>/dev/null)
  [ "${free:-0}" -ge 1048576 ] && [ "${memory:-0}" -ge 3145728 ] || return 0
  in_memory=$(mktemp -d -p /dev/shm) || return 0
  printf '#!/bin/sh\n' >"$in_memory/run" && chmod +x "$in_memory/run"
  "$in_memory/run" 2>/dev/null || return 0 # nothing may run there
  rm "$in_memory/run"
  export TMPDIR="$in_memory"
}
