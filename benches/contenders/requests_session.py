"""The package requests: a Session for each thread, as its authors recommend."""

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


def load() -> None:
    global requests
    import requests


def open_worker(target: Target) -> Works:
    session = requests.Session()

    def post(path, headers, body):
        # Passed to each call, because REQUESTS_CA_BUNDLE overrides the session's setting.
        response = session.post(
            target.url + path, json=body, headers=headers, timeout=30, verify=target.ca
        )
        response.raise_for_status()
        return check(response.json())

    return both(
        lambda: post(CREATE_PATH, CREATE_HEADERS, ORDER)["url"],
        lambda: post(STATUS_PATH, STATUS_HEADERS, QUERY)["transactionStatus"],
    )


serve(load, open_worker)
