# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Writes the header FILE with what the module is built from, unless it says so already. Run by the
# build, not only when that is configured:
#   cmake -D FILE=... -D VERSION=... -P build-constants.cmake

set(module ${CMAKE_CURRENT_LIST_DIR})

# A digest of all that results may depend on: names and contents of the sources, and their options
file(GLOB_RECURSE sources RELATIVE ${module} ${module}/helper/*.h ${module}/helper/*.cc
                                             ${module}/model/*.h ${module}/model/*.cc)
list(SORT sources)
set(digests)
foreach(source ${sources} CMakeLists.txt)
  file(SHA256 ${module}/${source} digest)
  string(APPEND digests "${source} ${digest}\n")
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING ${digest} 0 16 digest)

# Runs Git in the module's folder; the output is empty if it fails
function(ask_git variable)
  execute_process(COMMAND git ${ARGN} WORKING_DIRECTORY ${module} RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT result EQUAL 0)
    set(output)
  endif()
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()

# A folder that was copied into an ns-3 tree is not tracked: the commit there is that of ns-3.
ask_git(tracked ls-files CMakeLists.txt)
set(commit)
if(tracked)
  ask_git(commit rev-parse --short=12 HEAD)
  ask_git(changes status --porcelain -- helper model CMakeLists.txt "../scenarios/*.cc" "../scenarios/*.h")
endif()
if(commit AND changes)
  string(APPEND commit -dirty)
elseif(NOT commit) # an archive of the sources says so itself
  set(commit unknown)
  if(EXISTS ${module}/commit.txt)
    file(STRINGS ${module}/commit.txt line LIMIT_COUNT 1)
  endif()
  if(line MATCHES "^([0-9a-f]+)(-dirty)?$")
    string(SUBSTRING ${CMAKE_MATCH_1} 0 12 commit)
    string(APPEND commit "${CMAKE_MATCH_2}")
  endif()
endif()

set(content "// Written by build-constants.cmake
#define COLLAB_VERSION \"${VERSION}\"
#define COLLAB_COMMIT \"${commit}\"
#define COLLAB_SOURCES \"${digest}\"
")
set(old)
if(EXISTS ${FILE})
  file(READ ${FILE} old)
endif()
if(NOT content STREQUAL old)
  file(WRITE ${FILE} "${content}")
endif()
