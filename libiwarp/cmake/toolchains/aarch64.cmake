# SPDX-License-Identifier: BSD-2-Clause
# 64-bit Arm: the CRC and PMULL instructions of ARMv8, emulated by qemu-user.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(triplet aarch64-linux-gnu)
set(multiarch aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
