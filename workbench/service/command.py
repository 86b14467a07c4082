"""``serve``: the process that answers requests over HTTP, until SIGTERM or Ctrl-C ends it.

Then nothing new is let in, and what is under way is answered.
"""

import math
import os
import signal
import socket
from argparse import ArgumentParser, Namespace

from workbench.cli.commands.launch import require_extra
from workbench.cli.console import say
from workbench.numerics.threads import thread_count
from workbench.text.errors import InputError


# fmt: off
def add_serve(parser: ArgumentParser) -> None:
    """Add the options of ``serve``."""
    parser.add_argument("model", nargs="+", metavar="MODEL",
        help="model files; the first answers where a request names none. A model's name is "
        "that of its file without the ending")
    parser.add_argument("--host", default="127.0.0.1",
        help="address to listen on (default %(default)s: this computer alone; 0.0.0.0 is every "
        "address it has)")
    parser.add_argument("--port", type=int, default=8700,
        help="port to listen on (default %(default)s); 0 takes a free one")
    parser.add_argument("--max-body", type=float, default=16, metavar="MB",
        help="the largest body (default %(default)s); answered with 413 beyond")
    parser.add_argument("--timeout", type=float, default=30, metavar="S",
        help="seconds for a request, its body and its answer (default %(default)s); 408 or 503 "
        "beyond. A connection without a request is closed then")
    parser.add_argument("--concurrency", type=int, default=64, metavar="N",
        help="requests at a time (default %(default)s); 503 beyond")
    parser.add_argument("--per-client", type=int, default=32, metavar="N",
        help="of these, from one address (default %(default)s); 429 beyond")
    parser.add_argument("--threads", type=int, default=thread_count(), metavar="N",
        help="texts that are recased at the same moment (default %(default)s)")
# fmt: on


def serve(options: Namespace) -> None:
    """Serve models over HTTP until a signal ends it."""
    for module in ("starlette", "uvicorn", "prometheus_client"):
        require_extra(module, "serve")
    import uvicorn

    from workbench.service.application import Application, load_served
    from workbench.service.limits import MB, Connection, Limits, Listener

    body = round(options.max_body * MB) if 0 < options.max_body < 1e6 else 0
    limits = Limits(body, options.timeout, options.concurrency, options.per_client)
    with open_socket(options.host, options.port) as listening:
        models = load_served(options.model)
        seconds = math.ceil(limits.seconds)
        config = uvicorn.Config(
            Application(models, limits, options.threads), http=Connection, lifespan="off",
            ws="none", timeout_keep_alive=seconds, timeout_graceful_shutdown=seconds + 1,
            log_level="error", access_log=False, server_header=False, proxy_headers=False,
        )  # fmt: skip
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: None)  # uvicorn raises it once more when it is done
        if hasattr(signal, "SIGPIPE"):
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a client that goes is no end of ours
        host, port = listening.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        say(f"http://{shown}:{port}: serving {', '.join(models)}; Ctrl-C ends it")
        uvicorn.Server(config).run([Listener(limits, listening)])
        say("workbench: stopped; what was under way is answered")


def open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address, or InputError; port 0 is any free one."""
    if not 0 <= port < 1 << 16:  # the system would take what is left of it
        raise InputError(f"port {port}: 0 to 65535 is allowed")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        number = error.errno or 0  # below 0: a name that is not found
        why = os.strerror(number) if number > 0 else error
        raise InputError(f"{host}, port {port}: cannot be listened on ({why})") from None
