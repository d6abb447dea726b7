# Finds the system's packages. They are linked statically: without shared objects, the program starts
# milliseconds sooner.
include(${CMAKE_CURRENT_LIST_DIR}/archives.cmake)
if(hashrange_missing)
  message(FATAL_ERROR "Missing: ${hashrange_missing}")
endif()

find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_path(RAPIDJSON_INCLUDE_DIR rapidjson/document.h REQUIRED)

# Used for its CRC-32, which is many times faster than zlib's.
find_path(LIBDEFLATE_INCLUDE_DIR libdeflate.h REQUIRED)
add_library(hr_deflate INTERFACE)
target_include_directories(hr_deflate SYSTEM INTERFACE ${LIBDEFLATE_INCLUDE_DIR})
target_link_libraries(hr_deflate INTERFACE hashrange::deflate)

# Used for gzip files of any size: libdeflate needs the whole file in memory.
find_path(ZLIB_INCLUDE_DIR zlib.h REQUIRED)
add_library(hr_zlib INTERFACE)
target_include_directories(hr_zlib SYSTEM INTERFACE ${ZLIB_INCLUDE_DIR})
target_link_libraries(hr_zlib INTERFACE hashrange::zlib)

if(HASHRANGE_STORE)
  # Used for the data on disk.
  find_path(LEVELDB_INCLUDE_DIR leveldb/db.h REQUIRED)
  add_library(hr_leveldb INTERFACE)
  target_include_directories(hr_leveldb SYSTEM INTERFACE ${LEVELDB_INCLUDE_DIR})
  target_link_libraries(hr_leveldb INTERFACE hashrange::leveldb)
endif()

add_library(hr_rapidjson INTERFACE)
target_include_directories(hr_rapidjson SYSTEM INTERFACE ${RAPIDJSON_INCLUDE_DIR})

# A library without sockets needs Boost only for server/exchange, which is left out without Boost.
if(HASHRANGE_NET OR HASHRANGE_WASM)
  find_package(Boost 1.81 REQUIRED)
else()
  find_package(Boost 1.81 QUIET)
endif()
set(HASHRANGE_BOOST ${Boost_FOUND})
if(HASHRANGE_BOOST)
  add_library(hr_boost INTERFACE)
  target_include_directories(hr_boost SYSTEM INTERFACE ${Boost_INCLUDE_DIRS})
  target_compile_definitions(hr_boost INTERFACE BOOST_ASIO_NO_DEPRECATED)
endif()
if(HASHRANGE_NET)
  find_package(CLI11 REQUIRED)
  target_link_libraries(hr_boost INTERFACE Threads::Threads)
endif()

# Lab files are YAML. The library is linked statically, and only the lab uses it.
hashrange_find_archive(HASHRANGE_YAML yaml-cpp)
if(NOT HASHRANGE_YAML)
  message(FATAL_ERROR "Missing: libyaml-cpp.a (package libyaml-cpp-dev)")
endif()
find_path(YAML_CPP_INCLUDE_DIR yaml-cpp/yaml.h REQUIRED)
add_library(hr_yaml INTERFACE)
target_include_directories(hr_yaml SYSTEM INTERFACE ${YAML_CPP_INCLUDE_DIR})
target_link_libraries(hr_yaml INTERFACE ${HASHRANGE_YAML})

if(HASHRANGE_NET)
  # TLS and signatures of requests that leave the process.
  foreach(part ssl crypto)
    hashrange_find_archive(HASHRANGE_${part} ${part})
    if(NOT HASHRANGE_${part})
      message(FATAL_ERROR "Missing: lib${part}.a (package libssl-dev)")
    endif()
  endforeach()
  find_path(OPENSSL_INCLUDE_DIR openssl/ssl.h REQUIRED)
  # Debian keeps the headers that differ between architectures in a folder of their own.
  find_path(OPENSSL_CONFIGURATION_DIR openssl/configuration.h REQUIRED)
  add_library(hr_openssl INTERFACE)
  target_include_directories(hr_openssl SYSTEM INTERFACE ${OPENSSL_INCLUDE_DIR}
                                                         ${OPENSSL_CONFIGURATION_DIR})
  target_link_libraries(hr_openssl INTERFACE ${HASHRANGE_ssl} ${HASHRANGE_crypto} ${CMAKE_DL_LIBS}
                                             Threads::Threads)

  # spdlog and fmt are used header-only, in the one file that sets up the log.
  find_path(SPDLOG_INCLUDE_DIR spdlog/spdlog.h REQUIRED)
  find_path(FMT_INCLUDE_DIR fmt/format-inl.h REQUIRED)
  add_library(hr_spdlog INTERFACE)
  target_include_directories(hr_spdlog SYSTEM INTERFACE ${SPDLOG_INCLUDE_DIR} ${FMT_INCLUDE_DIR})
  target_compile_definitions(hr_spdlog INTERFACE SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY)
endif()

find_path(ABSL_INCLUDE_DIR absl/container/flat_hash_map.h REQUIRED)
add_library(hr_absl INTERFACE)
target_include_directories(hr_absl SYSTEM INTERFACE ${ABSL_INCLUDE_DIR})
target_link_libraries(hr_absl INTERFACE hashrange::absl)

include(${CMAKE_CURRENT_LIST_DIR}/prometheus.cmake)

if(HASHRANGE_TESTS)
  find_package(GTest REQUIRED)
endif()
if(HASHRANGE_BENCH)
  find_package(benchmark REQUIRED)
endif()

include(CheckLinkerFlag)
check_linker_flag(CXX -Wl,--no-warnings has_no_linker_warnings)
set(HASHRANGE_NO_LINKER_WARNINGS $<$<BOOL:${has_no_linker_warnings}>:-Wl,--no-warnings>)
