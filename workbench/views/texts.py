"""What the page makes of texts: sessions, benches and studies, of words or of an annex's kind."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.adaptation.method import Split
from workbench.annexes import find
from workbench.evaluation.number_words import counted
from workbench.experiments.compare import Bench
from workbench.experiments.papers.study import Study
from workbench.experiments.session import Session, open_session
from workbench.features.templates import find_templates
from workbench.models.kinds import KINDS
from workbench.models.memm import MEMM
from workbench.settings import BACKGROUND, Settings
from workbench.text.corpus import unite_labels
from workbench.text.sets.registry import load
from workbench.text.sets.splits import PARTS


class Texts:
    """What the page makes of texts of words.

    Of an annex's texts an object of a kind of this, by task in its ``PAGES``, makes it.
    """

    model: Any = MEMM  # that methods adapt
    bench: type[Bench] = Bench
    draw_comparison: Callable[[Mapping, Sequence[Mapping], Mapping], None] | None = None

    def read(self, name: str, part: str, on_build: Callable | None) -> Any:
        """Return a part of a data set."""
        return load(name, part, on_build)

    def model_name(self, settings: Settings) -> str:
        """Return the kind of model of some settings."""
        return settings.model

    def options(self, settings: Settings) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        """Return the options of a background, and the names of its templates for a key."""
        names = tuple(template.name for template in find_templates(settings.templates))
        return BACKGROUND | {"templates": settings.templates}, names

    def open(
        self, settings: Settings, background: Any, domain: Any, on_step: Callable | None,
        on_build: Callable | None,
    ) -> Session:  # fmt: skip
        """Return the session of some settings; the texts are names, or what was read."""
        options, kind = dict(self.options(settings)[0]), KINDS[settings.model]
        return open_session(background, domain, on_step, on_build, options, kind)

    def split(self, texts: Sequence[Any], settings: Settings) -> tuple[Split, Any]:
        """Return the split of a background and the three parts of a domain, and the test text."""
        background, train, dev, test = unite_labels(*texts)
        return Split(background, train, dev, dict(self.options(settings)[0])), test

    def study(
        self, read: Callable[[str], Any], domains: Mapping[str, Sequence[Any]], settings: Settings
    ) -> Any:
        """Return the study of a background, and of the three parts of each domain.

        ``read`` returns a part of the background; None for a test text that is not there.
        """
        corpora = {name: dict(zip(PARTS, own, strict=True)) for name, own in domains.items()}
        options = dict(self.options(settings)[0])
        return Study(read("train"), corpora, read("test"), options=options)

    def size_of(self, text: Any) -> str:
        """Return how much there is of a text."""
        return counted(len(text), "words")


def texts_of(task: str) -> Texts:
    """Return what the page makes of texts of a task."""
    return find("PAGES", task) or Texts()
