"""Two tiny data sets in a folder, for the app: newswire as background, broadcast as domain."""

from conftest import ADAPTATION, BACKGROUND

QUERY = {"background": "tiny-news", "domain": "tiny-broadcast"}


def write_data_sets(folder):
    """Write both; the background often enough for its cut-off of 5."""
    news, broadcast = BACKGROUND.split("\n"), ADAPTATION.split("\n")
    _write(folder / "tiny-news", train=news * 6)
    parts = {"train": broadcast[::2] * 3, "dev": broadcast, "test": broadcast[1::2]}
    _write(folder / "tiny-broadcast", **parts)


def _write(folder, **parts):
    folder.mkdir()
    for part, sentences in parts.items():
        (folder / f"{part}.txt").write_text("\n".join(sentences) + "\n", "utf-8")
