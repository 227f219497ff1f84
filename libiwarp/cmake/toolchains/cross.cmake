# SPDX-License-Identifier: BSD-2-Clause
# What the toolchain files share: static programs, and libraries of the other machine from IWARP_SYSROOT.
# A toolchain file sets triplet (of the compiler) and multiarch (of Debian's folders) before it includes this.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${triplet}-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)

# .ci/cross unpacks Check and jansson there; nothing of the other machine is installed.
set(IWARP_SYSROOT "" CACHE PATH "Libraries of the machine that is built for, unpacked")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES IWARP_SYSROOT)
set(ENV{PKG_CONFIG_LIBDIR} ${IWARP_SYSROOT}/usr/lib/${multiarch}/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${IWARP_SYSROOT})
