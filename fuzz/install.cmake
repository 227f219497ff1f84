# SPDX-License-Identifier: BSD-2-Clause
# What is installed for fuzzers of other decoders: the proxy, the mutator for AFL++, the dictionary, the corpora, and the sources
# of the targets. docs/fuzzing-a-decoder.md uses them.
if(NOT IWARP_INSTALL OR NOT TARGET iwarp-fuzz-proxy)
  return()
endif()
set(data ${CMAKE_INSTALL_DATADIR}/iwarp-fuzz)
set(here ${CMAKE_CURRENT_BINARY_DIR})

install(TARGETS iwarp-fuzz-proxy COMPONENT fuzz)
install(FILES ${PROJECT_SOURCE_DIR}/docs/man/iwarp-fuzz-proxy.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT fuzz)
iwarp_harden(iwarp_fuzz_support iwarp_fuzz_filter iwarp-fuzz-proxy)
if(TARGET iwarp_fuzz_mutator)
  iwarp_harden(iwarp_fuzz_mutator)
  install(TARGETS iwarp_fuzz_mutator DESTINATION ${CMAKE_INSTALL_LIBDIR}/iwarp COMPONENT fuzz OPTIONAL)
endif()

# What prints the dictionary runs on the machine that builds.
set(printer $<TARGET_FILE:fuzz-mkdict>)
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  find_program(IWARP_BUILD_CC NAMES cc gcc clang)
  set(printer ${here}/mkdict-of-this-machine)
  get_target_property(sources iwarp SOURCES)
  list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/libiwarp/)
  list(TRANSFORM sources REPLACE "^${PROJECT_SOURCE_DIR}/libiwarp//" "/")
  add_custom_command(OUTPUT ${printer}
    COMMAND ${IWARP_BUILD_CC} -std=c11 -DIWARP_STATIC_DEFINE -I ${PROJECT_SOURCE_DIR}/libiwarp/include -I ${PROJECT_SOURCE_DIR}/libiwarp/src
      -o ${printer} ${CMAKE_CURRENT_SOURCE_DIR}/dict/mkdict.c ${sources}
    COMMENT "Compiling for this machine what prints the dictionary"
    VERBATIM)
endif()
add_custom_command(OUTPUT ${here}/iwarp.dict
  COMMAND ${printer} > ${here}/iwarp.dict
  DEPENDS fuzz-mkdict ${printer}
  COMMENT "Printing the dictionary of the fuzz targets"
  VERBATIM)
add_custom_target(fuzz-dictionary ALL DEPENDS ${here}/iwarp.dict)
install(FILES ${here}/iwarp.dict DESTINATION ${data} COMPONENT fuzz)


install(DIRECTORY corpus example DESTINATION ${data} COMPONENT fuzz)
install(DIRECTORY targets support mutator drivers DESTINATION ${data}/src COMPONENT fuzz)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/libiwarp/tests/support/ DESTINATION ${data}/src/tests COMPONENT fuzz)

# The mutator for programs with libFuzzer: pkg-config --cflags --libs iwarp-fuzz.
install(TARGETS iwarp_fuzz_support ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/iwarp COMPONENT fuzz)
file(RELATIVE_PATH prefix /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
file(CONFIGURE OUTPUT iwarp-fuzz.pc CONTENT [[
prefix=${pcfiledir}/@prefix@
srcdir=${prefix}/@data@/src

Name: iwarp-fuzz
Description: The mutator of iWARP, and helpers of the fuzz targets
Version: @PROJECT_VERSION@
Requires: libiwarp = @PROJECT_VERSION@
Cflags: -I${srcdir}/support -I${srcdir}/mutator -I${srcdir}/tests
Libs: -L${prefix}/@CMAKE_INSTALL_LIBDIR@/iwarp -liwarp_fuzz_support
]] @ONLY)
install(FILES ${here}/iwarp-fuzz.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT fuzz)
