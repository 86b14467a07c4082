"""What prints the tables of docs/results.md that need several models."""
