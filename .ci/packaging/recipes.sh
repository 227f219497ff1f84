#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Usage: recipes.sh OUT TREE FOLDER
# Tries the recipes of a release in OUT, as projects that use the library: FetchContent, Meson, and the port of vcpkg. TREE has the
# sources of the release. Needs cmake, ninja, meson and a compiler.
set -eu
out=$1 tree=$2 folder=$3
here=$(dirname "$0")
program=$tree/libiwarp/tests/consumers/use_library.c
tarball=$(ls "$out"/libiwarp-[0-9]*.tar.xz)
rm -rf "$folder"
mkdir -p "$folder"

cp -R "$here/fetchcontent" "$folder/fetchcontent"
cp "$program" "$folder/fetchcontent"
cmake -S "$folder/fetchcontent" -B "$folder/fetchcontent/build" -G Ninja -D "TARBALL=$tarball" -D "SHA256=$(sha256sum "$tarball" | cut -d ' ' -f 1)"
cmake --build "$folder/fetchcontent/build"
(cd "$folder/fetchcontent/build" && ctest --output-on-failure --no-tests=error)
echo "== FetchContent works"

cp -R "$here/meson" "$folder/meson"
cp "$program" "$folder/meson"
mkdir -p "$folder/meson/subprojects/packagefiles"
cp "$out/libiwarp.wrap" "$folder/meson/subprojects"
cp "$tarball" "$folder/meson/subprojects/packagefiles"
meson setup "$folder/meson/build" "$folder/meson"
meson test -C "$folder/meson/build" --print-errorlogs
echo "== Meson works"

mkdir "$folder/port"
tar -xf "$out"/libiwarp-vcpkg-*.tar.xz -C "$folder/port" --strip-components 1
cmake -D "PORT=$folder/port" -D "OUT=$folder/vcpkg" -P "$here/vcpkg/stand_in.cmake"
cc "$program" -o "$folder/vcpkg/use_library" $(PKG_CONFIG_PATH=$folder/vcpkg/packages/lib/pkgconfig pkg-config --cflags --libs libiwarp)
"$folder/vcpkg/use_library"
echo "== the port of vcpkg works"
