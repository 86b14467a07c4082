"""The project's path, two tiny corpora, a background trained on one, a place for commands, tables."""

import signal
import sys
from pathlib import Path

import numpy as np
import pytest
from command_texts import write_lines
from table_rows import OPTIONS

sys.path.insert(0, str(Path(__file__).parents[1]))

from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.text import cache
from workbench.text.corpus import Corpus

PAPER_SENTENCE = (
    "PrimeTime continues on ABC .PERIOD Now ,COMMA from Los Angeles ,COMMA Diane Sawyer .PERIOD"
)

# Newswire: all five tags; "apple", "may", "bush" and "turkey" are not what they are below.
BACKGROUND = """
Shares of IBM rose in New York on Monday .
The company said profit fell to 3.2 million dollars .
Analysts at Merrill Lynch expect higher rates in May .
He said the U.S. economy would grow this year .
OPEC ministers meet in Vienna on Tuesday .
Oil prices fell after the OPEC meeting .
McDonald 's said sales rose 4 pct in March .
The Bank of England cut rates , traders said .
" We expect no change , " said John McCarthy .
Mr. Baker met officials of the IMF in Washington .
The apple crop in Turkey was poor , growers said .
Coffee exports from Brazil rose in June .
GM and Ford will close plants in Ohio .
The FED added reserves to the banking system .
Traders in Tokyo sold dollars for yen .
A spokesman for the EC declined to comment .
The British government sold its stake in BP .
President Reagan will address Congress on Friday .
Sugar futures closed lower in London .
The merger needs approval by the SEC .
DuPont raised its dividend to 85 cents .
Wheat shipments to China may resume , he said .
The dollar was firm against the mark .
Texaco filed for protection from creditors .
Pennzoil said it would wait .
Japan 's trade surplus narrowed in April .
The plan may not pass the Senate .
Mr. Bush visited the plant in Detroit .
A bush fire closed the road to the mine .
NATO forces held exercises in Norway .
Union leaders called a strike at the port .
The port of Antwerp was closed by ice .
Exports of copper from Chile fell again .
AT&T cut prices for business lines .
The Treasury will sell 10 billion dollars of notes .
Bond prices rose , with the yield at 8 pct .
" It is a fair price , " Mr. Icahn said .
MacMillan Bloedel sold a mill in Canada .
The mill makes paper for newspapers .
Shares in Paris closed higher .
The report by the USDA was as expected .
Soybean prices were steady in Chicago .
Gold closed at 406 dollars in Zurich .
Talks between Iran and Iraq failed .
The tanker left the Gulf on Sunday .
Israel and Egypt signed a trade pact .
The index rose 12 points to 2,300 .
ITT said it sold its unit for cash .
The unit makes parts for cars .
Volkswagen expects lower profit this year .
West Germany left its discount rate unchanged .
The Bundesbank declined to comment .
Insider trading charges were filed in New York .
A judge in Texas ruled for Pennzoil .
The ruling was called unfair .
Cocoa buyers met in Geneva .
UAL said its board will meet again .
O'Neill Corp. named a new chairman .
Cash dividends were higher in the quarter .
(  Story by Reuters  )
Rain
""".strip()

# Broadcast news with e-mail habits: new names, known words in another case, one-word sentences.
ADAPTATION = """
PrimeTime continues on ABC .
Diane Sawyer joins us from Los Angeles .
The iPhone is new from Apple .
Apple said the Mac sold well in May .
NASA will launch the shuttle on Friday .
CNN has the story from Turkey .
Now , from New York , Peter Jennings .
President Clinton spoke to NATO leaders .
The FBI arrested two men in Texas .
We may have rain on Sunday .
" Good evening , " said Ted Koppel .
Nightline is next on ABC .
eBay shares rose again .
The Bush family is in Maine .
Mr. McVeigh was in court in Denver .
YouTube and NBC made a deal .
The O.J. Simpson trial resumes on Monday .
Doctors at UCLA found a new gene .
The plant in Ohio may close .
A strike at GM is over .
More after this .
Hello
CBS
The NYSE closed higher , with IBM up .
Stay with us on World News Tonight .
And now , sports .
""".strip()


def _corpus(text, name):
    return Corpus.from_sentences([line.split() for line in text.split("\n")], name)


@pytest.fixture(scope="session")
def paper_sentence():
    """The sample of CA04, section 2, as a list of words."""
    return PAPER_SENTENCE.split()


@pytest.fixture(scope="session")
def background_corpus():
    """Sixty sentences of newswire."""
    return _corpus(BACKGROUND, "newswire")


@pytest.fixture(scope="session")
def adaptation_corpus():
    """Twenty-six sentences of another domain."""
    return _corpus(ADAPTATION, "broadcast")


@pytest.fixture(scope="session")
def few_sentences(background_corpus):
    """Nine sentences of the background, small enough for dense oracles; one has one word."""
    return background_corpus.take(np.array([0, 4, 6, 8, 10, 12, 20, 57, 60]))


@pytest.fixture(scope="session")
def background(background_corpus):
    """The background MEMM with every feature, fitted as far as doubles allow."""
    return MEMM.fit(background_corpus, cutoff=0, sigma2=5.0, tolerance=1e-12)


@pytest.fixture
def rng():
    """A random stream of the test's own."""
    return np.random.default_rng(2004)


# --- commands -----------------------------------------------------------------------------


@pytest.fixture(scope="session")
def place(tmp_path_factory, background, background_corpus, adaptation_corpus):
    """A folder with a background text, a domain in three parts, and models of the background."""
    folder = tmp_path_factory.mktemp("commands")
    write_lines(folder / "news.txt", background_corpus, range(background_corpus.n_sentences))
    (folder / "talk").mkdir()
    for first, part in enumerate(("train", "dev", "test")):
        write_lines(folder / "talk" / f"{part}.txt", adaptation_corpus, range(first, 26, 3))
    background.save(folder / "news.model")
    Unigram.fit(background_corpus).save(folder / "1gram")
    return folder


@pytest.fixture
def outside(tmp_path, monkeypatch):
    """No data sets but the embedded ones, and the process' signals as they were."""
    monkeypatch.setattr(cache, "DATA", tmp_path / "absent")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path.parent / "cache"))
    monkeypatch.delenv("WORKBENCH_DATA", raising=False)
    before = signal.getsignal(signal.SIGPIPE)
    yield
    signal.signal(signal.SIGPIPE, before)


@pytest.fixture
def run(outside, capfd):
    """Run a command; returns exit status, standard output and standard error."""
    from workbench.cli import main  # here, as few tests need all that commands import

    def _run(*arguments):
        status = main([str(argument) for argument in arguments])
        output, told = capfd.readouterr()
        return status, output, told

    return _run


@pytest.fixture
def output(tmp_path):
    """Where a model would go, in a folder of its own."""
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "new.model"


@pytest.fixture
def refuse(run, output):
    """Run a command that must fail in one line; returns that line."""

    def _refuse(*arguments):
        status, printed, told = run(*arguments)
        assert (status, printed, list(output.parent.iterdir())) == (1, "", [])
        assert told.startswith("workbench: ")
        assert told.count("\n") == 1
        return told

    return _refuse


# --- the papers' tables -------------------------------------------------------------------


@pytest.fixture(scope="session")
def domains(adaptation_corpus):
    """Two domains of three parts."""
    dealt = [adaptation_corpus.take(np.arange(first, 26, 3)) for first in range(3)]
    parts = ("train", "dev", "test")
    return {
        "talk": dict(zip(parts, dealt, strict=True)),
        "bn-abc": dict(zip(parts, dealt[::-1], strict=True)),
    }


@pytest.fixture(scope="session")
def made(background_corpus, domains, few_sentences):
    """All tables by name, the material that they were made of, and what was told meanwhile."""
    from workbench.experiments import backgrounds, material, tables

    told = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backgrounds, "model_folder", lambda: None)
        texts = background_corpus, domains, few_sentences, [200, 350]
        of = material.Material(*texts, OPTIONS, told.append)
        return {table.maker.name: table for table in tables.make_tables(of)}, of, told


@pytest.fixture
def tables(made):
    """The papers' tables on tiny texts, by name."""
    return made[0]


@pytest.fixture
def material(made):
    """What the tables were made of; its models are trained."""
    return made[1]


@pytest.fixture
def told(made):
    """What was told while the tables were made."""
    return made[2]
