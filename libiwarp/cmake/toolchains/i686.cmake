# SPDX-License-Identifier: BSD-2-Clause
# 32-bit x86: size_t and pointers of four octets. An x86-64 kernel runs the programs as they are, but not each one does:
# then qemu-user does. The C library's loader is a program to try it with.
set(CMAKE_SYSTEM_PROCESSOR i686)
set(triplet i686-linux-gnu)
set(multiarch i386-linux-gnu)
set(CMAKE_C_FLAGS_INIT -D_FILE_OFFSET_BITS=64) # so that folders whose offsets need 64 bits can be read
execute_process(COMMAND ${triplet}-gcc -print-file-name=ld-linux.so.2 OUTPUT_VARIABLE loader OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${loader} --version RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
if(failed)
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-i386)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
