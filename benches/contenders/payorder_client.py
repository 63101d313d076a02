"""This library from Python: one client for all threads."""

from contender import (
    ACCESS_TOKEN,
    CLIENT_ID,
    CLIENT_KEY,
    ORDER,
    QUERY,
    SECRET_KEY,
    Target,
    Works,
    both,
    serve,
)

_clients = []


def load() -> None:
    global payorder
    import payorder


def open_worker(target: Target) -> Works:
    if not _clients:
        _clients.append(
            payorder.Client(
                target.url,
                access_token=ACCESS_TOKEN,
                client_key=CLIENT_KEY,
                client_id=CLIENT_ID,
                secret_key=SECRET_KEY,
                tls=payorder.TlsConfig(ca_file=target.ca) if target.ca else None,
            )
        )
    client = _clients[0]
    return both(
        lambda: client.create_order(ORDER).url,
        lambda: client.get_status(QUERY).transaction_status,
    )


serve(load, open_worker)
