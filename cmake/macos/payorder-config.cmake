# The CMake package in an archive for macOS: the targets payorder::payorder, the shared library, and
# payorder::payorder_static. Programs find the shared one by an rpath, which CMake sets itself for
# those in its build folder.

get_filename_component(payorder_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Darwin")
    set(payorder_FOUND FALSE)
    set(payorder_NOT_FOUND_MESSAGE "this package of payorder is for macOS")
    return()
endif()

if(NOT TARGET payorder::payorder)
    add_library(payorder::payorder SHARED IMPORTED)
    set_target_properties(payorder::payorder PROPERTIES
        IMPORTED_LOCATION "${payorder_root}/lib/libpayorder.1.dylib"
        IMPORTED_SONAME "@rpath/libpayorder.1.dylib"
        INTERFACE_INCLUDE_DIRECTORIES "${payorder_root}/include")
    add_library(payorder::payorder_static STATIC IMPORTED)
    set_target_properties(payorder::payorder_static PROPERTIES
        IMPORTED_LOCATION "${payorder_root}/lib/libpayorder.a"
        INTERFACE_LINK_LIBRARIES "-framework Security;-framework CoreFoundation"
        INTERFACE_INCLUDE_DIRECTORIES "${payorder_root}/include")
endif()
unset(payorder_root)
