# SPDX-License-Identifier: GPL-2.0-only

# An example with the libraries that it is linked with. What most of them include is compiled once, by
# the first of them, and their own code is not optimized much: what they call is.
function(collab_add_example name)
  add_executable(${name} ${name}.cc)
  target_link_libraries(${name} PRIVATE collab ${ARGN})
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  collab_compile_options(${name})
  if(name STREQUAL "d2d-energy")
    target_precompile_headers(${name} PRIVATE <ns3/collab-module.h> <ns3/core-module.h>
                              <ns3/mobility-module.h> <ns3/network-module.h>)
  else()
    target_precompile_headers(${name} REUSE_FROM d2d-energy)
  endif()
endfunction()

foreach(example d2d-energy d2d-outage gaussian-beliefs hello-algorithm prediction-consensus-minimal)
  collab_add_example(${example})
endforeach()
collab_add_example(custom-model collab::dependencies) # its forward pass needs LibTorch
set_target_properties(custom-model PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
if(libconfig-store)
  collab_add_example(d2d-traces ${libconfig-store})
endif()

# They show what other modules of ns-3 offer, if they are there
if(DEFINED libcsma AND DEFINED libflow-monitor AND DEFINED libwifi)
  collab_add_example(any-radio ${libcsma} ${libflow-monitor} ${libwifi})
endif()
if(DEFINED libwifi)
  collab_add_example(d2d-beside-wifi ${libwifi})
endif()

# Each is run to its end, shortened where it is long
if(COLLAB_TESTS)
  if(TARGET any-radio)
    foreach(network d2d d2d-ip wifi csma)
      add_test(NAME example.any-radio-${network} COMMAND any-radio --rounds=2 --network=${network})
    endforeach()
    add_test(NAME example.any-radio-tcp COMMAND any-radio --rounds=2 --transport=tcp)
  endif()
  if(TARGET d2d-beside-wifi)
    add_test(NAME example.d2d-beside-wifi COMMAND d2d-beside-wifi --duration=1)
  endif()
  add_test(NAME example.custom-model COMMAND custom-model)
  add_test(NAME example.d2d-energy COMMAND d2d-energy --duration=4)
  add_test(NAME example.d2d-outage COMMAND d2d-outage --packets=50)
  if(libconfig-store)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/traces)
    file(MAKE_DIRECTORY ${folder})
    add_test(NAME example.d2d-traces COMMAND d2d-traces --folder=${folder})
    set_tests_properties(example.d2d-traces PROPERTIES FIXTURES_SETUP d2d-traces)
  endif()
  add_test(NAME example.gaussian-beliefs COMMAND gaussian-beliefs --instants=10)
  add_test(NAME example.hello-algorithm
           COMMAND ${PROJECT_SOURCE_DIR}/tests/command/test-hello-algorithm.sh
                   $<TARGET_FILE:hello-algorithm>)
  add_test(NAME example.prediction-consensus-minimal COMMAND prediction-consensus-minimal
                                                             --rounds=3)
  collab_label_tests()
endif()
