"""How fast the workbench is, against rivals in the same run: ``python -m benchmarks``."""
