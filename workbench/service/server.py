"""The process of the service: listens, says where, and stops when it is told to.

SIGTERM, or Ctrl-C, ends it: nothing new is let in, and what is under way is answered.
"""

import logging
import math
import os
import signal
import socket
from collections.abc import Mapping

import uvicorn

from workbench.service.application import ServedModel, make_application
from workbench.service.limits import LOG, Connection, Limits, Listener, Sparse
from workbench.text.errors import InputError


def open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address; port 0 is any free one.

    InputError if the address cannot be had.
    """
    if not 0 <= port < 1 << 16:  # the system would take what is left of it
        raise InputError(f"port {port}: 0 to 65535 is allowed")
    try:
        family, *_, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        return socket.create_server(address[:2], family=family, backlog=2048)
    except OSError as error:
        number = error.errno or 0  # below 0: a name that is not found
        why = os.strerror(number) if number > 0 else error
        raise InputError(f"{host}, port {port}: cannot be listened on ({why})") from None


def run_server(
    models: Mapping[str, ServedModel], limits: Limits, listening: socket.socket, n_threads: int
) -> None:
    """Serve some models until a signal ends it."""
    app = make_application(models, limits, n_threads)
    config = uvicorn.Config(
        app, http=Connection, timeout_keep_alive=math.ceil(limits.seconds), log_level="warning",
        access_log=False, lifespan="off", ws="none",
        server_header=False, proxy_headers=False,
        timeout_graceful_shutdown=math.ceil(limits.seconds) + 1,
    )  # fmt: skip
    for logger in (LOG, logging.getLogger("asyncio")):
        logger.addFilter(Sparse())
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: None)  # uvicorn raises it once more when all is answered
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a client that goes is no end of ours
    uvicorn.Server(config).run([Listener(limits, listening)])
