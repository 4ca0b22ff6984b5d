# SPDX-License-Identifier: Apache-2.0
# The program `links`: pairs of fred_link of several parameters, with everything that can happen between them. Its quick
# part is a test; `make links` runs all of it. Needs what numeric/verilated.cmake found.
if(NOT TARGET verilated_runtime)
  return()
endif()
file(GLOB link_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/rtl/fred_link*.sv ${PROJECT_SOURCE_DIR}/rtl/fred_flit*.sv)
add_executable(links link/main.cpp link/bench.cpp link/channel.cpp link/end.cpp)
target_include_directories(links PRIVATE ${PROJECT_SOURCE_DIR})
set_property(SOURCE link/end.cpp APPEND PROPERTY COMPILE_DEFINITIONS FRED_LINK_MODELS="${CMAKE_CURRENT_BINARY_DIR}")

# link_model(NAME OPTION VALUE ...): the model class Vlink_<NAME> of what `fred link` writes with these options, from whose
# manifest link/end.cpp has the parameters. Data wide enough that beats are not equal by chance.
function(link_model name)
  set(model link_${name})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${model})
  set(archive ${out}/model/V${model}__ALL.a)
  add_custom_command(OUTPUT ${archive} ${out}/model/V${model}.h
    COMMAND fred_command link ${ARGN} --force -o ${out}/end
    COMMAND ${CMAKE_COMMAND} -E chdir ${out}/end ${CMAKE_COMMAND} -E env OBJCACHE=${CCACHE} CXX=${CMAKE_CXX_COMPILER}
      ${VERILATOR} --cc --build -j 1 -Wall -O3 -MAKEFLAGS "-s OPT_FAST=-O2" --Mdir ${out}/model --prefix V${model}
      --top-module fred_link_end -f fred_link_end.f
    DEPENDS fred_command ${link_sources} ${PROJECT_SOURCE_DIR}/rtl/fred_crc32.sv COMMENT "Verilating ${model}" VERBATIM)
  add_custom_target(${model} DEPENDS ${archive})
  add_dependencies(links ${model})
  set_property(SOURCE link/end.cpp APPEND PROPERTY OBJECT_DEPENDS ${out}/model/V${model}.h)
  target_include_directories(links SYSTEM PRIVATE ${out}/model)
  target_link_libraries(links PRIVATE ${archive})
endfunction()
link_model(beat --width 32 --slots 3 --step-bits 5 --tag-bits 4 --latency 26)
link_model(four --width 32 --slots 2 --step-bits 3 --tag-bits 3 --latency 52 --flit-beats 4)
link_model(slow --width 32 --slots 5 --step-bits 4 --tag-bits 2 --latency 14 --flit-beats 2 --flit-words 3 --slot-depth 7 --allow-slow)
link_model(few --width 24 --slots 1 --step-bits 2 --tag-bits 1 --latency 30 --slot-depth 2 --replay 2 --allow-slow)
target_link_libraries(links PRIVATE verilated_runtime fred fred_tb CLI11::CLI11 fmt::fmt fred_warnings)
add_test(NAME links_check COMMAND links check --runs 60)
add_test(NAME links_goodput COMMAND links goodput --flits 200000)
add_test(NAME links_rates COMMAND links rates)
add_test(NAME links_icarus COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/link/icarus.sh ${PROJECT_BINARY_DIR})
