"""Runs one target under atheris: ``python tests/fuzz TARGET [options of libFuzzer]``."""

import sys
from pathlib import Path

import atheris

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent)]
# Inputs may be long from the beginning: a few bytes make no header and no paragraph.
_DEFAULTS = ["-len_control=0", "-max_len=4096"]
# What Numba compiles is left alone: it takes no instrumented bytecode.
READERS = ["workbench.text", "workbench.models", "workbench.settings", "workbench.scrub.view"]
with atheris.instrument_imports(include=READERS):
    from hypothesis import HealthCheck, given, settings
    from strategies import steady

    from fuzz import TARGETS


def main() -> None:
    """Feed a target until a check fails or the time that was given is over."""
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"which target? {', '.join(TARGETS)}")
    inputs, check, _ = TARGETS[sys.argv.pop(1)]
    whole = settings(steady, suppress_health_check=list(HealthCheck))(given(inputs)(check))
    atheris.Setup([sys.argv[0], *_DEFAULTS, *sys.argv[1:]], whole.hypothesis.fuzz_one_input)
    atheris.Fuzz()


main()
