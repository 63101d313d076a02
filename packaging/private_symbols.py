"""private_symbols.py ARCHIVE OBJCOPY NM: hides what the header does not declare in a Mach-O archive.

Programs link only the header's functions. Every other symbol gets a name that starts with
payorder_, so that it does not meet that of another SQLite or Rust archive, and becomes private: a
shared library that contains the archive does not export it. The linker of LLVM makes no single
object of an archive, of which the others could be removed, as cmake/cut.cmake does.
"""

import pathlib
import re
import struct
import subprocess
import sys
import tempfile

HEADER = pathlib.Path(__file__).resolve().parent.parent / "include" / "payorder.h"
DECLARED = re.compile(r"^[a-z].* \*?(payorder_[a-z0-9_]+)\(", re.MULTILINE)
MH_MAGIC_64, LC_SYMTAB = 0xFEEDFACF, 2
# Of a symbol's type: a debugger's, private, its section, external.
N_STAB, N_PEXT, N_TYPE, N_EXT = 0xE0, 0x10, 0x0E, 0x01


def hide_in(data, start, shown):
    """Makes the external symbols private that an object in an archive defines."""
    commands = struct.unpack_from("<I", data, start + 16)[0]
    at = start + 32
    for _ in range(commands):
        command, size, *table = struct.unpack_from("<6I", data, at)
        if command == LC_SYMTAB:
            symbols, count, strings, _ = table
            for entry in range(start + symbols, start + symbols + 16 * count, 16):
                name, kind = struct.unpack_from("<IB", data, entry)
                name = start + strings + name
                is_defined = kind & N_EXT and kind & N_TYPE and not kind & N_STAB
                if is_defined and data[name : data.index(0, name)].decode() not in shown:
                    data[entry + 4] = kind | N_PEXT
        at += size


def members(data):
    """Where the contents of an archive's members start."""
    at = 8
    while at < len(data):
        name, size = data[at : at + 16].decode(), int(data[at + 48 : at + 58])
        # In BSD's format a long name is a part of the contents.
        yield at + 60 + (int(name[3:]) if name.startswith("#1/") else 0)
        at += 60 + size + size % 2


def main():
    archive, objcopy, nm = sys.argv[1:]
    shown = {f"_{name}" for name in DECLARED.findall(HEADER.read_text(encoding="utf-8"))}
    # LLVM's tools would show the symbols of this code, and not those that a linker reads.
    bitcode = [f"--remove-section=__LLVM,__{section}" for section in ("bitcode", "cmdline")]
    subprocess.run([objcopy, "-D", "--strip-debug", *bitcode, archive], check=True)
    listed = subprocess.run(
        [nm, "--extern-only", "--defined-only", "--format=just-symbols", "--quiet", archive],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    names = {name for name in listed.stdout.split() if not name.endswith(":")} - shown
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(f"{name} _payorder_{name.removeprefix('_')}\n" for name in sorted(names))
        file.flush()
        subprocess.run([objcopy, "-D", f"--redefine-syms={file.name}", archive], check=True)
    data = bytearray(pathlib.Path(archive).read_bytes())
    for start in members(data):
        if data[start : start + 4] == struct.pack("<I", MH_MAGIC_64):
            hide_in(data, start, shown)
    pathlib.Path(archive).write_bytes(data)


main()
