# SPDX-License-Identifier: BSD-2-Clause
# What `cmake --install` gives to other projects, the CMake package and the pkg-config files; and what is installed with no
# program: documents and captures.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/iwarp)
configure_package_config_file(libiwarp/cmake/iwarp-config.cmake.in
  ${PROJECT_BINARY_DIR}/iwarp-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/iwarp-config-version.cmake
  COMPATIBILITY SameMinorVersion)
if(IWARP_INSTALL)
  get_property(sets GLOBAL PROPERTY IWARP_TARGET_SETS)
  foreach(set IN LISTS sets)
    install(EXPORT iwarp-${set}-targets NAMESPACE iwarp:: DESTINATION ${package_dir} COMPONENT dev)
  endforeach()
  install(FILES ${PROJECT_BINARY_DIR}/iwarp-config.cmake
    ${PROJECT_BINARY_DIR}/iwarp-config-version.cmake DESTINATION ${package_dir} COMPONENT dev)
endif()

function(iwarp_install_pc name)
  # prefix relative to the .pc file, so that an installed tree can be moved
  file(RELATIVE_PATH pc_prefix /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
  string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
  if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
    set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
    set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
  else()
    set(pc_prefix "\${pcfiledir}/${pc_prefix}")
    set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
    set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
  endif()
  # Where both kinds are there, a static program is linked by pkg-config --static.
  set(pc_cflags "")
  set(pc_cflags_private "")
  if(IWARP_BUILD_BOTH)
    set(pc_cflags_private "Cflags.private: -DIWARP_STATIC_DEFINE\n")
  elseif(NOT BUILD_SHARED_LIBS)
    set(pc_cflags " -DIWARP_STATIC_DEFINE")
  endif()
  configure_file(libiwarp/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  if(IWARP_INSTALL)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
  endif()
endfunction()

iwarp_install_pc(libiwarp)
if(TARGET iwarp_rules)
  iwarp_install_pc(libiwarp_rules)
endif()

if(NOT IWARP_INSTALL OR NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

# The pages that are made of the headers and of docs; those of commands are in the tree.
if(IWARP_PYTHON)
  set(man ${PROJECT_BINARY_DIR}/man)
  file(GLOB man_sources CONFIGURE_DEPENDS libiwarp/include/iwarp/*.h conformance/rules/include/iwarp/*.h docs/man/source/*.mdoc)
  list(APPEND man_sources ${PROJECT_SOURCE_DIR}/docs/man/pages.py ${PROJECT_SOURCE_DIR}/docs/api-conventions.md
    ${PROJECT_SOURCE_DIR}/docs/scenarios.md)
  add_custom_command(OUTPUT ${man}.made
    COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${IWARP_PYTHON} ${PROJECT_SOURCE_DIR}/docs/man/pages.py ${man}
    COMMAND ${CMAKE_COMMAND} -E touch ${man}.made
    DEPENDS ${man_sources}
    COMMENT "Making the manual pages of the headers and of scenarios"
    VERBATIM)
  add_custom_target(manual-pages ALL DEPENDS ${man}.made)
  install(DIRECTORY ${man}/man3 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT dev)
  if(IWARP_WITH_TOOL)
    install(DIRECTORY ${man}/man5 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT tools)
  endif()
else()
  message(NOTICE "-- Not built: the manual pages of headers and scenarios. Missing: Python 3 (Debian: python3)")
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc
  FILES_MATCHING PATTERN "*.md" PATTERN "*.c" PATTERN "*.py" PATTERN "*.png" PATTERN "*.svg" PATTERN man EXCLUDE PATTERN api EXCLUDE PATTERN site EXCLUDE)
# 23 MB: only where they are asked for.
if(EXISTS ${PROJECT_SOURCE_DIR}/pcaps/MANIFEST.tsv)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/pcaps/ DESTINATION ${CMAKE_INSTALL_DATADIR}/iwarp/captures
    COMPONENT captures EXCLUDE_FROM_ALL PATTERN tools EXCLUDE)
endif()

add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -D BUILD=${PROJECT_BINARY_DIR} -P ${PROJECT_SOURCE_DIR}/libiwarp/cmake/uninstall.cmake
  COMMENT "Removing what cmake --install wrote"
  VERBATIM)
