# There is one library for each folder of src/, and one test program for each folder of tests/. Both are
# rows of src/CMakeLists.txt and tests/CMakeLists.txt. A new source needs no line anywhere.

# These options are for all sources that are compiled here, including those of other projects.
add_library(hr_sanitizers INTERFACE)
if(HASHRANGE_SANITIZE)
  target_compile_options(hr_sanitizers INTERFACE -fsanitize=${HASHRANGE_SANITIZE}
                         -fno-sanitize-recover=all)
  target_link_options(hr_sanitizers INTERFACE -fsanitize=${HASHRANGE_SANITIZE})
endif()

add_library(hr_flags INTERFACE)
target_link_libraries(hr_flags INTERFACE hr_sanitizers)
# A processor that can fuse a multiplication with an addition does not, so that it computes what the others do
# (base/portable_math.h).
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  target_compile_options(hr_flags INTERFACE -ffp-contract=off)
endif()
target_compile_options(hr_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion
                       $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow> -Wno-sign-conversion -fno-omit-frame-pointer)
target_include_directories(hr_flags INTERFACE ${PROJECT_SOURCE_DIR}/src
                           ${PROJECT_SOURCE_DIR}/include)
if(NOT HASHRANGE_THREADS)
  target_compile_definitions(hr_flags INTERFACE HASHRANGE_THREADS=0)
endif()

if(HASHRANGE_FUZZ)
  # Adds the instrumentation that guides libFuzzer; the fuzz targets link its main (tests/fuzz).
  target_compile_options(hr_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(hr_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# The sources of the tests are not optimised and guide no fuzzer: what they test is. With sanitizers,
# the compiler then takes a third of the time for them.
add_library(hr_test_flags INTERFACE)
target_compile_options(hr_test_flags INTERFACE -O0)
if(HASHRANGE_SANITIZE MATCHES undefined)
  # RapidJSON 1.1.0, which tests use, adds to its empty stack's null pointer before it grows.
  target_compile_options(hr_test_flags INTERFACE -fno-sanitize=pointer-overflow)
endif()
if(HASHRANGE_FUZZ)
  target_compile_options(hr_test_flags INTERFACE -fno-sanitize=fuzzer-no-link)
endif()

# Headers of other projects are precompiled for the sources of the tests, which are many and small.
set(precompiled_headers
    <algorithm> <array> <atomic> <charconv> <chrono> <cstdint> <deque> <functional> <iterator> <map>
    <memory> <mutex> <optional> <set> <span> <sstream> <string> <string_view> <tuple> <utility>
    <variant> <vector>
    <absl/container/flat_hash_map.h> <absl/container/inlined_vector.h>
    <absl/functional/function_ref.h>)
# What the compiler's cache needs (its manual, "Precompiled headers").
set(precompiled_options
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
    "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
if(NOT EXISTS ${PROJECT_BINARY_DIR}/precompiled.cc)
  file(WRITE ${PROJECT_BINARY_DIR}/precompiled.cc "")
endif()

if(HASHRANGE_TESTS)
  add_library(hr_precompiled_tests STATIC ${PROJECT_BINARY_DIR}/precompiled.cc)
  target_compile_options(hr_precompiled_tests PRIVATE ${precompiled_options})
  target_link_libraries(hr_precompiled_tests PUBLIC hr_flags hr_test_flags GTest::gmock)
  target_precompile_headers(hr_precompiled_tests PRIVATE ${precompiled_headers} <gmock/gmock.h> <gtest/gtest.h>)
endif()

# With HASHRANGE_UNITY, the compiler reads all sources of a folder as one, which takes a third of the time
# and makes the program smaller; the sources of tests are always compiled so. So two sources of a folder
# never define one name, not even in namespaces without a name. The preset `odr` compiles each source on its
# own, so that a source that does not include what it uses does not compile.
function(hashrange_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  # The preset odr warns of shadowed names and of linkage, where they are due; g++ 12 is wrong about the
  # bounds of strings that it moves and about variants that it copies.
  target_compile_options(${target} PRIVATE
    "$<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage;-Wno-array-bounds;-Wno-maybe-uninitialized>")
endfunction()

# Returns in `result` the targets of `names`, which are folders of src/ or targets: engine/stream is
# hr_engine_stream.
function(hashrange_targets result names)
  set(targets)
  foreach(name ${names})
    if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/src/${name})
      string(REPLACE / _ name hr_${name})
    endif()
    list(APPEND targets ${name})
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

# Returns in `result` whether the row of `folder` is built. A row NEEDS options (NET: HASHRANGE_NET), or
# is for builds WITHOUT one, and needs the folders that it uses.
function(hashrange_is_built result folder uses needs without)
  set(is_built ON)
  foreach(option ${needs})
    if(NOT HASHRANGE_${option})
      set(is_built OFF)
    endif()
  endforeach()
  foreach(option ${without})
    if(HASHRANGE_${option})
      set(is_built OFF)
    endif()
  endforeach()
  get_property(left_out GLOBAL PROPERTY hashrange_left_out)
  foreach(used ${uses})
    if(used IN_LIST left_out)
      set(is_built OFF)
    endif()
  endforeach()
  if(NOT is_built)
    set_property(GLOBAL APPEND PROPERTY hashrange_left_out ${folder})
  endif()
  set(${result} ${is_built} PARENT_SCOPE)
endfunction()

# hashrange_library(<folder> [SMALL] NEEDS <option>… WITHOUT <option>… ROOMS <room>… USES <folder or target>…
# HEADERS_OF <folder>… LINKS <folder>…): the library of all sources of a folder of src/, without its other rooms.
# NEEDS, WITHOUT: see hashrange_is_built.
# ROOMS: rooms whose sources belong to the library, too.
# SMALL: no operation of the service runs this code, so it is compiled for size.
# HEADERS_OF: folders of which only headers are included; nothing of them is linked.
# LINKS: folders that are linked; nothing of them is included.
function(hashrange_library folder)
  cmake_parse_arguments(arg "SMALL" "" "NEEDS;WITHOUT;ROOMS;USES;HEADERS_OF;LINKS" ${ARGN})
  hashrange_is_built(is_built ${folder} "${arg_USES};${arg_LINKS}" "${arg_NEEDS}" "${arg_WITHOUT}")
  if(NOT is_built)
    return()
  endif()
  hashrange_targets(target ${folder})
  hashrange_targets(uses "${arg_USES};${arg_LINKS}")
  set(sources)
  foreach(room "" ${arg_ROOMS})
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/${room}/*.cc)
    list(APPEND sources ${found})
  endforeach()
  add_library(${target} STATIC ${sources})
  if(arg_SMALL)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Os>)
  endif()
  target_link_libraries(${target} PUBLIC hr_flags ${uses})
  if(HASHRANGE_UNITY)
    hashrange_compile_together(${target})
  endif()
  set_property(GLOBAL APPEND PROPERTY hashrange_libraries ${target})
endfunction()

# hashrange_module(<target> <folder> <name>): the WebAssembly module <name>.wasm in the build folder, whose exports are
# those of the sources of <folder>.
function(hashrange_module target folder name)
  hashrange_targets(library ${folder})
  add_executable(${target} $<TARGET_OBJECTS:${library}>)
  target_link_libraries(${target} PRIVATE ${library})
  # -O0 keeps the driver from running wasm-opt, which a machine may have or lack. (With --no-wasm-opt, clang 19 does not link
  # at all, and reports no error.)
  # The driver keeps the section target_features where it finds wasm-opt, so it is kept everywhere: all machines link the same bytes.
  # With the stack first, a stack that overflows leaves the memory, and is an error; otherwise it would write over data.
  target_link_options(${target} PRIVATE -O0 -mexec-model=reactor
                      -Wl,--gc-sections,--strip-all,--keep-section=target_features
                      -Wl,--compress-relocations,--stack-first)
  set_target_properties(${target} PROPERTIES
                        LINKER_LANGUAGE CXX OUTPUT_NAME ${name} SUFFIX .wasm
                        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endfunction()

# hashrange_embed(<folder> <file> <name>): puts the text of a file of the project into the library, as the
# std::string_view `name` of the namespace hashrange. The text has no line `)text"`.
function(hashrange_embed folder file name)
  hashrange_targets(target ${folder})
  if(NOT TARGET ${target})
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
  file(READ ${PROJECT_SOURCE_DIR}/${file} text)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cc)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [=[
#include <string_view>

namespace hashrange {

extern const std::string_view @name@;
const std::string_view @name@ = R"text(@text@)text";

}  // namespace hashrange
]=])
  target_sources(${target} PRIVATE ${source})
endfunction()

# Returns in `result` the sources that start no threads. The others test what a build without threads lacks.
function(hashrange_leave_out_threads result sources)
  set(left)
  foreach(source ${sources})
    file(STRINGS ${source} starts REGEX "^#include (<(thread|future)>|\"base/workers.h\")")
    if(NOT starts)
      list(APPEND left ${source})
    endif()
  endforeach()
  set(${result} ${left} PARENT_SCOPE)
endfunction()

# hashrange_test(<folder> NEEDS <option>… ROOMS <room>… USES <folder or target>…): the program of all sources of a folder
# of tests/ and of the named rooms, registered with CTest: engine/stream is engine_stream_test. Each of its
# cases has a time limit (tests/support/case_limit.cc).
function(hashrange_test folder)
  cmake_parse_arguments(arg "" "" "NEEDS;ROOMS;USES" ${ARGN})
  hashrange_is_built(is_built ${folder}_test "${arg_USES}" "${arg_NEEDS}" "")
  if(NOT is_built)
    return()
  endif()
  string(REPLACE / _ name ${folder})
  hashrange_targets(uses "${arg_USES}")
  set(sources)
  foreach(room "" ${arg_ROOMS})
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/${room}/*.cc)
    list(APPEND sources ${found})
  endforeach()
  if(NOT HASHRANGE_THREADS)
    hashrange_leave_out_threads(sources "${sources}")
  endif()
  add_executable(${name}_test ${sources})
  target_link_libraries(${name}_test PRIVATE hr_case_limit hr_flags hr_test_flags ${uses} GTest::gmock_main)
  target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_options(${name}_test PRIVATE ${precompiled_options})
  target_precompile_headers(${name}_test REUSE_FROM hr_precompiled_tests)
  hashrange_compile_together(${name}_test)
  add_test(NAME ${name} COMMAND ${name}_test)
endfunction()
