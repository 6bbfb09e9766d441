# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest's labels: all tests have one of fast, slow and nightly. ./collab test runs the fast and the
# slow ones, ./collab test --all runs all. What only nightly tests need is not part of the target all,
# but of the target nightly.

# Labels the tests of this folder that have no label yet: those named after SLOW take more than about
# ten seconds; those after NIGHTLY, and all NAME-nightly, run only with --all; all others are fast. To be
# called at the end of a folder's CMakeLists.txt.
function(collab_label_tests)
  cmake_parse_arguments(GIVEN "" "" "SLOW;NIGHTLY" ${ARGN})
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test ${tests})
    get_property(labels TEST ${test} PROPERTY LABELS)
    if(labels MATCHES "(^|;)(fast|slow|nightly)(;|$)")
      continue()
    elseif(test MATCHES "-nightly$" OR test IN_LIST GIVEN_NIGHTLY)
      set(label nightly)
    elseif(test IN_LIST GIVEN_SLOW)
      set(label slow)
      set_tests_properties(${test} PROPERTIES COST 10) # first where no times are known yet
    else()
      set(label fast)
    endif()
    set_property(TEST ${test} APPEND PROPERTY LABELS ${label})
  endforeach()
endfunction()

add_custom_target(nightly)

# Leaves programs to the nightly tests and to whoever builds them by name.
function(collab_build_nightly)
  set_target_properties(${ARGN} PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(nightly ${ARGN})
endfunction()

# The CTest test NAME of a GoogleTest program, without its suites and cases that have Nightly in their
# names: NAME-nightly runs these, if one of SOURCES has any.
function(collab_add_googletest name program)
  add_test(NAME ${name} COMMAND ${program} --gtest_brief=1 --gtest_filter=-*Nightly*)
  set_tests_properties(${name} PROPERTIES TIMEOUT 600)
  foreach(source ${ARGN})
    file(STRINGS ${source} lines LIMIT_COUNT 1 REGEX Nightly)
    if(lines)
      add_test(NAME ${name}-nightly COMMAND ${program} --gtest_brief=1 --gtest_filter=*Nightly*)
      set_tests_properties(${name}-nightly PROPERTIES TIMEOUT 3600)
      return()
    endif()
  endforeach()
endfunction()
