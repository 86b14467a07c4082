"""Two MEMMs as one model, one of which reads sentences forward and one backward."""

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.models.ensembles.ensemble import Ensemble
from workbench.models.ensembles.members import Member, both_directions


@dataclass(eq=False, repr=False)
class BidirectionalMEMM(Ensemble):
    """The ensemble of a forward and a backward MEMM with the same templates."""

    kind = "bidirectional"

    @staticmethod
    def design(templates: Sequence[str]) -> list[Member]:
        """Return both members."""
        return both_directions(templates)
