"""index.py FOLDER [--trial]: writes index.html, which says what each file of a release is for."""

import html
import pathlib
import re
import sys

KINDS = [
    (
        r"-windows\.zip",
        "C, C++, Delphi on Windows 7 and later; the sandbox",
        "unpack; docs/windows.md",
    ),
    (
        r"-linux-\w+\.tar\.gz",
        "C and C++ on Linux; the sandbox",
        "unpack; share/doc/payorder/README.md",
    ),
    (
        r"payorder_tools-.*\.whl",
        "Python: the command payorder, the sandbox, and tests",
        "pip install FILE, after payorder's",
    ),
    (r"payorder-.*\.whl", "Python", "pip install FILE"),
    (r"payorder-\d[^-]*\.tgz", "Node.js, TypeScript", "npm install ./FILE"),
    (r"\.gem", "Ruby", "gem install ./FILE"),
    (r"\.nupkg", "C#, VB.NET, F#", "dotnet add package Payorder --source FOLDER"),
    (r"payorder-java-.*", "Java, Kotlin", "a Maven repository; see its README"),
    (r"payorder-php-.*", "PHP", "composer require, with an artifact repository; see its README"),
    (r"Payorder-.*\.tar\.gz", "Perl", "perl Makefile.PL && make install"),
    (r"payorder-lua-.*", "Lua (LuaJIT)", "luarocks make"),
    (r"payorder-go-.*", "Go", "go mod edit -replace; see its README"),
    (
        r"payorder-pascal-.*",
        "Free Pascal, Delphi",
        "add payorder.pas with its constants, and a library of native",
    ),
    (r"payorder-cobol-.*", "COBOL", "see its README"),
    (r"payorder-vb-.*", "VB6, VBA", "import payorder.bas, and a DLL of native"),
    (r"\.cdx\.json", "Bill of materials (CycloneDX)", "for scanners of known vulnerabilities"),
]
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>payorder {version}</title>
<style>
body {{ font: 1rem/1.5 sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }}
td, th {{ text-align: left; vertical-align: top; padding: 0.2rem 1rem 0.2rem 0; }}
td:last-child {{ font-family: monospace; font-size: 0.7rem; word-break: break-all; }}
</style>
<h1>payorder {version}</h1>
{trial}<p>Every package contains the library for Linux and Windows: you need one file. It does not
matter which processor the computer has, except for the archives for C and C++ and the wheels.</p>
<p>To check the files after the download: <code>sha256sum --check --ignore-missing
SHA256SUMS</code>, or on Windows <code>certutil -hashfile FILE SHA256</code>. Take
<code>SHA256SUMS</code> from a place that you trust. The same source and tools make the same bytes:
<code>packaging/release --all</code> in a checkout of version {version}.</p>
<p>To try a package without a service, start the sandbox. It is the program
<code>payorder-sandbox</code> in the archives for C and C++ (folder <code>bin</code>, on Windows
<code>x86</code>), or <code>payorder sandbox</code> of the package for Python. It prints the
environment variables that a client reads.</p>
<table>
<tr><th>file<th>for<th>how<th>MB<th>SHA-256
{rows}
</table>
</html>
"""
TRIAL = (
    "<p><strong>This is a trial. Do not publish these files:</strong> the addresses in them are "
    "placeholders.</p>\n"
)

folder = pathlib.Path(sys.argv[1])
rows = []
version = ""
for line in (folder / "SHA256SUMS").read_text("utf-8").splitlines():
    checksum, name = line.split("  ")
    version = version or re.search(r"\d+\.\d+\.\d+", name)[0]
    use, how = next(kind[1:] for kind in KINDS if re.search(kind[0] + "$", name))
    size = f"{(folder / name).stat().st_size / 1e6:.1f}"
    link = f'<a href="{html.escape(name)}">{html.escape(name)}</a>'
    cells = [link, html.escape(use), html.escape(how), size, checksum]
    rows.append((use, "<tr>" + "".join(f"<td>{cell}" for cell in cells)))
page = PAGE.format(
    version=version,
    trial=TRIAL if "--trial" in sys.argv else "",
    rows="\n".join(row for _, row in sorted(rows)),
)
(folder / "index.html").write_text(page, "utf-8")
