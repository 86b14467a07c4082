"""Other programs and plain implementations, and the rows of ours against theirs."""
