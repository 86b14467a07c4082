"""The linear-chain conditional random field: P(T|W), normalized once a sentence."""

from dataclasses import dataclass

import numpy as np

from workbench.features.sentences import pack_sentences
from workbench.inference.chain.chain_viterbi import chain_viterbi, fill_chain_marginals
from workbench.learning.chain_likelihood import ChainLogLikelihood, share_sentences
from workbench.models.log_linear import LogLinear, Packed
from workbench.numerics.threads import run_in_threads
from workbench.scoring.cells import Cells, pad_labels
from workbench.text.errors import InputError


class PackedSentences(Packed):
    """A corpus made ready for CRFs."""

    pack = staticmethod(pack_sentences)

    def __init__(self, corpus, features, sentences, firing):
        super().__init__(corpus, features, sentences, firing)
        self._cells = Cells(sentences, firing, features.exists)

    def decode(self, kernel, weights, answer):
        """Run a kernel over the sentences, on all cores where that pays.

        Parameters
        ----------
        kernel : callable
            ``chain_viterbi`` or ``fill_chain_marginals``.
        weights : ndarray, shape (P, K)
        answer : ndarray, shape (N, ...)
            What the kernel fills in.
        """
        cells, padding = self._cells, pad_labels(weights.shape[1])
        scores = cells.spread(weights[self.features.exists])
        run_in_threads(
            lambda sentences: kernel(cells.words, scores, padding, sentences, answer),
            share_sentences(self.corpus.starts),
        )


@dataclass(eq=False)
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
    pack_training = staticmethod(pack_sentences)
    likelihood = ChainLogLikelihood
    packed = PackedSentences

    @staticmethod
    def usable_templates(templates):
        """Return those of some templates that a first-order chain can have.

        Raises
        ------
        InputError
            If there is none.
        """
        admitted = tuple(t for t in templates if t.n_tags == 0 or (t.n_tags, t.offsets) == (1, ()))
        if not admitted:
            raise InputError(
                "no templates for a crf: at least one is needed that reads words, or t-1"
            )
        return admitted

    def tag(self, text):
        """Return the most probable labels of each sentence, exactly; int8, shape (N,).

        Parameters
        ----------
        text : Corpus or PackedSentences
        """
        packed = self._packed(text)
        tags = np.empty(len(packed.corpus), np.int8)
        packed.decode(chain_viterbi, self.weights, tags)
        return tags

    def probabilities(self, text):
        """Return P(label of word i | W), summed over all other labels; shape (N, K)."""
        packed = self._packed(text)
        summed = np.empty((len(packed.corpus), len(self.tag_names)))
        packed.decode(fill_chain_marginals, self.weights, summed)
        return summed
