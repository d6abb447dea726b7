# Defines the system's static archives that Hashrange is linked with: hashrange::absl,
# hashrange::deflate, hashrange::leveldb and hashrange::zlib. The build includes this file; it is also installed, where
# hashrangeConfig.cmake includes it. The archives that are not found are listed in hashrange_missing.
set(hashrange_missing)

# Finds the archive of a library. macOS has few archives: there, a shared object will do.
macro(hashrange_find_archive variable name)
  set(hashrange_names lib${name}.a)
  if(APPLE)
    list(APPEND hashrange_names ${name})
  endif()
  find_library(${variable} NAMES ${hashrange_names})
  mark_as_advanced(${variable})
endmacro()

if(HASHRANGE_THREADS)
  find_package(Threads)
  if(NOT Threads_FOUND)
    list(APPEND hashrange_missing "threads")
  endif()
elseif(NOT TARGET Threads::Threads)
  add_library(Threads::Threads INTERFACE IMPORTED GLOBAL)
endif()

hashrange_find_archive(HASHRANGE_ZLIB z)
if(NOT HASHRANGE_ZLIB)
  list(APPEND hashrange_missing "libz.a (package zlib1g-dev)")
endif()

if(CMAKE_SYSTEM_PROCESSOR STREQUAL wasm32)
  set(HASHRANGE_DEFLATE ${HASHRANGE_ZLIB})  # which stands in for it: cmake/wasm32/libdeflate.h
else()
  hashrange_find_archive(HASHRANGE_DEFLATE deflate)
endif()
if(NOT HASHRANGE_DEFLATE)
  list(APPEND hashrange_missing "libdeflate.a (package libdeflate-dev)")
endif()

# LevelDB compresses with Snappy.
if(HASHRANGE_STORE)
  foreach(part leveldb snappy)
    hashrange_find_archive(HASHRANGE_${part} ${part})
    if(NOT HASHRANGE_${part})
      list(APPEND hashrange_missing "lib${part}.a (package lib${part}-dev)")
    endif()
  endforeach()
endif()

# Releases of Abseil have different parts, so a part that is not found is left out.
set(hashrange_absl)
foreach(part raw_hash_set hashtablez_sampler exponential_biased hash city low_level_hash
             synchronization graphcycles_internal symbolize demangle_internal stacktrace
             debugging_internal malloc_internal time time_zone civil_time int128 strings
             strings_internal throw_delegate bad_optional_access bad_variant_access base
             spinlock_wait raw_logging_internal log_severity)
  hashrange_find_archive(HASHRANGE_absl_${part} absl_${part})
  if(HASHRANGE_absl_${part})
    list(APPEND hashrange_absl ${HASHRANGE_absl_${part}})
  endif()
endforeach()
if(NOT hashrange_absl)
  list(APPEND hashrange_missing "Abseil's static libraries (package libabsl-dev)")
endif()

if(NOT hashrange_missing AND NOT TARGET hashrange::absl)
  add_library(hashrange::deflate INTERFACE IMPORTED GLOBAL)
  target_link_libraries(hashrange::deflate INTERFACE ${HASHRANGE_DEFLATE})
  add_library(hashrange::zlib INTERFACE IMPORTED GLOBAL)
  target_link_libraries(hashrange::zlib INTERFACE ${HASHRANGE_ZLIB})
  add_library(hashrange::leveldb INTERFACE IMPORTED GLOBAL)
  target_link_libraries(hashrange::leveldb INTERFACE ${HASHRANGE_leveldb} ${HASHRANGE_snappy}
                                                     Threads::Threads)
  add_library(hashrange::absl INTERFACE IMPORTED GLOBAL)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL wasm32 OR APPLE)
    # These linkers read archives again by themselves.
    target_link_libraries(hashrange::absl INTERFACE ${hashrange_absl})
  else()
    target_link_libraries(hashrange::absl INTERFACE
      -Wl,--start-group ${hashrange_absl} -Wl,--end-group Threads::Threads)
  endif()
endif()
