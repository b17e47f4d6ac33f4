# SPDX-License-Identifier: BSL-1.0
# What `cmake --install` lays down beside the command: the library, include/tutti, and how others find them
# (find_package(tutti), pkg-config tutti).
include(CMakePackageConfigHelpers)

install(TARGETS tutti EXPORT tutti-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tutti DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tutti)
install(EXPORT tutti-targets NAMESPACE tutti:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tutti-config.cmake.in
  ${PROJECT_BINARY_DIR}/package/tutti-config.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/tutti-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/tutti-config.cmake ${PROJECT_BINARY_DIR}/package/tutti-config-version.cmake
  DESTINATION ${package_dir})

# A static library passes its own needs on; a shared one keeps them.
if(BUILD_SHARED_LIBS)
  set(tutti_pc_requires_key Requires.private)
else()
  set(tutti_pc_requires_key Requires)
endif()
# The prefix is found from the file's own place, so that an installed tree may be moved.
file(RELATIVE_PATH tutti_pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" tutti_pc_prefix "${tutti_pc_prefix}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/tutti.pc.in ${PROJECT_BINARY_DIR}/package/tutti.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/tutti.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
