# SPDX-License-Identifier: GPL-2.0-only
#
# The part of ns-3's own build system that contrib-module/CMakeLists.txt uses (build_lib and the
# lib<module> variables), on top of an installed ns-3.

include(${CMAKE_CURRENT_LIST_DIR}/CleanNs3Targets.cmake)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(NS3_VER ${ns3_VERSION})
set(ENABLE_TESTS ${COLLAB_TESTS})
set(COLLAB_INCLUDE_DIR ${CMAKE_BINARY_DIR}/include)

# ns3::libcore up to 3.42, ns3::core from 3.43
foreach(module buildings core csma energy flow-monitor internet mobility network propagation spectrum
               stats wifi)
  if(TARGET ns3::lib${module})
    set(lib${module} ns3::lib${module})
  elseif(TARGET ns3::${module})
    set(lib${module} ns3::${module})
  elseif(NOT module MATCHES "^(buildings|csma|flow-monitor|wifi)$") # for examples and tests only
    message(FATAL_ERROR "The installed ns-3 ${ns3_VERSION} lacks the module ${module}")
  endif()
endforeach()
# What only an example and a test use
set(libconfig-store)
foreach(target ns3::libconfig-store ns3::config-store)
  if(TARGET ${target})
    set(libconfig-store ${target})
  endif()
endforeach()

# What ns-3's own build sets for everything
function(collab_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra $<$<BOOL:${COLLAB_WERROR}>:-Werror>)
  target_compile_definitions(
    ${target} PRIVATE $<$<BOOL:${COLLAB_LOG}>:NS3_LOG_ENABLE>
                      $<$<BOOL:${COLLAB_ASSERT}>:NS3_ASSERT_ENABLE>)
endfunction()

# A header ns3/NAME for each that includes the real one, by a path that is the same in any checkout,
# so that a compiler cache serves them all
function(collab_forward_headers)
  foreach(header ${ARGN})
    get_filename_component(name ${header} NAME)
    file(RELATIVE_PATH path ${COLLAB_INCLUDE_DIR}/ns3 ${CMAKE_CURRENT_SOURCE_DIR}/${header})
    file(CONFIGURE OUTPUT ${COLLAB_INCLUDE_DIR}/ns3/${name} CONTENT "#include \"${path}\"\n")
  endforeach()
endfunction()

# ns3/<module>-module.h, which includes all public headers
function(collab_module_header module)
  set(all "")
  foreach(header ${ARGN})
    get_filename_component(name ${header} NAME)
    string(APPEND all "#include <ns3/${name}>\n")
  endforeach()
  file(CONFIGURE OUTPUT ${COLLAB_INCLUDE_DIR}/ns3/${module}-module.h CONTENT
       "#pragma once\n${all}")
endfunction()

# What find_package(collab) needs: the library, the target collab::collab and all headers, since public
# ones include some of the others
function(collab_install library)
  add_library(collab::${library} ALIAS ${library})
  set_target_properties(${library} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/collab)
  install(TARGETS ${library} EXPORT collab-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${ARGN} ${COLLAB_INCLUDE_DIR}/ns3/${library}-module.h
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ns3)
  install(EXPORT collab-targets NAMESPACE collab:: DESTINATION ${folder})
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/collab-config.cmake @ONLY CONTENT [[
include(CMakeFindDependencyMacro)
find_dependency(ns3 @ns3_VERSION@)
include(${CMAKE_CURRENT_LIST_DIR}/CleanNs3Targets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/collab-targets.cmake)
]])
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/collab-config-version.cmake
                                   COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/collab-config.cmake
                ${CMAKE_BINARY_DIR}/collab-config-version.cmake
                ${PROJECT_SOURCE_DIR}/cmake/CleanNs3Targets.cmake DESTINATION ${folder})
endfunction()

function(build_lib)
  cmake_parse_arguments(
    LIB "" "LIBNAME"
    "SOURCE_FILES;HEADER_FILES;PRIVATE_HEADER_FILES;LIBRARIES_TO_LINK;TEST_SOURCES" ${ARGN})
  collab_forward_headers(${LIB_HEADER_FILES} ${LIB_PRIVATE_HEADER_FILES})
  collab_module_header(${LIB_LIBNAME} ${LIB_HEADER_FILES})

  collab_unite(sources ${LIB_LIBNAME} ${LIB_SOURCE_FILES})
  add_library(${LIB_LIBNAME} SHARED ${sources})
  set_target_properties(${LIB_LIBNAME} PROPERTIES OUTPUT_NAME ns3-${LIB_LIBNAME} DEFINE_SYMBOL "")
  target_include_directories(
    ${LIB_LIBNAME} PUBLIC $<BUILD_INTERFACE:${COLLAB_INCLUDE_DIR}>
                          $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${LIB_LIBNAME} PUBLIC cxx_std_${CMAKE_CXX_STANDARD})
  set(modules ${LIB_LIBRARIES_TO_LINK})
  list(FILTER modules INCLUDE REGEX "^ns3::")
  set(others ${LIB_LIBRARIES_TO_LINK})
  list(FILTER others EXCLUDE REGEX "^ns3::")
  target_link_libraries(${LIB_LIBNAME} PUBLIC ${modules} PRIVATE ${others})
  collab_compile_options(${LIB_LIBNAME})
  # What most sources include, read once; ns-3's own build does the same.
  target_precompile_headers(
    ${LIB_LIBNAME} PRIVATE <algorithm> <functional> <map> <memory> <ns3/log.h> <ns3/net-device.h>
    <ns3/node.h> <ns3/object.h> <ns3/packet.h> <ns3/pointer.h> <ns3/simulator.h> <ns3/string.h>
    <ns3/uinteger.h> <sstream> <string> <vector>)
  collab_compile_separately(${LIB_LIBNAME} ${LIB_SOURCE_FILES})

  collab_install(${LIB_LIBNAME} ${LIB_HEADER_FILES} ${LIB_PRIVATE_HEADER_FILES})

  if(ENABLE_TESTS AND LIB_TEST_SOURCES)
    add_library(${LIB_LIBNAME}-test OBJECT ${LIB_TEST_SOURCES})
    target_link_libraries(${LIB_LIBNAME}-test PUBLIC ${LIB_LIBNAME})
    collab_compile_options(${LIB_LIBNAME}-test)
    set_property(GLOBAL APPEND PROPERTY COLLAB_TEST_OBJECTS ${LIB_LIBNAME}-test)
    foreach(source ${LIB_TEST_SOURCES})
      file(STRINGS ${source} lines REGEX "TestSuite\\(\"[^\"]+\"")
      foreach(line ${lines})
        string(REGEX REPLACE ".*TestSuite\\(\"([^\"]+)\".*" "\\1" suite "${line}")
        set_property(GLOBAL APPEND PROPERTY COLLAB_TEST_SUITES ${suite})
      endforeach()
    endforeach()
  endif()
endfunction()

# A program for the module's ns-3 TestSuites, as ns-3's ./test.py uses one
function(collab_add_test_runner)
  get_property(objects GLOBAL PROPERTY COLLAB_TEST_OBJECTS)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/test-runner.cc CONTENT [[
#include <ns3/test.h>

int
main(int argc, char* argv[])
{
    return ns3::TestRunner::Run(argc, argv);
}
]])
  add_executable(test-runner ${CMAKE_BINARY_DIR}/test-runner.cc)
  target_link_libraries(test-runner PRIVATE ${objects})
  get_property(suites GLOBAL PROPERTY COLLAB_TEST_SUITES)
  foreach(suite ${suites})
    add_test(NAME ns3-suite.${suite} COMMAND test-runner --suite=${suite} --verbose)
  endforeach()
endfunction()
