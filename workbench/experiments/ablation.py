"""What each template is worth: all of a set beside the set without one, or ca04 with one more."""

import time

from workbench.adaptation.methods.map import adapt
from workbench.evaluation.report import paired_row
from workbench.experiments.hyperparameters import choose_sigma2
from workbench.experiments.method_rows import verdict
from workbench.features.templates import TEMPLATE_SETS, find_templates
from workbench.text.errors import InputError

EACH = ("without", "added")


def plan(templates, each="without"):
    """Return the sets of templates to be measured, the base first; names by the set's name.

    Parameters
    ----------
    templates : str or sequence of str
        As of ``find_templates``.
    each : {"without", "added"}
        Take each template from all of them, or add each to those of ca04.

    Raises
    ------
    InputError
        If there are too few templates to judge any.
    """
    if each not in EACH:
        raise InputError(f"each {each!r}: {' or '.join(EACH)} is allowed")
    names = [template.name for template in find_templates(templates)]
    if each == "without" and len(names) > 1:
        return {"all": names} | {f"-{name}": [n for n in names if n != name] for name in names}
    base = list(TEMPLATE_SETS["ca04"])
    further = [name for name in names if name not in base]
    if each == "without" or not further:
        what = "two or more are needed" if each == "without" else "one beside ca04's is needed"
        raise InputError(f"templates {', '.join(names)}: {what} to see what each is worth")
    return {"ca04": base} | {f"+{name}": [*base, name] for name in further}


class Ablation:
    """Backgrounds and adapted models of many sets of templates, measured on development data.

    Parameters
    ----------
    split : Split
        ``templates`` of its options are those to be judged.
    each : {"without", "added"}
        As of ``plan``.
    sigma2 : float, optional
        Variance of the prior around the background, the same for all; without one it is
        searched on the development data, once, for the base.

    Raises
    ------
    InputError
        As of ``plan``, or if a text has no capitals.
    """

    def __init__(self, split, each="without", sigma2=None):
        self._plan = plan(split.options["templates"], each)
        split.adaptation.require_cased()
        split.dev.require_cased()
        self.split, self.each, self.sigma2 = split, each, sigma2
        self._known, self._wrong = {}, None

    @property
    def rows(self):
        """What is measured so far, the base first; see ``run``."""
        return [self._known[name] for name in self._plan if name in self._known]

    @property
    def missing(self):
        """Names of what is not measured yet; those of the templates begin with their sign."""
        return [name for name in self._plan if name not in self._known]

    def run(self, on_name=None, on_step=None):
        """Measure what is missing; yield the rows after each.

        Parameters
        ----------
        on_name : callable, optional
            Called with the name of what is measured next.
        on_step : callable, optional
            Called with each ``Step`` of a fit; an exception from it ends the run, and what
            was measured before stays.

        Yields
        ------
        rows : list of dict
            ``name`` and ``features``, of the adapted model; ``background_error_rate`` and
            ``error_rate``, fractions of the development words; ``train_seconds`` and
            ``adapt_seconds``; and of all but the base the ``paired_row`` from the base's
            errors to its own, with its verdict ``says``.
        """
        for name in self.missing:
            if on_name:
                on_name(name)
            self._known[name] = self._measure(name, on_step)
            yield self.rows

    def to_json(self):
        """Return ``words`` of the development data, ``each``, ``sigma2`` and ``rows``; a dict."""
        told = {"words": len(self.split.dev), "each": self.each, "sigma2": self.sigma2}
        return told | {"rows": self.rows}

    def _measure(self, name, on_step):
        split, began = self.split, time.perf_counter()
        options = split.options | {"templates": self._plan[name]}
        background = split.model.fit(split.background, **options, on_step=on_step)
        trained = time.perf_counter() - began
        if self.sigma2 is None:
            self.sigma2 = choose_sigma2(background, split.adaptation, split.dev)[0]
        began = time.perf_counter()
        model = adapt(background, split.adaptation, self.sigma2, on_step=on_step)
        adapted = time.perf_counter() - began
        before, wrong = (m.tag(split.dev) != split.dev.tags for m in (background, model))
        return {
            "name": name, "features": model.info["features"],
            "background_error_rate": float(before.mean()), "error_rate": float(wrong.mean()),
            "train_seconds": trained, "adapt_seconds": adapted, **self._beside(name, wrong),
        }  # fmt: skip

    def _beside(self, name, wrong):
        base = next(iter(self._plan))
        if name == base:
            self._wrong = wrong
            return {}
        pair = paired_row(self.split.dev, base, self._wrong, name, wrong)
        return pair | {"says": verdict(pair)}


def ablate(split, each="without", sigma2=None, on_name=None, on_step=None):
    """Return ``Ablation.to_json`` when all is measured; parameters as of it and its ``run``."""
    ablation = Ablation(split, each, sigma2)
    for _ in ablation.run(on_name, on_step):
        pass
    return ablation.to_json()


def summarize(rows):
    """Say in words which templates matter."""
    if len(rows) < 2:
        return ""
    judged = {what: [row["name"][1:] for row in rows[1:] if row["says"] == f"{what} is significant"]
              for what in ("gain", "loss")}  # fmt: skip
    is_without = rows[1]["name"].startswith("-")
    named = {what: ", ".join(names) or "none" for what, names in judged.items()}
    if is_without:
        told = f"Missed when it is taken away: {named['loss']}. Better without it: {named['gain']}."
    else:
        told = f"Worth adding to ca04: {named['gain']}. Worse with it: {named['loss']}."
    n_level = len(rows) - 1 - sum(map(len, judged.values()))
    return f"{told} No significant difference: {n_level} of {len(rows) - 1}."
