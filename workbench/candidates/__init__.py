"""Annex: texts that are sentences with candidates to rank, such as a parser's."""
