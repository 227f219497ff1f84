#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Usage: ./install.sh [--uninstall]
# Installs the Wireshark plugin of this archive for the user who runs it: the iwarp.so for the release of Wireshark that is
# installed, and the profile iWARP. Uses the folders that `tshark -G folders` names. --uninstall removes both, the plugins
# of other releases too. Files of others, and files of the profile that the user changed, stay as they are.
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

folders=$(tshark -G folders 2>/dev/null || :)

# folder NAME DEFAULT prints a folder of Wireshark.
folder() {
  found=$(printf '%s\n' "$folders" | sed -n "s/^$1:[[:space:]]*//p")
  echo "${found:-$2}"
}
plugins=$(folder 'Personal Plugins' "$HOME/.local/lib/wireshark/plugins/$release")
profile=$(folder 'Personal configuration' "${XDG_CONFIG_HOME:-$HOME/.config}/wireshark")/profiles/iWARP
sums=$profile/.iwarp-installed # checksum and name of each file, as it was installed

# changed NAME: the user changed this file of the profile after it was installed.
changed() {
  [ -e "$profile/$1" ] && ! cmp -s "profile/iWARP/$1" "$profile/$1" &&
    ! grep -qxF "$(cksum <"$profile/$1") $1" "$sums" 2>/dev/null
}

if [ "${1-}" = --uninstall ]; then
  for folder in "$plugins" "${plugins%/*}"/[0-9]*; do # a folder for each release that was installed
    [ -e "$folder/epan/iwarp.so" ] || [ -L "$folder/epan/iwarp.so" ] || continue
    rm -f "$folder/epan/iwarp.so"
    rmdir "$folder/epan" "$folder" 2>/dev/null || : # those that are empty now
    echo "removed $folder/epan/iwarp.so"
  done
  for file in profile/iWARP/*; do changed "${file##*/}" || rm -f "$profile/${file##*/}"; done
  rm -f "$sums"
  rmdir "$profile" "${profile%/*}" 2>/dev/null || :
  echo "removed the profile iWARP"
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
for file in profile/iWARP/*; do
  name=${file##*/}
  if changed "$name"; then
    echo "kept $profile/$name, which you changed; the new one is $PWD/$file"
  else
    cp "$file" "$profile/$name"
  fi
done
for file in profile/iWARP/*; do echo "$(cksum <"$file") ${file##*/}"; done >"$sums"
echo "installed $plugins/epan/iwarp.so and $profile"
[ "$(id -u)" -ne 0 ] || echo "Wireshark loads no plugin from a folder of root: run it as the user who installs" >&2
