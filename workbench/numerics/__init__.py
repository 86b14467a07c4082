"""What compiled loops share: how they are compiled, threads, operations on vectors."""
