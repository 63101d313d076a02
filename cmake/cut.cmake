# cmake -Darchive=… -Dheader=… -Dobject=… -Dld=… -Dobjcopy=… -P cut.cmake
#
# Links the code that the header's functions need from the archive into one object, and hides all
# other symbols.
cmake_minimum_required(VERSION 3.16)

# The lines that declare a function: not a comment, with a name before a parenthesis.
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

# Without section groups: if another Rust archive had the same group, the linker would drop this
# one, together with symbols that are now hidden.
execute_process(
    COMMAND "${ld}" -r --gc-sections --force-group-allocation ${wanted}
        -o "${object}.all" "${archive}"
    RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "payorder: ${ld} cannot make one object of ${archive}; "
        "it must be GNU ld for the target machine (-DPAYORDER_GNU_LD=...)")
endif()
# C does not need the bitcode of Rust's standard library, and tools with a plug-in of another LLVM
# version fail on it.
execute_process(
    COMMAND "${objcopy}" --strip-debug --strip-unneeded --remove-section=.llvmbc
        --remove-section=.llvmcmd --remove-section=.comment ${shown} "${object}.all" "${object}"
    RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "payorder: ${objcopy} cannot hide the symbols of ${object}.all; "
        "it must be objcopy of GNU binutils (-DPAYORDER_OBJCOPY=...)")
endif()
file(REMOVE "${object}.all")
