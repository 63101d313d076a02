"""The plugin of pytest: the fixtures with a sandbox. pytest loads it itself.

It imports payorder only when a test uses a fixture, so that other tests do not load the library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

import pytest

if TYPE_CHECKING:
    from .testing import Sandbox


@pytest.fixture(scope="session")
def payorder_sandbox_session() -> Iterator[Sandbox]:
    """One sandbox for all tests, for a program that is started once for all of them."""
    from .testing import Sandbox

    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def payorder_sandbox(payorder_sandbox_session: Sandbox) -> Sandbox:
    """A sandbox without orders, requests and fault rules. It is the one of the session."""
    payorder_sandbox_session.reset()
    return payorder_sandbox_session
