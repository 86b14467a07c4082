"""Scores of an MEMM's contexts; its marginals and best tag sequences."""
