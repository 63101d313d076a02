"""Explains a failure: as text on standard error, or as JSON on standard output."""

from __future__ import annotations

import json
from payorder._text import NotText, python_name
from payorder.errors import (
    InvalidConfigError,
    MissingCredentialsError,
    NotSentError,
    PayorderError,
    RejectedError,
)
from payorder.orders import OrderFields
from payorder.results import Result
from ..shell import one_command
from .exits import Interrupted, OrderState, UsageError
from .output import hint, one_line, print_line, warn, warn_of_bug

#: What each `action` of the library means for the user of the command.
ACTIONS = {
    "fix_request": "fix the request and run the command again",
    "fix_configuration": "fix the settings and run the command again",
    "check_credentials": "check the credentials",
    "check_network": "check the network, the firewall and the proxy, for example with "
    "`payorder doctor`",
    "check_clock": "check this machine's clock",
    "retry": "run the command again",
    "retry_later": "wait a while, then run the command again",
    "show_reason": "read the service's reason before you repeat the command",
    "ask_status": "ask for the status before anything else",
    "ask_person": "let a person decide: the order that is there may be another sale's",
    "use_previous": "use the order that was created before",
    "report_bug": "report this bug",
}


def explain_failure(error: BaseException, as_json: bool, order: OrderState) -> None:
    """Prints what failed, and what is known about the order."""
    if as_json:
        _print_json(error, order)
    if isinstance(error, PayorderError):
        _explain_call(error)
        _hint_checkout(error)
        if error.status_query and error.status_query.get("orderId"):
            hint_status(error.status_query["orderId"], order)
    elif isinstance(error, (UsageError, NotText)):
        warn(str(error))
    elif isinstance(error, (Interrupted, KeyboardInterrupt)):
        warn(str(error) or "interrupted")
    else:
        warn_of_bug(error)
        if order.order_id and order.url is None:
            warn("the order may exist")
            hint_status(order.order_id, order)


def explain_order(order: OrderState) -> None:
    """Prints that the order was created, when something failed afterwards."""
    warn(f"order {order.order_id} was created; the customer pays at {order.url}")
    hint_status(order.order_id, order)


def hint_status(order_id: str, order: OrderState) -> None:
    """Prints the command that asks for the order's status."""
    hint(f"to ask for its status: {status_command(order_id, order)}")


def status_command(order_id: str, order: OrderState) -> str:
    """The command that asks for an order's status, with the settings of this one."""
    words = [order_id, *order.settings]
    if order_id.startswith("-"):
        words = [*order.settings, "--", order_id]
    return one_command(["payorder", "status", *words])


def error_json(error: BaseException) -> str:
    """The error object of any failure, with the same keys as the library's."""
    if isinstance(error, PayorderError):
        return error.raw
    result, outcome, action = Result.INVALID_ARGUMENT, "not_sent", "fix_request"
    if isinstance(error, (Interrupted, KeyboardInterrupt)):
        result, outcome = Result.CANCELLED_IN_FLIGHT, "unknown"
        cause, action = "cancelled", getattr(error, "action", "retry")
    elif isinstance(error, UsageError):
        cause = error.cause
        if error.settings:
            result, action = Result.INVALID_CONFIG, "fix_configuration"
    elif isinstance(error, NotText):
        cause = "not_utf8"
    else:
        result, outcome = Result.INTERNAL_IN_FLIGHT, "unknown"
        cause, action = "bug", "report_bug"
    found = {
        "result": result,
        "name": f"PAYORDER_{result.name}",
        "outcome": outcome,
        "cause": cause,
        "action": action,
        "message": str(error) or "interrupted",
    }
    return json.dumps({"error": found})


def _print_json(error: BaseException, order: OrderState) -> None:
    text = error_json(error)
    if order.url is not None:
        # A program that reads only this line must see that the order was created.
        made = json.dumps({"orderId": order.order_id, "url": order.url})
        text = f'{{"order":{made},{text[1:]}'
    print_line(text)


def _explain_call(error: PayorderError) -> None:
    if len(error.violations) > 1:
        warn("nothing was sent, because the order breaks these rules:")
        for violation in error.violations:
            hint(f"{violation.message}{_argument(error, violation.field)}")
    elif isinstance(error, RejectedError) and error.response_message:
        said = one_line(error.response_message)
        warn(f"the service refused: {said} (HTTP {error.http_status})")
    else:
        more = "".join(_argument(error, violation.field) for violation in error.violations)
        warn(error.message + more)
    _explain_cause(error)
    if isinstance(error, MissingCredentialsError):
        hint("set PAYORDER_ACCESS_TOKEN to create orders, and PAYORDER_CLIENT_KEY,")
        hint("PAYORDER_CLIENT_ID and PAYORDER_SECRET_KEY to ask for their status,")
        hint("or put them into a settings file (see payorder --help)")
    if isinstance(error, InvalidConfigError):
        hint("to read about the settings: payorder --help; to try the command without a service:")
        hint("payorder sandbox")


def _hint_checkout(error: PayorderError) -> None:
    """Where the customer can pay, after an unknown outcome."""
    if error.checkout_url:
        hint(f"if it is not paid, the customer can pay at {error.checkout_url}")
    # The library gives no URL of another sale, or of an order that is paid or closed.
    if error.previous is not None and error.previous.url:
        hint(f"the customer pays the earlier order at {error.previous.url}")


def cause_in_words(error: PayorderError) -> str:
    """The cause of an error and what to do next, to append to a line."""
    if not error.cause:
        return ""
    next_step = ACTIONS.get(error.action)
    return f" ({error.cause}; {next_step})" if next_step else f" ({error.cause})"


def _explain_cause(error: PayorderError) -> None:
    if error.cause:
        next_step = ACTIONS.get(error.action)
        sent = "; nothing was sent" if isinstance(error, NotSentError) else ""
        next_step = f"; next: {next_step}" if next_step else ""
        hint(f"cause: {error.cause}{sent}{next_step}")
        hint(f"to read more: payorder explain {error.cause}")


def _argument(error: PayorderError, field: str) -> str:
    """The argument of `payorder create` that sets a field, or "" if there is none."""
    name = python_name(field)
    if error.operation != "create_order" or name not in OrderFields.__annotations__:
        return ""
    return f" (--{name.replace('_', '-')})"
