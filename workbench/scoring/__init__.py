"""From weights to scores: the one layout of all models, and the way back of the sums.

The score of tag y in context x is a sum over the slots of x, and of a slot over predicates::

    s(y | x) = sum over slots of R[row_slot(x), y]
    R[r, y]  = sum over the predicates p that row r fires of w(p, y)

so what all templates say of one word is summed once a word and not once an event. Only
differences of scores count: the first tag is the *reference*, its score is 0 and has no
column, and what belongs to it follows from the others::

    weights      F numbers, the features in row-major order of the table
       |  each in its cell (p, y); no feature: 0
    table        P x K       w(p, y)
       |  less the first column
    relative     P x (K-1)   w(p, y) - w(p, first)
       |  firing, sparse, n_rows x P
    row scores   n_rows x (K-1)   R
       |  rows, integers, N x S: a row for each slot of a context
    scores       N x (K-1)   s(y | x) - s(first | x)

Each arrow is linear, so sums over events (expected counts, gradients, Hessian-vector products)
take its transpose, upwards. ``RowScores`` has the arrows between weights and rows, and back;
``ContextScores`` those of a text that is decoded; the kernels of ``inference.maxent`` those
between rows and events. A chain keeps its rows as ``Cells``: with no reference tag, since its
transitions compare scores of different words.

Kernels take ``columns``, a tuple of as many zeros as a row has numbers: the length of a tuple
is known when they are compiled, so loops over tags are unrolled.
"""
