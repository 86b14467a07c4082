"""``serve``: answers requests over HTTP with recased text."""

from argparse import ArgumentParser, Namespace

from workbench.cli.commands.launch import require_extra
from workbench.cli.console import say
from workbench.numerics.threads import thread_count


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
    from workbench.service.application import load_served
    from workbench.service.limits import MB, Limits
    from workbench.service.server import open_socket, run_server

    body = round(options.max_body * MB) if 0 < options.max_body < 1e6 else 0
    limits = Limits(
        body, options.timeout, options.concurrency, options.per_client, max(8 * body, 128 * MB)
    )
    with open_socket(options.host, options.port) as listening:
        models = load_served(options.model)
        host, port = listening.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        say(f"http://{shown}:{port}: serving {', '.join(models)}; Ctrl-C ends it")
        run_server(models, limits, listening, options.threads)
        say("workbench: stopped; what was under way is answered")
