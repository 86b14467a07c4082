"""Sums over tags and over sequences of tags, and the best of them: compiled, by mathematics.

``maxent``: one context at a time. ``memm``: sequences of locally normalized contexts.
``chain``: sequences normalized as a whole.
"""
