"""From a model and a little text of a new domain to an adapted model."""
