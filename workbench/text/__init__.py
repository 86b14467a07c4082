"""From files and data sets to words with their tags; the canonical view of a text."""
