"""The commands, one file a command or closely kin group: its options, its checks, what it does.

A command ``name`` is a function of this name, beside ``add_name``, which declares its options on
a parser, and a line in the table of ``cli.main``.
"""
