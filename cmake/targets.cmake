# There is one library for each folder of src/, and one test program for each folder of tests/. A
# target may use only the libraries that it names.

# These options are for all sources that are compiled here, including those of other projects.
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
  # Adds the instrumentation that guides libFuzzer; the fuzz targets link its main (tests/fuzz).
  target_compile_options(hr_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(hr_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# hashrange_library(<folder> SOURCES a.cc … USES hr_base … HEADERS_OF hr_wire …)
# Of what is named behind HEADERS_OF only headers are included; nothing of it is linked.
function(hashrange_library folder)
  cmake_parse_arguments(arg "" "" "SOURCES;USES;HEADERS_OF" ${ARGN})
  add_library(hr_${folder} STATIC ${arg_SOURCES})
  target_link_libraries(hr_${folder} PUBLIC hr_flags ${arg_USES})
  set_property(GLOBAL APPEND PROPERTY hashrange_libraries hr_${folder})
endfunction()

# hashrange_test(<folder> SOURCES a_test.cc … USES hr_value …): the program
# <folder>_test, registered with CTest.
# A source that needs HASHRANGE_SOURCE_DIR gets it from hashrange_knows_source_dir. With a definition
# for the whole target, every object would differ between working folders, and a compiler cache would not help.
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
