"""MEMMs by the direction in which they read a sentence: from its end, or both ways together."""
