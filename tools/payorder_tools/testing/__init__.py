"""A simulation of the payment service, for tests of programs that take payments.

`Sandbox` starts it on this machine. With pytest, the fixture `payorder_sandbox` has one.
"""

from .program import SandboxError
from .records import FaultRule, Order, Request, Response, Transaction
from .sandbox import Sandbox

__all__ = [
    "FaultRule",
    "Order",
    "Request",
    "Response",
    "Sandbox",
    "SandboxError",
    "Transaction",
]
