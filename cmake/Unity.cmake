# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Unity builds: the compiler reads headers and makes templates once for several sources, which takes
# half the time. Units include sources by paths that are the same in any checkout, so that a compiler
# cache serves them all.

option(COLLAB_UNITY "Compile several sources together" ON)
set(COLLAB_UNIT_BYTES 75000 CACHE STRING "Size of the sources that are compiled together")
mark_as_advanced(COLLAB_UNIT_BYTES)
add_custom_target(separately) # checks that each source also compiles alone

# Puts into RESULT what the target NAME is to be compiled from in the place of sources: units of those
# of one layer, of about equal size. Sources with properties of their own stay alone.
function(collab_unite result name)
  if(NOT COLLAB_UNITY)
    set(${result} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(units)
  set(layers)
  foreach(source ${ARGN})
    get_filename_component(source ${source} ABSOLUTE)
    collab_unit_layer(layer ${source})
    if(layer STREQUAL "")
      list(APPEND units ${source})
      continue()
    elseif(NOT layer IN_LIST layers)
      list(APPEND layers ${layer})
      set(unit_sources_${layer})
    endif()
    list(APPEND unit_sources_${layer} ${source})
  endforeach()
  foreach(layer ${layers})
    list(LENGTH unit_sources_${layer} count)
    if(count EQUAL 1)
      list(APPEND units ${unit_sources_${layer}})
      continue()
    endif()
    collab_write_units(written ${name}-${layer} ${unit_sources_${layer}})
    list(APPEND units ${written})
  endforeach()
  set(${result} ${units} PARENT_SCOPE)
endfunction()

# The layer of a source, by which units are named; empty if it has to be compiled alone
function(collab_unit_layer result source)
  set(${result} "" PARENT_SCOPE)
  foreach(property COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES)
    get_source_file_property(own ${source} ${property})
    if(own)
      return()
    endif()
  endforeach()
  file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${source})
  file(STRINGS ${source} algebra LIMIT_COUNT 1 REGEX "^#include <Eigen/")
  if(path MATCHES "/collab-torch-[^/]*$")
    set(layer torch) # its headers take ten seconds
  elseif(algebra)
    set(layer eigen) # sources that use the same decompositions share the time to compile them
  else()
    string(REGEX REPLACE "^(contrib-module/|tests/)?(model/)?([^/]+)/.*" "\\3" layer ${path})
  endif()
  set(${result} ${layer} PARENT_SCOPE)
endfunction()

# Writes NAME-1.cc, NAME-2.cc, ... which include the sources in their order.
function(collab_write_units result name)
  set(total 0)
  foreach(source ${ARGN})
    file(SIZE ${source} size)
    math(EXPR total "${total} + ${size}")
  endforeach()
  math(EXPR count "(${total} + ${COLLAB_UNIT_BYTES} - 1) / ${COLLAB_UNIT_BYTES}")
  set(numbers)
  set(before 0)
  foreach(source ${ARGN})
    file(SIZE ${source} size)
    # The unit in which the middle of the source lies
    math(EXPR number "(${before} + ${size} / 2) * ${count} / ${total} + 1")
    math(EXPR before "${before} + ${size}")
    if(NOT number IN_LIST numbers)
      list(APPEND numbers ${number})
      set(text_${number})
    endif()
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${source})
    string(MAKE_C_IDENTIFIER ${path} unique)
    # Each source has its own component of ns-3's log, and all of these are called g_log.
    string(APPEND text_${number}
           "#define g_log g_log_${unique}\n#include \"${path}\"\n#undef g_log\n")
  endforeach()
  set(units)
  foreach(number ${numbers})
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/units/${name}-${number}.cc)
    file(CONFIGURE OUTPUT ${unit} CONTENT "${text_${number}}" @ONLY)
    list(APPEND units ${unit})
  endforeach()
  set_source_files_properties(${units} PROPERTIES COMPILE_OPTIONS "-iquote;${PROJECT_SOURCE_DIR}")
  set(${result} ${units} PARENT_SCOPE)
endfunction()

# Lets the target "separately" check that each source of a target compiles alone, with the includes
# that it has itself. This also puts all sources into the compilation database, for tools.
function(collab_compile_separately target)
  if(NOT COLLAB_UNITY)
    return()
  endif()
  add_library(${target}-separately OBJECT EXCLUDE_FROM_ALL ${ARGN})
  foreach(property COMPILE_DEFINITIONS COMPILE_OPTIONS INCLUDE_DIRECTORIES LINK_LIBRARIES)
    get_target_property(value ${target} ${property})
    if(value)
      set_property(TARGET ${target}-separately PROPERTY ${property} ${value})
    endif()
  endforeach()
  target_compile_options(${target}-separately PRIVATE -fsyntax-only)
  add_dependencies(separately ${target}-separately)
endfunction()
