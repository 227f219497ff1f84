# SPDX-License-Identifier: BSD-2-Clause
# Bare roots of Debian. Sourced by .ci/release, after .ci/lib.sh.
SUITES="bookworm trixie"
suites_folder=$(realpath -m "${IWARP_SUITES:-build/suites}")

# base_root SUITE makes SUITE.tar, a Debian with apt and nothing more, unless it is there.
base_root() {
  [ -s "$suites_folder/$1.tar" ] && return 0
  mkdir -p "$suites_folder"
  echo "== making a bare Debian $1"
  # A mirror may be older than its index says that it is good for.
  quietly "$suites_folder/$1.log" mmdebstrap --mode=root --variant=minbase --format=tar --include=ca-certificates \
    --aptopt='Acquire::Check-Valid-Until "false"' "$1" "$suites_folder/$1.tar.new" || return 1
  mv "$suites_folder/$1.tar.new" "$suites_folder/$1.tar"
}

# new_root SUITE FOLDER unpacks a bare Debian, in which apt finds what it finds outside.
new_root() {
  base_root "$1" || return 1
  rm -rf --one-file-system "$2"
  mkdir -p "$2"
  tar -xf "$suites_folder/$1.tar" -C "$2" --exclude './dev/*' || return 1
  for file in /etc/resolv.conf /etc/hosts; do
    [ ! -e $file ] || cp -L $file "$2$file"
  done
  for folder in /etc/apt/auth.conf.d /usr/local/share/ca-certificates /etc/ssl/certs; do
    [ ! -d $folder ] || { mkdir -p "$2$folder" && cp -rL $folder/. "$2$folder/"; } 2>/dev/null || true
  done
  # Files of packages stay out: the same package in the root would ask which file to keep.
  for file in /etc/apt/apt.conf.d/*; do
    dpkg-query -S "$file" >/dev/null 2>&1 || cp -L "$file" "$2$file" 2>/dev/null || true
  done
}

# in_root ROOT COMMAND... runs a command of sh as root in a root. It has a /dev, /proc and processes of its own, which end with it.
in_root() {
  in_root_folder=$1
  shift
  # shellcheck disable=SC2016 # the inner shell expands them
  unshare --mount --pid --fork --kill-child --propagation private -- sh -euc '
    root=$1
    shift
    mount -t tmpfs -o mode=755 dev "$root/dev"
    while read -r name major minor; do
      mknod -m 666 "$root/dev/$name" c "$major" "$minor"
    done <<END
null 1 3
zero 1 5
full 1 7
random 1 8
urandom 1 9
tty 5 0
END
    ln -s /proc/self/fd "$root/dev/fd"
    ln -s fd/0 "$root/dev/stdin"
    ln -s fd/1 "$root/dev/stdout"
    ln -s fd/2 "$root/dev/stderr"
    mkdir "$root/dev/shm" "$root/dev/pts"
    mount -t tmpfs shm "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666 pts "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx"
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sys "$root/sys" 2>/dev/null || true
    if [ -n "${CCACHE_DIR-}" ] && [ -x "$root/usr/bin/ccache" ]; then
      mkdir -p "$root/ccache"
      mount --bind "$CCACHE_DIR" "$root/ccache"
      set -- "export CCACHE_DIR=/ccache CMAKE_C_COMPILER_LAUNCHER=ccache CCACHE_NOHASHDIR=1
$*"
    fi
    exec chroot "$root" env -i HOME=/root USER=root TERM=dumb LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -euc "$*"
  ' in_root "$in_root_folder" "$@"
}

# build_root SUITE makes the folder SUITE-build, in which packages are built, unless it is there.
build_root() {
  [ -e "$suites_folder/$1-build.ready" ] && return 0
  echo "== making a Debian $1 that builds packages"
  new_root "$1" "$suites_folder/$1-build" || return 1
  quietly "$suites_folder/$1-build.log" in_root "$suites_folder/$1-build" \
    'apt-get -qq update && apt-get -qq -y --no-install-recommends install build-essential debhelper devscripts lintian fakeroot clang rpm cpio' || return 1
  touch "$suites_folder/$1-build.ready"
}
