# SPDX-License-Identifier: BSD-2-Clause
# What the tool needs of a system and WASI does not have: headers and functions of POSIX, libpcap, confinement. Included before
# IwarpDependencies looks for libraries, whose place these targets take.
set(wasi ${CMAKE_CURRENT_LIST_DIR})

# Every target of the project: its headers stand before those of wasi-libc.
include_directories(SYSTEM ${wasi}/include)

add_library(iwarp_posix STATIC ${wasi}/posix.c)
target_link_libraries(iwarp_posix PRIVATE iwarp_warnings)
add_library(iwarp_threads INTERFACE)
add_library(Threads::Threads ALIAS iwarp_threads) # pthread.h is all of them

add_library(iwarp_no_pcap STATIC ${wasi}/pcap.c)
target_link_libraries(iwarp_no_pcap PRIVATE iwarp_warnings)
add_library(iwarp::pcap ALIAS iwarp_no_pcap)

# gzip; its header stands before that of a zlib.
add_library(iwarp_inflate STATIC ${wasi}/../zlib/inflate.c)
target_link_libraries(iwarp_inflate PRIVATE iwarp_warnings)
add_library(iwarp::gzip ALIAS iwarp_inflate)
target_include_directories(iwarp_inflate PUBLIC ${wasi}/../zlib)

# One header that needs nothing of the system, so this machine's will do; alone, without the other headers beside it.
find_file(IWARP_UTHASH_H uthash.h PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
mark_as_advanced(IWARP_UTHASH_H)
configure_file(${IWARP_UTHASH_H} ${PROJECT_BINARY_DIR}/uthash/uthash.h COPYONLY)
add_library(iwarp_uthash INTERFACE)
add_library(iwarp::uthash ALIAS iwarp_uthash)
target_include_directories(iwarp_uthash SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/uthash)

set(IWARP_CONFINE_SOURCES ${wasi}/confine.c)
set(IWARP_PROCESS_SOURCES ${wasi}/process.c)

# iwarp_reactor(<target>) makes a module that its host calls, in place of a program that runs once and ends. Its stack lies below
# all data, so that what is too deep traps.
function(iwarp_reactor target)
  target_sources(${target} PRIVATE ${wasi}/reactor.c)
  target_link_libraries(${target} PRIVATE iwarp_posix)
  target_link_options(${target} PRIVATE -mexec-model=reactor -Wl,-z,stack-size=524288 -Wl,--stack-first -Wl,--strip-all)
endfunction()
