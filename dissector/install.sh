#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Usage: ./install.sh [--uninstall]
# Installs the Wireshark plugin of this archive for the user who runs it: the iwarp.so for the release of Wireshark that is
# installed, and the profile iWARP. Uses the folders that `tshark -G folders` names. --uninstall removes both,
# and leaves what others put into the same folders.
set -eu
cd "$(dirname "$0")"
case ${1-} in
  '' | --uninstall) ;;
  *) sed -n '3,6s/^# //p' install.sh; [ "$1" = --help ] && exit 0 || exit 2 ;;
esac
program=
for name in wireshark tshark; do
  [ -n "$program" ] || ! command -v $name >/dev/null || program=$name
done
[ -n "$program" ] || { echo "install.sh: neither wireshark nor tshark is installed" >&2; exit 1; }
release=$("$program" --version 2>/dev/null | sed -n '1s/^[^0-9]* \([0-9]*\.[0-9]*\)\..*/\1/p')

# folder NAME DEFAULT prints a folder of Wireshark.
folder() {
  found=
  if command -v tshark >/dev/null; then
    found=$(tshark -G folders 2>/dev/null | sed -n "s/^$1:[[:space:]]*//p")
  fi
  echo "${found:-$2}"
}
plugins=$(folder 'Personal Plugins' "$HOME/.local/lib/wireshark/plugins/$release")
profile=$(folder 'Personal configuration' "${XDG_CONFIG_HOME:-$HOME/.config}/wireshark")/profiles/iWARP

if [ "${1-}" = --uninstall ]; then
  rm -f "$plugins/epan/iwarp.so"
  for file in profile/iWARP/*; do rm -f "$profile/${file##*/}"; done
  rmdir "$plugins/epan" "$plugins" "$profile" "${profile%/*}" 2>/dev/null || : # those that are empty now
  echo "removed $plugins/epan/iwarp.so and the profile iWARP"
  [ ! -d "$profile" ] || echo "kept files of yours in $profile: $(ls -A "$profile" | tr '\n' ' ')"
  exit 0
fi
if [ ! -e "plugins/$release/iwarp.so" ]; then
  echo "install.sh: this archive has no plugin for Wireshark ${release:-of an unknown release}; it has: $(ls plugins | tr '\n' ' ')" >&2
  exit 1
fi
mkdir -p "$plugins/epan" "$profile"
rm -f "$plugins/epan/iwarp.so" # a Wireshark that runs has the old one in memory
cp "plugins/$release/iwarp.so" "$plugins/epan/iwarp.so"
chmod 644 "$plugins/epan/iwarp.so"
cp profile/iWARP/* "$profile"
echo "installed $plugins/epan/iwarp.so and $profile"
[ "$(id -u)" -ne 0 ] || echo "Wireshark loads no plugin from a folder of root: run it as the user who installs" >&2
