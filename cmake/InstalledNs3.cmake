# Copyright (c) 2026 ns-3 collab authors
#
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
foreach(module antenna buildings core csma energy flow-monitor internet lr-wpan mobility network propagation sixlowpan
               spectrum stats wifi)
  if(TARGET ns3::lib${module})
    set(lib${module} ns3::lib${module})
  elseif(TARGET ns3::${module})
    set(lib${module} ns3::${module})
  elseif(NOT module MATCHES "^(antenna|buildings|csma|flow-monitor|lr-wpan|sixlowpan|wifi)$") # for examples and tests only
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
  if(COLLAB_UNITY) # g++ warns of lambdas in a coroutine of an included source
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
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

# What find_package(collab) needs: the libraries, the target collab::collab and all headers, since
# public ones include some of the others
function(collab_install module)
  cmake_parse_arguments(INSTALL "" "" "LIBRARIES;HEADERS" ${ARGN})
  add_library(collab::${module} ALIAS ${module})
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/collab)
  install(TARGETS ${module} ${INSTALL_LIBRARIES} EXPORT collab-targets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${INSTALL_HEADERS} ${COLLAB_INCLUDE_DIR}/ns3/${module}-module.h
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ns3)
  install(EXPORT collab-targets NAMESPACE collab:: DESTINATION ${folder})
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/collab-config.cmake @ONLY CONTENT [[
include(CMakeFindDependencyMacro)
find_dependency(ns3 @ns3_VERSION@)
include(${CMAKE_CURRENT_LIST_DIR}/CleanNs3Targets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/collab-targets.cmake)
]])
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/collab-config-version.cmake
                                   COMPATIBILITY SameMajorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/collab-config.cmake
                ${CMAKE_BINARY_DIR}/collab-config-version.cmake
                ${PROJECT_SOURCE_DIR}/cmake/CleanNs3Targets.cmake DESTINATION ${folder})
endfunction()

# Installs a program or a module of Python into FOLDER of lib/ns3-collab, which looks like a build
# folder: the Python package finds both there.
function(collab_install_program target folder)
  set(place lib/ns3-collab/${folder})
  file(RELATIVE_PATH libraries /${place} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries}"
                                             INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS ${target} RUNTIME DESTINATION ${place} LIBRARY DESTINATION ${place})
endfunction()

# The shared library NAME of some of a module's sources; LINK is what to link it to.
function(collab_add_library name)
  cmake_parse_arguments(LIB "" "PRECOMPILED" "SOURCES;LINK" ${ARGN})
  collab_unite(sources ${name} ${LIB_SOURCES})
  add_library(${name} SHARED ${sources})
  set_target_properties(${name} PROPERTIES
    OUTPUT_NAME ns3-${name} DEFINE_SYMBOL "" BUILD_RPATH_USE_ORIGIN ON INSTALL_RPATH "$ORIGIN"
    INSTALL_RPATH_USE_LINK_PATH ON)
  target_link_libraries(${name} ${LIB_LINK})
  collab_compile_options(${name})
  if(CMAKE_CXX_STANDARD EQUAL 17) # protocols are coroutines, which g++ has in C++17 too
    target_compile_options(${name} PUBLIC $<$<CXX_COMPILER_ID:GNU>:-fcoroutines>)
  endif()
  if(LIB_PRECOMPILED)
    target_precompile_headers(${name} REUSE_FROM ${LIB_PRECOMPILED})
  else() # what most sources include, read once; ns-3's own build does the same
    target_precompile_headers(
      ${name} PRIVATE <algorithm> <functional> <map> <memory> <ns3/log.h> <ns3/net-device.h>
      <ns3/node.h> <ns3/object.h> <ns3/packet.h> <ns3/pointer.h> <ns3/simulator.h> <ns3/string.h>
      <ns3/uinteger.h> <sstream> <string> <vector>)
  endif()
  collab_compile_separately(${name} ${LIB_SOURCES})
endfunction()

# Puts into RESULT the algorithms among a module's headers: the folders model/NAME that have an
# Application of that name.
function(collab_find_algorithms result)
  set(algorithms)
  foreach(header ${ARGN})
    if(header MATCHES "^model/([^/]+)/([^/]+)-application\\.h$"
       AND CMAKE_MATCH_1 STREQUAL CMAKE_MATCH_2)
      list(APPEND algorithms ${CMAKE_MATCH_1})
    endif()
  endforeach()
  set(${result} ${algorithms} PARENT_SCOPE)
endfunction()

# A library of each algorithm, and one of everything else, so that a program needs none but its own
# algorithms. The target named as the module is all of them.
function(build_lib)
  cmake_parse_arguments(
    LIB "" "LIBNAME"
    "SOURCE_FILES;HEADER_FILES;PRIVATE_HEADER_FILES;LIBRARIES_TO_LINK;TEST_SOURCES" ${ARGN})
  collab_forward_headers(${LIB_HEADER_FILES} ${LIB_PRIVATE_HEADER_FILES})
  collab_module_header(${LIB_LIBNAME} ${LIB_HEADER_FILES})
  set(modules ${LIB_LIBRARIES_TO_LINK})
  list(FILTER modules INCLUDE REGEX "^ns3::")
  set(others ${LIB_LIBRARIES_TO_LINK})
  list(FILTER others EXCLUDE REGEX "^ns3::")

  collab_find_algorithms(algorithms ${LIB_HEADER_FILES})
  set_property(GLOBAL PROPERTY COLLAB_ALGORITHMS ${algorithms})
  string(JOIN "|" folders ${algorithms})
  set(sources ${LIB_SOURCE_FILES})
  list(FILTER sources EXCLUDE REGEX "^model/(${folders})/")
  set(base ${LIB_LIBNAME}-base)
  collab_add_library(${base} SOURCES ${sources} LINK PUBLIC ${modules} PRIVATE ${others})
  target_include_directories(${base} PUBLIC $<BUILD_INTERFACE:${COLLAB_INCLUDE_DIR}>
                                            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${base} PUBLIC cxx_std_${CMAKE_CXX_STANDARD})
  if(TARGET ${base}-separately)
    target_include_directories(${base}-separately PRIVATE ${COLLAB_INCLUDE_DIR})
  endif()

  set(libraries ${base})
  foreach(algorithm ${algorithms})
    set(library ${LIB_LIBNAME}-${algorithm})
    set(sources ${LIB_SOURCE_FILES})
    list(FILTER sources INCLUDE REGEX "^model/${algorithm}/")
    collab_add_library(${library} PRECOMPILED ${base} SOURCES ${sources}
                       LINK PUBLIC ${base} PRIVATE ${others})
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux") # types are also found by their names alone
      target_link_options(${library} INTERFACE LINKER:--no-as-needed)
    endif()
    list(APPEND libraries ${library})
  endforeach()
  add_library(${LIB_LIBNAME} INTERFACE)
  target_link_libraries(${LIB_LIBNAME} INTERFACE ${libraries})
  collab_install(${LIB_LIBNAME} LIBRARIES ${libraries}
                 HEADERS ${LIB_HEADER_FILES} ${LIB_PRIVATE_HEADER_FILES})

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
