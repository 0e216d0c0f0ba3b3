"""Why a server of gRPC cannot listen: of a wrong certificate, too, it says that it cannot bind."""

from __future__ import annotations

import socket
import ssl
from pathlib import Path


def check_pem(cert: Path, key: Path, client_ca: Path | None) -> None:
    """Raises ValueError naming the file that TLS cannot be served with. All have to be there."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers("DEFAULT@SECLEVEL=0")  # how short a key may be is not our affair

    def password() -> str:
        raise ValueError(f"{key}: the key is encrypted; give one that is not")

    try:
        context.load_cert_chain(cert, key, password)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise ValueError(f"{key}: is not the key of the certificate {cert}") from None
        raise ValueError(f"{cert} and {key}: are no certificate and its key in PEM form") from None
    if client_ca is not None:
        try:
            context.load_verify_locations(client_ca)
        except ssl.SSLError:
            raise ValueError(f"{client_ca}: is no certificate in PEM form") from None


def why_not(host: str, port: int, otherwise: Exception) -> str:
    """What the system says to listening there; `otherwise` if it has no objection."""
    try:
        found = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        for family, kind, number, _, address in found:
            with socket.socket(family, kind, number) as trial:
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                trial.bind(address)
                trial.listen()
    except OSError as error:
        return error.strerror or str(error)
    except UnicodeError:
        return "no host has such a name"
    except OverflowError:
        return "a port is a number from 0 to 65535"
    return str(otherwise)
