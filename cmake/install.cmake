# The files of `cmake --install`: the program; the archive, its headers, and the package that
# find_package(hashrange CONFIG) reads.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/hashrange)

if(HASHRANGE_NET)
  install(TARGETS hashrange RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS hashrange_archive EXPORT hashrangeTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/hashrange DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN *.h)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT hashrangeTargets NAMESPACE hashrange:: DESTINATION ${package_dir})
# Until 1.0, a minor version may change the API.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hashrangeConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
# The package asks for the archives that this build needs.
configure_file(cmake/hashrangeConfig.cmake ${PROJECT_BINARY_DIR}/hashrangeConfig.cmake @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hashrangeConfig.cmake cmake/archives.cmake
              ${PROJECT_BINARY_DIR}/hashrangeConfigVersion.cmake
        DESTINATION ${package_dir})
