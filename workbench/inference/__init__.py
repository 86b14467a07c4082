"""Sums over tags and sequences of tags, and the best of them; a folder a model structure; compiled.

``maxent``: one context at a time. ``memm``: sequences of locally normalized contexts.
``chain``: sequences normalized as a whole.
"""
