"""Gives one target inputs for as long as one likes; see ``fuzz/__init__.py`` for how."""

import sys
from pathlib import Path

import atheris

ROOT = Path(__file__).resolve().parents[1]
# Inputs may be long from the beginning: a few bytes make no header and no paragraph.
_DEFAULTS = ["-len_control=0", "-max_len=4096"]
_COMPILED = "numerics", "inference"  # Numba takes no instrumented bytecode


def _compiled_modules():
    """Yield the names of the modules that are left as they are."""
    for room in _COMPILED:
        for file in (ROOT / "workbench" / room).rglob("*.py"):
            yield ".".join(file.relative_to(ROOT).with_suffix("").parts)


with atheris.instrument_imports(include=["workbench"], exclude=list(_compiled_modules())):
    from fuzz import TARGETS
    from hypothesis import HealthCheck, given, settings
    from strategies import steady


def main() -> None:
    """Feed a target until a check fails or the time that was given is over."""
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"which target? {', '.join(TARGETS)}")
    inputs, check, _ = TARGETS[sys.argv.pop(1)]
    whole = settings(steady, suppress_health_check=list(HealthCheck))(given(inputs)(check))
    atheris.Setup([sys.argv[0], *_DEFAULTS, *sys.argv[1:]], whole.hypothesis.fuzz_one_input)
    atheris.Fuzz()


main()
