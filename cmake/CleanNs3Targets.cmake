# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only

# Debian's package exports paths of the machine that built it. Drop what this machine lacks (only
# ns-3's own libraries use it) and what every compiler searches anyway.
function(collab_clean_ns3_targets)
  get_property(targets DIRECTORY PROPERTY IMPORTED_TARGETS)
  list(FILTER targets INCLUDE REGEX "^ns3::")
  foreach(target ${targets})
    foreach(property INTERFACE_INCLUDE_DIRECTORIES INTERFACE_LINK_LIBRARIES)
      get_target_property(items ${target} ${property})
      if(NOT items)
        continue()
      endif()
      set(kept "")
      foreach(item ${items})
        if(item STREQUAL "/usr" OR item STREQUAL "/usr/include"
           OR item MATCHES "^-Wl,--(no-)?as-needed$"
           OR (IS_ABSOLUTE "${item}" AND NOT EXISTS "${item}"))
          continue()
        endif()
        list(APPEND kept "${item}")
      endforeach()
      list(REMOVE_DUPLICATES kept)
      set_target_properties(${target} PROPERTIES ${property} "${kept}")
    endforeach()
  endforeach()
endfunction()
collab_clean_ns3_targets()
