"""axe-core, the accessibility rules of the browsers' own tools, such as contrast and headings."""

from __future__ import annotations

import importlib.resources
from typing import List

from .chromium import Chromium

# Only the script of this package is used.
_SCRIPT = (
    importlib.resources.files("axe_playwright_python")
    .joinpath("axe.min.js")
    .read_text(encoding="utf-8")
)


def faults(browser: Chromium) -> List[str]:
    """Every rule that the page breaks, and every contrast that could not be judged."""
    browser.run(_SCRIPT)
    found = browser.driver.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run(document, {resultTypes: ['violations', 'incomplete']}).then(done, error => done({failed: String(error)}));"
    )
    if "failed" in found:
        raise RuntimeError(found["failed"])
    if not found["passes"]:
        raise RuntimeError("axe looked at nothing")
    unjudged = [rule for rule in found["incomplete"] if rule["id"] == "color-contrast"]
    return [
        f"{rule['id']}: {node['failureSummary']} in {node['html']}"
        for rule in found["violations"] + unjudged
        for node in rule["nodes"]
    ]
