# SPDX-License-Identifier: BSD-2-Clause
# Protections of the compiler and the linker for programs that read what strangers wrote. iwarp_harden(<target>...) gives a
# target those that this toolchain has. All of them are private: who links the library compiles with flags of his own.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
include(CheckPIESupported)

# Instruments come in the place of protections: sanitizers check more, but do not know the checked functions of libc, and what
# coverage measures is not optimised. Engines for fuzzing bring both by flags and by the environment.
set(IWARP_HARDENS OFF)
set(instruments ${IWARP_SANITIZE} ${IWARP_FUZZ_ENGINE})
list(REMOVE_ITEM instruments standalone none)
if(IWARP_HARDEN AND NOT instruments AND NOT IWARP_COVERAGE AND NOT IWARP_MCDC AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize|--coverage|-fprofile")
  set(IWARP_HARDENS ON)
endif()
set(iwarp_harden_compile "")
set(iwarp_harden_link "")

# iwarp_harden_fortify() finds the highest level of _FORTIFY_SOURCE that compiler and libc know. glibc defines none unless the
# compiler optimises, so the flags of the build type take part.
function(iwarp_harden_fortify)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  foreach(level IN ITEMS 3 2)
    # A level that a distribution has among its flags is never lowered, and not defined twice.
    set(flags -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${level})
    list(JOIN flags " " words)
    set(CMAKE_REQUIRED_FLAGS "${CMAKE_C_FLAGS_${type}} ${words}")
    check_c_source_compiles("
      #include <string.h>
      #if !defined __USE_FORTIFY_LEVEL || __USE_FORTIFY_LEVEL < ${level}
      #error level ${level} is not known
      #endif
      int main(void) { return 0; }" IWARP_HARDEN_FORTIFY_${level})
    if(IWARP_HARDEN_FORTIFY_${level})
      set(iwarp_harden_compile ${iwarp_harden_compile} ${flags} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

if(IWARP_HARDENS)
  check_pie_supported(LANGUAGES C) # from here on position-independent programs are linked as such
  set(flags
    -fstack-protector-strong       # an array that overflows ends the program, not the return address
    -fstack-clash-protection)      # a large frame touches each page: none is skipped
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|i[3-6]86)$")
    list(APPEND flags -fcf-protection)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    list(APPEND flags -mbranch-protection=standard)
  endif()
  foreach(flag IN LISTS flags)
    string(MAKE_C_IDENTIFIER "IWARP_HARDEN${flag}" known)
    check_c_compiler_flag(${flag} ${known})
    if(${known})
      list(APPEND iwarp_harden_compile ${flag})
    endif()
  endforeach()
  iwarp_harden_fortify()
  foreach(word IN ITEMS relro now)
    check_linker_flag(C "LINKER:-z,${word}" IWARP_HARDEN_Z_${word})
    if(IWARP_HARDEN_Z_${word})
      list(APPEND iwarp_harden_link "LINKER:-z,${word}")
    endif()
  endforeach()
  # No path of the machine that built it stands in a binary, not even in its debug information. The later map counts. What is
  # kept for link-time optimisation names the folder of the build beside a file whose name is relative, so these are not.
  foreach(map IN ITEMS "${PROJECT_SOURCE_DIR}=/iwarp" "${PROJECT_BINARY_DIR}=/iwarp/build")
    list(APPEND iwarp_harden_compile -ffile-prefix-map=${map})
  endforeach()
  check_c_compiler_flag(-ffile-prefix-map=/a=. IWARP_HARDEN_PREFIX_MAP)
  if(NOT IWARP_HARDEN_PREFIX_MAP)
    list(FILTER iwarp_harden_compile EXCLUDE REGEX "^-ffile-prefix-map=")
  endif()
endif()

function(iwarp_harden)
  if(NOT IWARP_HARDENS)
    return()
  endif()
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE ${iwarp_harden_compile})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL "STATIC_LIBRARY")
      target_link_options(${target} PRIVATE ${iwarp_harden_link})
    endif()
  endforeach()
endfunction()
