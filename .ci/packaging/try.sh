# SPDX-License-Identifier: BSD-2-Clause
# Tries the artefacts of a release. Sourced by .ci/release, after make.sh.

# trying_steps prints the steps, in their order.
trying_steps() {
  echo sums
  for suite in $SUITES; do
    for kind in lintian apt build node wheel page links; do
      echo "$kind-$suite"
    done
  done
  printf '%s\n' rpm clang arm64
  for step in $(making_steps); do
    echo "again-$step"
  done
  echo same
  for suite in $SUITES; do
    for kind in python metrics cluster web; do
      echo "slow-$kind-$suite"
    done
  done
}

# try_step STEP does one of them.
try_step() {
  suite=${1##*-}
  case $1 in
    sums) try_sums ;;
    lintian-*) try_lintian "$suite" ;;
    apt-*) try_apt "$suite" ;;
    build-*) try_build "$suite" ;;
    node-*) try_node "$suite" ;;
    wheel-*) try_wheel "$suite" ;;
    page-*) try_page "$suite" ;;
    links-*) try_links "$suite" ;;
    rpm) try_rpm ;;
    clang) try_clang ;;
    arm64) try_arm64 ;;
    again-*) make_again "${1#again-}" ;;
    same) try_same ;;
    slow-*) kind=${1%-*} && try_slow "$suite" "${kind#slow-}" ;;
  esac
}

# make_again STEP does a step of making a second time, in folders with other names of other lengths. No compiler takes what it made
# the first time.
make_again() {
  unset CCACHE_DIR
  out=$out-again place=/build/a-place-with-a-longer-name/again
  do_step "$1"
}

# try_same compares the octets of both.
try_same() {
  diff "$out/SHA256SUMS" "$out-again/SHA256SUMS"
  echo "== both have the same octets"
}

# try_sums checks sums and the list of contents.
try_sums() {
  (cd "$out" && sha256sum --quiet -c SHA256SUMS)
  unpack_sources "$out.sources"
  rm -rf "$out.sources/libiwarp-$version/pcaps"
  python3 -B .ci/packaging/sbom.py --check "$out" "$version" "$out.sources/libiwarp-$version"
  rm -rf "$out.sources"
}

# packages_of SUITE FOLDER copies the packages of a Debian and their sources into a folder.
packages_of() {
  case $1 in
    bookworm) release=deb12 ;;
    trixie) release=deb13 ;;
  esac
  rm -rf "$2"
  mkdir -p "$2"
  cp "$out"/*+"$release"* "$out"/*.orig*.tar.xz "$2/"
}

# try_lintian SUITE: what lintian says is overridden with a reason, or nothing. gcc 14 of Debian 13 copies texts in pieces of 16
# octets, which end within words: "suspected, unles". The binaries of Debian 12 have the same texts whole.
try_lintian() {
  root=$suites_folder/$1-build
  suppressed=bad-distribution-in-changes-file
  [ "$1" = bookworm ] || suppressed=$suppressed,spelling-error-in-binary
  packages_of "$1" "$root/lintian"
  in_root "$root" "cd /lintian; lintian -EviL +pedantic --fail-on error,warning,info,pedantic,experimental --suppress-tags $suppressed ./*.dsc ./*.deb"
}

# bare_root SUITE makes the root $root, in which a step tries something; end_root removes it.
bare_root() {
  root=$suites_folder/$1-try
  new_root "$1" "$root"
}

end_root() {
  rm -rf --one-file-system "$root"
}

# try_apt SUITE: in a bare root, two commands from the installation to the first diagnosis, less than a second for 10 MB, and the tests
# of the packages.
try_apt() {
  bare_root "$1"
  packages_of "$1" "$root/packages"
  cp pcaps/real/siw/term-read-badkey.pcap conformance/bench/bigcap.c "$root/packages/"
  # shellcheck disable=SC2016 # the shell in the root expands them
  quietly "$out-$1-first.log" in_root "$root" 'cd /packages
    apt-get -qq update
    apt-get -qq -y install ./iwarp-tools_*.deb
    diagnose() {
      begin=$(date +%s%N)
      iwarp check "$@" >found || [ $? -eq 1 ]
      took=$((($(date +%s%N) - begin) / 1000000))
      grep diag.term-stag found
      echo "the diagnosis of $(cat "$@" | wc -c) octets after $took ms"
    }
    diagnose term-read-badkey.pcap
    apt-get -qq -y --no-install-recommends install gcc libc6-dev ./libiwarp0*.deb ./libiwarp-dev_*.deb
    cc -O2 bigcap.c -o bigcap -liwarp
    ./bigcap 10000000 >ten.pcap
    diagnose ten.pcap term-read-badkey.pcap
    [ "$took" -lt 1000 ]'
  grep '^the diagnosis of' "$out-$1-first.log"
  quietly "$out-$1-tests.log" in_root "$root" 'cd /packages
    apt-get -qq -y --no-install-recommends install autopkgtest dpkg-dev
    autopkgtest --apt-upgrade ./*.deb ./*.dsc -- null'
  sed -n '/^@* summary/,$p' "$out-$1-tests.log"
  end_root
}

# try_build SUITE: the tarballs build with the commands of the README, and by the recipes.
try_build() {
  bare_root "$1"
  unpack_sources "$root/srv"
  quietly "$out-$1-sources.log" in_root "$root" "cd /srv/libiwarp-$version; apt-get -qq update; apt-get -qq -y install xz-utils; ./.ci/demo"
  quietly "$out-$1-meson.log" in_root "$root" "apt-get -qq -y --no-install-recommends install meson"
  mkdir "$root/packages"
  cp "$out"/*.tar.xz "$out"/*.wrap "$root/packages/"
  quietly "$out-$1-recipes.log" in_root "$root" "/srv/libiwarp-$version/.ci/packaging/recipes.sh /packages /srv/libiwarp-$version /recipes"
  grep ' works$' "$out-$1-recipes.log"
  end_root
}

# try_rpm: rpmbuild of Debian makes the packages of the specification, and the tool of one runs.
try_rpm() {
  root=$suites_folder/bookworm-build
  rm -rf "$root/rpm"
  mkdir -p "$root/rpm/SOURCES" "$root/rpm/SPECS"
  cp "$out/libiwarp-$version.tar.xz" "$out/libiwarp-captures-$version.tar.xz" "$root/rpm/SOURCES/"
  cp "$out/libiwarp.spec" "$root/rpm/SPECS/"
  # rpmbuild asks the database of RPM for what Debian has by other names.
  # shellcheck disable=SC2016 # the shell in the root expands them
  quietly "$out-rpm.log" in_root "$root" 'rpmbuild --define "_topdir /rpm" --nodeps -bb /rpm/SPECS/libiwarp.spec
    mkdir /rpm/try
    cd /rpm/try
    for package in /rpm/RPMS/*/*.rpm; do rpm2cpio "$package" | cpio -id --quiet; done
    usr/bin/iwarp --version
    ls usr/share/man/man3/libiwarp.3* usr/include/iwarp/rules.h usr/bin/iwarp-fuzz-proxy usr/share/iwarp/captures/MANIFEST.tsv'
  ls "$root"/rpm/RPMS/*/*.rpm
}

# try_clang: the packages build by clang.
try_clang() {
  mkdir -p "$out-clang"
  build_environment="CC=clang CXX=clang++ DEB_BUILD_OPTIONS=noautodbgsym" build_packages bookworm "$out-clang" /build/clang -b
  ls "$out-clang"
}

# try_arm64: the packages build for arm64.
try_arm64() {
  mkdir -p "$out-arm64"
  build_root bookworm
  quietly "$out-arm64.log" in_root "$suites_folder/bookworm-build" \
    'dpkg --add-architecture arm64; apt-get -qq update; apt-get -qq -y install crossbuild-essential-arm64'
  build_dep_options="-aarm64 -Pcross,nocheck" build_environment="DEB_BUILD_PROFILES='cross nocheck' DEB_BUILD_OPTIONS='nocheck noautodbgsym'" \
    build_packages bookworm "$out-arm64" /build/arm64 -aarm64 -B
  ls "$out-arm64"
}

# unpack_artefact NAME FOLDER unpacks the artefact NAME-VERSION.tar.xz.
unpack_artefact() {
  mkdir -p "$2"
  tar -xf "$out/$1-$version.tar.xz" -C "$2" --strip-components 1
}

# try_node SUITE: the module answers Node.
try_node() {
  bare_root "$1"
  unpack_sources "$root/srv"
  unpack_artefact libiwarp-web "$root/web"
  grep -q 'Content-Security-Policy' "$root/web/iwarp.html" || { echo "failed: the page has no policy" >&2; return 1; }
  quietly "$out-$1-node.log" in_root "$root" "apt-get -qq update; apt-get -qq -y --no-install-recommends install nodejs
    cd /srv/libiwarp-$version; node conformance/web/tests/api.mjs /web pcaps"
  end_root
}

# try_wheel SUITE: the wheel installs into a new environment, the sdist builds in another one, and both work. The README of
# the sdist names the packages of Debian that they need.
try_wheel() {
  bare_root "$1"
  mkdir -p "$root/packages"
  cp "$out"/iwarp-"$version"* conformance/python/tests/smoke.py pcaps/real/siw/term-read-badkey.pcap "$root/packages/"
  # shellcheck disable=SC2016 # the shell in the root expands them
  quietly "$out-$1-wheel.log" in_root "$root" 'cd /packages
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
    try sdist "iwarp-*.tar.gz" "$(ls iwarp-*.tar.gz | sed "s/iwarp-\(.*\).tar.gz/\1/")"'
  grep ' works$' "$out-$1-wheel.log"
  end_root
}

# try_page SUITE: the page works in Chromium, and the module prints what the installed tool prints about each tenth capture.
try_page() {
  bare_root "$1"
  packages_of "$1" "$root/packages"
  unpack_sources "$root/srv"
  unpack_artefact libiwarp-web "$root/web"
  quietly "$out-$1-page.log" in_root "$root" "apt-get -qq update
    apt-get -qq -y --no-install-recommends install chromium nodejs gcc libc6-dev pkgconf \
      /packages/libiwarp0*.deb /packages/libiwarp-dev_*.deb /packages/iwarp-tools_*.deb
    cd /srv/libiwarp-$version
    cc conformance/bench/bigcap.c -O2 -o /usr/local/bin/bigcap \$(pkg-config --cflags --libs libiwarp)
    node conformance/web/tests/page.mjs /web pcaps /usr/local/bin/bigcap
    node conformance/web/tests/corpus.mjs /usr/bin/iwarp /web/iwarp.wasm pcaps --every 10"
  end_root
}

# try_links SUITE: the links of the site lead somewhere, and its pages work in Chromium.
try_links() {
  bare_root "$1"
  unpack_artefact libiwarp-site "$root/site"
  cp docs/site/check.py "$root/check.py"
  quietly "$out-$1-links.log" in_root "$root" "apt-get -qq update
    apt-get -qq -y --no-install-recommends install chromium python3
    python3 -B check.py links /site
    python3 -B check.py browser /site"
  tail -n 2 "$out-$1-links.log"
  end_root
}

# try_slow SUITE PART: the tests of a part, by the command of .ci, in a bare root that keeps what a part before it has built. A
# test that was skipped is a failure: all that it needs can be installed.
try_slow() {
  root=$suites_folder/$1-slow
  if [ "$(cat "$root.commit" 2>/dev/null)" != "$commit" ]; then
    new_root "$1" "$root"
    unpack_sources "$root/srv"
    echo "$commit" >"$root.commit"
  fi
  case $2 in
    web) options=--test ;;
    *) options= ;;
  esac
  log=$out-$1-slow-$2.log
  quietly "$log" in_root "$root" "cd /srv/libiwarp-$version; apt-get -qq update
    [ -z \"\${CCACHE_DIR-}\" ] || apt-get -qq -y --no-install-recommends install ccache
    ./.ci/$2 $options"
  if grep -E 'Skipped|Not Run' "$log"; then
    echo "failed: not all tests of $2 ran" >&2
    return 1
  fi
  grep -E ' tests passed|^ *[0-9]+/[0-9]+ Test' "$log"
}
