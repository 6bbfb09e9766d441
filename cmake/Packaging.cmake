# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# What is installed beside the module's libraries and headers, and packages of it:
#   ninja -C build && cd build
#   cpack -G DEB                                        of Debian, of what is built
#   cpack --config CPackSourceConfig.cmake -G TXZ       the sources, which need no Git

set(dependencies "libns3-dev (>= ${ns3_VERSION})" python3-matplotlib python3-numpy python3-pandas)
find_package(Python3 COMPONENTS Interpreter QUIET)
if(TARGET collab-bridge)
  math(EXPR next "${Python3_VERSION_MINOR} + 1") # of whose kind the module is
  list(APPEND dependencies "python3 (>= ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}~)"
       "python3 (<< ${Python3_VERSION_MAJOR}.${next})")
endif()
install(DIRECTORY analysis/collab DESTINATION lib/python3/dist-packages
        PATTERN __pycache__ EXCLUDE PATTERN "*.so" EXCLUDE)
file(CONFIGURE OUTPUT installed/collab CONTENT "#!/bin/sh\nexec /usr/bin/python3 -m collab \"$@\"\n")
install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/installed/collab DESTINATION bin)
install(FILES AUTHORS CHANGELOG.md CITATION.cff README.md RELEASE_NOTES.md DESTINATION share/doc/ns3-collab)
install(FILES LICENSES/GPL-2.0-only.txt DESTINATION share/doc/ns3-collab RENAME copyright)

set(CPACK_PACKAGE_NAME ns3-collab)
set(CPACK_PACKAGE_CONTACT "ns-3 collab authors <>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Devices that learn together over a wireless network simulated by ns-3")
set(CPACK_PACKAGE_DESCRIPTION "An ns-3 contrib module. A device has a device-to-device radio, a battery, a
processor and a LibTorch learner. This package has the libraries, their headers,
the scenarios, and the Python package for runs, sweeps, figures and reports.")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
string(JOIN ", " CPACK_DEBIAN_PACKAGE_DEPENDS ${dependencies})
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libtorch-dev, python3-yaml, snakemake")

set(CPACK_SOURCE_PACKAGE_FILE_NAME ns3-collab-${PROJECT_VERSION})
string(REGEX REPLACE "([][+.*()^$?|])" "\\\\\\1" folder ${PROJECT_SOURCE_DIR})
set(CPACK_SOURCE_IGNORE_FILES "^${folder}/(build[^/]*|data|runs|\\\\.git|\\\\.ccache)(/|$)" "/__pycache__/" "\\\\.pyc$"
                              "/\\\\.ipynb_checkpoints/" "\\\\.egg-info/" "/examples/notebooks/runs/")
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/PackageCommit.cmake)
include(CPack)
