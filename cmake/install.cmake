include(CMakePackageConfigHelpers)

install(TARGETS ${libraries} EXPORT payorder-targets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT Runtime NAMELINK_COMPONENT Development
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT Development)
install(DIRECTORY include/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT Development
    FILES_MATCHING PATTERN "payorder*")
foreach(section 1 3 7)
    install(DIRECTORY docs/man/ DESTINATION "${CMAKE_INSTALL_MANDIR}/man${section}"
        COMPONENT Development FILES_MATCHING PATTERN "*.${section}")
endforeach()

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/payorder")
install(EXPORT payorder-targets NAMESPACE payorder:: DESTINATION "${package_folder}"
    COMPONENT Development)
configure_package_config_file(cmake/payorder-config.cmake.in payorder-config.cmake
    INSTALL_DESTINATION "${package_folder}"
    NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Versions are compatible with older ones, so a program names the oldest version that it can use.
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/payorder-config-version.cmake"
    COMPATIBILITY AnyNewerVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/payorder-config.cmake"
        "${CMAKE_CURRENT_BINARY_DIR}/payorder-config-version.cmake"
    DESTINATION "${package_folder}" COMPONENT Development)

# Paths in payorder.pc are relative to the file, so that the prefix can be moved. Absolute folders
# stay absolute.
set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    file(RELATIVE_PATH up "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
    string(REGEX REPLACE "/$" "" up "${up}")
    set(pc_prefix "\${pcfiledir}/${up}")
endif()
foreach(folder LIBDIR INCLUDEDIR)
    set(pc_${folder} "${CMAKE_INSTALL_${folder}}")
    if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_${folder}}")
        set(pc_${folder} "\${prefix}/${CMAKE_INSTALL_${folder}}")
    endif()
endforeach()
list(TRANSFORM PAYORDER_PRIVATE_LIBRARIES PREPEND "-l" OUTPUT_VARIABLE pc_libraries)
list(JOIN pc_libraries " " pc_libraries)
configure_file(cmake/payorder.pc.in payorder.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/payorder.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT Development)
