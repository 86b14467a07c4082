"""The linear-chain conditional random field: P(T|W), normalized once a sentence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from workbench.features.contexts import Sentences
from workbench.features.packing import pack_sentences
from workbench.features.selection import Features
from workbench.features.stored import pack_stored_sentences
from workbench.features.templates import Template
from workbench.inference import BestPaths
from workbench.inference.chain.batches import split_sentences
from workbench.inference.chain.best_paths import fill_best_paths, fill_log_normalizers
from workbench.inference.chain.forward_backward import NEVER
from workbench.inference.chain.scores import Cells, add_to_words
from workbench.inference.chain.sums import fill_chain_marginals
from workbench.learning.chain_likelihood import ChainLogLikelihood
from workbench.learning.influence import ChainSlopes
from workbench.models.capitalizer import check_allowed
from workbench.models.log_linear import LogLinear, Packed
from workbench.numerics.threads import run_in_threads
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError


def _pack_sentences(corpus, templates):
    """Return the sentences of a corpus, on disk if the corpus is."""
    if corpus.memory:
        return pack_stored_sentences(corpus, templates, corpus.memory)
    return pack_sentences(corpus, templates)


class PackedSentences(Packed):
    """A corpus made ready for CRFs."""

    pack = staticmethod(pack_sentences)

    def __init__(
        self, corpus: Corpus, features: Features, sentences: Sentences, firing: sparse.csr_matrix
    ) -> None:
        super().__init__(corpus, features, sentences, firing)
        self._cells = Cells(sentences, firing, features.exists)

    def decode(
        self, kernel: Callable[..., None], weights: np.ndarray, *arguments: object,
        allowed: np.ndarray | None = None,
    ) -> None:  # fmt: skip
        """Run a kernel over the sentences, on all cores where that pays.

        It takes the scores that weights, shape (P, K), make, some sentences, and arguments that
        it reads or fills in, as ``fill_best_paths`` does. Labels that are not allowed, by
        ``allowed``, bool, shape (N, K), have a score below that of any sequence that is.
        """
        scores = self._cells.scores(weights[self.features.exists])
        if allowed is not None:
            scores = add_to_words(scores, np.where(allowed, 0.0, NEVER))
        parts = split_sentences(self.corpus.starts)
        run_in_threads(lambda part: kernel(scores, part, *arguments), parts)


@dataclass(eq=False, repr=False)
class CRF(LogLinear):
    """A linear-chain conditional random field; attributes are those of ``LogLinear``.

    Its transitions, from label to label, are the features of template ``t-1``: counted,
    cut off and adapted like all others. Templates that read two labels, or a label and
    words, are no first-order transitions: of a set they are left out, so a CRF with set
    ``ca04`` has all of it but ``t-1,2``.

    Source
    ------
    Lafferty, McCallum & Pereira (2001); as a capitalizer Zhang, Qiu, Huang & Wu (2008).
    """

    kind = "crf"
    solvers = ("lbfgs", "newton")
    pack_training = staticmethod(_pack_sentences)
    likelihood = ChainLogLikelihood
    slopes = ChainSlopes
    packed = PackedSentences

    @staticmethod
    def pack_after(corpus: Corpus, templates: Sequence[Template], decided: np.ndarray) -> Sentences:
        """Return the sentences of a corpus: what was decided is not in a CRF's likelihood."""
        return pack_sentences(corpus, templates)

    @staticmethod
    def usable_templates(templates: Sequence[Template]) -> tuple[Template, ...]:
        """Return those of some templates that a first-order chain can have; InputError if none."""
        admitted = tuple(t for t in templates if t.n_tags == 0 or (t.n_tags, t.offsets) == (1, ()))
        if not admitted:
            raise InputError(
                "no templates for a crf: at least one is needed that reads words, or t-1"
            )
        return admitted

    def best_tags(
        self, text: Corpus | PackedSentences, allowed: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the most probable labels of each sentence, exactly; int8, shape (N,).

        They are places in ``tag_names``. Where ``allowed``, bool, shape (N, K), says which labels
        each word may have, these are the most probable sequence of such labels. InputError as in
        ``check_allowed``.
        """
        packed = self._packed(text)
        allowed = check_allowed(allowed, packed.corpus, self.tag_names)
        return self._find_paths(packed, 1, allowed)[0][0]

    def best_paths(self, text: Corpus | PackedSentences, k: int) -> BestPaths:
        """Return the k most probable label sequences of each sentence, exactly."""
        packed = self._packed(text)
        (tags, scores), log_z = self._find_paths(packed, k), np.empty(len(packed.corpus))
        packed.decode(fill_log_normalizers, self.weights, log_z)
        first = packed.corpus.starts[:-1]  # scores are filled in there alone
        log_p = scores[:, first] - log_z[first]
        return BestPaths(tags, np.where(tags[:, first] < 0, -np.inf, log_p))

    def _find_paths(self, packed, k, allowed=None):
        """Tags and, at first words, scores of the k best sequences; both of shape (k, N)."""
        n = len(packed.corpus)
        tags, scores = np.empty((k, n), np.int8), np.empty((k, n))
        given = (0.0,) * k, tags, scores
        packed.decode(fill_best_paths, self.weights, *given, allowed=allowed)
        return tags, scores

    def probabilities(
        self, text: Corpus | PackedSentences, allowed: np.ndarray | None = None
    ) -> np.ndarray:
        """Return P(label of word i | W), summed over all other labels; shape (N, K).

        Where ``allowed``, as in ``tag``, is given it is conditional on each word having an
        allowed label.
        """
        packed = self._packed(text)
        allowed = check_allowed(allowed, packed.corpus, self.tag_names)
        summed = np.empty((len(packed.corpus), len(self.tag_names)))
        packed.decode(fill_chain_marginals, self.weights, summed, allowed=allowed)
        return summed if allowed is None else np.where(allowed, summed, 0.0)
