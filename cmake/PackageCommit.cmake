# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Run by CPack before it packs a folder: an archive of sources names the commit, which Git does not
# tell where it is unpacked.

set(file ${CPACK_TEMPORARY_DIRECTORY}/contrib-module/commit.txt)
if(EXISTS ${file})
  execute_process(COMMAND git describe --always --abbrev=12 --exclude=* --dirty
                  WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR}
                  RESULT_VARIABLE result OUTPUT_VARIABLE commit ERROR_QUIET)
  if(result EQUAL 0)
    file(WRITE ${file} ${commit})
  endif()
endif()
