"""same_bytes.py ASSEMBLY: puts a hash of the assembly where mcs writes the time and a random number.

The same source then gives the same bytes.
"""

import hashlib
import pathlib
import struct
import sys

path = pathlib.Path(sys.argv[1])
data = bytearray(path.read_bytes())


def u32(offset):
    return struct.unpack_from("<I", data, offset)[0]


# The time, in the header of the PE file.
pe = u32(0x3C)
data[pe + 8 : pe + 12] = bytes(4)
# The module's number is the only one in the stream #GUID of the metadata.
metadata = data.index(b"BSJB")
stream = data.index(b"#GUID\0", metadata)
guid = metadata + u32(stream - 8)
data[guid : guid + 16] = bytes(16)
data[guid : guid + 16] = hashlib.sha256(data).digest()[:16]
path.write_bytes(data)
