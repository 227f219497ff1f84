# SPDX-License-Identifier: BSD-2-Clause
# Reads IWARP_VERSION from iwarp/version.h, the one place where the version is written.
set(version_header ${CMAKE_CURRENT_LIST_DIR}/../include/iwarp/version.h)
file(STRINGS ${version_header} version_line REGEX "^#define IWARP_VERSION_STRING ")
if(NOT version_line MATCHES "\"([0-9]+)\\.([0-9]+)\\.([0-9]+)\"")
  message(FATAL_ERROR "no version in ${version_header}")
endif()
set(IWARP_VERSION ${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3})
# While the major version is 0, each minor version is its own ABI.
set(IWARP_SOVERSION ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
if(NOT CMAKE_MATCH_1 EQUAL 0)
  message(FATAL_ERROR "version 1.0: decide how SOVERSION and package compatibility go on")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${version_header})
