"""The values of packaging/identity, in the manifests of the packages and in their READMEs.

identity.py                      writes them into every manifest
identity.py --check              fails if a manifest has another value
identity.py --release            fails if a value is still a placeholder
identity.py links FOLDER README  turns links to files that are not in the package into addresses
"""

import pathlib
import posixpath
import re
import shlex
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent
IDENTITY = dict(
    line.split("=", 1)
    for line in shlex.split((PROJECT / "packaging/identity").read_text("utf-8"), comments=True)
)
VERSION = re.search(r'^version = "(.*)"', (PROJECT / "Cargo.toml").read_text("utf-8"), re.M)[1]
SOURCE = f"{IDENTITY['repository']}/blob/v{VERSION}"

PYTHON = {
    'authors = [{ name = "': "authors",
    'Homepage = "': "home_page",
    'Repository = "': "repository",
    'Issues = "': "issues",
}
# In each manifest, what follows each text up to the end of the value is the value.
MANIFESTS = {
    "Cargo.toml": {'homepage = "': "home_page", 'repository = "': "repository"},
    "core/Cargo.toml": {'homepage = "': "home_page", 'repository = "': "repository"},
    "packaging/conan/conanfile.py": {'homepage = "': "home_page"},
    "packaging/vcpkg/payorder/vcpkg.json": {'"homepage": "': "home_page"},
    "bindings/csharp/Payorder.nuspec": {
        "<authors>": "authors",
        "<projectUrl>": "home_page",
        '<repository type="git" url="': "repository",
    },
    "bindings/csharp/Payorder.Testing.nuspec": {
        "<authors>": "authors",
        "<projectUrl>": "home_page",
        '<repository type="git" url="': "repository",
    },
    "bindings/go/go.mod": {"module ": "go_module"},
    "bindings/java/pom.xml": {
        "-->\n  <groupId>": "maven_group",
        "\n  <url>": "home_page",
        "<developer>\n      <name>": "authors",
        "<email>": "email",
        "<connection>scm:git:": "repository",
        "<scm>\n    <url>": "repository",
        "<issueManagement>\n    <url>": "issues",
    },
    "bindings/java/README.md": {"<groupId>": "maven_group"},
    "bindings/lua/payorder.rockspec": {
        'homepage = "': "home_page",
        'issues_url = "': "issues",
        'maintainer = "': "authors",
        'local repository = "': "repository",
    },
    "bindings/node/package.json": {
        '\n  "name": "': "npm_name",
        '"homepage": "': "home_page",
        '"bugs": "': "issues",
        '"author": "': "authors",
        '"url": "git+': "repository",
    },
    "bindings/pascal/payorder_package.lpk": {'<Author Value="': "authors"},
    "bindings/perl/Makefile.PL": {
        "AUTHOR           => '": "authors",
        "homepage   => '": "home_page",
        "web  => '": "repository",
        "bugtracker => { web => '": "issues",
    },
    "bindings/php/composer.json": {
        '\n    "name": "': "composer_name",
        '"homepage": "': "home_page",
        '"authors": [{ "name": "': "authors",
        '"issues": "': "issues",
        '"source": "': "repository",
    },
    "bindings/python/pyproject.toml": PYTHON,
    "tools/pyproject.toml": PYTHON,
    "bindings/ruby/payorder.gemspec": {
        'authors = ["': "authors",
        'homepage = "': "home_page",
        '"source_code_uri" => "': "repository",
        '"bug_tracker_uri" => "': "issues",
    },
}


def manifests():
    """Each manifest, its text, and the text that it should have."""
    for name, places in MANIFESTS.items():
        path = PROJECT / name
        text = wanted = path.read_text("utf-8")
        for before, key in places.items():
            pattern = re.compile(re.escape(before) + r"""[^"'<>\n]*""")
            if len(pattern.findall(wanted)) != 1:
                sys.exit(f"{name} does not have exactly one {before.strip()!r}")
            wanted = pattern.sub(lambda _: before + IDENTITY[key], wanted)  # noqa: B023
        yield path, text, wanted
    # The module's path is in each program that imports it.
    for path in [*(PROJECT / "bindings/go").rglob("*.go"), PROJECT / "bindings/go/README.md"]:
        text = path.read_text("utf-8")
        module = rf'\1"{IDENTITY["go_module"]}"'
        imports = r'^(\t|import )"(?:[\w.-]+/)*payorder"$'
        yield path, text, re.sub(imports, module, text, flags=re.M)


def links(folder, readme):
    """Links that lead out of a package lead to the repository instead."""
    path = pathlib.Path(readme)

    def absolute(link):
        target = link[1]
        if re.match(r"[a-z]+:|#", target) or (path.parent / target.split("#")[0]).exists():
            return link[0]
        return f"]({SOURCE}/{posixpath.normpath(posixpath.join(folder, target))})"

    text = re.sub(r"\]\(([^)\s]+)\)", absolute, path.read_text("utf-8"))
    path.write_text(text, "utf-8")


command = sys.argv[1] if len(sys.argv) > 1 else ""
if command == "links":
    links(*sys.argv[2:])
elif command == "--release":
    placeholders = [key for key in IDENTITY if re.search(r"\bexample\b", IDENTITY[key])]
    if placeholders:
        sys.exit(f"packaging/identity still has placeholders: {', '.join(placeholders)}")
else:
    different = [(path, wanted) for path, text, wanted in manifests() if text != wanted]
    for path, wanted in different:
        if command == "--check":
            print(f"{path.relative_to(PROJECT)} does not have the values of packaging/identity")
        else:
            path.write_text(wanted, "utf-8")
    sys.exit(bool(different and command == "--check"))
