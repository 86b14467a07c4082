"""From words with their context to integers: which predicates fire, which are features."""
