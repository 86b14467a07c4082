"""How many columns a table of scores has: tags, rounded up to whole vector registers."""

_NEVER = -1e30  # score of the cells beyond K: their probability is exp(-700), which is nothing


def pad(n_labels, lanes):
    """Return scores that keep out what rounding up to whole vector registers adds to labels.

    A tuple of L numbers, as ``padding`` in kernels; ``lanes`` are the doubles of a register.
    """
    width = -(-n_labels // lanes) * lanes
    return (0.0,) * n_labels + (_NEVER,) * (width - n_labels)
