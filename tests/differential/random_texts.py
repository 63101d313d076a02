"""The source of all random choices, so that a seed repeats them, and the library's results."""

import random

OK, INVALID_ARGUMENT, INVALID_REQUEST = 0, 1, 4

rng = random.Random()


def some(pieces, least, most):
    return "".join(rng.choice(pieces) for _ in range(rng.randint(least, most)))
