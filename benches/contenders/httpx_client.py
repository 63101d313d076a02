"""The package httpx: one Client for all threads, which it allows."""

import ssl

from contender import (
    CREATE_HEADERS,
    CREATE_PATH,
    ORDER,
    QUERY,
    STATUS_HEADERS,
    STATUS_PATH,
    Target,
    Works,
    both,
    check,
    serve,
)

_clients = []


def load() -> None:
    global httpx
    import httpx


def _new_client(target: Target):
    verify = ssl.create_default_context(cafile=target.ca) if target.ca else True
    most = 0 if target.fresh else 100
    limits = httpx.Limits(max_keepalive_connections=most)
    return httpx.Client(base_url=target.url, verify=verify, timeout=30, limits=limits)


def open_worker(target: Target) -> Works:
    if not _clients:
        _clients.append(_new_client(target))
    client = _clients[0]

    def post(path, headers, body):
        response = client.post(path, json=body, headers=headers)
        response.raise_for_status()
        return check(response.json())

    return both(
        lambda: post(CREATE_PATH, CREATE_HEADERS, ORDER)["url"],
        lambda: post(STATUS_PATH, STATUS_HEADERS, QUERY)["transactionStatus"],
    )


serve(load, open_worker)
