# cmake -Darchive=… -Dheader=… -Dobject=… -Dld=… -Dobjcopy=… -P cut.cmake
#
# Makes one object of what the functions of the header need from the archive, and hides every other symbol in it.
cmake_minimum_required(VERSION 3.16)

# A declaration: its lines are no comment, and its name stands before a parenthesis.
file(STRINGS "${header}" lines REGEX "^[a-z].* \\*?payorder_[a-z0-9_]+\\(")
set(wanted "")
foreach(line IN LISTS lines)
    string(REGEX REPLACE ".*(payorder_[a-z0-9_]+)\\(.*" "\\1" function "${line}")
    list(APPEND wanted "--require-defined=${function}")
    list(APPEND shown "--keep-global-symbol=${function}")
endforeach()
if(NOT wanted)
    message(FATAL_ERROR "payorder: ${header} declares no function")
endif()

# Without groups: one that another Rust archive has as well would be dropped by the linker, and with it what only this object now knows.
execute_process(
    COMMAND "${ld}" -r --gc-sections --force-group-allocation ${wanted} -o "${object}.all" "${archive}"
    RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "payorder: ${ld} cannot make one object of ${archive}; it must be GNU ld for the machine that is built for (-DPAYORDER_GNU_LD=...)")
endif()
# The bitcode of Rust's standard library is of no use to C, and leads astray tools that have a plug-in of another LLVM.
execute_process(
    COMMAND "${objcopy}" --strip-debug --strip-unneeded --remove-section=.llvmbc --remove-section=.llvmcmd --remove-section=.comment ${shown}
        "${object}.all" "${object}"
    RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "payorder: ${objcopy} cannot hide the symbols of ${object}.all; it must be objcopy of GNU binutils (-DPAYORDER_OBJCOPY=...)")
endif()
file(REMOVE "${object}.all")
