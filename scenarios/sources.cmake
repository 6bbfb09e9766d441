# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only

# A folder an algorithm, found by itself. A source NAME.cc with a main function is the program NAME;
# everything else is in one library, so that tests can run a scenario as a function of its parameters.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*/*.cc)
set(collab_scenario_folders)
set(collab_scenario_parts)
set(collab_scenario_programs)
foreach(source ${sources})
  file(STRINGS ${source} main REGEX "^main\\(")
  if(main)
    list(APPEND collab_scenario_programs ${source})
  else()
    list(APPEND collab_scenario_parts ${source})
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    list(APPEND collab_scenario_folders ${folder})
  endif()
endforeach()
list(REMOVE_DUPLICATES collab_scenario_folders)
