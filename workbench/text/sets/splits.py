"""Division of sentences into train, dev and test, none in two of them; written as a data set."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

PARTS = ("train", "dev", "test")
_TEXT = Path(__file__).resolve().parents[1]  # the folder whose modules are named
HELD_OUT = {"test": 0.15, "dev": 0.15}  # shares of the characters of a data set


def split_groups(groups: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Divide groups of sentences (modules, documents) into train, dev and test.

    The order depends on their names alone, not on chance; a group larger than what is left of
    the held-out parts goes to train. In each part groups are in their given order, after each a
    blank line ("").
    """
    sizes = {name: sum(map(len, sentences)) for name, sentences in groups.items()}
    room = {part: share * sum(sizes.values()) for part, share in HELD_OUT.items()}
    part_of = {}
    for name in sorted(groups, key=lambda name: hashlib.sha256(name.encode()).digest()):
        emptiest = max(room, key=room.__getitem__)
        part_of[name] = emptiest if sizes[name] <= room[emptiest] else "train"
        if part_of[name] != "train":
            room[emptiest] -= sizes[name]
    parts: dict[str, list[str]] = {part: [] for part in PARTS}
    for name, sentences in groups.items():
        parts[part_of[name]] += [*sentences, ""]
    return parts


def repeat_key(sentence: str) -> str:
    """Return a sentence without case and first word: equal for repeats of a sentence."""
    return sentence.lower().partition(" ")[2]


def drop_repeats(parts: Mapping[str, list[str]], seen: Iterable[str] = ()) -> dict[str, list[str]]:
    """Return the parts with each sentence once: in test before dev, in dev before train.

    Blank lines stay. ``seen`` holds the keys (``repeat_key``) of sentences to leave out everywhere.
    """
    seen, kept = set(seen), {}
    for part in reversed(PARTS):
        first: dict[Any, str] = {}
        for sentence in parts[part]:
            first.setdefault(repeat_key(sentence) if sentence else object(), sentence)
        kept[part] = [sentence for key, sentence in first.items() if key not in seen]
        seen.update(first)
    return kept


def write_parts(folder: Path, parts: Mapping[str, list[str]]) -> None:
    """Write the parts of a data set, one tokenized sentence a line; an empty part is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, sentences in parts.items():
        if any(sentences):
            (folder / f"{part}.txt").write_text("\n".join(sentences) + "\n", "utf-8")


def digest_of(*names: str, state: str = "") -> str:
    """Return eight digits that identify a state and the source of modules of ``workbench.text``.

    It is part of the name of a text that is kept, so that a change of the code gives a new text.
    """
    source = b"".join((_TEXT / f"{name}.py").read_bytes() for name in names)
    return hashlib.sha256(state.encode() + source).hexdigest()[:8]
