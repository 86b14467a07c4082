"""The HTTP service: recases what is sent to it, within limits, and says what it does.

``application`` has the routes, ``admission`` who may come in, ``body`` what is read of a
request, ``served_models`` from its text to the answer, ``openapi`` the description, ``metrics`` the
counts, ``server`` the process, ``connections`` how long and how many.
"""
