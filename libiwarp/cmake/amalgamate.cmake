# SPDX-License-Identifier: BSD-2-Clause
# Joins the library into two files: cmake -D OUT=<folder> -P amalgamate.cmake writes iwarp.c and iwarp.h there.
cmake_minimum_required(VERSION 3.22)
cmake_path(SET root NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/..)
include(${CMAKE_CURRENT_LIST_DIR}/IwarpVersion.cmake)
if(NOT DEFINED OUT)
  message(FATAL_ERROR "say where to: cmake -D OUT=<folder> -P amalgamate.cmake")
endif()

# expand(<file> <variable>) sets the variable to the text of a file in which each include of another file of the library
# is replaced by that file the first time, and by nothing after it. The list of those done is global.
function(expand file variable)
  file(READ ${file} text)
  cmake_path(GET file PARENT_PATH here)
  while(text MATCHES "\n([ \t]*#[ \t]*include (<(iwarp/[^>\n]+)>|\"([^\"\n]+)\"))")
    set(line "${CMAKE_MATCH_1}")
    if(CMAKE_MATCH_3)
      set(wanted ${root}/include/${CMAKE_MATCH_3})
    else()
      cmake_path(SET wanted NORMALIZE ${here}/${CMAKE_MATCH_4})
      if(NOT EXISTS ${wanted})
        set(wanted ${root}/src/${CMAKE_MATCH_4})
      endif()
    endif()
    get_property(done GLOBAL PROPERTY amalgamated)
    set(inner "")
    if(NOT wanted IN_LIST done)
      set_property(GLOBAL APPEND PROPERTY amalgamated ${wanted})
      expand(${wanted} inner)
    endif()
    # Only the first: a line that stands twice brings nothing the second time.
    string(FIND "${text}" "\n${line}\n" at)
    string(LENGTH "\n${line}\n" length)
    math(EXPR after "${at} + ${length}")
    string(SUBSTRING "${text}" 0 ${at} before)
    string(SUBSTRING "${text}" ${after} -1 after)
    set(text "${before}\n${inner}${after}")
  endwhile()
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# without_headers(<variable>) takes the includes of system headers away: the standalone_*.h bring what they are for, so that
# the two files compile where there is no header at all.
function(without_headers variable)
  string(REGEX REPLACE "\n[ \t]*#[ \t]*include <(stdbool|stddef|stdint|string|cpuid|immintrin)\\.h>" "" text "\n${${variable}}")
  string(REGEX MATCHALL "\n[ \t]*#[ \t]*include <[^>]*>" left "${text}")
  if(left)
    message(FATAL_ERROR "headers that the amalgamation does not know, see standalone_source.h:${left}")
  endif()
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

set(licence "/* SPDX-License-Identifier: BSD-2-Clause */\n")
expand(${root}/include/iwarp/iwarp.h header)
without_headers(header)
file(READ ${CMAKE_CURRENT_LIST_DIR}/standalone_types.h types)
file(READ ${CMAKE_CURRENT_LIST_DIR}/standalone_source.h functions)
string(REPLACE "${licence}" "" types "${types}")
string(REPLACE "${licence}" "" functions "${functions}")
file(WRITE ${OUT}/iwarp.h "${licence}/* libiwarp ${IWARP_VERSION} in one header; iwarp.c beside it is the library. \
Generated, not to be edited. */\n
/* The library is compiled into the program: nothing comes out of a DLL. */
#ifndef IWARP_STATIC_DEFINE
#define IWARP_STATIC_DEFINE
#endif\n
${types}
${header}")

# Headers that iwarp.h leaves out would be lost: every public header must have come with it.
file(GLOB public ${root}/include/iwarp/*.h)
get_property(done GLOBAL PROPERTY amalgamated)
list(REMOVE_ITEM public ${done} ${root}/include/iwarp/iwarp.h)
if(public)
  message(FATAL_ERROR "iwarp.h does not include ${public}")
endif()

file(GLOB_RECURSE sources ${root}/src/*.c)
list(SORT sources)
file(WRITE ${OUT}/iwarp.c "${licence}/* libiwarp ${IWARP_VERSION} in one source. Generated, not to be edited. */
#include \"iwarp.h\"\n
${functions}")
foreach(source IN LISTS sources)
  expand(${source} text)
  without_headers(text)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${root})
  file(APPEND ${OUT}/iwarp.c "\n/* ---- ${source} ---- */\n\n${text}")
endforeach()
