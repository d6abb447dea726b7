# The package of an installed Hashrange: the target hashrange::hashrange.
include(${CMAKE_CURRENT_LIST_DIR}/archives.cmake)
if(hashrange_missing)
  set(hashrange_FOUND FALSE)
  set(hashrange_NOT_FOUND_MESSAGE "Missing: ${hashrange_missing}")
  return()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/hashrangeTargets.cmake)
