"""The sources of the site: the repository's documents and the generated reference."""

import os
import re
import shutil
from pathlib import Path
from typing import Dict, List, Optional

from . import command, concepts, errors, functions, markdown, schemas, tables
from .description import ABI, PROJECT, event_rows, groups_of_functions, manual
from .model import Page, Terms

#: The parts of the site, with the documents in them.
PARTS = {
    "Start": """
        index.md docs/start.md README.md docs/get.md examples/sandbox/README.md docs/faq.md
    """,
    "Guides": """
        docs/guides/outcomes.md docs/guides/payment.md docs/journal.md docs/guides/threads.md
        docs/guides/many-calls.md
        docs/guides/c.md docs/guides/cpp.md examples/c/README.md docs/guides/web-shop.md
        examples/python/README.md docs/guides/testing.md docs/certify.md
        docs/guides/reconciliation.md examples/dask/README.md docs/guides/evidence.md
        docs/guides/data.md docs/guides/qr.md docs/guides/from-libcurl.md
        docs/guides/several-servers.md docs/guides/containers.md docs/windows.md docs/guides/schemas.md
    """,
    "Languages": "bindings/README.md core/README.md docs/guides/other-languages.md",
    "Reference": "reference/concepts.md",
    "Operations": """
        docs/guides/going-live.md docs/guides/operating.md docs/guides/telemetry.md
        docs/guides/troubleshooting.md docs/guides/proxies.md docs/guides/certificates.md
        docs/guides/upgrading.md
        docs/packaging.md docs/releasing.md docs/platforms.md docs/limits.md
    """,
    "Project": """
        docs/reliability.md docs/compared.md docs/abi.md docs/interface.md SECURITY.md docs/performance.md
        bindings/conformance/README.md ARCHITECTURE.md docs/decisions.md CONTRIBUTING.md
        CHANGELOG.md
    """,
}

#: The titles of documents whose own heading does not say enough among the others.
TITLES = {
    "README.md": "First programs in C and Python",
    "core/README.md": "Rust",
    "reference/concepts.md": "Everything in short",
}

#: The source of a page that has another path in the site. Everything else keeps its path.
MOVED = {"index.md": "docs/README.md"}

#: What llms.txt says about the library.
SUMMARY = """\
A client library for a payment aggregator's Create Order and Get Status, with packages for many
languages. After each failure it says whether the order was not sent, was rejected, or may exist.
Never send an order again that may exist: ask for its status. Call an order paid only after
`payorder_verify_payment` has said so. llms-full.txt has all guides in one text."""

#: The group of functions that stands first. The others follow in the header's order.
FIRST_GROUP = "The two calls"

#: These documents are also pages of the reference, with links.
IN_REFERENCE = {
    "docs/causes.md": "reference/causes.md",
    "docs/configuration.md": "reference/configuration.md",
}

_LINK = re.compile(r"(\[[^\]]*\])\(([^)#\s]+)(#[^)\s]*)?\)")


def write(source: Path) -> None:
    """Writes the sources, with the table of contents."""
    reference = _reference()
    parts = {title: documents.split() for title, documents in PARTS.items()}
    listed = {path for documents in parts.values() for path in documents}
    readmes = (path.relative_to(PROJECT) for path in PROJECT.glob("bindings/*/README.md"))
    parts["Languages"] += sorted({str(path) for path in readmes} - listed)
    # The search finds sections, down to ###. Of the many sections called "Threads" or "Failures", it
    # finds the page instead, so that they do not come before a guide about threads.
    for path, page in reference.items():
        target = source / path
        target.parent.mkdir(parents=True, exist_ok=True)
        heading = "####" if path.count("/") == 2 else "##"
        text = markdown.write(page, _links(path, reference), heading)
        target.write_text(text, encoding="utf-8")
    documents = {path for listed in parts.values() for path in listed}
    for path in sorted(documents - set(reference)):
        _copy(path, documents, source)
    (source / "SUMMARY.md").write_text(_summary(parts, reference), encoding="utf-8")


def write_for_tools(source: Path, site: Path) -> None:
    """Writes the schemas; llms.txt, a list of the pages; and llms-full.txt, all guides in one."""
    folder = site / "schemas"
    folder.mkdir(exist_ok=True)
    for name, text in schemas.files().items():
        (folder / name).write_text(text, encoding="utf-8")
    listed = ["# payorder", "", "> " + SUMMARY.replace("\n", "\n> ")]
    whole = []
    for line in (source / "SUMMARY.md").read_text(encoding="utf-8").splitlines()[1:]:
        page = re.fullmatch(r" *- (\[.*\])\((.+)[.]md\)", line)
        if line.startswith("# "):
            listed += ["", f"#{line}", ""]
        elif page:
            listed.append(f"- {page[1]}({page[2]}.html)")
            if page[2].startswith("docs/"):
                whole.append((source / f"{page[2]}.md").read_text(encoding="utf-8"))
    (site / "llms.txt").write_text("\n".join(listed) + "\n", encoding="utf-8")
    (site / "llms-full.txt").write_text("\n\n".join(whole), encoding="utf-8")


def _reference() -> Dict[str, Page]:
    """The generated pages, by their paths."""
    pages = {
        "reference/concepts.md": concepts.page(),
        "reference/command.md": command.page(),
    }
    pages["reference/configuration.md"] = tables.configuration()
    pages["reference/events.md"] = Page(
        "Log events", "what a log callback receives", [event_rows()]
    )
    for folder, listed, title in (
        ("functions", functions.pages(), "every function of the C interface"),
        ("causes", errors.cause_pages(), "what exactly happened"),
    ):
        rows = Terms([(f"`{page.name}`", page.title + ".") for page in listed])
        pages[f"reference/{folder}.md"] = Page(folder.capitalize(), title, [rows])
        pages.update({f"reference/{folder}/{page.name}.md": page for page in listed})
    pages["reference/results.md"] = errors.results_page()
    pages["reference/causes.md"] = tables.causes()
    return pages


def _links(path: str, reference: Dict[str, Page]) -> markdown.Links:
    """The links of the page at this path."""
    pages = {Path(one).stem: one for one in reference if one.count("/") == 2}
    pages.update({one["name"]: "reference/results.md" for one in ABI["results"]})
    pages["payorder(1)"] = "reference/command.md"
    pages["payorder(7)"] = "reference/concepts.md"
    for guide in ("docs/guides/outcomes.md", "docs/guides/troubleshooting.md"):
        pages[guide] = guide
    headings = manual()

    about_errors = path.startswith(("reference/results", "reference/causes"))

    def link(name: str) -> Optional[str]:
        if name in headings:
            anchor = name.lower().replace(" ", "-")
            return f"{_to('reference/concepts.md', path)}#{anchor}"
        # Elsewhere, a cause of one word, such as `null`, is only the word.
        target = pages.get(name) if about_errors or not name.isalpha() else None
        return None if target in (None, path) else _to(str(target), path)

    return link


def _to(target: str, path: str) -> str:
    return os.path.relpath(target, os.path.dirname(path))


def _copy(path: str, documents: "set[str]", source: Path) -> None:
    """Copies a document, and the files that it links to."""
    origin = PROJECT / MOVED.get(path, path)
    moved = {**IN_REFERENCE, **{one: there for there, one in MOVED.items()}}

    def link(found: "re.Match[str]") -> str:
        address = found[2]
        target = (origin.parent / address).resolve()
        if ":" in address or not target.exists():
            return found[0]
        name = str(target.relative_to(PROJECT))
        name = moved.get(name, name)
        if name not in documents and name not in moved.values():
            if target.is_dir() or target.suffix == ".md":
                # Not a part of the site.
                return found[1][1:-1]
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(target, source / name)
        return f"{found[1]}({_to(name, path)}{found[3] or ''})"

    target = source / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(_LINK.sub(link, origin.read_text(encoding="utf-8")), encoding="utf-8")


def _functions() -> List[str]:
    """The functions in their groups."""
    groups = sorted(groups_of_functions(), key=lambda group: group[0] != FIRST_GROUP)
    lines = []
    for group, names in groups:
        lines.append(f"  - [{group}]()")
        lines += [f"    - [{name}](reference/functions/{name}.md)" for name in names]
    return lines


def _title(path: str) -> str:
    """The title of a page: its own heading, if it has no other."""
    if path in TITLES:
        return TITLES[path]
    text = (PROJECT / MOVED.get(path, path)).read_text(encoding="utf-8")
    return text.split("\n", 1)[0].lstrip("# ")


def _summary(parts: Dict[str, List[str]], reference: Dict[str, Page]) -> str:
    lines = ["# Summary"]
    for title, documents in parts.items():
        lines += ["", f"# {title}", ""]
        lines += [f"- [{_title(path)}]({path})" for path in documents]
        if title != "Reference":
            continue
        for path in reference:
            if path == "reference/concepts.md" or path.startswith("reference/functions/"):
                continue
            indent = "  " * (path.count("/") - 1)
            name = reference[path].name
            name = "The command line" if path == "reference/command.md" else name
            lines.append(f"{indent}- [{name}]({path})")
            if path == "reference/functions.md":
                lines += _functions()
    return "\n".join(lines) + "\n"
