"""Studies beside the papers' tables: ``python -m benchmarks.studies NAME``."""
