"""The command line: from words to a command, and results as text."""
