"""`python -m payorder`: the command `payorder`, which the package payorder-tools has."""

import importlib
import importlib.util
import sys

if __name__ == "__main__":
    if importlib.util.find_spec("payorder_tools") is None:
        sys.exit(
            "payorder: the command line is in the package payorder-tools, which this Python does "
            "not have. Install its wheel of the same release as payorder, or `pip install ./tools` "
            "in a checkout."
        )
    sys.exit(importlib.import_module("payorder_tools.command").main())
