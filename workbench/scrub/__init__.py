"""What moves with sigma^2 in a browser, without a server: numbers, text and their script."""
