"""Processes that are killed, run out of disk or meet one another while they write.

Each job of ``jobs`` runs in a process of its own. Where it is killed its writes are slowed by
``slow_files``, so that they are hit. What is found on the disk afterwards is what was there before,
or all of the new content. ``python tests/try_faults.py`` kills 300, a test of ``house`` a few.
"""
