"""What prints the tables of docs/lab that need several models."""
