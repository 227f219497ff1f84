# SPDX-License-Identifier: BSD-2-Clause
# What `cmake --install` gives to other projects: the CMake package and the pkg-config files.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/iwarp)
configure_package_config_file(libiwarp/cmake/iwarp-config.cmake.in
  ${PROJECT_BINARY_DIR}/iwarp-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/iwarp-config-version.cmake
  COMPATIBILITY SameMinorVersion)
if(IWARP_INSTALL)
  install(EXPORT iwarp-targets NAMESPACE iwarp:: DESTINATION ${package_dir})
  install(FILES ${PROJECT_BINARY_DIR}/iwarp-config.cmake
    ${PROJECT_BINARY_DIR}/iwarp-config-version.cmake DESTINATION ${package_dir})
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
  set(pc_cflags "")
  if(NOT BUILD_SHARED_LIBS)
    set(pc_cflags " -DIWARP_STATIC_DEFINE")
  endif()
  configure_file(libiwarp/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  if(IWARP_INSTALL)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
endfunction()

iwarp_install_pc(libiwarp)
if(TARGET iwarp_rules)
  iwarp_install_pc(libiwarp_rules)
endif()
