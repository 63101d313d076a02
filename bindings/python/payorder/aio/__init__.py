"""The client for asyncio. A cancelled task loses no checkout URL.

async with aio.AsyncClient.from_env() as client:
    checkout = await client.create_order(amount="100.00", order_id=..., ...)
"""

from .client import AsyncClient
from .journals import AsyncJournal
from .orders import OrderCancelled
from .statuses import AsyncStatuses

__all__ = ["AsyncClient", "AsyncJournal", "AsyncStatuses", "OrderCancelled"]
