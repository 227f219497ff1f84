# SPDX-License-Identifier: BSD-2-Clause
# Functions that register tests. A test is named <label>.<name> and carries that label. .ci/coverage runs tests with the label
# coverage or coverage-alone. The stage test of the gate leaves out those with coverage-alone: what they run in the tool needs no
# confinement, no protection and no optimisation.

# The only limits of time: they end what hangs, and are so long that no load of a machine reaches them.
set(IWARP_HANG_S 7200)
set(IWARP_HANG_SLOW_S 172800)

# Unit and API tests take longer to compile than to run, so only the code under test is optimised. In an ordinary build of gcc
# a little of it stays, for the warnings that need the flow of values.
set(IWARP_TEST_OPTIMISE $<$<C_COMPILER_ID:GNU,Clang,AppleClang>:-O0>)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT (IWARP_SANITIZE OR IWARP_MCDC OR CMAKE_CROSSCOMPILING))
  set(IWARP_TEST_OPTIMISE -O1)
endif()

# iwarp_add_check_tests(<label> LIBS <target>... FILES <check_*.c>... [ALONE <check_*.c>...] [OWN_PROCESS <check_*.c>...]
#                       [NOT_FOR_COVERAGE <check_*.c>...])
# makes one executable and one test of each file: check_ddp_hdr.c becomes the test <label>.ddp-hdr. All tests of a program run in
# one process, since a process for each test takes most of the time, and sanitizers find no leaks in it. Files of OWN_PROCESS have
# tests that change their process: each runs in a process of its own. Files of NOT_FOR_COVERAGE take long with its counters, and
# reach nothing or next to nothing that the others do not. The executables of ALONE get options or sources from the caller, or run
# long. All of these are FILES too. With IWARP_ONE_PROGRAM the other unit tests of a project are one executable and one test,
# unit.of-libiwarp. The target tests-<label> builds all of a label.
# Labels unit, api, property and vectors are for coverage alone; with IWARP_LEAVE_TO_COVERAGE their programs are not in "all".
function(iwarp_add_check_tests label)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBS;FILES;LABELS;INCLUDES;ALONE;OWN_PROCESS;NOT_FOR_COVERAGE")
  if(NOT TARGET tests-${label})
    add_custom_target(tests-${label})
  endif()
  set(together "")
  foreach(file IN LISTS arg_FILES)
    cmake_path(GET file STEM name)
    string(REGEX REPLACE "^(check_prop_|check_|prop_)" "" name ${name})
    string(REPLACE "_" "-" name ${name})
    cmake_path(GET file FILENAME file_name)
    if(IWARP_ONE_PROGRAM AND label STREQUAL "unit" AND NOT file_name IN_LIST arg_ALONE AND NOT file_name IN_LIST arg_OWN_PROCESS
        AND NOT file_name IN_LIST arg_NOT_FOR_COVERAGE)
      list(APPEND together ${file})
    else()
      iwarp_add_check_program(${name} ${file})
    endif()
  endforeach()
  if(together)
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH parent)
    cmake_path(GET parent FILENAME parent)
    iwarp_put_together(test-${label}-of-${parent} sources ${together})
    iwarp_add_check_program(of-${parent} ${sources})
    iwarp_join_mains(test-${label}-of-${parent} ${together})
  endif()
endfunction()

# iwarp_add_check_program(<name> <file>...) adds the executable test-<label>-<name> and its test, for iwarp_add_check_tests, whose
# variables it reads.
function(iwarp_add_check_program name)
  set(target test-${label}-${name})
  add_executable(${target} ${ARGN})
  add_dependencies(tests-${label} ${target})
  target_include_directories(${target} PRIVATE ${arg_INCLUDES})
  target_link_libraries(${target} PRIVATE ${arg_LIBS} iwarp::check iwarp_warnings)
  if(label MATCHES "^(unit|api)$")
    target_compile_options(${target} PRIVATE ${IWARP_TEST_OPTIMISE})
  endif()
  add_test(NAME ${label}.${name} COMMAND ${target} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  cmake_path(GET ARGV1 FILENAME file_name)
  set(labels ${label} ${arg_LABELS})
  if(label MATCHES "^(unit|api|property|vectors)$" AND NOT file_name IN_LIST arg_NOT_FOR_COVERAGE)
    list(APPEND labels coverage-alone)
    if(IWARP_LEAVE_TO_COVERAGE)
      set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endif()
  # Check's own limit of 4 s for one test would make a slow machine fail: 0 takes it away.
  set_tests_properties(${label}.${name} PROPERTIES
    LABELS "${labels}" TIMEOUT ${IWARP_HANG_S} ENVIRONMENT CK_DEFAULT_TIMEOUT=0)
  if(NOT file_name IN_LIST arg_OWN_PROCESS)
    set_property(TEST ${label}.${name} APPEND PROPERTY ENVIRONMENT CK_FORK=no)
  endif()
  if(IWARP_MCDC) # clang takes programs of the same sizes for one and drops what does not fit: a file for each
    set_property(TEST ${label}.${name} APPEND PROPERTY
      ENVIRONMENT LLVM_PROFILE_FILE=${PROJECT_BINARY_DIR}/profiles/${label}.${name}.%m.profraw)
  endif()
  if(label STREQUAL "property" OR name MATCHES "^of-")
    set_tests_properties(${label}.${name} PROPERTIES COST 100) # the longest begin first
  endif()
endfunction()

# iwarp_put_together(<name> <variable> <check_*.c>...) sets the variable to a few sources that include these files. Compiled one
# by one, the files take twice as long: each of them reads the same headers. Files with a name in common are in different sources.
function(iwarp_put_together name variable)
  execute_process(COMMAND ${IWARP_PYTHON} -B ${PROJECT_SOURCE_DIR}/libiwarp/cmake/together.py ${CMAKE_CURRENT_BINARY_DIR}/${name} ${ARGN}
    OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  set(${variable} ${lines} PARENT_SCOPE)
  set(scripts libiwarp/cmake/together.py libiwarp/tests/meta/united.py)
  list(TRANSFORM scripts PREPEND ${PROJECT_SOURCE_DIR}/)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN} ${scripts})
endfunction()

# iwarp_join_mains(<target> <check_*.c>...): one_program.c calls main of each file, main_of_check_x of check_x.c.
function(iwarp_join_mains target)
  set(declarations ${CMAKE_CURRENT_BINARY_DIR}/${target}.h)
  set(table ${CMAKE_CURRENT_BINARY_DIR}/${target}.inc)
  set(declared "")
  set(rows "")
  foreach(file IN LISTS ARGN)
    cmake_path(GET file STEM name)
    string(APPEND declared "int main_of_${name}(void);\n")
    string(APPEND rows "{\"${name}\", main_of_${name}},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${declarations} CONTENT "${declared}" @ONLY)
  file(CONFIGURE OUTPUT ${table} CONTENT "${rows}" @ONLY)
  target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/libiwarp/tests/one_program.c)
  target_compile_options(${target} PRIVATE "SHELL:-include ${declarations}")
  target_compile_definitions(${target} PRIVATE TESTS="${table}" _GNU_SOURCE=)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP) # without groups: it says what the sources are
endfunction()

# iwarp_add_python_test(<label>.<name> SCRIPT <file> [ARGS ...] [LABELS ...] [ENVIRONMENT ...])
function(iwarp_add_python_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SCRIPT" "ARGS;LABELS;ENVIRONMENT;FIXTURES")
  string(REGEX REPLACE "\\..*" "" label ${name})
  add_test(NAME ${name} COMMAND ${IWARP_PYTHON} ${arg_SCRIPT} ${arg_ARGS}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set(hang_s ${IWARP_HANG_S})
  if("slow" IN_LIST arg_LABELS OR label STREQUAL "slow")
    set(hang_s ${IWARP_HANG_SLOW_S})
  endif()
  set_tests_properties(${name} PROPERTIES
    LABELS "${label};${arg_LABELS}"
    TIMEOUT ${hang_s}
    FIXTURES_REQUIRED "${arg_FIXTURES}"
    ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;${arg_ENVIRONMENT}")
endfunction()
