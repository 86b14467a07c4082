"""Several MEMMs as one model: of both reading directions, and of different templates."""
