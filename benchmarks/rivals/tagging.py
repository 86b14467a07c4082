"""Rows: words tagged, recased and given their ten best tag sequences in a second, on one core."""

import tempfile
from pathlib import Path
from statistics import median

from benchmarks.measure import Row, Target, find_rival, one_core, ratio, take_turns
from benchmarks.rivals.crfsuite import attributes, fill_trainer, find_crfsuite, wiped_sentences
from workbench.models.memm import MEMM
from workbench.text.corpus import Corpus

_TAG, _RECASE, _FLOOR = Target(">=", 10, "×"), Target(">=", 3, "×"), Target(">=", 500, "k/s")
_K, _K_FLOOR = 10, Target(">=", 300, "k/s")  # best sequences of a sentence; none of the rivals has
_WIDE = "best", Target(">=", 1500, "k/s")  # templates
_ITERATIONS = 20  # of the tagger that is timed: how well it tags does not matter


def tagging(bench):
    """Yield seven rows; all sides take the domain's training text, its case wiped."""
    corpus = bench.domain["train"]
    yield from _against_crfsuite(bench, corpus)
    wide = MEMM.fit(bench.training(bench.sizes.tagger_words), _WIDE[0])
    yield _with_many_templates(bench, corpus, wide)
    yield from _against_moses(bench, corpus, wide)
    yield _best_paths(bench, corpus)


def _against_crfsuite(bench, corpus):
    """From words; and from what each side makes of them once and can keep."""
    pycrfsuite, rival = find_crfsuite()
    tag = _train_crfsuite(pycrfsuite, bench).tag if pycrfsuite else None
    model, sentences = bench.background, wiped_sentences(corpus)
    packed, ready = model.pack(corpus), [attributes(words) for words in sentences]
    starts = {
        "words": (
            lambda: model.tag(Corpus.from_sentences(sentences, gold=False)),
            lambda: [tag(attributes(words)) for words in sentences],
        ),
        "ready features": (lambda: model.tag(packed), lambda: list(map(tag, ready))),
    }
    for start, sides in starts.items():
        ours, theirs = _rates(bench, corpus, *sides) if tag else ((), ())
        figure = ratio(ours, theirs)
        yield Row(f"tagging {start}, one core", ours, theirs, "k/s", rival, figure, _TAG)


def _with_many_templates(bench, corpus, model):
    templates, target = _WIDE
    sentences = wiped_sentences(corpus)
    (ours,) = _rates(bench, corpus, lambda: model.tag(Corpus.from_sentences(sentences, gold=False)))
    name = f"tagging words, templates {templates}, one core"
    return Row(name, ours, (), "k/s", "", median(ours), target, f"{len(model.features):,} features")


def _train_crfsuite(pycrfsuite, bench):
    trainer = fill_trainer(pycrfsuite, bench.training(bench.sizes.tagger_words), _ITERATIONS)
    tagger = pycrfsuite.Tagger()
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "model.crfsuite"))
        trainer.train(path)
        tagger.open(path)
    return tagger


def _against_moses(bench, corpus, wide):
    sacremoses, rival = find_rival("sacremoses", "sacremoses")
    lines = [" ".join(words) for words in wiped_sentences(corpus)]
    text = "\n".join(lines) + "\n"
    sides = [lambda: bench.background.recase(text), lambda: wide.recase(text)]
    if sacremoses:
        truecaser = _train_moses(sacremoses, bench)
        sides.append(lambda: [truecaser.truecase(line, return_str=True) for line in lines])
    ours, best, *rest = _rates(bench, corpus, *sides)
    theirs = rest[0] if rest else ()
    note, figure = f"{len(corpus):,} words from text to text", ratio(ours, theirs)
    yield Row("recasing, ca04, one core", ours, theirs, "k/s", rival, figure, _RECASE, note)
    yield Row("recasing, ca04, words a second", ours, (), "k/s", "", median(ours), _FLOOR)
    yield Row("recasing, best, words a second", best, (), "k/s", "", median(best), _FLOOR)


def _train_moses(sacremoses, bench):
    corpus = bench.training(bench.sizes.tagger_words)
    truecaser = sacremoses.MosesTruecaser()
    truecaser.train([corpus.sentence(i) for i in range(corpus.n_sentences)])
    return truecaser


def _best_paths(bench, corpus):
    model, sentences = bench.background, wiped_sentences(corpus)
    (ours,) = _rates(
        bench, corpus, lambda: model.best_paths(Corpus.from_sentences(sentences, gold=False), _K)
    )
    note = f"from words, the {_K} best tag sequences of each sentence, exact"
    name = f"k best (k = {_K}) from words, one core"
    return Row(name, ours, (), "k/s", "", median(ours), _K_FLOOR, note)


def _rates(bench, corpus, *sides):
    """Thousands of words a second of each side, in turns, after a run of each to warm up."""
    with one_core():
        take_turns(1, *sides)
        laps = take_turns(bench.sizes.rounds, *sides)
    return tuple(tuple(len(corpus) / 1000 / lap for lap in side) for side in laps)
