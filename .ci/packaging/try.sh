# SPDX-License-Identifier: BSD-2-Clause
# Tries the artefacts of a release. Sourced by .ci/release --test, after make.sh.

# try_again OUT makes the release a second time, in folders with other names of other lengths, and compares the octets.
try_again() {
  echo "== making the release again, elsewhere"
  first=$1
  make_release "$first-again" /build/a-place-with-a-longer-name/again || return 1
  diff "$first/SHA256SUMS" "$first-again/SHA256SUMS" || { echo "failed: two builds differ" >&2; return 1; }
  rm -rf "$first-again"
  out_of_release=$first
  echo "== both have the same octets"
}

# try_contents OUT checks sums and the list of contents.
try_contents() {
  (cd "$1" && sha256sum --quiet -c SHA256SUMS) || return 1
  unpack_sources "$1" "$1.sources"
  rm -rf "$1.sources/libiwarp-$version/pcaps"
  python3 -B .ci/packaging/sbom.py --check "$1" "$version" "$1.sources/libiwarp-$version" || return 1
  rm -rf "$1.sources"
}

# try_lintian SUITE OUT: what lintian says is overridden with a reason, or nothing.
try_lintian() {
  echo "== lintian of Debian $1"
  root=$suites_folder/$1-build
  rm -rf "$root/lintian"
  mkdir "$root/lintian"
  cp "$2"/*+"$(release_of "$1")"* "$2"/*.orig*.tar.xz "$root/lintian/"
  in_root "$root" 'cd /lintian; lintian -EviL +pedantic --fail-on error,warning,info,pedantic,experimental --suppress-tags bad-distribution-in-changes-file ./*.dsc ./*.deb'
}

release_of() {
  case $1 in bookworm) echo deb12 ;; trixie) echo deb13 ;; esac
}

# try_debian SUITE OUT: in a bare root, from the installation to the first diagnosis, and the tests of the packages.
try_debian() {
  echo "== the packages in a bare Debian $1"
  root=$suites_folder/$1-try
  new_root "$1" "$root" || return 1
  mkdir -p "$root/packages"
  cp "$2"/*+"$(release_of "$1")"* "$2"/*.orig*.tar.xz "$root/packages/"
  cp pcaps/real/siw/term-read-badkey.pcap "$root/packages/"
  # shellcheck disable=SC2016 # the shell in the root expands them
  quietly "$2-$1-first.log" in_root "$root" 'cd /packages
    apt-get -qq update
    apt-get -qq -y install ./iwarp-tools_*.deb
    begin=$(date +%s%N)
    iwarp check term-read-badkey.pcap >found || [ $? -eq 1 ]
    echo "the first diagnosis after $((($(date +%s%N) - begin) / 1000000)) ms"
    grep diag.term-stag found' || return 1
  tail -n 2 "$2-$1-first.log"
  quietly "$2-$1-tests.log" in_root "$root" 'cd /packages
    apt-get -qq -y --no-install-recommends install autopkgtest dpkg-dev
    autopkgtest --apt-upgrade ./*.deb ./*.dsc -- null' || return 1
  sed -n '/^@* summary/,$p' "$2-$1-tests.log"
  rm -rf --one-file-system "$root"
}

# try_sources SUITE OUT: the tarballs build with the commands of the README.
try_sources() {
  echo "== the tarballs in a bare Debian $1"
  root=$suites_folder/$1-try
  new_root "$1" "$root" || return 1
  unpack_sources "$2" "$root/srv"
  # shellcheck disable=SC2154 # make.sh sets it
  quietly "$2-$1-sources.log" in_root "$root" "cd /srv/libiwarp-$version; apt-get -qq update; apt-get -qq -y install xz-utils; ./.ci/demo" || return 1
  quietly "$2-$1-recipes.log" in_root "$root" "apt-get -qq -y --no-install-recommends install meson
    mkdir /packages" || return 1
  cp "$2"/*.tar.xz "$2"/*.wrap "$root/packages/"
  quietly "$2-$1-recipes.log" in_root "$root" "/srv/libiwarp-$version/.ci/packaging/recipes.sh /packages /srv/libiwarp-$version /recipes" || return 1
  grep ' works$' "$2-$1-recipes.log"
  rm -rf --one-file-system "$root"
}

# try_compilers OUT: the packages build by clang, and for arm64; programs of that run in an emulator.
try_compilers() {
  mkdir -p "$1-clang" "$1-arm64"
  echo "== building the packages by clang"
  build_environment="CC=clang CXX=clang++ DEB_BUILD_OPTIONS=noautodbgsym" build_packages bookworm "$1-clang" /build/clang -b || return 1
  echo "== building the packages for arm64"
  in_root "$suites_folder/bookworm-build" 'dpkg --add-architecture arm64; apt-get -qq update; apt-get -qq -y install crossbuild-essential-arm64' || return 1
  build_dep_options="-aarm64 -Pcross,nocheck" build_environment="DEB_BUILD_PROFILES='cross nocheck' DEB_BUILD_OPTIONS='nocheck noautodbgsym'" \
    build_packages bookworm "$1-arm64" /build/arm64 -aarm64 -B || return 1
  ls "$1-arm64"
}

# try_rpm OUT: rpmbuild of Debian makes the packages of the specification, and the tool of one runs.
try_rpm() {
  echo "== building packages of RPM"
  root=$suites_folder/bookworm-build
  rm -rf "$root/rpm"
  mkdir -p "$root/rpm/SOURCES" "$root/rpm/SPECS"
  cp "$1"/libiwarp-*.tar.xz "$root/rpm/SOURCES/"
  cp "$1/libiwarp.spec" "$root/rpm/SPECS/"
  # rpmbuild asks the database of RPM for what Debian has by other names.
  # shellcheck disable=SC2016 # the shell in the root expands them
  quietly "$1-rpm.log" in_root "$root" 'rpmbuild --define "_topdir /rpm" --nodeps -bb /rpm/SPECS/libiwarp.spec
    mkdir /rpm/try
    cd /rpm/try
    for package in /rpm/RPMS/*/*.rpm; do rpm2cpio "$package" | cpio -id --quiet; done
    usr/bin/iwarp --version
    ls usr/share/man/man3/libiwarp.3* usr/include/iwarp/rules.h usr/bin/iwarp-fuzz-proxy usr/share/iwarp/captures/MANIFEST.tsv' || return 1
  ls "$root"/rpm/RPMS/*/*.rpm
}

# try_web SUITE OUT: the module answers Node.
try_web() {
  echo "== the module for JavaScript in a bare Debian $1"
  root=$suites_folder/$1-try
  new_root "$1" "$root" || return 1
  unpack_sources "$2" "$root/srv"
  mkdir "$root/web"
  tar -xf "$2/libiwarp-web-$version.tar.xz" -C "$root/web" --strip-components 1
  grep -q 'Content-Security-Policy' "$root/web/iwarp.html" || { echo "failed: the page has no policy" >&2; return 1; }
  quietly "$2-$1-web.log" in_root "$root" "apt-get -qq update; apt-get -qq -y --no-install-recommends install nodejs
    cd /srv/libiwarp-$version; node conformance/web/tests/api.mjs /web pcaps" || return 1
  rm -rf --one-file-system "$root"
}

# try_python SUITE OUT: the wheel installs into a new environment, the sdist builds in another one, and both work. The README of
# the sdist names the packages of Debian that they need.
try_python() {
  echo "== the wheel and the sdist of the Python package in a bare Debian $1"
  root=$suites_folder/$1-try
  new_root "$1" "$root" || return 1
  mkdir -p "$root/packages"
  cp "$2"/iwarp-"$version"* conformance/python/tests/smoke.py pcaps/real/siw/term-read-badkey.pcap "$root/packages/"
  # shellcheck disable=SC2016 # the shell in the root expands them
  quietly "$2-$1-python.log" in_root "$root" 'cd /packages
    apt-get -qq update
    tar -xOf iwarp-*.tar.gz --wildcards "*/README.md" --exclude "*/source/*" >README.md
    needs() { sed -n "s/^| $1 | \(.*\) |$/\1/p" README.md | tr -d "\`,"; }
    apt-get -qq -y --no-install-recommends install python3-venv $(needs "the wheel")
    try() {
      python3 -m venv --system-site-packages "/$1"
      "/$1/bin/python" -m pip install -q --no-index --no-build-isolation --no-deps ./$2
      "/$1/bin/python" smoke.py "$3" term-read-badkey.pcap
    }
    try wheel "iwarp-*.whl" "$(ls iwarp-*.tar.gz | sed "s/iwarp-\(.*\).tar.gz/\1/")"
    apt-get -qq -y --no-install-recommends install $(needs "the sdist")
    try sdist "iwarp-*.tar.gz" "$(ls iwarp-*.tar.gz | sed "s/iwarp-\(.*\).tar.gz/\1/")"' || return 1
  grep ' works$' "$2-$1-python.log"
  rm -rf --one-file-system "$root"
}

try_release() {
  try_contents "$1" || return 1
  for suite_tried in $SUITES; do
    try_lintian "$suite_tried" "$1" && try_debian "$suite_tried" "$1" && try_sources "$suite_tried" "$1" && try_web "$suite_tried" "$1" && try_python "$suite_tried" "$1" || return 1
  done
  try_rpm "$1" && try_compilers "$1" && try_again "$1" || return 1
  echo "== each artefact works"
}
