"""The lessons: their steps, the figures of a session that these speak of, a sheet for teachers."""
