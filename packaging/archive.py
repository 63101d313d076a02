"""archive.py ARCHIVE FOLDER [--flat]: packs a folder, so that the same files give the same bytes.

ARCHIVE is a .tar.gz, or in zip's format (.zip, .jar, .nupkg and so on). With --flat, it has the
files of the folder, otherwise the folder. Its time is SOURCE_DATE_EPOCH. Files that can be executed
stay so.
"""

import gzip
import os
import pathlib
import sys
import tarfile
import time
import zipfile

archive, folder = (pathlib.Path(argument).absolute() for argument in sys.argv[1:3])
top = folder if "--flat" in sys.argv else folder.parent
epoch = int(os.environ["SOURCE_DATE_EPOCH"])


def mode(path):
    return 0o755 if os.access(path, os.X_OK) else 0o644


# A jar's manifest must be its first file.
files = sorted(
    (path for path in folder.rglob("*") if path.is_file()),
    key=lambda path: (path.name != "MANIFEST.MF", path.relative_to(top).as_posix()),
)
if archive.name.endswith(".tar.gz"):
    with open(archive, "wb") as raw, gzip.GzipFile("", "wb", 6, raw, epoch) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for file in files:
                entry = tarfile.TarInfo(file.relative_to(top).as_posix())
                entry.size, entry.mtime, entry.mode = file.stat().st_size, epoch, mode(file)
                with open(file, "rb") as content:
                    tar.addfile(entry, content)
else:
    # zip knows no time before 1980.
    date = time.gmtime(max(epoch, 315532800))[:6]
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zip_file:
        for file in files:
            entry = zipfile.ZipInfo(file.relative_to(top).as_posix(), date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode(file)) << 16
            zip_file.writestr(entry, file.read_bytes())
