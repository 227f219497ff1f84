# SPDX-License-Identifier: BSD-2-Clause
# Removes the files that the last `cmake --install` of each component wrote, and folders of the project that are empty then:
# cmake -D BUILD=<folder of the build> -P uninstall.cmake. DESTDIR is as it was for the installation.
cmake_minimum_required(VERSION 3.22)
file(GLOB manifests ${BUILD}/install_manifest*.txt)
if(NOT manifests)
  message(FATAL_ERROR "${BUILD} has installed nothing: there is no install_manifest.txt")
endif()

set(folders "")
foreach(manifest IN LISTS manifests)
  file(STRINGS ${manifest} files)
  foreach(file IN LISTS files)
    message(STATUS "Removing: $ENV{DESTDIR}${file}")
    file(REMOVE "$ENV{DESTDIR}${file}")
    cmake_path(GET file PARENT_PATH folder)
    while(folder MATCHES "iwarp")
      list(APPEND folders ${folder})
      cmake_path(GET folder PARENT_PATH folder)
    endwhile()
  endforeach()
  file(REMOVE ${manifest})
endforeach()

# Inner folders come first.
list(REMOVE_DUPLICATES folders)
list(SORT folders ORDER DESCENDING)
foreach(folder IN LISTS folders)
  file(GLOB left LIST_DIRECTORIES true "$ENV{DESTDIR}${folder}/*" "$ENV{DESTDIR}${folder}/.*")
  if(NOT left)
    file(REMOVE_RECURSE "$ENV{DESTDIR}${folder}")
  endif()
endforeach()
