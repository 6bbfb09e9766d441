# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Installs the module from the build folder BUILD into an empty one below it, and configures, builds
# and runs the project beside this file, which finds it there; and with the Python PYTHON a scenario.

set(folder ${BUILD}/downstream)
file(REMOVE_RECURSE ${folder})
function(call)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()
call(${CMAKE_COMMAND} --install ${BUILD} --prefix ${folder}/prefix)
call(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${folder}/build -G ${GENERATOR}
     -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${folder}/prefix -D ns3_DIR=${NS3})
call(${CMAKE_COMMAND} --build ${folder}/build)
call(${folder}/build/two-radios)
call(${folder}/build/own-module)

# What was installed works where no checkout is
if(PYTHON)
  call(${CMAKE_COMMAND} -E env --unset=COLLAB_ROOT --unset=COLLAB_BUILD
       PYTHONPATH=${folder}/prefix/lib/python3/dist-packages
       ${CMAKE_COMMAND} -E chdir / ${PYTHON} -m collab run belief-consensus --devices=4 --instants=2
       --runDir=${folder}/run)
endif()
