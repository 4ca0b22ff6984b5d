# SPDX-License-Identifier: Apache-2.0
# The program `exhaustive`: fred_fp_add of every format, verilated without registers, and fred_reduce of 8 bits, against
# reference arithmetic. Its quick part is a test; `make exhaustive` runs all of it. Needs what numeric/verilated.cmake
# found.
if(NOT TARGET verilated_runtime)
  return()
endif()
set(exhaustive_leaves)
foreach(leaf reduce int_add fp_add fp_pick shift_sticky normalise delay)
  list(APPEND exhaustive_leaves ${PROJECT_SOURCE_DIR}/rtl/fred_${leaf}.sv)
endforeach()
add_executable(exhaustive exhaustive/exhaustive.cpp exhaustive/checks.cpp)
find_package(Threads REQUIRED)
target_include_directories(exhaustive PRIVATE ${PROJECT_SOURCE_DIR} ${MPFR_INCLUDE})

# exhaustive_lanes(PREFIX TOP NAME -GParameter=Value...): the model class V<PREFIX>_<NAME> of TOP.sv.
function(exhaustive_lanes prefix top name)
  set(model ${prefix}_${name})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${model})
  set(archive ${out}/V${model}__ALL.a)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/exhaustive/${top}.sv)
  add_custom_command(OUTPUT ${archive} ${out}/V${model}.h
    COMMAND ${CMAKE_COMMAND} -E env OBJCACHE=${CCACHE} CXX=${CMAKE_CXX_COMPILER} ${VERILATOR} --cc --build -j 1 -Wall
      -O3 -MAKEFLAGS "-s OPT_FAST=-O3" --Mdir ${out} --prefix V${model} --top-module ${top} ${ARGN}
      ${source} ${exhaustive_leaves}
    DEPENDS ${source} ${exhaustive_leaves} COMMENT "Verilating ${model}" VERBATIM)
  add_custom_target(${model} DEPENDS ${archive})
  add_dependencies(exhaustive ${model})
  set_property(SOURCE exhaustive/checks.cpp APPEND PROPERTY OBJECT_DEPENDS ${out}/V${model}.h)
  target_include_directories(exhaustive SYSTEM PRIVATE ${out})
  target_link_libraries(exhaustive PRIVATE ${archive})
endfunction()
function(exhaustive_adder name exp man finite)
  exhaustive_lanes(lanes fp_lanes ${name} -GExpW=${exp} -GManW=${man} -GFinite=1'b${finite})
endfunction()
exhaustive_adder(e5m2 5 2 0)
exhaustive_adder(e4m3 4 3 1)
exhaustive_adder(fp16 5 10 0)
exhaustive_adder(bf16 8 7 0)
exhaustive_adder(fp32 8 23 0)
exhaustive_adder(fp64 11 52 0)
exhaustive_lanes(reduce reduce_lanes int8 -GDType=5)
exhaustive_lanes(reduce reduce_lanes uint8 -GDType=7)
exhaustive_lanes(reduce reduce_lanes e4m3 -GDType=11)
exhaustive_lanes(reduce reduce_lanes e5m2 -GDType=12)
target_link_libraries(exhaustive PRIVATE verilated_runtime fred CLI11::CLI11 fmt::fmt Threads::Threads ${MPFR_LIBRARY} gmp
  fred_warnings)
add_test(NAME exhaustive_quick COMMAND exhaustive --quick)
add_test(NAME exhaustive_depths COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/exhaustive/depths.sh int8 uint8 e5m2 e4m3 bf16)
