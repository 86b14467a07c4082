"""The page in a real browser: how long a key press takes."""
