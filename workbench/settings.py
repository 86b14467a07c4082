"""The table of settings: what can be set, to what, and how it stands in the address bar.

One entry feeds a widget, the link and the message about a bad link; a view
never writes a bound or a default of its own.
"""

from dataclasses import asdict, dataclass, field, replace

from workbench.adaptation.method import MODELS
from workbench.evaluation.diff import BROKEN, FIXED, STILL_WRONG
from workbench.experiments.session import SIGMA2_GRID
from workbench.features.templates import TEMPLATE_SETS, TEMPLATES
from workbench.models.memm import MEMM

CHANGED, ALL = "changed", "all"
STATUSES_SHOWN = {
    CHANGED: (FIXED, BROKEN),
    FIXED: (FIXED,),
    BROKEN: (BROKEN,),
    STILL_WRONG: (STILL_WRONG,),
    ALL: (FIXED, BROKEN, STILL_WRONG),
}
RUNNING_TEXT, TABLE = "running text", "table"


@dataclass(frozen=True)
class Setting:
    """One thing that can be set.

    Attributes
    ----------
    name : str
        Field of ``Settings`` and parameter in the link.
    label : str
    symbol : str
        The papers' letter, "" where they have none.
    default : object
        Also what a bad value in a link falls back to.
    allowed : tuple
        Values; empty for names of data sets, which depend on the machine, and for what
        is written freely, which those judge who use it.
    unit : str
    help : str
    texts : dict
        Text of a value where ``str`` does not do; the same on the page and in the link.
    is_free : bool
        Whether any text will do.
    """

    name: str
    label: str
    symbol: str
    default: object
    allowed: tuple
    unit: str
    help: str
    texts: dict = field(default_factory=dict)
    is_free: bool = False

    def text(self, value):
        """Return a value as it is shown and as it stands in a link."""
        return self.texts.get(value, f"{value:g}" if isinstance(value, float) else str(value))

    def parse(self, text, allowed=None):
        """Return the value of a text; ValueError, ready to show, if it is none of the allowed."""
        if self.is_free:
            return text
        values = {self.text(value): value for value in allowed or self.allowed}
        if text in values:
            return values[text]
        if all(isinstance(value, float) for value in values.values()):
            return self._parse_number(text, values.values())
        choices = list(values)
        shown = ", ".join(choices[:6]) + (", …" if len(choices) > 6 else "")
        raise ValueError(f"{self.name}={text[:40]}: allowed are {shown}")

    def _parse_number(self, text, values):
        """Take 1.0 and 1e0 for 1."""
        try:
            return next(value for value in values if value == float(text))
        except (ValueError, StopIteration):
            steps = (
                f"{min(values):g} to {max(values):g}, {len(values)} steps of a logarithmic scale"
            )
            raise ValueError(f"{self.name}={text[:40]}: allowed are {steps}") from None


SETTINGS = {
    setting.name: setting
    for setting in (
        Setting(
            "background", "Background", "", "scientific-docs", (), "data set",
            "The large text that the background model is trained on.",
        ),
        Setting(
            "domain", "Domain", "", "streamlit-docs", (), "data set",
            "The little text that the model is adapted to; it has training, development "
            "and test parts.",
        ),
        Setting(
            "model", "Model", "", MEMM.kind, tuple(model.kind for model in MODELS), "kind",
            "MEMM: each word normalized by itself, with two tags read (Chelba & Acero). "
            "CRF: each sentence normalized as a whole, with one (Zhang et al.).",
            {model.kind: model.kind.upper() for model in MODELS},
        ),
        Setting(
            "sigma2", "Variance of the prior", "σ²", 1.0, SIGMA2_GRID, "nats²",
            "How far a weight may move from the background's: near 0 hardly any does, "
            "at 100 the adaptation data alone decide. Arrow keys move the slider.",
        ),
        Setting(
            "cutoff", "Cut-off of new features", "", 0, (0, 5, None), "occurrences",
            "Features of the adaptation data seen less often are not added to the background's: "
            "0 adds all, “none” adds no new feature.",
            {None: "none"},
        ),
        Setting(
            "part", "Measured on", "", "dev", ("dev", "test"), "part of the domain",
            "Choose σ² on the development text; look at the test text once, to report.",
        ),
        Setting(
            "show", "Show", "", CHANGED, tuple(STATUSES_SHOWN), "words",
            "Which words: fixed or broken by the adaptation, or wrong before and after.",
        ),
        Setting(
            "layout", "As", "", RUNNING_TEXT, (RUNNING_TEXT, TABLE), "layout",
            "Sentences as they read, or one row a word.",
        ),
        Setting(
            "view", "View", "", "Tune", ("Tune", "Compare", "Papers"), "page",
            "Tune: σ² moves, errors and words with it. Compare: methods side by side. "
            "Papers: the papers' tables and figures on these texts.",
        ),
        Setting(
            "templates", "Templates", "", "ca04", (), "expression",
            f"What the models read of a context: a set ({', '.join(TEMPLATE_SETS)}), to which "
            "+name adds one template and from which -name takes one, as in "
            f"“ca04 +shape -nextword”. Templates: {' · '.join(TEMPLATES)}.",
            is_free=True,
        ),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Preset:
    """A value of sigma^2 worth a look, and why; None stands for the best one known on dev."""

    name: str
    sigma2: float | None
    reason: str


PRESETS = (
    Preset(
        "Hold", min(SIGMA2_GRID),
        "The prior holds every weight close to the background's: little is learnt.",
    ),
    Preset(
        "Best on dev", None,
        "The fewest errors on development text, as in Chelba & Acero (2004), section 5.2.",
    ),
    Preset(
        "Over-fit", max(SIGMA2_GRID),
        "The prior lets go: nearly no error on the adaptation text, more on unseen text.",
    ),
    Preset("Reset", SETTINGS["sigma2"].default, "The value that the page starts with."),
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
    layout: str = SETTINGS["layout"].default
    view: str = SETTINGS["view"].default
    templates: str = SETTINGS["templates"].default

    @classmethod
    def from_query(cls, query, allowed=None):
        """Read the parameters of a link.

        Parameters
        ----------
        query : mapping of str to str
            Parameters that are no setting are left alone.
        allowed : dict of str to sequence of str, optional
            Names of the data sets here, by name of the setting.

        Returns
        -------
        settings : Settings
        messages : list of str
            One line for each value that was refused; the default stands in its place.
        """
        settings, messages = cls(), []
        for name, setting in SETTINGS.items():
            choices = tuple((allowed or {}).get(name, ()))
            if name not in query or not (choices or setting.allowed or setting.is_free):
                continue
            try:
                settings = replace(settings, **{name: setting.parse(query[name], choices)})
            except ValueError as error:
                messages.append(f"{error}; {setting.text(setting.default)} is used instead")
        return settings, messages

    def to_query(self):
        """Return the parameters of a link; what is at its default is left out."""
        return {
            name: SETTINGS[name].text(value)
            for name, value in asdict(self).items()
            if value != SETTINGS[name].default
        }
