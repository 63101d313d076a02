include(CMakePackageConfigHelpers)

install(TARGETS ${libraries} EXPORT payorder-targets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT Runtime NAMELINK_COMPONENT Development
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT Development)
install(DIRECTORY include/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT Development
    FILES_MATCHING PATTERN "payorder*")

# The man pages are made by the build. Without Python and Jinja2, there are none.
find_package(Python3 3.8 COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
    execute_process(COMMAND "${Python3_EXECUTABLE}" -c "import jinja2" RESULT_VARIABLE no_jinja2
        ERROR_QUIET)
endif()
if(Python3_Interpreter_FOUND AND no_jinja2 EQUAL 0)
    set(man "${CMAKE_CURRENT_BINARY_DIR}/man")
    file(GLOB man_sources CONFIGURE_DEPENDS docs/generate docs/generator/*.py src/manual.h.in
        bindings/generate bindings/generator/*
        include/payorder-abi.json bindings/python/payorder/*.py
        tools/payorder_tools/command/*.py)
    add_custom_command(OUTPUT "${man}/payorder.7"
        COMMAND "${Python3_EXECUTABLE}" -B docs/generate --man "${man}"
        WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" DEPENDS ${man_sources} VERBATIM)
    add_custom_target(payorder_man ALL DEPENDS "${man}/payorder.7")
    foreach(section 1 3 7)
        install(DIRECTORY "${man}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man${section}"
            COMPONENT Development FILES_MATCHING PATTERN "*.${section}")
    endforeach()
else()
    message(STATUS "payorder: Python 3.8 with Jinja2 was not found, so the man pages are not installed")
endif()

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
