#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Usage: debian.sh TREE SUITE
# Writes TREE/debian for a release of Debian, such as bookworm. The version is that of TREE, the names of the symbols are those of
# libiwarp.symbols, and the date is SOURCE_DATE_EPOCH. DEBFULLNAME and DEBEMAIL name who packs it.
set -eu
. "$(dirname "$0")/../lib.sh"
tree=$1 suite=$2
from=$(dirname "$0")/debian
units=/usr/lib/systemd/system
case $suite in
  bookworm) release=deb12 units=/lib/systemd/system ;;
  trixie) release=deb13 ;;
  *) release=$suite ;;
esac
version=$(release_version <"$tree/libiwarp/include/iwarp/version.h")
soversion=${version%.*}
maintainer="${DEBFULLNAME:-The libiwarp authors} <${DEBEMAIL:-libiwarp@example.org}>"

rm -rf "$tree/debian"
cp -R "$from" "$tree/debian"
for file in $(cd "$from" && find . -type f); do
  name=$(echo "$file" | sed "s/@SOVERSION@/$soversion/")
  [ "$name" = "$file" ] || mv "$tree/debian/$file" "$tree/debian/$name"
  sed -i "s/@SOVERSION@/$soversion/g; s/@MAINTAINER@/$maintainer/g; s/@VERSION@/$version/g; s,@UNITS@,$units,g" "$tree/debian/$name"
done
sed -i '/^# Made for each release/d' "$tree/debian/control"

# While the major version is 0, each minor version has an ABI, a SONAME and a package of its own: each symbol is as old as that.
{
  echo "libiwarp.so.$soversion libiwarp$soversion #MINVER#"
  echo "* Build-Depends-Package: libiwarp-dev"
  sed -n "s/^iwarp_.*/ &@Base $soversion.0/p" "$tree/libiwarp/libiwarp.symbols"
} >"$tree/debian/libiwarp$soversion.symbols"

cat >"$tree/debian/changelog" <<END
libiwarp ($version-1+$release) $suite; urgency=medium

  * Version $version: docs/CHANGELOG.md says what changed.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
END
