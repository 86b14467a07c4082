"""Lessons: what they say, and how the page walks through them."""
