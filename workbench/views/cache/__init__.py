"""What is kept from one run of the page to the next, shared by all users of a text.

The only place for ``st.cache_*``. What is kept is never hashed: it holds millions of numbers.
"""

from workbench.views.cache.data_sets_seen import all_data_sets, data_set_names, task_of
from workbench.views.cache.sessions import MOST_LEVELS, free_levels, levels_of, session
from workbench.views.cache.studies import ablation, bench, study, table, take_turn
from workbench.views.cache.waiting import yield_run

__all__ = [
    "MOST_LEVELS", "ablation", "all_data_sets", "bench", "data_set_names", "free_levels",
    "levels_of", "session", "study", "table", "take_turn", "task_of", "yield_run",
]  # fmt: skip
