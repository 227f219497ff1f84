# SPDX-License-Identifier: BSD-2-Clause
# Makes the artefacts of a release. Sourced by .ci/release, after lib.sh and roots.sh.

# release_version TREE prints the version.
release_version() {
  sed -n 's/^#define IWARP_VERSION_STRING "\([^"]*\)".*/\1/p' "$1/libiwarp/include/iwarp/version.h"
}

# tarball FOLDER FILE packs a folder: the same octets for the same files, whoever packs them and wherever.
tarball() {
  tar -C "$(dirname "$1")" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    --mtime="@$SOURCE_DATE_EPOCH" -cf - "$(basename "$1")" | xz -9 -T1 >"$2"
}

# make_tarballs OUT packs what is committed, and the captures by themselves.
make_tarballs() {
  stage=$(mktemp -d)
  mkdir "$stage/all"
  git archive HEAD | tar -x -C "$stage/all"
  version=$(release_version "$stage/all")
  mv "$stage/all" "$stage/libiwarp-$version"
  mv "$stage/libiwarp-$version/pcaps" "$stage/libiwarp-captures-$version"
  tarball "$stage/libiwarp-$version" "$1/libiwarp-$version.tar.xz"
  tarball "$stage/libiwarp-captures-$version" "$1/libiwarp-captures-$version.tar.xz"
  rm -rf "$stage"
}

# unpack_sources OUT FOLDER unpacks both tarballs there as the tree libiwarp-VERSION, and as Debian's source packages name them.
unpack_sources() {
  rm -rf "$2"
  mkdir -p "$2"
  cp "$1/libiwarp-$version.tar.xz" "$2/libiwarp_$version.orig.tar.xz"
  cp "$1/libiwarp-captures-$version.tar.xz" "$2/libiwarp_$version.orig-pcaps.tar.xz"
  tar -xf "$1/libiwarp-$version.tar.xz" -C "$2"
  mkdir "$2/libiwarp-$version/pcaps"
  tar -xf "$1/libiwarp-captures-$version.tar.xz" -C "$2/libiwarp-$version/pcaps" --strip-components 1
}

# build_packages SUITE OUT PLACE [OPTION...] builds the packages of a Debian in the folder PLACE of its root, with options of
# dpkg-buildpackage, and puts them in OUT.
build_packages() {
  suite=$1 packages=$2 place=$3
  shift 3
  build_root "$suite" || return 1
  root=$suites_folder/$suite-build
  unpack_sources "$out_of_release" "$root$place"
  "$root$place/libiwarp-$version/.ci/packaging/debian.sh" "$root$place/libiwarp-$version" "$suite"
  # shellcheck disable=SC2016 # the shell in the root expands them
  quietly "$packages/../$(basename "$packages")-$suite.log" in_root "$root" "cd $place/libiwarp-$version
    apt-get -qq update
    apt-get -qq -y --no-install-recommends build-dep ${build_dep_options-} ./
    ${build_environment-} dpkg-buildpackage -us -uc $*" || return 1
  for file in "$root$place"/*.deb "$root$place"/*.dsc "$root$place"/*.tar.xz; do
    [ ! -f "$file" ] || cp "$file" "$packages/"
  done
}

# make_web OUT PLACE builds the page and the module for browsers and Node, by the command that they bring.
make_web() {
  build_root bookworm || return 1
  root=$suites_folder/bookworm-build
  unpack_sources "$1" "$root$2"
  quietly "$1-web.log" in_root "$root" "cd $2/libiwarp-$version; apt-get -qq update; ./.ci/web" || return 1
  stage=$(mktemp -d)
  cp -R "$root$2/libiwarp-$version/build/wasm/web" "$stage/libiwarp-web-$version"
  tarball "$stage/libiwarp-web-$version" "$1/libiwarp-web-$version.tar.xz"
  rm -rf "$stage"
}

# make_python OUT PLACE makes the sdist and the wheel of the Python package. The wheel is that of Debian 12, whose libc and
# libraries Debian 13 has too.
make_python() {
  build_root bookworm || return 1
  root=$suites_folder/bookworm-build
  unpack_sources "$1" "$root$2"
  quietly "$1-python.log" in_root "$root" "cd $2/libiwarp-$version; apt-get -qq update
    SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH ./.ci/python --packages $2/python" || return 1
  cp "$root$2/python"/iwarp-* "$1/"
}

# from_template FILE OUT writes a file with the version and the sum of the sources.
from_template() {
  sum=$(sha256sum "$out_of_release/libiwarp-$version.tar.xz" | cut -d ' ' -f 1)
  sed "s/@VERSION@/$version/g; s/@SHA256@/$sum/g" "$1" >"$2"
}

# make_recipes OUT writes what other packagers take, and what is in the release.
make_recipes() {
  stage=$(mktemp -d)
  unpack_sources "$1" "$stage/sources"
  tree=$stage/sources/libiwarp-$version
  rm -rf "$tree/pcaps"
  from_template "$tree/.ci/packaging/libiwarp.spec.in" "$1/libiwarp.spec"
  from_template "$tree/.ci/packaging/meson/libiwarp.wrap.in" "$1/libiwarp.wrap"
  port=$stage/libiwarp-vcpkg-$version
  mkdir "$port"
  cp "$1/libiwarp-$version.tar.xz" "$port/"
  from_template "$tree/.ci/packaging/vcpkg/portfile.cmake.in" "$port/portfile.cmake"
  from_template "$tree/.ci/packaging/vcpkg/vcpkg.json" "$port/vcpkg.json"
  tarball "$port" "$1/libiwarp-vcpkg-$version.tar.xz"
  python3 -B .ci/packaging/sbom.py "$1" "$version" "$tree"
  rm -rf "$stage"
}

# make_release OUT PLACE makes all artefacts; packages are built in the folder PLACE of their root.
make_release() {
  [ "$(id -u)" -eq 0 ] || { echo "release: roots of Debian are made by root" >&2; return 1; }
  git diff --quiet HEAD || echo "note: the release is that of the last commit; changes after it are no part of it"
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
  export SOURCE_DATE_EPOCH
  out_of_release=$1
  rm -rf "$1"
  mkdir -p "$1"
  echo "== packing the sources"
  make_tarballs "$1"
  for suite in $SUITES; do
    echo "== building the packages of Debian $suite"
    build_environment="DEB_BUILD_OPTIONS=noautodbgsym" build_packages "$suite" "$1" "$2" || return 1
  done
  echo "== building the page for browsers"
  make_web "$1" "$2-web" || return 1
  echo "== building the Python package"
  make_python "$1" "$2-python" || return 1
  echo "== writing recipes, the list of contents and the sums"
  make_recipes "$1"
  (cd "$1" && sha256sum -- * >../SHA256SUMS.new && mv ../SHA256SUMS.new SHA256SUMS)
  echo "== $(find "$1" -type f | wc -l) files in $1"
}
