#!/bin/bash -eu
# SPDX-License-Identifier: BSD-2-Clause
# Builds the fuzz targets as OSS-Fuzz and ClusterFuzzLite ask for it: compilers and flags in CC, CXX, CFLAGS and CXXFLAGS,
# the engine in LIB_FUZZING_ENGINE, scratch in WORK, programs with their corpora, dictionaries and options in OUT.
cd "${SRC:?}/libiwarp"

cmake -S . -B "${WORK:?}/build" -G Ninja -DCMAKE_BUILD_TYPE=None -DIWARP_FUZZ_ENGINE=given -DIWARP_BUILD_FUZZ=ON \
  -DIWARP_BUILD_CONFORMANCE=ON -DIWARP_BUILD_TESTS=OFF -DIWARP_BUILD_DISSECTOR=OFF \
  -DCMAKE_C_FLAGS="${CFLAGS-}" -DCMAKE_CXX_FLAGS="${CXXFLAGS-}" -DCMAKE_BUILD_RPATH="\$ORIGIN/lib" \
  -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags
cmake --build "$WORK/build"

rm -rf "$WORK/seeds"
python3 fuzz/tools/mkseeds.py "$WORK/seeds"
"$WORK/build/bin/fuzz-mkdict" >"$WORK/iwarp.dict"

mkdir -p "${OUT:?}/lib"
for program in "$WORK"/build/bin/fuzz-*; do
  name=$(basename "$program")
  target=${name#fuzz-}
  [ "$target" != mkdict ] && [ "$target" != empty ] || continue # a tool, and what the bench compares with
  cp "$program" "$OUT/$name"
  cp "$WORK/iwarp.dict" "$OUT/$name.dict"
  printf '[libfuzzer]\nmax_len = 8192\ntimeout = 60\ndict = %s.dict\n' "$name" >"$OUT/$name.options"
  mkdir -p "$WORK/seeds/$target"
  if [ -d "fuzz/corpus/$target" ]; then
    cp -r "fuzz/corpus/$target/." "$WORK/seeds/$target"
  fi
  python3 - "$WORK/seeds/$target" "$OUT/${name}_seed_corpus.zip" <<'END'
import sys, zipfile
from pathlib import Path

with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as out:
    for path in sorted(Path(sys.argv[1]).iterdir()):
        out.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)
END
  # The machines that run the targets have no libpcap, nor what it needs, nor what unpacks captures.
  ldd "$program" | sed -n 's/.* => \(\/[^ ]*\/lib\(pcap\|z\.\|dbus\|systemd\|nl-\|ibverbs\|lzma\|zstd\|lz4\|gcrypt\|gpg-error\|cap\)[^ ]*\) .*/\1/p' |
    while read -r library; do cp -L "$library" "$OUT/lib/"; done
done
