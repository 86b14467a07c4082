"""Sums over all tag sequences of a chain, and the best of them: what a CRF needs."""
