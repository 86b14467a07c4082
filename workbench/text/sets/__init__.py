"""Data sets: embedded, NLTK's, folders; each built once, divided, compared."""
