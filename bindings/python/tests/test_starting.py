"""A program starts fast: the package imports a module when it is used."""

from __future__ import annotations

import ast
import inspect
import json
import os
import pickle
import resource
import subprocess
import sys
import tempfile
import unittest
from typing import Dict

import payorder

from .support import PYTHONPATH, Service, run

#: What takes long to import, and what a first sale does not need.
SLOW = ["logging", "dataclasses", "pathlib", "zipfile", "asyncio", "urllib.parse"]
LATER = "batch causes checks violations journal_entries journals recovery reconciliation verification waiting"


def processor_time() -> float:
    """That of the processes that have ended, which a busy machine hardly changes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Starting(unittest.TestCase):
    def test_an_import_takes_little_longer_than_python_itself(self) -> None:
        # Measured: 1.6 times with lazy imports, and 8.5 times without.
        best: Dict[str, float] = {}
        with tempfile.TemporaryDirectory() as folder:
            paths = {"PYTHONPATH": PYTHONPATH, "PYTHONPYCACHEPREFIX": folder}
            environment = {**os.environ, **paths, "PYTHONDONTWRITEBYTECODE": ""}
            for _ in range(12):
                for program in ("pass", "import payorder"):
                    begun = processor_time()
                    # Without the packages that this Python imports at each start.
                    subprocess.run(
                        [sys.executable, "-S", "-c", program], env=environment, check=True
                    )
                    taken = processor_time() - begun
                    best[program] = min(best.get(program, taken), taken)
        self.assertLess(best["import payorder"] / best["pass"], 2.8, best)

    def test_only_what_is_used_is_imported(self) -> None:
        program = """
            import json, sys
            def new(): return sorted(set(sys.modules) - before)
            before = set(sys.modules)
            import payorder
            loaded = new()
            client = payorder.Client(sys.argv[1], client_key="k", client_id="i", secret_key="s")
            client.get_status("ORD-1")
            print(json.dumps([loaded, new()]))
        """
        with Service() as service:
            imported, asked = json.loads(run(program, service.url).stdout)
        own = [name for name in imported if name.startswith("payorder")]
        self.assertEqual(own, ["payorder", "payorder._library", "payorder._signatures"])
        self.assertEqual(set(asked) & {*SLOW, *(f"payorder.{one}" for one in LATER.split())}, set())

    def test_every_public_name_is_found_and_known_to_type_checkers(self) -> None:
        known = set(payorder.errors.__all__)
        for node in ast.walk(ast.parse(inspect.getsource(payorder))):
            if isinstance(node, ast.ImportFrom) and node.level:
                for one in node.names:
                    known.add(one.asname or one.name)
                    if one.name == "*":
                        continue
                    self.assertEqual(one.asname, one.name)
                    if node.module not in (None, "_library"):
                        self.assertIn(one.name, payorder._MODULES[str(node.module)].split())
        self.assertEqual(known - {"*", "errors"}, set(payorder.__all__))
        self.assertLessEqual(known - {"*"}, set(dir(payorder)))
        self.assertEqual(len(payorder.__all__), len(set(payorder.__all__)))
        names: Dict[str, object] = {}
        exec("from payorder import *", names)
        self.assertLessEqual(set(payorder.__all__), set(names))
        for wrong in ("nosuch", "_nosuch", "aiO"):
            self.assertFalse(hasattr(payorder, wrong), wrong)

    def test_a_pickle_is_read_by_a_program_that_has_imported_nothing(self) -> None:
        error = payorder.errors.error_class(payorder.Result.DUPLICATE)
        status = payorder.Status('{"responseCode":"200","data":{"orderId":"ORD-1"}}')
        text = pickle.dumps((status, payorder.Verdict.PAID, error)).hex()
        shown = run("import pickle, sys; print(pickle.loads(bytes.fromhex(sys.argv[1])))", text)
        self.assertIn("order_id='ORD-1'", shown.stdout, shown.stderr)
        self.assertIn("DuplicateError", shown.stdout)
