# Makes PAYORDER_OBJECT from cargo's static archive: one object that exports only the functions of
# the header.
#
# CMake makes the libraries from this object instead of installing cargo's, for two reasons. rustc
# gives the linker its own unnamed version script, so its shared library cannot have versioned
# symbols. And its archive exports Rust's standard library, which clashes with that of another Rust
# archive.

set(rust_target "${PAYORDER_RUST_TARGET}")
set(cargo_folder "${CMAKE_CURRENT_BINARY_DIR}/cargo")
if(DEFINED ENV{CARGO_TARGET_DIR})
    get_filename_component(cargo_folder "$ENV{CARGO_TARGET_DIR}" ABSOLUTE)
endif()
set(archive "${cargo_folder}")
set(cargo_arguments --package payorder --lib --crate-type staticlib --profile "${PAYORDER_CARGO_PROFILE}"
    --target-dir "${cargo_folder}" ${PAYORDER_CARGO_ARGUMENTS})
if(PAYORDER_RUST_TARGET)
    list(APPEND cargo_arguments --target "${PAYORDER_RUST_TARGET}")
    # A target of cargo-zigbuild ends with a glibc version. The name of cargo's folder does not.
    string(REGEX REPLACE "\\.[0-9.]+$" "" rust_target "${PAYORDER_RUST_TARGET}")
    string(APPEND archive "/${rust_target}")
endif()
if(PAYORDER_CARGO_PROFILE STREQUAL "dev")
    string(APPEND archive "/debug/libpayorder.a")
else()
    string(APPEND archive "/${PAYORDER_CARGO_PROFILE}/libpayorder.a")
endif()

# Always runs, because cargo knows what has changed.
add_custom_target(payorder_cargo
    COMMAND "${PAYORDER_CARGO}" rustc ${cargo_arguments}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    BYPRODUCTS "${archive}"
    COMMENT "Building payorder with cargo"
    USES_TERMINAL VERBATIM)

# Other linkers do not remove unused code from a relocatable object. CMAKE_LINKER is the linker for
# the target machine.
execute_process(COMMAND "${CMAKE_LINKER}" --version OUTPUT_VARIABLE linker_version ERROR_QUIET)
if(linker_version MATCHES "GNU ld")
    set(PAYORDER_GNU_LD "${CMAKE_LINKER}" CACHE FILEPATH "GNU ld for the target machine")
else()
    find_program(PAYORDER_GNU_LD ld.bfd DOC "GNU ld for the target machine")
endif()
find_program(PAYORDER_OBJCOPY NAMES "${CMAKE_OBJCOPY}" objcopy DOC "objcopy of GNU binutils")
if(NOT PAYORDER_GNU_LD OR NOT PAYORDER_OBJCOPY)
    message(FATAL_ERROR "payorder: GNU ld and objcopy are needed; install the package binutils, "
        "or say where they are: -DPAYORDER_GNU_LD=... -DPAYORDER_OBJCOPY=...")
endif()

set(PAYORDER_OBJECT "${CMAKE_CURRENT_BINARY_DIR}/payorder.o")
add_custom_command(
    OUTPUT "${PAYORDER_OBJECT}"
    COMMAND "${CMAKE_COMMAND}" "-Darchive=${archive}"
        "-Dheader=${PROJECT_SOURCE_DIR}/include/payorder.h" "-Dobject=${PAYORDER_OBJECT}"
        "-Dld=${PAYORDER_GNU_LD}" "-Dobjcopy=${PAYORDER_OBJCOPY}"
        -P "${CMAKE_CURRENT_LIST_DIR}/cut.cmake"
    DEPENDS "${archive}" "${PROJECT_SOURCE_DIR}/include/payorder.h"
        "${CMAKE_CURRENT_LIST_DIR}/cut.cmake"
    COMMENT "Making payorder.o from cargo's archive"
    VERBATIM)
add_custom_target(payorder_object DEPENDS "${PAYORDER_OBJECT}")
add_dependencies(payorder_object payorder_cargo)
set_source_files_properties("${PAYORDER_OBJECT}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
