"""Every default, bound and grid: what can be set, to what, and how it stands in the address bar.

One entry feeds a widget, the link, the message about a bad link and the help of the command
line; no view and no command writes a bound or a default of its own. Solvers are given numbers
and never look here.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from math import log
from typing import Any, Self

from workbench.annexes import added

# The stops of the slider, six to a decade, rounded so that a link holds few digits.
SIGMA2_GRID = tuple(float(f"{10 ** (k / 6):.2g}") for k in range(-12, 13))
# What a search tries, in this order: each fit begins where those before lead.
SIGMA2_SEARCH = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
SIGMA2_START = 1.0  # of the page and of a search
SIGMA2_SWEEP = SIGMA2_SEARCH[:-1]
ALPHA_SEARCH = (2.0, 1.0, 0.5, 0.3, 0.2, 0.1, 0.03)

# Of what no open page uses, for who comes next; a session of 200,000 words takes some 100 MB.
MOST_KEPT = 1 << 30  # bytes, with what open pages use

MODEL_KINDS = ("memm", "crf")  # those that can be adapted
LEARNED = "learned"
UNKNOWN_WORDS = (LEARNED, "none")  # weights of words that training gave no feature of their own
SPAN_RULES = ("wipe", "keep")  # what an evaluation does with addresses, handles and the like
FIXED, BROKEN, STILL_WRONG = "fixed", "broken", "still wrong"
MISSPELLED = "misspelled"  # the adapted model's tag is right, its letters are not
CHANGED, ALL = "changed", "all"
STATUSES_SHOWN = {
    CHANGED: (FIXED, BROKEN),
    FIXED: (FIXED,),
    BROKEN: (BROKEN,),
    STILL_WRONG: (STILL_WRONG,),
    MISSPELLED: (MISSPELLED,),
    ALL: (FIXED, BROKEN, STILL_WRONG, MISSPELLED),
    "differ": (FIXED, BROKEN),  # those that differ from a pinned state; without one, as CHANGED
}
# The one colour of each role, of models, of words' statuses and of texts, in charts, page, notebook
# and report; here, because a report is written where no library of charts is installed.
ROLE_COLORS = {
    "1-gram": "#858b95", "background": "#4a83cf", "adapted": "#12978a",
    FIXED: "#12978a", BROKEN: "#d9572b", STILL_WRONG: "#858b95", MISSPELLED: "#c47f22",
    "adaptation text": "#c47f22", "dev text": "#12978a", "test text": "#a56bd6",
}  # fmt: skip
_SECTIONS = (
    "slices", "try a text", "review", "how little data", "weights", "take away",
)  # fmt: skip
# Those of annexes alone come first: they show each decision about their texts.
SECTIONS = (*(name for name in added("SECTIONS") if name not in _SECTIONS), *_SECTIONS)
LESSONS = ("tags", "leash", "cutoff", "overfitting", "choice", "transfer", "little", "sentence",
           "summary")  # fmt: skip
LESSON_STEPS = tuple(range(1, 11))
CUTOFFS = (0, 2, 3, 5, 8, 13, None)  # every feature occurs once: 1 would be 0 again


def _quote(text):
    """Return the beginning of a text that anybody may have written, in one line."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text[:40])


@dataclass(frozen=True)
class Setting:
    """A setting: its values, its default and its words."""

    name: str  # field of ``Settings`` and parameter in the link; of training, argument of ``fit``
    label: str
    symbol: str  # the papers' letter, "" where they have none
    default: Any  # also what replaces a bad value in a link
    allowed: tuple  # empty: data sets of the machine, ``bounds`` or an expression's rules decide
    unit: str
    help: str
    texts: Mapping[Any, str] = field(default_factory=dict)  # of values where ``str`` does not do
    is_free: bool = False  # any text will do
    bounds: str = ""  # which numbers are allowed, in words
    same: Mapping[str, str] = field(default_factory=dict)  # what a text of old links means now

    def text(self, value: Any) -> str:
        """Return a value as it is shown and as it stands in a link."""
        return self.texts.get(value, f"{value:g}" if isinstance(value, float) else str(value))

    def parse(self, text: str, allowed: Sequence | None = None) -> Any:
        """Return the value of a text; ValueError, ready to show, if it is none of the allowed.

        Case does not matter where one value alone has these letters.
        """
        if self.is_free:
            return text
        values = {self.text(value): value for value in allowed or self.allowed}
        if (known := self.same.get(text, text)) in values:
            return values[known]
        alike = [value for name, value in values.items() if name.casefold() == known.casefold()]
        if len(alike) == 1:
            return alike[0]
        if all(isinstance(value, float) for value in values.values()):
            return self._parse_number(text, values.values())
        choices = [choice for choice in values if choice]
        shown = ", ".join(choices[:8]) + (", …" if len(choices) > 8 else "")
        raise ValueError(f"{self.name}={_quote(text)}: allowed are {shown}")

    def instead(self, text: str) -> Any:
        """Return the value that is used instead of a text that is not allowed.

        For a number between two steps it is the nearer one, by ratio; else it is the default.
        """
        steps = [value for value in self.allowed if isinstance(value, float)]
        with suppress(ValueError):
            if steps and min(steps) <= float(text) <= max(steps):
                return min(steps, key=lambda step: abs(log(step / float(text))))
        return self.default

    def _parse_number(self, text: str, values: Collection[float]) -> float:
        """Return the value that a text stands for; 1.0 and 1e0 are 1."""
        try:
            return next(value for value in values if value == float(text))
        except (ValueError, StopIteration):
            grid = f"{min(values):g} to {max(values):g}, {len(values)} steps of a logarithmic scale"
            raise ValueError(f"{self.name}={_quote(text)}: allowed are {grid}") from None


def _by_name(*settings: Setting) -> dict[str, Setting]:
    return {setting.name: setting for setting in settings}


# How a model is trained on a background.
TRAINING = _by_name(
    Setting("templates", "Templates", "", "ca04", (), "expression",
            "The feature templates of all models: the name of a set, to which +name adds a "
            "template and from which -name removes one, as in “ca04 +shape -nextword”.",
            is_free=True),
    Setting("cutoff", "Cut-off", "", 5, (), "occurrences",
            "Features that occur fewer times than this are dropped; 0 keeps all.",
            bounds="0 or more"),
    Setting("sigma2", "Variance of the prior", "σ²", 5.0, (), "nats²",
            "Variance of the zero-mean Gaussian prior.", bounds="greater than 0"),
    Setting("alpha", "Rate of the exponential prior", "α", 0.3, (), "1/nats",
            "Rate of Goodman's exponential prior, which is used instead of the Gaussian.",
            bounds="greater than 0"),
)  # fmt: skip
BACKGROUND = {name: TRAINING[name].default for name in ("templates", "cutoff", "sigma2")}

# What the page shows, in the order of the link.
SETTINGS = _by_name(
    Setting("background", "Background", "", "en-ca04", (), "data set",
            "The large text that the background model is trained on, or a trained model: en-ca04 "
            "and en restore everyday English, with the paper's templates and with “best”."),
    Setting("domain", "Domain", "", "nltk-docs", (), "data set",
            "The small text that the model is adapted to; it has training, development "
            "and test parts."),
    Setting("model", "Model", "", MODEL_KINDS[0], MODEL_KINDS, "kind",
            "MEMM: one distribution over tags for each word, given the two tags before it "
            "(Chelba & Acero). CRF: one distribution over all tag sequences of a sentence "
            "(Zhang et al.).",
            {kind: kind.upper() for kind in MODEL_KINDS}),
    Setting("sigma2", "How far weights may move (prior variance σ²)", "σ²", SIGMA2_START,
            SIGMA2_GRID, "nats²",
            "How far the weights may move from the background's: near 0 they hardly move, at 100 "
            "the adaptation data decide almost alone. Arrow keys move the slider."),
    Setting("cutoff", "Cut-off of new features", "", 0, CUTOFFS, "occurrences",
            "New features that occur fewer times than this in the adaptation data are left out: "
            "0 adds all of them, “none” adds no new feature.", {None: "none"}, same={"1": "0"}),
    Setting("part", "Report on (test: look once)", "", "dev", ("dev", "test"), "part of the domain",
            "Choose σ² on the development text (dev). The test text is for the final figure: every "
            "look at it is counted, because a figure that was used to choose is too optimistic."),
    Setting("show", "Show", "", CHANGED, tuple(STATUSES_SHOWN), "words",
            "Which words to show: fixed or broken by the adaptation, wrong before and after, or "
            "misspelled: given the right tag and written wrong all the same."),
    Setting("pair", "Reference tag and given tag", "", "", (), "two tags",
            "Only words with the first tag in the reference and the second from the adapted model: "
            "“CAP>LOC”.",
            is_free=True),
    Setting("slice", "Part of the text", "", "", (), "kind and name",
            "Only the words of a slice, or those that a weight changed: “reference tag: MXC”.",
            is_free=True),
    Setting("word", "Word that is explained", "", "", (), "word and place",
            "The word and its place in the text, as in “gene · 1234”.", is_free=True),
    Setting("without", "Sentences left out", "", "", (), "numbers of sentences",
            "Sentences of the adaptation text that the model is adapted without, as in “3, 14”.",
            is_free=True),
    Setting("pin", "Pinned states", "", "", (), "σ² and cut-off, several with ;",
            "States to compare with, text and cards with the last: “0.1, 0; 10, none”.",
            is_free=True),
    Setting("lecture", "Lecture", "", "", ("", "on"), "switch",
            "Hides the choices and enlarges the type."),
    Setting("lesson", "Lesson", "", "", ("", *LESSONS), "lesson",
            "A lesson of a few steps, drawn above the scrubber.", {"": "none"}),
    Setting("step", "Step of the lesson", "", 1, LESSON_STEPS, "step",
            "The number of the step."),
    Setting("section", "Below the text", "", _SECTIONS[0], SECTIONS, "section",
            "What is shown below the text."),
    Setting("view", "View", "", "Tune", ("Tune", "Compare", "Papers"), "page",
            "Tune: move σ² and see errors and words change. Compare: methods side by side. "
            "Papers: the tables and figures of the papers, made from these texts."),
    TRAINING["templates"],
)  # fmt: skip


# Parameters of links of before, and where what they asked for is now.
_GONE = {"levels": "the page adapts in one step; report --levels does in several"}


@dataclass(frozen=True)
class Preset:
    """A named sigma^2 and its reason; None is the best one known on development text."""

    name: str
    sigma2: float | None
    reason: str


PRESETS = (
    Preset("Barely adapt", min(SIGMA2_GRID),
           "The prior holds every weight close to the background's: little is learnt."),
    Preset("Best at this cut-off", None,
           "The fewest errors on development text at this cut-off, as in Chelba & Acero (2004), "
           "section 5.2."),
    Preset("Let go", max(SIGMA2_GRID),
           "The prior hardly holds the weights: almost no errors on the adaptation text, often "
           "more on unseen text."),
)  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """All that a link says; two equal ones show the same page."""

    background: str = SETTINGS["background"].default
    domain: str = SETTINGS["domain"].default
    model: str = SETTINGS["model"].default
    sigma2: float = SETTINGS["sigma2"].default
    cutoff: int | None = SETTINGS["cutoff"].default
    part: str = SETTINGS["part"].default
    show: str = SETTINGS["show"].default
    pair: str = SETTINGS["pair"].default
    slice: str = SETTINGS["slice"].default
    word: str = SETTINGS["word"].default
    without: str = SETTINGS["without"].default
    pin: str = SETTINGS["pin"].default
    lecture: str = SETTINGS["lecture"].default
    lesson: str = SETTINGS["lesson"].default
    step: int = SETTINGS["step"].default
    section: str = SETTINGS["section"].default
    view: str = SETTINGS["view"].default
    templates: str = SETTINGS["templates"].default

    @classmethod
    def from_query(
        cls, query: Mapping[str, str], allowed: Mapping[str, Sequence[str]] | None = None
    ) -> tuple[Self, list[str]]:
        """Read the parameters of a link; returns settings, and a line for each value refused.

        A refused value is replaced by the nearest step or the default; parameters that are no
        setting are left alone. ``allowed``: names of the data sets here, by name of the setting.
        """
        settings = cls()
        messages = [f"{name}={_quote(query[name])}: {why}" for name, why in _GONE.items()
                    if name in query]  # fmt: skip
        for name, setting in SETTINGS.items():
            choices = tuple((allowed or {}).get(name, ()))
            if name not in query or not (choices or setting.allowed or setting.is_free):
                continue
            try:
                settings = replace(settings, **{name: setting.parse(query[name], choices)})
            except ValueError as error:
                settings = replace(settings, **{name: setting.instead(query[name])})
                instead = setting.text(getattr(settings, name))
                then = f"{instead} is used instead" if instead else "it is left out"
                messages.append(f"{error}; {then}")
        return settings, messages

    def to_query(self) -> dict[str, str]:
        """Return the parameters of a link; what is at its default is left out."""
        return {
            name: SETTINGS[name].text(value)
            for name, value in asdict(self).items()
            if value != SETTINGS[name].default
        }
