# The CMake package in the archive for Windows: the target payorder::payorder, the shared library of
# the machine that the program is built for. The DLL must be in the program's folder at run time:
#
#     add_custom_command(TARGET till POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy_if_different
#         $<TARGET_FILE:payorder::payorder> $<TARGET_FILE_DIR:till>)

get_filename_component(payorder_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT WIN32)
    set(payorder_FOUND FALSE)
    set(payorder_NOT_FOUND_MESSAGE "this package of payorder is for Windows")
    return()
endif()
if("${CMAKE_C_COMPILER_ARCHITECTURE_ID}${CMAKE_CXX_COMPILER_ARCHITECTURE_ID}" MATCHES "ARM")
    set(payorder_FOUND FALSE)
    set(payorder_NOT_FOUND_MESSAGE "this package of payorder is for x64 and x86, not for ARM")
    return()
endif()
set(payorder_machine x64)
if(CMAKE_SIZEOF_VOID_P EQUAL 4)
    set(payorder_machine x86)
endif()
# MSVC, and compilers that link as it does. Both kinds of import library lead to the same DLL.
set(payorder_import libpayorder.dll.a)
if(MSVC)
    set(payorder_import payorder.lib)
endif()

if(NOT TARGET payorder::payorder)
    add_library(payorder::payorder SHARED IMPORTED)
    set_target_properties(payorder::payorder PROPERTIES
        IMPORTED_LOCATION "${payorder_root}/${payorder_machine}/payorder.dll"
        IMPORTED_IMPLIB "${payorder_root}/${payorder_machine}/${payorder_import}"
        INTERFACE_INCLUDE_DIRECTORIES "${payorder_root}/include")
endif()
unset(payorder_import)
unset(payorder_machine)
unset(payorder_root)
