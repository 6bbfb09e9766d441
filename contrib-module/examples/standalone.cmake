# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only

foreach(example d2d-energy d2d-outage decentralized-sgd gaussian-beliefs hello-algorithm prediction-consensus-minimal)
  add_executable(${example} ${example}.cc)
  target_link_libraries(${example} PRIVATE collab)
  collab_compile_options(${example})
endforeach()
# A model's forward pass needs LibTorch
add_executable(custom-model custom-model.cc)
target_link_libraries(custom-model PRIVATE collab collab::dependencies)
collab_compile_options(custom-model)
if(libconfig-store)
  add_executable(d2d-traces d2d-traces.cc)
  target_link_libraries(d2d-traces PRIVATE collab ${libconfig-store})
  collab_compile_options(d2d-traces)
endif()

# It shows what other modules of ns-3 offer, if they are there
if(DEFINED libcsma AND DEFINED libflow-monitor AND DEFINED libwifi)
  add_executable(any-radio any-radio.cc)
  target_link_libraries(any-radio PRIVATE collab ${libcsma} ${libflow-monitor} ${libwifi})
  collab_compile_options(any-radio)
  if(DEFINED liblr-wpan AND DEFINED libsixlowpan)
    target_sources(any-radio PRIVATE lr-wpan-devices.cc)
    target_compile_definitions(any-radio PRIVATE COLLAB_LR_WPAN)
    target_link_libraries(any-radio PRIVATE ${liblr-wpan} ${libsixlowpan})
  endif()
endif()

if(DEFINED libantenna)
  add_executable(d2d-channel-matrix d2d-channel-matrix.cc)
  target_link_libraries(d2d-channel-matrix PRIVATE collab ${libantenna})
  collab_compile_options(d2d-channel-matrix)
endif()

if(DEFINED libwifi)
  add_executable(d2d-beside-wifi d2d-beside-wifi.cc)
  target_link_libraries(d2d-beside-wifi PRIVATE collab ${libwifi})
  collab_compile_options(d2d-beside-wifi)
endif()

# Each is run to its end, shortened where it is long
if(COLLAB_TESTS)
  if(TARGET any-radio)
    set(networks d2d d2d-ip wifi wifi-ax csma)
    if(DEFINED liblr-wpan AND DEFINED libsixlowpan)
      list(APPEND networks lr-wpan)
    endif()
    foreach(network ${networks})
      add_test(NAME example.any-radio-${network} COMMAND any-radio --rounds=2 --network=${network})
    endforeach()
    add_test(NAME example.any-radio-tcp COMMAND any-radio --rounds=2 --transport=tcp)
  endif()
  if(TARGET d2d-beside-wifi)
    add_test(NAME example.d2d-beside-wifi COMMAND d2d-beside-wifi --duration=1)
  endif()
  if(TARGET d2d-channel-matrix)
    add_test(NAME example.d2d-channel-matrix COMMAND d2d-channel-matrix --pairs=3)
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
  add_test(NAME example.decentralized-sgd
           COMMAND ${PROJECT_SOURCE_DIR}/tests/command/test-decentralized-sgd.sh
                   $<TARGET_FILE:decentralized-sgd>)
  add_test(NAME example.gaussian-beliefs COMMAND gaussian-beliefs --instants=10)
  add_test(NAME example.hello-algorithm
           COMMAND ${PROJECT_SOURCE_DIR}/tests/command/test-hello-algorithm.sh
                   $<TARGET_FILE:hello-algorithm>)
  add_test(NAME example.prediction-consensus-minimal COMMAND prediction-consensus-minimal
                                                             --rounds=3)
  collab_label_tests()
endif()
