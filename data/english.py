"""Makes the models of everyday English that come with the package, from openly licensed texts.

    ./run python data/english.py ../shared/data

reads the texts below a folder, one set a folder as ``data/README.md`` describes them, and writes
``workbench/models/english/*.model``; no word of theirs is kept but as names of features. Learnt are
the parts train and dev of the sets of ``SOURCES``; of tweets those that look edited. Variance,
cut-off and what is dropped were chosen by the errors in the dev parts of ``MEASURED``, which are
never learnt. A model is fitted, loses its small weights, is fitted again with what is left, and has
its weights rounded. The last lines printed are the table of docs/howto/english.md.
"""

import re
import sys
import tempfile
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path

import numpy as np

from workbench import MEMM, Unigram, adapt, read_corpus
from workbench.evaluation.report import report
from workbench.features.lexicon import Lexicon
from workbench.features.predicates import pack_names
from workbench.features.selection import Features
from workbench.models.mixed_forms import MixedForms
from workbench.models.shipped import SHIPPED

LICENCE = "CC-BY-SA-4.0"
_EWT, _GUM = "UD English EWT", "UD English GUM"
_OPEN = "CC BY, CC BY-SA or public domain"
SOURCES = {  # folder: what it is, and its licence
    "wiki-truecase": ("Wikipedia", "CC BY-SA"),
    "speeches": ("State of the Union addresses", "public domain"),
    "techdocs": ("Python Enhancement Proposals", "public domain or CC0"),
    "twitter": ("Broad Twitter Corpus, tweets that look edited", "CC BY 4.0"),
    "pos-ewt/answers": (f"{_EWT}, answers", "CC BY-SA 4.0"),
    "pos-ewt/newsgroup": (f"{_EWT}, newsgroups", "CC BY-SA 4.0"),
    "pos-ewt/reviews": (f"{_EWT}, reviews", "CC BY-SA 4.0"),
    "pos-ewt/weblog": (f"{_EWT}, weblogs", "CC BY-SA 4.0"),
    "pos-gum/academic": (f"{_GUM}, academic writing", _OPEN),
    "pos-gum/bio": (f"{_GUM}, biographies", _OPEN),
    "pos-gum/interview": (f"{_GUM}, interviews", _OPEN),
    "pos-gum/news": (f"{_GUM}, Wikinews", _OPEN),
    "pos-gum/speech": (f"{_GUM}, speeches", _OPEN),
    "pos-gum/textbook": (f"{_GUM}, OpenStax textbooks", _OPEN),
}
MEASURED = ("bn-cnn", "ap1988", "ted", "bio")  # of domains that are not learnt
HELD_OUT = ("speeches", "techdocs", "twitter")  # test parts of sets that are
MODELS = {  # templates, cut-off, variance of the prior, the smallest weight kept
    "en": ("best", 3, 1.0, 0.25),
    "en-ca04": ("ca04", 2, 2.0, 0.2),
}
_UNIT = 1 / 16  # of weights: the file keeps these in a byte each
# Handles, addresses and numbers of persons are no names of features.
_PRIVATE = re.compile(r"@\w|https?:|://|www\.|\w\.(?:com|org|net|edu|gov)\b|\d{5}|\d{3}[-./]\d{3}")
_BAD_AT = (
    "names that are common words (Apple, Will), titles of works, names it has not seen in fields "
    "such as medicine, text without punctuation; adapt it with your own text"
)


def read_sentences(folder, part):
    """Return the sentences of a part of a set as lines; none if it has no such part."""
    if (file := folder / f"{part}.txt").exists():
        return [line for line in file.read_text("utf-8").splitlines() if line.strip()]
    if not (file := folder / f"{part}.tag").exists():
        return []
    blocks = file.read_text("utf-8").strip().split("\n\n")
    return [" ".join(line.split()[0] for line in block.splitlines()) for block in blocks]


def looks_edited(tweet):
    """Return whether the case of a tweet is that of edited text: a capital first, few others."""
    words = [
        w for w in tweet.split() if re.search(r"[^\W\d_]", w) and not re.match(r"[@#]|http", w)
    ]
    if not words or not words[0][0].isupper() or any(re.match(r"i\b", w) for w in words):
        return False
    capital = sum(w[0].isupper() for w in words) / len(words)
    in_capitals = sum(w.isupper() and len(w) > 1 for w in words) / len(words)
    return (capital <= 0.5 or len(words) <= 3) and in_capitals <= 0.3


def gather(root):
    """Return the corpus that is learnt, and the number of words of each source."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name in SOURCES:
            lines = [
                line for part in ("train", "dev") for line in read_sentences(root / name, part)
            ]
            if name == "twitter":
                lines = list(filter(looks_edited, lines))
            files.append(Path(folder) / f"{len(files):02}.txt")
            files[-1].write_text("\n".join(lines) + "\n", "utf-8")
        sizes = {name: len(read_corpus(file)) for name, file in zip(SOURCES, files, strict=True)}
        return read_corpus(files, name="everyday English"), sizes


def is_private(name):
    """Return whether a name holds a handle, an address or a number of a person."""
    return _PRIVATE.search(name) is not None


def without_private(mixed_forms):
    """Return mixed-case forms without those that a person could be found by."""
    return MixedForms({f: n for f, n in mixed_forms.counts.items() if not is_private(f)})


def shrink(model, corpus, sigma2, smallest):
    """Return a model without its weights below a number, fitted again to its text and rounded."""
    kept = model.features.exists & (np.abs(model.weights) >= smallest)
    empty = keep_features(model, kept)
    empty = replace(empty, weights=np.zeros_like(empty.weights))
    fitted = adapt(empty, corpus, sigma2, cutoff=None)  # around zero, and no new features
    weights = np.clip(np.round(fitted.weights / _UNIT), -127, 127) * _UNIT
    return keep_features(replace(empty, weights=weights), weights != 0)


def keep_features(model, kept):
    """Return a model with some of its features, and with nothing that is private."""
    names = model.features.names()
    kept[[is_private(name) for name in names]] = False
    # In order of the alphabet names pack better.
    order = sorted(np.flatnonzero(kept.any(axis=1)).tolist(), key=lambda i: names[i].split("=", 1))
    features = Features(pack_names([names[i] for i in order]), kept[order])
    lexicon = model.lexicon
    if lexicon is not None:
        words = sorted((w, i) for i, w in enumerate(lexicon.words) if not is_private(w))
        places = [i for _, i in words]
        lexicon = Lexicon([w for w, _ in words], lexicon.counts[places], lexicon.text)
    return replace(
        model, features=features, weights=np.where(kept, model.weights, 0)[order], lexicon=lexicon,
        mixed_forms=without_private(model.mixed_forms),
        info=model.info | {"features": len(features)},
    )  # fmt: skip


def errors_of(model, texts):
    """Return the per cent of the words of each text that a model writes wrong."""
    found = {name: report(text, [("m", model)])["models"][0] for name, text in texts.items()}
    return {name: f"{100 * row['surface_error_rate']:.2f}" for name, row in found.items()}


def with_card(model, sizes, tests):
    """Return a model whose info has a model card."""
    card = {
        "licence": f"{LICENCE}; see LICENSE beside the file",
        "learnt from": {
            f"{what} ({licence})": f"{sizes[name]:,} words"
            for name, (what, licence) in SOURCES.items()
        },
        "words wrong in test text, %": errors_of(model, tests),
        "bad at": _BAD_AT,
    }  # fmt: skip
    return replace(model, info=model.info | {"card": card})


def make_baseline(corpus):
    """Return the 1-gram capitalizer of a corpus, without what is private."""
    model = Unigram.fit(corpus)
    known = {w: tag for w, tag in sorted(model.tag_of_word.items()) if not is_private(w)}
    return replace(model, tag_of_word=known, mixed_forms=without_private(model.mixed_forms))


def print_sizes(name, whole, corpus, sigma2, texts):
    """Print bytes and errors on dev of a model, whole and with ever fewer of its weights."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model"
        for least in ("all", 0.1, 0.2, 0.25, 0.3, 0.4):
            model = whole if least == "all" else shrink(whole, corpus, sigma2, least)
            model.save(file)
            cells = name, least, f"{len(model.features):,}", f"{file.stat().st_size:,}"
            print(
                f"| {' | '.join([*map(str, cells), *errors_of(model, texts).values()])} |",
                flush=True,
            )


def main(arguments):
    """Make the models; with ``--table`` print how errors grow as they shrink, and make none."""
    parser = ArgumentParser(usage="data/english.py [--table] FOLDER")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    corpus, sizes = gather(options.folder)
    dev, test = (
        {name: read_corpus(options.folder / name, part) for name in names}
        for part, names in (("dev", MEASURED), ("test", (*MEASURED, *HELD_OUT)))
    )
    models = {} if options.table else {"en-1gram": make_baseline(corpus)}
    for name, (templates, cutoff, sigma2, smallest) in MODELS.items():
        whole = MEMM.fit(corpus, templates=templates, cutoff=cutoff, sigma2=sigma2)
        if options.table:
            print_sizes(name, whole, corpus, sigma2, dev)
        else:
            models[name] = shrink(whole, corpus, sigma2, smallest)
    for name, model in models.items():
        file = SHIPPED / f"{name}.model"
        with_card(model, sizes, test).save(file)
        print(f"{name}: {file.stat().st_size:,} bytes, wrong {errors_of(model, test)}")


if __name__ == "__main__":
    main(sys.argv[1:])
