"""Sentences dealt to train, dev and test, no sentence in two of them; written as a data set."""

import hashlib
from pathlib import Path

PARTS = ("train", "dev", "test")
_TEXT = Path(__file__).resolve().parents[1]  # the folder whose modules are named
HELD_OUT = {"test": 0.15, "dev": 0.15}  # shares of the characters of a data set


def _place(name):
    return hashlib.sha256(name.encode()).digest()


def split_groups(groups):
    """Deal groups of sentences (modules, documents) to train, dev and test.

    In an order made from their names alone, so that no chance is in it; a group
    too large for what is left of the held-out parts goes to train.

    Parameters
    ----------
    groups : dict of str to list of str

    Returns
    -------
    dict
        Sentences of each part, groups in their given order.
    """
    sizes = {name: sum(map(len, sentences)) for name, sentences in groups.items()}
    room = {part: share * sum(sizes.values()) for part, share in HELD_OUT.items()}
    part_of = {}
    for name in sorted(groups, key=_place):
        emptiest = max(room, key=room.__getitem__)
        part_of[name] = emptiest if sizes[name] <= room[emptiest] else "train"
        if part_of[name] != "train":
            room[emptiest] -= sizes[name]
    parts: dict[str, list[str]] = {part: [] for part in PARTS}
    for name, sentences in groups.items():
        parts[part_of[name]] += sentences
    return parts


def repeat_key(sentence):
    """Name what repeats of a sentence share: all but the case and the first word."""
    return sentence.lower().partition(" ")[2]


def drop_repeats(parts, seen=()):
    """Keep each sentence once: in test rather than dev, in dev rather than train.

    ``seen`` holds the keys (``repeat_key``) of sentences to leave out everywhere.
    """
    seen, kept = set(seen), {}
    for part in reversed(PARTS):
        first: dict[str, str] = {}
        for sentence in parts[part]:
            first.setdefault(repeat_key(sentence), sentence)
        kept[part] = [sentence for key, sentence in first.items() if key not in seen]
        seen.update(first)
    return kept


def write_parts(folder, parts):
    """Write the parts of a data set, one tokenized sentence a line; an empty part is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, sentences in parts.items():
        if sentences:
            (folder / f"{part}.txt").write_text("\n".join(sentences) + "\n", "utf-8")


def digest_of(*names, state=""):
    """Name a state and the source of modules of ``workbench.text`` (``"tokens"``) in eight digits.

    A text that is kept carries it, so that a change of what decides on the text gives a new one.
    """
    source = b"".join((_TEXT / f"{name}.py").read_bytes() for name in names)
    return hashlib.sha256(state.encode() + source).hexdigest()[:8]
