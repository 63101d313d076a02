"""The requests package: a Session a thread, as its authors advise."""

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
        if target.fresh:
            session.close()
        # Given to each call, since the environment's REQUESTS_CA_BUNDLE goes before the session's.
        answer = session.post(
            target.url + path, json=body, headers=headers, timeout=30, verify=target.ca
        )
        answer.raise_for_status()
        return check(answer.json())

    return both(
        lambda: post(CREATE_PATH, CREATE_HEADERS, ORDER)["url"],
        lambda: post(STATUS_PATH, STATUS_HEADERS, QUERY)["transactionStatus"],
    )


serve(load, open_worker)
