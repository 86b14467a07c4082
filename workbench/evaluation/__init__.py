"""Error rates, significance, what changed between two models, and why."""
