"""Names of predicates, packed into blocks: as single strings they take ten times the memory."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, compress, groupby, pairwise

import numpy as np

_MOST_BLOCKS = 10_000  # a block takes some hundred bytes whatever is in it
Values = dict[str, dict[str, int]]  # [template][value]: the number of a predicate
# Instead of a word that has no predicate of its own before these: by what it is made of.
UNKNOWN = "*unknown*"  # has a cased letter
UNKNOWN_MARK = "*unknown mark*"  # punctuation
UNKNOWN_UNCASED = "*unknown uncased*"  # digits, or letters without case
UNKNOWN_FORMS = (UNKNOWN, UNKNOWN_MARK, UNKNOWN_UNCASED)


@dataclass(frozen=True, eq=False)
class Block:
    """Predicates of one template that are numbered one after another."""

    template: str
    text: str  # their values, concatenated
    ends: np.ndarray  # where each ends in the text; int32, shape (n,)

    def __len__(self) -> int:
        return len(self.ends)

    @classmethod
    def pack(cls, template: str, values: list[str]) -> "Block":
        """Return the block of some values of a template."""
        return cls(template, "".join(values), np.fromiter(accumulate(map(len, values)), np.int32))

    def take(self, kept: np.ndarray) -> "Block":
        """Return the block of the predicates marked in ``kept``, bool, shape (n,)."""
        if kept.all():
            return self
        return Block.pack(self.template, list(compress(self.values(), kept)))

    def values(self) -> list[str]:
        """Return the values as strings."""
        return [self.text[a:b] for a, b in pairwise([0, *self.ends.tolist()])]


def pack_names(names: Iterable[str]) -> tuple[Block, ...]:
    """Return the blocks of predicates ``template=value``, given in the order of their numbers.

    ValueError if a name has no template, or there are more blocks than adapting again and
    again gives.
    """
    blocks: list[Block] = []
    for template, group in groupby((n.split("=", 1) for n in names), key=lambda pair: pair[0]):
        if len(blocks) == _MOST_BLOCKS:
            raise ValueError(f"predicates in more than {_MOST_BLOCKS:,} blocks")
        blocks.append(Block.pack(template, [value for _, value in group]))
    return tuple(blocks)


def names_of(blocks: Iterable[Block]) -> list[str]:
    """Return the predicates of some blocks in order, ``template=value``."""
    return [f"{block.template}={value}" for block in blocks for value in block.values()]


def number_by_template(blocks: Iterable[Block]) -> Values:
    """Return the number of each predicate of some blocks, ``[template][value]``."""
    values: Values = {}
    n = 0
    for block in blocks:
        numbers = range(n, n + len(block))
        values.setdefault(block.template, {}).update(zip(block.values(), numbers, strict=True))
        n += len(block)
    return values
