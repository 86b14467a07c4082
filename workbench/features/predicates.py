"""The names of predicates, packed: single strings take ten times the memory."""

from dataclasses import dataclass
from itertools import accumulate, compress, groupby, pairwise

import numpy as np


@dataclass(frozen=True, eq=False)
class Block:
    """Predicates of one template that are numbered one after another.

    Attributes
    ----------
    template : str
    text : str
        Their values, with nothing between.
    ends : ndarray of int32, shape (n,)
        Where each ends in the text.
    """

    template: str
    text: str
    ends: np.ndarray

    def __len__(self):
        return len(self.ends)

    @classmethod
    def pack(cls, template, values):
        """Pack some values of a template, a list of str."""
        return cls(template, "".join(values), np.fromiter(accumulate(map(len, values)), np.int32))

    def take(self, kept):
        """Return the block of some of its predicates, bool, shape (n,): of all, itself."""
        if kept.all():
            return self
        return Block.pack(self.template, list(compress(self.values(), kept)))

    def values(self):
        """Return the values, a list of str."""
        return [self.text[a:b] for a, b in pairwise([0, *self.ends.tolist()])]


def pack_names(names):
    """Pack predicates, ``template=value`` in the order of their numbers, into blocks."""
    named = [name.split("=", 1) for name in names]
    return tuple(
        Block.pack(template, [value for _, value in group])
        for template, group in groupby(named, key=lambda pair: pair[0])
    )


def names_of(blocks):
    """Return the predicates of some blocks in order, ``template=value``."""
    return [f"{block.template}={value}" for block in blocks for value in block.values()]


def number_by_template(blocks):
    """Number the predicates of some blocks.

    Returns
    -------
    values : dict of dict
        ``values[template][value]`` is the number of the predicate.
    """
    values, n = {}, 0
    for block in blocks:
        numbers = range(n, n + len(block))
        values.setdefault(block.template, {}).update(zip(block.values(), numbers, strict=True))
        n += len(block)
    return values
