"""The HTTP service: what it answers, what it refuses, and that it is as it says of itself."""

import json
from contextlib import ExitStack

import anyio
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.testclient import TestClient

from workbench.recasing.policies import Policy, SentenceStart
from workbench.recasing.recaser import Recaser
from workbench.service import application
from workbench.service.application import FIELDS, Application, load_served
from workbench.service.limits import Gate, Limits, Refusal
from workbench.text.errors import InputError
from workbench.text.layout import Layout

TEXT = "apple said on monday that the fbi met in new york .\n"
LIMITS = Limits(body=2000, seconds=20)


@pytest.fixture(scope="module")
def served(place):
    return load_served([str(place / "news.model"), str(place / "1gram")])


@pytest.fixture(scope="module")
def app(served):
    return Application(served, LIMITS, 2)


@pytest.fixture
def client(app):
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def error_of(answer):
    """The one line of a refusal."""
    assert answer.headers["content-type"] == "application/json"
    (line,) = answer.json().values()
    assert list(answer.json()) == ["error"]
    assert "\n" not in line
    return line


# --- what is answered ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", [TEXT, "", "\n", "\ufeffibm rose .\r\n\r\nopec met", "ı ǆ ß \x0b ."]
)
@pytest.mark.parametrize("name", ["news", "1gram"])
def test_text_is_answered_as_the_command_line_does(client, served, text, name):
    answer = client.post(f"/recase?model={name}", content=text.encode())
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.content == served[name].recaser.recase(text).encode()


@pytest.mark.parametrize("body", [
    b"\xff\0 ibm \xe9\xed\xa0\x80\n", b"", b"\xef\xbb\xbfopec met in vienna .\r\n" * 20,
    b"ibm http://www.ibm.com/x john@ibm.com",
])  # fmt: skip
def test_bytes_are_those_of_the_command_line(client, run, place, tmp_path, body):
    (tmp_path / "text").write_bytes(body)
    status, _, _ = run("recase", place / "news.model", tmp_path / "text", "-o", tmp_path / "out")
    assert status == 0
    assert client.post("/recase", content=body).content == (tmp_path / "out").read_bytes()


def test_what_curl_sends_is_text(client):
    answer = client.post("/recase", content=b"ibm=rose&x=%20",
                         headers={"content-type": "application/x-www-form-urlencoded"})  # fmt: skip
    assert answer.content == client.post("/recase", content=b"ibm=rose&x=%20").content


def test_the_first_model_is_the_default(client, served):
    answer = client.post("/recase", content=TEXT)
    assert answer.text == served["news"].recaser.recase(TEXT)
    assert answer.text.startswith("Apple said on Monday that ")


@pytest.mark.parametrize("text", [TEXT, "", "a lone \ud800 half", '"\\ \x00'])
def test_json_is_answered_with_json(client, served, text):
    answer = client.post("/recase", content=json.dumps({"text": text, "model": "news"}),
                         headers={"content-type": "application/json"})  # fmt: skip
    assert answer.status_code == 200
    assert json.loads(answer.content) == {
        "text": served["news"].recaser.recase(text),
        "model": "news",
    }


OPTIONS = [
    {"policy": "trust"}, {"policy": "caps", "sentence_start": "inside"}, {"threshold": 0.999},
    {"layout": "tokenized", "hashtags": True}, {"glossary": ["iOS", "New york"]},
]  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS)
def test_options_are_those_of_a_recaser(client, served, options):
    text = "NumPy on ios met OPEC in new york #fbi .\n"
    expected = Recaser(served["news"].model, **options).recase(text)
    answer = client.post("/recase", json={"text": text} | options)
    assert answer.json()["text"] == expected
    if "glossary" not in options:
        query = {name: str(value).lower() for name, value in options.items()}
        assert client.post("/recase", params=query, content=text).text == expected


@pytest.mark.parametrize(
    ("query", "line"),
    [("polcy=trust", "'polcy': no such field"), ("threshold=x", "threshold 'x': a probability")],
)
def test_a_mistake_in_the_address_is_told(client, query, line):
    answer = client.post(f"/recase?{query}", content=TEXT)
    assert answer.status_code == 400
    assert error_of(answer).startswith(line)


def test_words_have_their_places_in_the_whole_text(client, served):
    text = "hello from new york .\n\n" + TEXT * 3
    answer = client.post("/recase", json={"text": text, "words": True}).json()
    assert answer["text"] == served["news"].recaser.recase(text)
    for word in answer["words"]:
        assert text[word["start"] : word["end"]] == word["from"]
        assert answer["text"][word["start"] : word["end"]] == word["to"]
    assert [word["from"] for word in answer["words"]] == text.split()
    lines = served["news"].recaser.lines([text])
    assert [w["p"] for w in answer["words"]] == [w.p for line in lines for w in line.words]


def test_models_are_listed_in_order(client, served):
    models = client.get("/models").json()["models"]
    assert [(model["name"], model["kind"]) for model in models] == [
        ("news", "memm"), ("1gram", "1gram"),
    ]  # fmt: skip
    assert models[0]["info"] == served["news"].model.info


def test_health_is_told(client):
    assert client.get("/health").json() == {"status": "ok"}
    assert client.head("/health").content == b""


def test_figures_count_what_was_answered(served):
    with TestClient(Application(served, LIMITS, 1)) as client:
        client.post("/recase", content=TEXT)
        client.post("/recase", content=b"x" * 3000)
        client.get("/no/such/path")
        figures = client.get("/metrics")
    assert figures.headers["content-type"].startswith("text/plain")
    lines = figures.text.splitlines()
    for path, status in (("/recase", 200), ("/recase", 413), ("other", 404)):
        counted = f'workbench_request_seconds_count{{path="{path}",status="{status}"}} 1.0'
        assert counted in lines
    assert f'workbench_recased_bytes_total{{model="news"}} {len(TEXT):.1f}' in lines
    assert "workbench_requests_under_way 0.0" in lines
    assert "workbench_held_bytes 0.0" in lines
    assert any(line.startswith("process_resident_memory_bytes ") for line in lines)


# --- what is refused ----------------------------------------------------------------------

JSON = {"content-type": "application/json"}
REFUSED = [
    ("{", JSON, 400, "not JSON"),
    ("[" * 1900, JSON, 400, "not JSON"),
    ('"text"', JSON, 400, 'an object with a string "text" is needed'),
    ('{"text": 3}', JSON, 400, 'an object with a string "text" is needed'),
    ('{"text": "a", "modle": ""}', JSON, 400, "'modle': no such field; known are glossary,"),
    ('{"text": "a", "policy": "caps!"}', JSON, 400, "policy 'caps!': lower or caps or title"),
    ('{"text": "a", "threshold": 2}', JSON, 400, "threshold '2': a probability, 0 to 1, is needed"),
    ('{"text": "a", "threshold": true}', JSON, 400, "threshold 'True': a probability"),
    ('{"text": "a", "hashtags": "yes"}', JSON, 400, "hashtags 'yes': true or false is needed"),
    ('{"text": "a", "glossary": [1]}', JSON, 400, "glossary '[1]': a list of words and phrases"),
    ('{"text": "a", "words": 1}', JSON, 400, "words '1': true or false is needed"),
    ('{"text": "a", "words": true, "model": "1gram"}', JSON, 422, "words: a model of kind 1gram"),
    ('{"text": "a", "model": 3}', JSON, 400, "model '3': a string, one of the names"),
    ('{"text": "a", "model": "b"}', JSON, 404, "model 'b': known are news, 1gram"),
    ("a", {"content-type": "text/html"}, 415, "text/html: text/plain in UTF-8 or application/json"),
    ("a", {"content-type": "text/plain; charset=latin-1"}, 415, "text/plain; charset=latin-1: "),
    ("a", {"content-encoding": "gzip"}, 415, "content-encoding gzip: a body as it is, not packed,"),
    ("a", {"content-length": "1", "transfer-encoding": "chunked"}, 400, "content-length and tran"),
    ("a" * 2001, {}, 413, "a body of more than 2,000 bytes"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "headers", "status", "line"), REFUSED)
def test_a_mistake_is_answered_in_one_line(client, body, headers, status, line):
    answer = client.post("/recase", content=body, headers=headers)
    assert answer.status_code == status
    assert error_of(answer).startswith(line)


def test_a_body_of_unknown_length_is_refused_when_it_is_too_long(client):
    answer = client.post("/recase", content=(b"a" * 100 for _ in range(30)))
    assert (answer.status_code, error_of(answer)[:20]) == (413, "a body of more than ")


def test_other_paths_and_methods_are_refused(client):
    assert error_of(client.get("/x")) == "Not Found"
    answer = client.get("/recase")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert error_of(answer) == "Method Not Allowed"


def test_a_fault_of_the_service_is_json_too(client, monkeypatch):
    monkeypatch.setattr(application, "recase_blocks", lambda *_: 1 / 0)
    answer = client.post("/recase", content="a")
    assert answer.status_code == 500
    assert error_of(answer) == "a fault of the service (ZeroDivisionError); see its log"


# --- limits -------------------------------------------------------------------------------


def post(app, messages, client="10.0.0.1"):
    """The messages that answer ``POST /recase``; the body comes from an async iterator."""
    scope = {
        "type": "http", "method": "POST", "path": "/recase", "raw_path": b"/recase",
        "query_string": b"", "headers": [], "client": (client, 1), "server": ("test", 80),
        "http_version": "1.1", "scheme": "http", "root_path": "", "asgi": {"version": "3.0"},
    }  # fmt: skip
    sent = []

    async def receive():
        return await anext(messages, None) or await anyio.sleep_forever()

    async def send(message):
        sent.append(message)

    return app(scope, receive, send), sent


async def stalled(release):
    """A body whose end comes when it is released."""
    yield {"type": "http.request", "body": b"ibm rose .", "more_body": True}
    await release.wait()
    yield {"type": "http.request", "body": b"", "more_body": False}


async def whole():
    yield {"type": "http.request", "body": b"ibm rose .", "more_body": False}


async def run_beside(app, clients):
    """Statuses of requests of some clients while one of 10.0.0.1 is under way, then of that."""
    release = anyio.Event()
    running, first = post(app, stalled(release))
    statuses = []
    async with anyio.create_task_group() as group:
        group.start_soon(lambda: running)
        await anyio.wait_all_tasks_blocked()
        for client in clients:
            other, sent = post(app, whole(), client)
            await other
            statuses.append((sent[0]["status"], dict(sent[0]["headers"]).get(b"retry-after")))
        release.set()
    return statuses, first


def test_one_address_has_so_many_requests_and_all_together_so_many(served):
    app = Application(served, Limits(requests=1), 1)
    statuses, first = anyio.run(run_beside, app, ["10.0.0.2"])
    assert statuses == [(503, b"1")]
    assert first[1]["body"] == b"IBM rose ."
    app = Application(served, Limits(per_client=1), 1)
    statuses, _ = anyio.run(run_beside, app, ["10.0.0.1", "10.0.0.2"])
    assert statuses == [(429, b"1"), (200, None)]


def test_a_body_that_does_not_come_is_not_waited_for(served):
    app = Application(served, Limits(seconds=0.2), 1)

    async def wait():
        running, sent = post(app, stalled(anyio.Event()))
        await running
        return sent

    sent = anyio.run(wait)
    assert sent[0]["status"] == 408
    assert json.loads(sent[1]["body"]) == {"error": "the body was not there after 0.2 s"}


def test_an_answer_that_does_not_come_is_a_503(served, monkeypatch):
    monkeypatch.setattr(Application, "_run", lambda *_: anyio.sleep_forever())
    app = Application(served, Limits(seconds=0.2), 1)
    with TestClient(app) as client:
        answer = client.post("/recase", content="a")
    assert answer.status_code == 503
    assert error_of(answer) == "no answer after 0.2 s; send less at a time"


def test_bodies_are_held_up_to_a_bound_and_then_given_back():
    limits = Limits()
    gate = Gate(limits)
    with ExitStack() as held:
        holds = [held.enter_context(gate.admit(f"10.0.0.{i}")) for i in range(9)]
        for hold in holds[:-1]:
            hold(limits.body)
            hold(3)  # of what is declared
        with pytest.raises(Refusal, match=f"a body of more than {limits.body:,} bytes"):
            hold(limits.body + 1)
        with pytest.raises(Refusal, match="other requests hold the memory") as refused:
            holds[-1](1)
        assert refused.value.status_code == 503
        assert (gate.bytes, gate.requests) == (limits.held, 9)
    assert (gate.bytes, gate.requests) == (0, 0)


@pytest.mark.parametrize("options", [
    {"body": 0}, {"seconds": 0}, {"seconds": float("nan")}, {"requests": 0}, {"per_client": 0},
])  # fmt: skip
def test_limits_have_limits(options):
    with pytest.raises(InputError, match="allowed"):
        Limits(**options)


def test_two_models_of_one_name_are_refused(place):
    with pytest.raises(InputError, match="two models of the name news"):
        load_served([str(place / "news.model")] * 2)


# --- what it says of itself ---------------------------------------------------------------


def test_the_description_lists_every_path_model_and_choice(client, app):
    description = client.get("/openapi.json").json()
    assert set(description["paths"]) == {route.path for route in app.routes}
    names = description["paths"]["/recase"]["post"]["parameters"][0]["schema"]["enum"]
    assert names == ["news", "1gram"]
    choices = {"policy": Policy, "sentence_start": SentenceStart, "layout": Layout}
    for name, names in choices.items():
        assert FIELDS[name]["enum"] == list(names)


@pytest.fixture(scope="module")
def schema(served):
    """Of a model with probabilities: without them some options are a 422, which no schema says."""
    app = Application({"news": served["news"]}, LIMITS, 2)
    return schemathesis.openapi.from_asgi("/openapi.json", app)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(data=st.data())
def test_whatever_is_sent_is_answered_as_described(schema, data):
    operation = data.draw(st.sampled_from([found.ok() for found in schema.get_all_operations()]))
    case = data.draw(operation.as_strategy())
    # A schema cannot say all that a glossary must not have.
    case.call_and_validate(excluded_checks=[positive_data_acceptance])
