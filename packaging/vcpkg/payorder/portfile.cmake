# An overlay port, which builds this checkout with cargo:
#   vcpkg install payorder --overlay-ports=packaging/vcpkg
get_filename_component(source "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" dynamic shared)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" static static)
# The build type does not change the library.
set(VCPKG_BUILD_TYPE release)
vcpkg_cmake_configure(SOURCE_PATH "${source}"
    OPTIONS -DPAYORDER_SHARED=${shared} -DPAYORDER_STATIC=${static})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/payorder)
vcpkg_fixup_pkgconfig()
file(INSTALL "${CURRENT_PORT_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE-APACHE" "${source}/LICENSE-MIT")
