"""Problems of flat weights whose weights are a table, predicates by tags.

A *cell* is a place (predicate, tag) of the table; the cells that are features, in row-major
order, are the weights of ``learning.problem``. Only cells whose predicates fire in some data
matter to the likelihood of those data.
"""
