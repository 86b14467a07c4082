"""The papers' tables and figures on any texts."""
