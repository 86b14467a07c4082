"""``python -m workbench``, the same as the command ``workbench``."""

import os
import signal
import sys

from workbench.cli.short_texts import recases_little


def run() -> int:
    """Run the command line; Ctrl-C ends it in one line while it is being loaded, too."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:  # it is ignored in the background of a shell
        signal.signal(signal.SIGINT, _end)
    if recases_little(sys.argv[1:]):
        os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
    from workbench.cli.main import main

    return main(on_loaded=lambda: signal.signal(signal.SIGINT, before))


def _end(*_):
    os.write(2, b"workbench: stopped; nothing was written\n")
    os._exit(130)


if __name__ == "__main__":
    sys.exit(run())
