# SPDX-License-Identifier: GPL-2.0-only
#
# CTest's labels: all tests have one of fast and slow.

# Labels the tests of this folder that have no label yet: those named are slow, which is more than
# about ten seconds; all others are fast. To be called at the end of a folder's CMakeLists.txt.
function(collab_label_tests)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test ${tests})
    get_property(labels TEST ${test} PROPERTY LABELS)
    if("fast" IN_LIST labels OR "slow" IN_LIST labels)
      continue()
    elseif(test IN_LIST ARGN)
      set_property(TEST ${test} APPEND PROPERTY LABELS slow)
    else()
      set_property(TEST ${test} APPEND PROPERTY LABELS fast)
    endif()
  endforeach()
endfunction()
