"""Models that tag text, and their files."""
