#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds and runs the consumers with nothing but a compiler and pkg-config: build.sh CC CXX PREFIX OUT-DIR [USE-RULES.C | --static]
# With --static the library is the archive, and the programs run without the shared one.
set -eu
cc=$1 cxx=$2 prefix=$3 out=$4 use_rules=${5-} static=
if [ "$use_rules" = --static ]; then
  static=yes use_rules=
fi
here=$(dirname "$0")
pc=$(find "$prefix" -name libiwarp.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
LD_LIBRARY_PATH=$(pkg-config --variable=libdir "$pc")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
# Of this library the archive is named, since both kinds are there.
flags_of() {
  if [ -n "$static" ]; then
    pkg-config --static "$@" | sed 's/-liwarp\b/-l:libiwarp.a/g'
  else
    pkg-config "$@"
  fi
}
[ -z "$static" ] || unset LD_LIBRARY_PATH

# Flags that protect a program are its own affair.
flags=$(flags_of --cflags --libs libiwarp)
case " $flags" in
  *" -f"* | *" -m"* | *" -Wl"* | *" -z"* | *FORTIFY*) echo "the library forces flags on others: $flags" >&2; exit 1 ;;
esac

mkdir -p "$out"
# shellcheck disable=SC2046 # the flags are words
"$cc" -std=c11 -Wall -Werror $(flags_of --cflags libiwarp) "$here/../use_library.c" -o "$out/use_library" \
  $(flags_of --libs libiwarp)
"$out/use_library"

include=$(pkg-config --variable=includedir libiwarp)
{
  (cd "$include" && for header in iwarp/*.h; do echo "#include <$header>"; done)
  echo 'int main() { return iwarp_crc32c(0, "123456789", 9) == 0xE3069283u ? 0 : 1; }'
} >"$out/all_headers.cpp"
# shellcheck disable=SC2046
"$cxx" -std=c++17 -Wall -Werror $(flags_of --cflags libiwarp) "$out/all_headers.cpp" -o "$out/all_headers" \
  $(flags_of --libs libiwarp)
"$out/all_headers"

if [ -n "$use_rules" ]; then
  # shellcheck disable=SC2046
  "$cc" -std=c11 -Wall -Werror $(flags_of --cflags libiwarp_rules) "$use_rules" -o "$out/use_rules" \
    $(flags_of --libs libiwarp_rules)
  "$out/use_rules"
fi
