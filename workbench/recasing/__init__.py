"""From any text to the same text in its case: streams, spans that pass untouched, policies.

It stands below the models, which it meets as a ``Tagger``: what a model is asked for.
"""
