"""Candidate sets by name: folders of data sets, and recasings of the embedded text.

The recasings are there on any machine: the k best tag sequences that one tagger, trained on
scientific-docs, gives each sentence. The tagger stays as it is; what is trained and adapted is a
model that ranks the sequences, by whole sentences and by words with their tags.
"""

from collections.abc import Callable
from pathlib import Path

from workbench.experiments.backgrounds import background_of
from workbench.features.candidates.candidate_files import is_candidate_source, read_candidates
from workbench.features.candidates.candidate_sets import CandidateSets
from workbench.features.candidates.whole_sentence import describe_casing_and_words
from workbench.models.candidates.recasings import K_BEST, propose_recasings
from workbench.settings import SETTINGS
from workbench.text.errors import InputError
from workbench.text.sets.registry import DataSet, fingerprint, folder_of, known_data_sets, load
from workbench.text.sets.splits import PARTS
from workbench.text.tasks import TaskName

_TAGGED = SETTINGS["background"].default  # what the tagger is trained on
_END = "-recasings"
_UNSEEN = (
    "dev"  # part of that text to train a ranker on: of what it has learnt a tagger is too sure
)
OnBuild = Callable[[int, int, str], object] | None


def all_candidate_sets() -> list[DataSet]:
    """Return the candidate sets that are known: recasings of embedded text, then folders."""
    known = known_data_sets()
    folders = [data_set for data_set in known if data_set.task is TaskName.CANDIDATES]
    return [*map(_recasings_of, filter(_is_embedded, known)), *folders]


def _is_embedded(data_set):
    return data_set.kind == "embedded" and data_set.is_here


def _recasings_of(data_set):
    """Return what is known of the recasings of an embedded text."""
    parts = ("train",) if data_set.name == _TAGGED else PARTS
    note = f"the {K_BEST} best recasings of {data_set.name} by a tagger trained on {_TAGGED}"
    return DataSet(
        data_set.name + _END, "embedded", None, parts, None, True, note, TaskName.CANDIDATES
    )


def load_candidates(name: str, part: str = "train", on_build: OnBuild = None) -> CandidateSets:
    """Return a part of candidate sets, by name or path; InputError if there are none."""
    if is_recased(name):
        return _recase(name, part, on_build)
    return read_candidates(_folder_of(name), part, name)


def _recase(name, part, on_build):
    """Return the best recasings of a part of an embedded text, with what they are written like."""
    text = name.removesuffix(_END)
    tagger = background_of(load(_TAGGED, "train", on_build))
    if text == _TAGGED and part != "train":
        raise InputError(f"{name}: only a background; it has no {part} part")
    corpus = load(text, _UNSEEN if text == _TAGGED else part, on_build)
    found = propose_recasings(tagger, corpus, K_BEST, describe_casing_and_words)
    return found.written(tagger, name)


def is_recased(name: str) -> bool:
    """Return whether a name is that of candidate sets made here, by recasing an embedded text."""
    return name.endswith(_END)


def candidates_fingerprint(name: str) -> str:
    """Return hexadecimal digits that name the present content of candidate sets' files."""
    return fingerprint(name.removesuffix(_END))


def _folder_of(name: str) -> Path:
    if is_candidate_source(name):
        return Path(name)
    found = next((each for each in all_candidate_sets() if each.name == name), None)
    if found is None:
        known = ", ".join(each.name for each in all_candidate_sets())
        raise InputError(f"{name}: no candidate sets of that name; here are {known}")
    return folder_of(found)
