"""Amounts: decimal text, never a float."""

from __future__ import annotations

from decimal import Decimal
from typing import Union

#: The types that an amount may have.
Amount = Union[str, Decimal]

# Decimal("1E+999999999") is twelve characters and would be a gigabyte of zeros.
_MOST_ZEROS = 100


def amount_text(amount: object) -> str:
    """The amount as decimal text. A `str` stays as it is: the library checks it."""
    if isinstance(amount, str):
        return amount
    if isinstance(amount, Decimal):
        return _plain(amount)
    if isinstance(amount, float):
        raise TypeError(
            "amount is a float, which cannot hold most decimal amounts exactly (0.1 is not one"
            " tenth); give text such as '100.00', or a Decimal made from text"
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
    if abs(amount.adjusted()) > _MOST_ZEROS:
        raise ValueError("amount has an exponent far beyond any amount of money")
    return format(amount, "f")
