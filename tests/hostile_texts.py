"""Text that would be markup, script or broken JSON if anything took it for that."""

import numpy as np

from workbench.experiments.session import Session
from workbench.text.corpus import Corpus

HOSTILE = (
    "</script><img src=x onerror=alert(1)>", "<!--<script>", "]]>", "&lt;B&gt;", "A\u2028B",
    "A\u2029B", '"Quote\\', "{Brace}", "<b>Bold</b>", "javascript:alert(1)", "\ud800Lone",
)  # fmt: skip


def hostile_session(background, unigram, adaptation_corpus):
    """A session whose words and names are hostile."""
    sentences = [
        [word, "and", "Apple", "met", word.lower(), "."] for word in HOSTILE[:-1]
    ]  # the last one: in no file of UTF-8
    sentences += [adaptation_corpus.sentence(i) for i in range(12)]
    corpus = Corpus.from_sentences(sentences, "<i>name</i></title><script>alert(2)</script>")
    parts = {part: corpus.take(np.arange(corpus.n_sentences)) for part in ("train", "dev", "test")}
    return Session(background, unigram, parts)
