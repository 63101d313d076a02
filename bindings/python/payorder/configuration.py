"""The configuration of a client, and the environment variables of the library."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Sequence, TypedDict, Union

from ._options import wire_values

_Path = Union[str, "os.PathLike[str]"]

#: The environment variable of each configuration key that has one.
VARIABLES = {
    "baseUrl": "PAYORDER_BASE_URL",
    "accessToken": "PAYORDER_ACCESS_TOKEN",
    "clientKey": "PAYORDER_CLIENT_KEY",
    "clientId": "PAYORDER_CLIENT_ID",
    "secretKey": "PAYORDER_SECRET_KEY",
    "journal": "PAYORDER_JOURNAL",
}
#: The variable that names a file with further certificate authorities: `tls.caFile`.
CA_VARIABLE = "PAYORDER_CA_FILE"
#: The variable that names a JSON file with settings.
FILE_VARIABLE = "PAYORDER_CONFIG"
#: The credentials of Create Order, and those of Get Status.
CREATE_CREDENTIALS = ("accessToken",)
STATUS_CREDENTIALS = ("clientKey", "clientId", "secretKey")
CREDENTIALS = (*CREATE_CREDENTIALS, *STATUS_CREDENTIALS)


@dataclass(frozen=True)
class TlsConfig:
    """Which certificates to trust, and the client's own. Files are PEM and are read at once.

    Attributes:
        roots: "bundled" (the library's own), "system" or "both". Default: "bundled".
        ca_file: A file with further authorities, added to the roots. Default: none.
        cert_file: The client's certificate; needs `key_file`. Default: none.
        key_file: The key of the client's certificate. Default: none.
    """

    roots: Optional[str] = None
    ca_file: Optional[_Path] = None
    cert_file: Optional[_Path] = None
    key_file: Optional[_Path] = None


class Config(TypedDict, total=False):
    """The keyword arguments of `Client`, for a program that builds them as a dict.

    `help(payorder.Client)` describes them.
    """

    access_token: Optional[str]
    client_key: Optional[str]
    client_id: Optional[str]
    secret_key: Optional[str]
    timeout: Optional[float]
    connect_timeout: Optional[float]
    create_retries: Optional[int]
    status_retries: Optional[int]
    max_idle: Optional[float]
    max_response_bytes: Optional[int]
    proxy: Optional[str]
    tls: Union[TlsConfig, Mapping[str, object], None]
    allow_insecure_http: Optional[bool]
    checkout_hosts: Optional[Sequence[str]]
    return_url_field: Optional[str]
    user_agent: Optional[str]
    journal: Optional[_Path]


def check_settings(function: str, given: Mapping[str, object]) -> None:
    """Raises TypeError for a keyword argument that is not a setting."""
    for name in given:
        if name not in Config.__annotations__:
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}")


def wire_settings(given: Mapping[str, object]) -> Dict[str, object]:
    """Keyword arguments of `Client`, under the keys of the library's configuration."""
    settings = wire_values(given)
    tls = settings.get("tls")
    if isinstance(tls, TlsConfig):
        settings["tls"] = wire_values(vars(tls))
    return settings


def add_variables(settings: Dict[str, Any]) -> None:
    """Adds the settings in environment variables. An empty variable counts as not set."""
    for key, name in VARIABLES.items():
        if os.environ.get(name):
            settings[key] = os.environ[name]
    authorities = os.environ.get(CA_VARIABLE)
    if authorities:
        # The library reports what is wrong with a `tls` that is not an object.
        tls = settings.get("tls", {})
        if isinstance(tls, dict):
            settings["tls"] = {**tls, "caFile": authorities}
