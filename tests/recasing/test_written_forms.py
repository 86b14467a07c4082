"""How an editor writes words, whatever tag they are given: a table of the kinds of cases."""

import numpy as np

from workbench.models.capitalizer import Capitalizer, check_allowed
from workbench.recasing.recaser import Recaser
from workbench.text.casing import TAGS, Tag, tag_of, wipe_case

# What a model is told by tag, how a text is recased, and what comes of it.
CASES = [
    # a sentence begins with a capital; names with a small beginning are told from prefixes
    ({"MXC": "non-european al-qaeda anti-semitism"}, {"sentence_start": "capital"},
     "non-european firms fell.\nal-qaeda won.\nanti-semitism grew in non-european lands.",
     "Non-European firms fell.\nAl-Qaeda won.\nAnti-Semitism grew in non-European lands."),
    ({"MXC": "iphone ebay ph non-european"}, {"sentence_start": "capital"},
     "iphone sales\nebay fell\nph fell\nNon-European firms\nf***ing firms\n5th firms",
     "iPhone sales\neBay fell\npH fell\nNon-European firms\nF***ing firms\n5th firms"),
    # names in capitals after their beginning, and words that are no such names
    ({}, {"policy": "caps"}, "McDONALD said so of MacLEAN and FitzGERALD and O'BRIEN.",
     "McDonald said so of MacLean and FitzGerald and o'brien."),
    ({}, {"policy": "caps"}, "USAir sent PDFs and IDs with NumPy to McDonald, pre-WTO.",
     "USAir sent PDFs and IDs with NumPy to McDonald, pre-WTO."),
    # numbers with letters
    ({"CAP": "5th avenue 20th century fox 1990s 747s 3d 20th-century"}, {},
     "5th avenue 20th century fox 1990s 747s 3d 20th-century",
     "5th Avenue 20th Century Fox 1990s 747s 3D 20th-century"),
    ({"AUC": "5th", "MXC": "20th-century f-16s mid-1940s"}, {}, "5th 20th-century f-16s mid-1940s",
     "5th 20th-Century F-16s mid-1940s"),
    # clitics
    ({"CAP": "john 's 'll 't", "AUC": "n't 're"}, {"layout": "tokenized"},
     "john 's john ’s do n't do n’t they 're he ’ll isn &apos;t",
     "John 's John ’s do n't do n’t they 're he ’ll isn &apos;t"),
    ({"MXC": "john's they're o'brien"}, {"layout": "tokenized"},
     "john’s they're o’brien", "John’s They're O’Brien"),
    # all letters of a word have a capital, or none gets one
    ({"AUC": "ﬁfa ﬁrst straße", "CAP": "ﬁn"}, {}, "ﬁfa ﬁrst straße ﬁn", "ﬁfa ﬁrst STRAẞE ﬁn"),
    # a script that is written in one case, and two that are written in two
    ({"CAP": "ꭳꮟᏺ ᎣᏏᏲ ǆungla", "AUC": "ꮳꮃꭹ"}, {}, "ᎣᏏᏲ ꭳꮟᏺ ꮳꮃꭹ ᏣᎳᎩ ǆungla ОСЛО",
     "ᎣᏏᏲ ꭳꮟᏺ ꮳꮃꭹ ᏣᎳᎩ ǅungla осло"),
    ({}, {"policy": "trust"}, "he said ᎣᏏᏲ to ᏣᎳᎩ", "he said ᎣᏏᏲ to ᏣᎳᎩ"),
    # two letters and two
    ({"MXC": "q&a"}, {}, "at&t r&d q&amp;a abc&d", "AT&T R&D Q&amp;A abc&d"),
    # spelled letters, even where a sentence begins, and times
    ({"CAP": "n.a.s.a. e.g. p·m", "AUC": "a·m a.m."}, {},
     "n a s a at nine a m, 3 a.m., five p m, t v\ne.g. n.a.s.a.",
     "N A S A at nine a m, 3 A.M., five p m, T V\nE.g. N.A.S.A."),
    # masked letters and stutters
    ({"MXC": "h**l f***ing b*tch", "AUC": "sh*t m*a*s*h", "CAP": "d**n"}, {},
     "h**l f***ing b*tch sh*t m*a*s*h d**n", "h**l f***ing b*tch sh*t M*A*S*H D**n"),
    ({"AUC": "w-what", "MXC": "s-s-stop", "CAP": "b-but", "LOC": "th-that"}, {},
     "b-but w-what s-s-stop th-that", "B-but w-what s-s-stop th-that"),
    # a glossary reaches into compounds
    ({"CAP": "zorblax-europe"}, {"glossary": ["ZorBlax"]},
     "zorblax-based, non-zorblax Zorblax-Europe",
     "ZorBlax-based, non-ZorBlax ZorBlax-europe"),
    ({}, {"glossary": ["ZorBlax"], "policy": "caps"},
     "NumPy-zorblax is Zorblax-based, non-zorblax",
     "NumPy-ZorBlax is ZorBlax-based, non-ZorBlax"),
]  # fmt: skip


class Told(Capitalizer):
    """Gives words the tags that it is told, and others LOC, or the first that is allowed."""

    kind = "told"

    def __init__(self, words_by_tag, **mixed_forms):
        self.mixed_forms, self.info = mixed_forms, {}
        self._tags = {
            word: Tag[name] for name, words in words_by_tag.items() for word in words.split()
        }

    def best_tags(self, text, allowed=None):
        of_word = [
            self._tags.get(word, Tag.PNC if tag_of(word) == Tag.PNC else Tag.LOC)
            for word in text.words
        ]
        tags = np.array(of_word, np.int8)[text.word_ids]
        if (allowed := check_allowed(allowed, text, TAGS)) is None:
            return tags
        is_allowed = allowed[np.arange(len(tags)), tags]
        return np.where(is_allowed, tags, allowed.argmax(axis=1)).astype(np.int8)


def test_words_are_written_as_an_editor_writes_them():
    for told, options, text, right in CASES:
        recaser = Recaser(Told(told), **options)
        out = recaser.recase(text)
        assert out == right
        assert wipe_case(out) == wipe_case(text)
        assert recaser.recase(out) == out
