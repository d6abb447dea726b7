# The system's packages. Abseil is linked statically: a start-up without its
# shared objects is milliseconds shorter.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(CLI11 REQUIRED)
find_path(RAPIDJSON_INCLUDE_DIR rapidjson/document.h REQUIRED)

add_library(hr_rapidjson INTERFACE)
target_include_directories(hr_rapidjson SYSTEM INTERFACE ${RAPIDJSON_INCLUDE_DIR})

add_library(hr_boost INTERFACE)
target_include_directories(hr_boost SYSTEM INTERFACE ${Boost_INCLUDE_DIRS})
target_compile_definitions(hr_boost INTERFACE BOOST_ASIO_NO_DEPRECATED)
target_link_libraries(hr_boost INTERFACE Threads::Threads)

# spdlog and fmt, header only, for the one file that logs.
find_path(SPDLOG_INCLUDE_DIR spdlog/spdlog.h REQUIRED)
find_path(FMT_INCLUDE_DIR fmt/format-inl.h REQUIRED)
add_library(hr_spdlog INTERFACE)
target_include_directories(hr_spdlog SYSTEM INTERFACE ${SPDLOG_INCLUDE_DIR} ${FMT_INCLUDE_DIR})
target_compile_definitions(hr_spdlog INTERFACE SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY)

add_library(hr_absl INTERFACE)
set(absl_archives)
foreach(part raw_hash_set hashtablez_sampler exponential_biased hash city low_level_hash
             synchronization graphcycles_internal symbolize demangle_internal stacktrace
             debugging_internal malloc_internal time time_zone civil_time int128 strings
             strings_internal throw_delegate bad_optional_access bad_variant_access base
             spinlock_wait raw_logging_internal log_severity)
  find_library(absl_${part} NAMES libabsl_${part}.a)
  mark_as_advanced(absl_${part})
  if(absl_${part})
    list(APPEND absl_archives ${absl_${part}})
  endif()
endforeach()
if(NOT absl_archives)
  message(FATAL_ERROR "Abseil's static libraries are missing (package libabsl-dev)")
endif()
find_path(ABSL_INCLUDE_DIR absl/container/flat_hash_map.h REQUIRED)
target_include_directories(hr_absl SYSTEM INTERFACE ${ABSL_INCLUDE_DIR})
target_link_libraries(hr_absl INTERFACE -Wl,--start-group ${absl_archives} -Wl,--end-group
                      Threads::Threads)

if(HASHRANGE_TESTS)
  find_package(GTest REQUIRED)
endif()
if(HASHRANGE_BENCH)
  find_package(benchmark REQUIRED)
endif()
