"""Searches, comparisons, the papers' tables, and the state behind the page."""
