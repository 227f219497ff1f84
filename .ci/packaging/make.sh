# SPDX-License-Identifier: BSD-2-Clause
# Makes the artefacts of a release. Sourced by .ci/release, after lib.sh and roots.sh. $out is the folder of the release, $place
# the folder in roots of Debian in which it is built, $version its version.

# making_steps prints the steps, in their order.
making_steps() {
  echo sources
  for suite in $SUITES; do
    echo "packages-$suite"
  done
  printf '%s\n' web site python contents
}

# begin_step finds out of which commit the release in $out is: the step `sources` takes the last one.
begin_step() {
  place=/build/libiwarp
  [ "$only" = sources ] || commit=$(cat "$out.commit")
  commit=${commit:-$(git rev-parse HEAD)}
  [ "$commit" = "$(git rev-parse HEAD)" ] || echo "note: the release in $out is the release of the commit $commit, which is not the last one"
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
  export SOURCE_DATE_EPOCH
  version=$(git show "$commit:libiwarp/include/iwarp/version.h" | release_version)
}

# do_step STEP does a step of making, or of trying.
do_step() {
  suite=${1##*-}
  case $1 in
    sources) make_sources ;;
    packages-*) make_packages "$suite" ;;
    web) make_web ;;
    site) make_site ;;
    python) make_python ;;
    contents) make_contents ;;
    *) try_step "$1" ;;
  esac
}

# tarball FOLDER FILE packs a folder: the same octets for the same files, whoever packs them and wherever.
tarball() {
  tar -C "$(dirname "$1")" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    --mtime="@$SOURCE_DATE_EPOCH" -cf - "$(basename "$1")" | xz -9 -T1 >"$2"
}

# make_sources packs what is committed, and the captures by themselves.
make_sources() {
  rm -rf "$out"
  mkdir -p "$out"
  echo "$commit" >"$out.commit"
  stage=$(mktemp -d)
  mkdir "$stage/libiwarp-$version"
  git archive "$commit" | tar -x -C "$stage/libiwarp-$version"
  mv "$stage/libiwarp-$version/pcaps" "$stage/libiwarp-captures-$version"
  tarball "$stage/libiwarp-$version" "$out/libiwarp-$version.tar.xz"
  tarball "$stage/libiwarp-captures-$version" "$out/libiwarp-captures-$version.tar.xz"
  rm -rf "$stage"
}

# unpack_sources FOLDER unpacks both tarballs there as the tree libiwarp-VERSION, and as Debian's source packages name them.
unpack_sources() {
  rm -rf "$1"
  mkdir -p "$1"
  cp "$out/libiwarp-$version.tar.xz" "$1/libiwarp_$version.orig.tar.xz"
  cp "$out/libiwarp-captures-$version.tar.xz" "$1/libiwarp_$version.orig-pcaps.tar.xz"
  tar -xf "$out/libiwarp-$version.tar.xz" -C "$1"
  mkdir "$1/libiwarp-$version/pcaps"
  tar -xf "$out/libiwarp-captures-$version.tar.xz" -C "$1/libiwarp-$version/pcaps" --strip-components 1
}

# build_packages SUITE PACKAGES PLACE [OPTION...] builds the packages of a Debian in the folder PLACE of its root, with options of
# dpkg-buildpackage, and puts them in the folder PACKAGES.
build_packages() {
  suite=$1 packages=$2 built=$3
  shift 3
  build_root "$suite"
  root=$suites_folder/$suite-build
  unpack_sources "$root$built"
  "$root$built/libiwarp-$version/.ci/packaging/debian.sh" "$root$built/libiwarp-$version" "$suite"
  # shellcheck disable=SC2016 # the shell in the root expands them
  quietly "$packages-$suite.log" in_root "$root" "cd $built/libiwarp-$version
    apt-get -qq update
    apt-get -qq -y --no-install-recommends build-dep ${build_dep_options-} ./
    ${build_environment-} dpkg-buildpackage -us -uc $*"
  for file in "$root$built"/*.deb "$root$built"/*.dsc "$root$built"/*.tar.xz; do
    [ ! -f "$file" ] || cp "$file" "$packages/"
  done
}

# make_packages SUITE builds the packages of a Debian.
make_packages() {
  build_environment="DEB_BUILD_OPTIONS=noautodbgsym" build_packages "$1" "$out" "$place"
}

# build_by NAME COMMAND builds a part by a command of .ci, in the tree $root$built. All of them are built in Debian 12.
build_by() {
  build_root bookworm
  root=$suites_folder/bookworm-build
  built=$place-$1/libiwarp-$version
  unpack_sources "$root$place-$1"
  quietly "$out-$1.log" in_root "$root" "cd $built; apt-get -qq update; $2"
}

# pack_folder FOLDER NAME makes the artefact NAME-VERSION.tar.xz of a folder.
pack_folder() {
  stage=$(mktemp -d)
  cp -R "$1" "$stage/$2-$version"
  tarball "$stage/$2-$version" "$out/$2-$version.tar.xz"
  rm -rf "$stage"
}

# make_web builds the page and the module for browsers and Node, by the command that they bring.
make_web() {
  build_by web ./.ci/web
  pack_folder "$root$built/build/wasm/web" libiwarp-web
}

# make_site makes the site of the docs, in the tree in which make_web built the page, which is a part of the site.
make_site() {
  root=$suites_folder/bookworm-build
  built=$place-web/libiwarp-$version
  quietly "$out-site.log" in_root "$root" "cd $built; apt-get -qq update; ./.ci/site"
  pack_folder "$root$built/build/site" libiwarp-site
}

# make_python makes the sdist and the wheel of the Python package. The wheel is built in Debian 12, whose libc and libraries Debian 13
# has too.
make_python() {
  build_by python "SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH ./.ci/python --packages $place-python/python"
  cp "$root$place-python/python"/iwarp-* "$out/"
}

# from_template FILE TO writes a file with the version and the sum of the sources.
from_template() {
  sum=$(sha256sum "$out/libiwarp-$version.tar.xz" | cut -d ' ' -f 1)
  sed "s/@VERSION@/$version/g; s/@SHA256@/$sum/g" "$1" >"$2"
}

# make_contents writes what other packagers take, what is in the release, and its sums.
make_contents() {
  stage=$(mktemp -d)
  unpack_sources "$stage/sources"
  tree=$stage/sources/libiwarp-$version
  rm -rf "$tree/pcaps"
  from_template "$tree/.ci/packaging/libiwarp.spec.in" "$out/libiwarp.spec"
  from_template "$tree/.ci/packaging/meson/libiwarp.wrap.in" "$out/libiwarp.wrap"
  port=$stage/libiwarp-vcpkg-$version
  mkdir "$port"
  cp "$out/libiwarp-$version.tar.xz" "$port/"
  from_template "$tree/.ci/packaging/vcpkg/portfile.cmake.in" "$port/portfile.cmake"
  from_template "$tree/.ci/packaging/vcpkg/vcpkg.json" "$port/vcpkg.json"
  tarball "$port" "$out/libiwarp-vcpkg-$version.tar.xz"
  python3 -B .ci/packaging/sbom.py "$out" "$version" "$tree"
  rm -rf "$stage" "$out/SHA256SUMS"
  (cd "$out" && sha256sum -- * >"$stage.sums" && mv "$stage.sums" SHA256SUMS)
  echo "== $(find "$out" -type f | wc -l) files in $out"
}
