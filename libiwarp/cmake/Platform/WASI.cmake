# SPDX-License-Identifier: BSD-2-Clause
# CMake knows no system of this name: static archives, no shared libraries, and no program without its suffix.
set(WASI 1)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
