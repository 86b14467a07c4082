"""The HTTP service, an annex: recases what is sent to it, within limits, and says what it does."""
