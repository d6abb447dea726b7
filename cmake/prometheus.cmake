# hr_prometheus: the core of prometheus-cpp, compiled here from its source, since distributions have
# only a shared object. scripts/install fetches the source of the distribution's package.
set(HASHRANGE_PROMETHEUS_SOURCE ${PROJECT_SOURCE_DIR}/build/source/prometheus-cpp
    CACHE PATH "Where the source of prometheus-cpp is")
set(core ${HASHRANGE_PROMETHEUS_SOURCE}/core)
if(NOT EXISTS ${core}/include/prometheus/collectable.h)
  message(FATAL_ERROR "Missing: the source of prometheus-cpp in ${HASHRANGE_PROMETHEUS_SOURCE}\n"
                      "`scripts/install build` fetches it; "
                      "-DHASHRANGE_PROMETHEUS_SOURCE=… says where else it is.")
endif()

# The only header that prometheus-cpp's own build generates; it has macros for a shared object.
set(generated ${PROJECT_BINARY_DIR}/prometheus)
file(CONFIGURE OUTPUT ${generated}/prometheus/detail/core_export.h
     CONTENT "#define PROMETHEUS_CPP_CORE_EXPORT\n")

file(GLOB sources ${core}/src/*.cc ${core}/src/detail/*.cc)
add_library(hr_prometheus STATIC ${sources})
target_include_directories(hr_prometheus SYSTEM PUBLIC ${core}/include ${generated})
target_link_libraries(hr_prometheus PRIVATE hr_sanitizers Threads::Threads)
