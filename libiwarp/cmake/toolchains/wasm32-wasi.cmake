# SPDX-License-Identifier: BSD-2-Clause
# WebAssembly with WASI, by clang, lld and wasi-libc of Debian. clang would look into /usr/include as well, whose headers are of
# another C library.
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR}/..) # Platform/WASI.cmake
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_C_FLAGS_INIT "-nostdlibinc -Wno-unused-command-line-argument -isystem /usr/include/wasm32-wasi")
set(ENV{PKG_CONFIG_LIBDIR} /nonexistent) # libraries of this machine are not for the module
