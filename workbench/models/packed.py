"""Texts made ready to be tagged: their words packed, the predicates found that these fire."""


class Packed:
    """A corpus made ready for the models that share a feature set.

    Finding the predicates of a text takes longer than tagging it, so what is
    tagged again and again, as development data under a moving slider, is packed once.
    A kind of it says how it packs: ``pack(corpus, templates)``, to ``Contexts``.

    Parameters
    ----------
    corpus : Corpus
    features : Features
    contexts : Contexts
        Of every word.
    firing : sparse matrix, shape (n_rows, P)
        Which predicates each row fires.
    """

    def __init__(self, corpus, features, contexts, firing):
        self.corpus, self.features = corpus, features
        self._contexts, self._firing = contexts, firing

    @classmethod
    def of(cls, corpus, templates, features, tag_names):
        """Pack a corpus for models of some tags; those that it has itself are not read."""
        contexts = cls.pack(corpus.unlabel(tag_names), templates)
        return cls(corpus, features, contexts, features.firing(contexts))

    def narrow(self, features, kept):
        """Return the corpus ready for fewer features, as ``Features.subset`` gives both."""
        return type(self)(self.corpus, features, self._contexts, self._firing[:, kept])
