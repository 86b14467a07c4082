"""The page: what Streamlit draws."""
