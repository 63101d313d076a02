"""The package's modules, signatures and docstrings."""

from __future__ import annotations

import ast
import unittest
from pathlib import Path
from typing import Iterator, List, Tuple

import payorder
import payorder_tools

PACKAGE = Path(payorder.__file__).resolve().parent
TOOLS = Path(payorder_tools.__file__).resolve().parent

#: The modules from the lowest to the highest. Each imports only from lines above its own.
LAYERS: Tuple[Tuple[str, ...], ...] = (
    ("_library", "_text", "_times", "amounts", "causes", "results"),
    ("_objects", "_results", "_requests"),
    ("journal_entries", "summaries"),
    ("statuses", "orders"),
    ("errors",),
    ("_calls", "waiting"),
    ("_handles", "cancellation", "return_urls", "verification"),
    ("_arguments", "_events", "_seconds"),
    ("_running",),
    ("_interrupts", "batch", "configuration", "wire_bodies"),
    ("journals", "recovery"),
    ("payments",),
    ("client", "reconciliation"),
    ("aio", "__init__"),
    ("__main__",),
)


def imports(path: Path, package: str) -> Iterator[str]:
    """The package's modules that a file imports, also those for type checking only."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            depth = len(path.relative_to(PACKAGE).parts) - node.level
            if depth > 0:
                continue  # Within command/.
            if node.module:
                yield node.module.split(".")[0]
            else:
                modules = {one for layer in LAYERS for one in layer}
                for alias in node.names:
                    yield alias.name if alias.name in modules else "__init__"
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names]
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else names
            if any(name.split(".")[0] == package for name in names):
                raise AssertionError(f"{path.name} imports {package} by its full name")


class Modules(unittest.TestCase):
    def test_modules_import_in_one_direction(self) -> None:
        layers = {name: place for place, layer in enumerate(LAYERS) for name in layer}
        wrong: List[str] = []
        for path in sorted(PACKAGE.rglob("*.py")):
            inside = path.relative_to(PACKAGE).parts
            module = inside[0] if len(inside) > 1 else path.stem
            self.assertIn(module, layers, "a module without a layer")
            wrong += [
                f"{module} imports {other}"
                for other in imports(path, "payorder")
                if layers[other] >= layers[module]
            ]
        self.assertEqual(wrong, [])

    def test_the_client_does_not_need_the_tools(self) -> None:
        for path in sorted(PACKAGE.rglob("*.py")):
            if path.name != "__main__.py":
                self.assertNotIn("payorder_tools", path.read_text(encoding="utf-8"))

    def test_the_tools_import_in_one_direction(self) -> None:
        above = {
            "testing": ("certify", "command"),
            "certify": ("command",),
        }
        for folder, names in above.items():
            for path in sorted((TOOLS / folder).rglob("*.py")):
                for name in names:
                    self.assertNotIn(f"from ..{name}", path.read_text(encoding="utf-8"))

    def test_every_file_is_valid_in_the_oldest_python(self) -> None:
        for folder in (PACKAGE, TOOLS, Path(__file__).resolve().parent):
            for path in sorted(folder.rglob("*.py")):
                with self.subTest(path.name):
                    text = path.read_text(encoding="utf-8")
                    ast.parse(text, str(path), feature_version=(3, 8))

    def test_every_public_module_exports_something(self) -> None:
        used = set(imports(PACKAGE / "__init__.py", "payorder"))
        public = {
            path.stem for path in PACKAGE.glob("*.py") if not path.stem.startswith("_")
        }
        self.assertEqual(public - used, set())


if __name__ == "__main__":
    unittest.main()
