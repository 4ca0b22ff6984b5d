# SPDX-License-Identifier: Apache-2.0
# Verilates numeric/reduce_bench.sv into test_numeric. Without Verilator the RTL part of the suite is left out, and the
# configuration says so.
if(NOT TARGET test_numeric)
  return()
endif()
find_program(VERILATOR verilator)
if(NOT VERILATOR)
  message(WARNING "verilator not found: test_numeric is built without the RTL tests")
  get_target_property(sources test_numeric SOURCES)
  list(FILTER sources EXCLUDE REGEX "/(rtl|convert)_test\\.cpp$")
  set_target_properties(test_numeric PROPERTIES SOURCES "${sources}")
  return()
endif()

execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT
  OUTPUT_VARIABLE verilator_root OUTPUT_STRIP_TRAILING_WHITESPACE)
set(bench ${CMAKE_CURRENT_SOURCE_DIR}/numeric/reduce_bench.sv)
set(out ${CMAKE_CURRENT_BINARY_DIR}/reduce_bench)
set(leaves)
foreach(leaf reduce int_add fp_add fp_pick shift_sticky normalise delay)
  list(APPEND leaves ${PROJECT_SOURCE_DIR}/rtl/fred_${leaf}.sv)
endforeach()
set(archive ${out}/Vreduce_bench__ALL.a)
set(convert_bench ${CMAKE_CURRENT_SOURCE_DIR}/numeric/convert_bench.sv)
set(convert_out ${CMAKE_CURRENT_BINARY_DIR}/convert_bench)
set(converters ${PROJECT_SOURCE_DIR}/rtl/fred_widen.sv ${PROJECT_SOURCE_DIR}/rtl/fred_narrow.sv
  ${PROJECT_SOURCE_DIR}/rtl/fred_select.sv ${PROJECT_SOURCE_DIR}/rtl/fred_shift_sticky.sv)
set(convert_archive ${convert_out}/Vconvert_bench__ALL.a)
add_custom_command(OUTPUT ${convert_archive} ${convert_out}/Vconvert_bench.h
  COMMAND ${CMAKE_COMMAND} -E env OBJCACHE=${CCACHE} CXX=${CMAKE_CXX_COMPILER} ${VERILATOR} --cc --build -j 1 -Wall
    -O3 -MAKEFLAGS "-s OPT_FAST=-O2" --Mdir ${convert_out} --top-module convert_bench ${convert_bench} ${converters}
  DEPENDS ${convert_bench} ${converters} COMMENT "Verilating convert_bench" VERBATIM)
add_custom_command(OUTPUT ${archive} ${out}/Vreduce_bench.h
  COMMAND ${CMAKE_COMMAND} -E env OBJCACHE=${CCACHE} CXX=${CMAKE_CXX_COMPILER} ${VERILATOR} --cc --build -j 1 -Wall
    -O3 -MAKEFLAGS "-s OPT_FAST=-O2" --Mdir ${out} --top-module reduce_bench ${bench} ${leaves}
  DEPENDS ${bench} ${leaves} COMMENT "Verilating reduce_bench" VERBATIM)
add_custom_target(reduce_bench DEPENDS ${archive} ${convert_archive})
add_dependencies(test_numeric reduce_bench)
set_source_files_properties(numeric/rtl_test.cpp PROPERTIES OBJECT_DEPENDS ${out}/Vreduce_bench.h)
set_source_files_properties(numeric/convert_test.cpp PROPERTIES OBJECT_DEPENDS ${convert_out}/Vconvert_bench.h)
add_library(verilated_runtime STATIC ${verilator_root}/include/verilated.cpp ${verilator_root}/include/verilated_threads.cpp)
target_include_directories(verilated_runtime SYSTEM PUBLIC ${verilator_root}/include ${verilator_root}/include/vltstd)
target_compile_options(verilated_runtime PRIVATE -w)
target_include_directories(test_numeric SYSTEM PRIVATE ${out} ${convert_out})
target_link_libraries(test_numeric PRIVATE ${archive} ${convert_archive} verilated_runtime)
add_test(NAME numeric_lint COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/numeric/lint_reduce.sh)
