"""Amounts: decimal text, never a float."""

from __future__ import annotations

from decimal import Decimal
from typing import Union

#: The types that an amount may have.
Amount = Union[str, Decimal]

# Decimal("1E+999999999") has twelve characters, but a gigabyte of zeros as decimal text.
_MAX_EXPONENT = 100


def amount_text(amount: object) -> str:
    """The amount as decimal text. A `str` is returned unchanged: the library checks it."""
    if isinstance(amount, str):
        return amount
    if isinstance(amount, Decimal):
        return _plain(amount)
    if isinstance(amount, float):
        raise TypeError(
            "amount is a float, which cannot represent most decimal amounts exactly; give text"
            " such as '100.00', or a Decimal made from text"
        )
    if isinstance(amount, int):
        raise TypeError(
            f"amount is {'a bool' if isinstance(amount, bool) else 'an int'}, which does not say"
            " whether it counts whole units or hundredths; give text such as '100.00', or a Decimal"
        )
    raise TypeError(
        f"amount must be text such as '100.00' or a Decimal, not {type(amount).__name__}"
    )


def _plain(amount: Decimal) -> str:
    if not amount.is_finite():
        raise ValueError("amount is not a number (NaN or infinite)")
    if abs(amount.adjusted()) > _MAX_EXPONENT:
        raise ValueError("amount has an exponent far beyond any amount of money")
    return format(amount, "f")
