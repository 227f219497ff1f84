# SPDX-License-Identifier: BSD-2-Clause
# Language, warnings, sanitizers and coverage: what every target of the project shares.
include(CheckCCompilerFlag)
include(CheckLinkerFlag)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(PROJECT_IS_TOP_LEVEL)
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT CMAKE_BUILD_TYPE AND NOT multi_config)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
  endif()
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  # Assertions stay in every build type.
  foreach(type RELEASE RELWITHDEBINFO MINSIZEREL)
    string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_${type} "${CMAKE_C_FLAGS_${type}}")
  endforeach()
endif()

# Linked privately by each of our targets, never exported.
add_library(iwarp_warnings INTERFACE)
target_compile_options(iwarp_warnings INTERFACE
  $<$<C_COMPILER_ID:GNU,Clang,AppleClang>:
    -Wall -Wextra -Wpedantic
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow> # a name means one thing in a file
    -Wconversion            # widths and signs change only where the code says so
    -Wsign-conversion
    -Wcast-qual             # const stays
    -Wcast-align            # wire octets have no alignment
    -Wpointer-arith
    -Wstrict-prototypes
    -Wmissing-prototypes
    -Wmissing-declarations
    -Wundef
    -Wvla
    -Wformat=2
    -Wnull-dereference
    -Wdouble-promotion
    -Wwrite-strings
    -Wimplicit-fallthrough
    -Wswitch-enum           # a new enumerator shows every switch that lacks it
  >
  $<$<C_COMPILER_ID:GNU>:-Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wjump-misses-init>
  $<$<C_COMPILER_ID:Clang>:-Wcomma -Wunreachable-code -Wassign-enum>
  # Where it optimises nothing gcc warns of lengths that it knows better otherwise: what is measured is warned of in other builds.
  $<$<AND:$<BOOL:${IWARP_WERROR}>,$<NOT:$<BOOL:$<TARGET_PROPERTY:IWARP_MEASURED>>>>:-Werror>)

if(IWARP_SANITIZE)
  list(JOIN IWARP_SANITIZE "," sanitizers)
  set(sanitize_flags -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_compile_options(${sanitize_flags})
  if("fuzzer-no-link" IN_LIST IWARP_SANITIZE) # calls for comparisons cost more than all checks
    add_compile_options(-fno-sanitize-coverage=trace-cmp,indirect-calls)
  endif()
  add_link_options(${sanitize_flags})
  # The run-time of a sanitizer is part of each of some 200 programs; lld takes half the time for them.
  if(CMAKE_C_COMPILER_ID STREQUAL "Clang" AND NOT "fuzzer-no-link" IN_LIST IWARP_SANITIZE)
    check_linker_flag(C -fuse-ld=lld IWARP_LINKS_BY_LLD)
    if(IWARP_LINKS_BY_LLD)
      add_link_options(-fuse-ld=lld)
    endif()
  endif()
endif()

# Only what the gate measures is instrumented, not the tests: those that try every input stay fast. Of the threads of a program one
# runs at a time (conformance/tests/preload/turns.c), so that counters need no atomic instructions: these took two thirds of the time.
if(IWARP_COVERAGE)
  add_link_options(--coverage)
endif()
function(iwarp_measure target)
  if(IWARP_COVERAGE)
    target_compile_options(${target} PRIVATE --coverage -O0 -fprofile-abs-path -fprofile-update=single)
    set_target_properties(${target} PROPERTIES IWARP_MEASURED ON)
  endif()
endfunction()

if(IWARP_MCDC)
  add_link_options(-fprofile-instr-generate)
endif()

# iwarp_leave_plain(<target>...): with sanitizers clang takes four times as long for a source that it optimises. So these libraries,
# which run little in tests and fuzz targets, are not optimised there. An engine of fuzzing runs them more.
function(iwarp_leave_plain)
  if(IWARP_SANITIZE AND NOT "fuzzer-no-link" IN_LIST IWARP_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "Clang")
    foreach(target IN LISTS ARGN)
      target_compile_options(${target} PRIVATE -O0)
    endforeach()
  endif()
endfunction()

# iwarp_unite(<target>...): with IWARP_UNITY each of these libraries is compiled as one source. The compiler reads the headers of
# the system once for a library. Static functions of its files must have different names. Other builds show whether each file
# includes what it needs, and how the files call one another.
function(iwarp_unite)
  if(IWARP_UNITY STREQUAL "ON")
    set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()
endfunction()

# iwarp_unite_helpers(<target>...): the same where IWARP_UNITY is PART, too. Files may define what they want of the headers of the
# system, so this comes before all of them.
function(iwarp_unite_helpers)
  if(IWARP_UNITY)
    foreach(target IN LISTS ARGN)
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
      target_compile_definitions(${target} PRIVATE _GNU_SOURCE=)
    endforeach()
  endif()
endfunction()

# Where programs and libraries look for the project's shared libraries. CMake ends a path that it edits at the installation with
# ":", and pads it with more of them. An empty element is the working directory, so nothing is edited: shared libraries lie in the
# build tree where they lie in the installation, seen from the programs.
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
endif()
file(RELATIVE_PATH iwarp_way_to_libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
string(REGEX REPLACE "/$" "" iwarp_way_to_libraries "${iwarp_way_to_libraries}")
set(iwarp_library_dir ${PROJECT_BINARY_DIR}/lib)
if(iwarp_way_to_libraries MATCHES "^\\.\\./[^.]") # otherwise it leads out of the build tree, and LD_LIBRARY_PATH helps there
  cmake_path(SET iwarp_library_dir NORMALIZE ${PROJECT_BINARY_DIR}/bin/${iwarp_way_to_libraries})
endif()

# iwarp_find_libraries_in(<target> <way>): the installed target finds the project's libraries there, seen from its own folder. What
# the builder asks for by CMAKE_INSTALL_RPATH comes first. The loader searches the folders of the system itself: there the
# installation removes the path, as a whole.
function(iwarp_find_libraries_in target way)
  if(NOT BUILD_SHARED_LIBS OR CMAKE_INSTALL_RPATH)
    set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
  elseif(CMAKE_INSTALL_FULL_LIBDIR IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    set_target_properties(${target} PROPERTIES BUILD_RPATH "$ORIGIN${way}" INSTALL_RPATH "")
  else()
    set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN${way}")
  endif()
endfunction()

# What a release of the tool is made of is optimised as one program: its parts call one another for each packet. The
# archives hold ordinary code as well, for whoever links them with something else.
set(iwarp_joined OFF)
if(IWARP_JOIN AND CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT IWARP_SANITIZE)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT iwarp_joined OUTPUT ignored LANGUAGES C)
endif()
function(iwarp_join)
  if(iwarp_joined)
    foreach(target IN LISTS ARGN)
      set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
      target_compile_options(${target} PRIVATE -ffat-lto-objects)
    endforeach()
  endif()
endfunction()

# gcc clears what has 64 octets and more by an instruction that takes as long to begin as to clear an event.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(iwarp_clear -mmemset-strategy=unrolled_loop:512:noalign,libcall:-1:noalign)
  check_c_compiler_flag(${iwarp_clear} IWARP_CLEARS_BY_STORES)
  if(IWARP_CLEARS_BY_STORES)
    add_compile_options($<$<COMPILE_LANGUAGE:C>:${iwarp_clear}>)
  endif()
endif()
