"""Arguments for the compiled functions of linear chains; see ``kernel_registry.case``."""

# Modules whose functions are still without cases. When the last has its own this goes.
PENDING = ("inference.chain.", "scoring.cell_sums", "scoring.word_sums")
