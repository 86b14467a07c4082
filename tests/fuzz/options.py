"""Targets that read options: policies and glossaries of a recaser, requests of the service."""

import json

from hypothesis import strategies as st
from strategies import messy_texts, words

from fuzz.target import Target, refusal
from fuzz.texts import any_texts, models
from workbench.recasing.glossary import Glossary
from workbench.recasing.policies import Policy, SentenceStart
from workbench.recasing.recaser import Recaser
from workbench.service.application import FIELDS, JSON, TEXT, ServedModel, parse_job, recase_blocks
from workbench.service.limits import Refusal
from workbench.text.errors import InputError

forms = st.lists(words | messy_texts, max_size=4)
choices = st.tuples(
    any_texts, st.sampled_from(Policy), st.sampled_from(SentenceStart),
    st.none() | st.floats(0, 1), forms, st.integers(1, 50),
)  # fmt: skip


def check_options(drawn: tuple) -> None:
    """Whatever is chosen, nothing but case changes, and it does not matter where text is cut."""
    text, policy, start, threshold, listed, size = drawn
    try:
        glossary = Glossary(listed)
    except InputError as error:
        refusal(error)
        glossary = Glossary([])
    for model in models()[1:]:  # those with probabilities
        recaser = Recaser(
            model, policy=policy, sentence_start=start, threshold=threshold, glossary=glossary
        )
        recased = recaser.recase(text)
        assert (len(recased), recased.casefold()) == (len(text), text.casefold())
        chunks = (text[i : i + size] for i in range(0, len(text), size))
        assert "".join(recaser.stream(chunks)) == recased


# --- requests -----------------------------------------------------------------------------

_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | messy_texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(messy_texts, inner, max_size=3),
    max_leaves=6,
)
_allowed = {
    name: st.sampled_from(schema["enum"]) if "enum" in schema else _anything
    for name, schema in FIELDS.items()
}
_fields = {"text": messy_texts | _anything, "words": st.booleans(), "model": messy_texts}
_objects = st.fixed_dictionaries({}, optional=_allowed | _fields | {"glossary": forms})
_bodies = st.binary(max_size=40) | any_texts.map(lambda text: text.encode("utf-8", "replace"))
_queries = st.dictionaries(
    st.sampled_from([*FIELDS, "modle"]), messy_texts | st.sampled_from(["caps", "true"]),
    max_size=2,
)  # fmt: skip
requests = st.tuples(
    st.sampled_from([JSON, TEXT, "", "text/plain; charset=utf-8"]) | messy_texts,
    _bodies | (_objects | _anything).map(lambda value: json.dumps(value).encode()), _queries,
)  # fmt: skip


def check_request(drawn: tuple[str, bytes, dict[str, str]]) -> None:
    """A request of any form is answered with its text in another case, or refused in a line."""
    kind, body, query = drawn
    model = models()[1]
    try:
        _, asked = parse_job(kind, body, query)
        text = asked.pop("text")
        options = {name: asked[name] for name in asked.keys() - {"model", "words"}}
        recaser = ServedModel(model, Recaser(model)).recaser_with(options)
    except Refusal as told:
        refusal(InputError(str(told.detail)))
        return
    except InputError as error:
        refusal(error)
        return
    blocks = list(recase_blocks(recaser, text, with_words=True))
    answer = "".join(part for part, _ in blocks)
    assert answer.casefold() == text.casefold()
    for word in (word for _, listed in blocks for word in listed):
        assert answer[word["start"] : word["end"]] == word["to"]


TARGETS = {
    "options": Target(choices, check_options, 40),
    "requests": Target(requests, check_request, 300),
}
