"""portable_macos.py SYSTEM FILE...

Fails if a library or program for macOS needs another library than libSystem, Security and
CoreFoundation, does not run on the oldest macOS of the system's line in packaging/targets, or has
a signature that is missing or does not fit its contents. A library is found by an rpath.
"""

import hashlib
import pathlib
import struct
import sys

TARGETS = pathlib.Path(__file__).resolve().parent / "targets"
FRAMEWORKS = "/System/Library/Frameworks"
NEEDED = {
    "/usr/lib/libSystem.B.dylib",
    f"{FRAMEWORKS}/Security.framework/Versions/A/Security",
    f"{FRAMEWORKS}/CoreFoundation.framework/Versions/A/CoreFoundation",
}
PROCESSORS = {"x86_64": 0x01000007, "aarch64": 0x0100000C}
MH_MAGIC_64, MH_DYLIB = 0xFEEDFACF, 6
LC_LOAD_DYLIB, LC_ID_DYLIB, LC_CODE_SIGNATURE = 0xC, 0xD, 0x1D
OTHER_LOADS = (0x80000018, 0x8000001F, 0x80000023)  # weak, re-exported, upward
LC_VERSION_MIN_MACOSX, LC_BUILD_VERSION = 0x24, 0x32
CSMAGIC_EMBEDDED, CSMAGIC_CODEDIRECTORY = 0xFADE0CC0, 0xFADE0C02
CS_ADHOC, CS_HASHTYPE_SHA256 = 2, 2


def text(command, offset):
    """The text at an offset that a load command has."""
    start = struct.unpack_from("<I", command, offset)[0]
    return command[start:].split(b"\0")[0].decode()


def signed_wrong(data, start):
    """What is wrong with the signature there, or None."""
    magic, _, count = struct.unpack_from(">3I", data, start)
    assert magic == CSMAGIC_EMBEDDED, "no signature"
    places = [struct.unpack_from(">2I", data, start + 12 + 8 * at)[1] for at in range(count)]
    found = [start + place for place in places]
    for at in found:
        if struct.unpack_from(">I", data, at)[0] == CSMAGIC_CODEDIRECTORY:
            _, _, _, flags, hashes, _, _, pages, limit = struct.unpack_from(">9I", data, at)
            size, kind, _, page = struct.unpack_from(">4B", data, at + 36)
            if not flags & CS_ADHOC or kind != CS_HASHTYPE_SHA256 or limit != start:
                return "its signature is of another kind"
            for number in range(pages):
                begin = number << page
                code = data[begin : min(begin + (1 << page), limit)]
                stored = data[at + hashes + number * size :][:size]
                if hashlib.sha256(code).digest() != stored:
                    return f"the signature of its page {number} is wrong"
            return None if pages == -(-limit >> page) else "pages are not signed"
    return "its signature signs no code"


def problems(data, processor, oldest):
    magic, cpu, _, kind, count = struct.unpack_from("<5I", data, 0)
    if magic != MH_MAGIC_64 or cpu != PROCESSORS[processor]:
        yield "it is not for this processor"
        return
    at, minimum, signature, identity = 32, None, None, None
    for _ in range(count):
        command, size = struct.unpack_from("<2I", data, at)
        body = data[at : at + size]
        if command in (LC_LOAD_DYLIB, *OTHER_LOADS) and text(body, 8) not in NEEDED:
            yield f"it needs {text(body, 8)}"
        elif command == LC_ID_DYLIB:
            identity = text(body, 8)
        elif command == LC_VERSION_MIN_MACOSX:
            minimum = struct.unpack_from("<I", body, 8)[0]
        elif command == LC_BUILD_VERSION:
            minimum = struct.unpack_from("<I", body, 12)[0]
        elif command == LC_CODE_SIGNATURE:
            signature = struct.unpack_from("<I", body, 8)[0]
        at += size
    if minimum is None or minimum >> 8 != oldest[0] << 8 | oldest[1]:
        yield f"it does not name macOS {oldest[0]}.{oldest[1]} as the oldest"
    if kind == MH_DYLIB and identity != "@rpath/libpayorder.1.dylib":
        yield f"its install name is {identity}"
    wrong = signed_wrong(data, signature) if signature else "it has no signature"
    if wrong:
        yield wrong


def main():
    system, *files = sys.argv[1:]
    lines = [line.split() for line in TARGETS.read_text(encoding="utf-8").splitlines()]
    zig = next(line[2] for line in lines if line[0] == system)
    processor, version = zig.split("-macos.")
    oldest = tuple(map(int, version.split(".")))
    for file in files:
        for problem in problems(pathlib.Path(file).read_bytes(), processor, oldest):
            sys.exit(f"{file}: {problem}")


main()
