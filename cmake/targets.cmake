# One library a folder of src/, one test program a folder of tests/. The list of
# libraries a target names is the list of what it may use.

# For all that is compiled here, others' source as well.
add_library(hr_sanitizers INTERFACE)
if(HASHRANGE_SANITIZE)
  target_compile_options(hr_sanitizers INTERFACE -fsanitize=${HASHRANGE_SANITIZE}
                         -fno-sanitize-recover=all)
  target_link_options(hr_sanitizers INTERFACE -fsanitize=${HASHRANGE_SANITIZE})
endif()

add_library(hr_flags INTERFACE)
target_link_libraries(hr_flags INTERFACE hr_sanitizers)
target_compile_options(hr_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wno-sign-conversion -fno-omit-frame-pointer)
target_include_directories(hr_flags INTERFACE ${PROJECT_SOURCE_DIR}/src
                           ${PROJECT_SOURCE_DIR}/include)

if(HASHRANGE_FUZZ)
  # What libFuzzer steers by; the targets themselves link its main (tests/fuzz).
  target_compile_options(hr_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(hr_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# hashrange_library(<folder> SOURCES a.cc … USES hr_base …)
function(hashrange_library folder)
  cmake_parse_arguments(arg "" "" "SOURCES;USES" ${ARGN})
  add_library(hr_${folder} STATIC ${arg_SOURCES})
  target_link_libraries(hr_${folder} PUBLIC hr_flags ${arg_USES})
  set_property(GLOBAL APPEND PROPERTY hashrange_libraries hr_${folder})
endfunction()

# hashrange_test(<folder> SOURCES a_test.cc … USES hr_value …): the program
# <folder>_test, registered with CTest.
# A source that needs HASHRANGE_SOURCE_DIR is given it by hashrange_knows_source_dir: of a definition
# of the whole target every object would differ from folder to folder, and no compiler cache would help.
function(hashrange_test folder)
  cmake_parse_arguments(arg "" "" "SOURCES;USES" ${ARGN})
  add_executable(${folder}_test ${arg_SOURCES})
  target_link_libraries(${folder}_test PRIVATE hr_flags ${arg_USES} GTest::gmock_main)
  target_include_directories(${folder}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  add_test(NAME ${folder} COMMAND ${folder}_test)
endfunction()

# hashrange_knows_source_dir(a_test.cc …): defines HASHRANGE_SOURCE_DIR in these sources.
function(hashrange_knows_source_dir)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_DEFINITIONS
                              HASHRANGE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endfunction()
