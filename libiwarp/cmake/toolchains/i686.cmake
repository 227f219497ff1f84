# SPDX-License-Identifier: BSD-2-Clause
# 32-bit x86: size_t and pointers of four octets. An x86-64 kernel runs the programs as they are.
set(CMAKE_SYSTEM_PROCESSOR i686)
set(triplet i686-linux-gnu)
set(multiarch i386-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
