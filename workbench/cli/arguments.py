"""The options of the commands that make, measure and use models, with their defaults and help."""

from argparse import ArgumentParser

from workbench.cli.option_checks import BY_TEMPLATE
from workbench.cli.shared_arguments import (
    add_candidates,
    add_cluster,
    add_json,
    add_output,
    add_places,
    add_repair,
    add_solver,
    add_threads,
    add_training,
    add_tree,
)
from workbench.models.kinds import KINDS
from workbench.models.unigram import UNSEEN_RULES
from workbench.numerics.threads import thread_count
from workbench.recasing.policies import Policy, SentenceStart
from workbench.settings import SETTINGS, SPAN_RULES, TRAINING, UNKNOWN_WORDS
from workbench.text.layout import Layout

LINT_CHOICES = ("keep", "drop", "refuse")
SERVICE_PORT = 8700
_NEW_CUTOFF = SETTINGS["cutoff"].default

# One option a paragraph, its help indented below it.
# fmt: off


def add_data(parser: ArgumentParser) -> None:
    """Add the options of ``data``."""
    add_json(parser)


def add_train(parser: ArgumentParser) -> None:
    """Add the options of ``train``."""
    parser.add_argument("text", nargs="+", metavar="TEXT", help="training text")
    add_output(parser)
    parser.add_argument("--model", choices=list(KINDS), default=SETTINGS["model"].default,
        help="memm, a maximum entropy Markov model (default); crf, a linear-chain conditional "
        "random field; bidirectional, two MEMMs that read sentences forward and backward: fewer "
        "errors, in twice the time; ensemble, four MEMMs, two forward and two backward, "
        "three of which lack some of the templates best (with ca04 the same as bidirectional): "
        "mostly fewer errors still, in four times the time; or 1gram, the paper's baseline")
    parser.add_argument("--unseen", choices=UNSEEN_RULES, default="loc",
        help="1gram: a word never seen is lower case (loc, default) or capitalized (cap)")
    parser.add_argument("--unknown-words", choices=UNKNOWN_WORDS, default=UNKNOWN_WORDS[0],
        help="memm, bidirectional, ensemble: words too rare for features of their own get weights "
        "after training (learned, default), and the weights of templates beyond ca04 are averaged "
        "with those of models of fewer templates: better on text unlike TEXT, slightly worse on "
        "text like it; or both are left out, as in the paper (none)")
    add_training(parser)
    parser.add_argument("--dev", metavar="TEXT",
        help="development text on which auto searches the best sigma2 and weights, and --adapt "
        "the best variances and weights; without it "
        "--sigma2 auto searches by 5-fold cross-validation on TEXT")
    parser.add_argument("--weights", metavar="X,Y",
        help="of several texts, how often every event of each counts, such as 1,0.5,2; auto "
        "searches the best on --dev, that of the largest text being 1 (default: 1 each); with "
        "--adapt one number, how often every event of the domain's text counts, and those of the "
        "others count once (default: 1 if all variances are given, otherwise auto)")
    parser.add_argument("--adapt", metavar="TEXT",
        help="text of a domain: write a model for it, fitted together with all TEXTs around "
        "general weights that they share (hierarchy). --sigma2 auto (default) chooses a variance "
        "for each class of features on --dev; general=10,new=1,text=0.3,domain=1 gives one to "
        "each level named, new being that of features which only this text has. map, weighted "
        "and hierarchy are compared, each half of --dev judging what the other chose: the first "
        "not significantly worse than the best is written, or the background if no gain is "
        "significant")
    parser.add_argument("--force", action="store_true",
        help="with --adapt, write the hierarchy whatever --dev shows")
    add_json(parser)
    add_tree(parser, "with --adapt, ", "TEXT")
    add_candidates(parser)
    alpha = TRAINING["alpha"]
    parser.add_argument("--alpha", metavar="X",
        help=f"rate of the exponential prior, {alpha.bounds} (default {alpha.default:g})")
    add_solver(parser, "Goodman's exponential one, no weight below 0", "lbfgs, sdca for candidates")
    parser.add_argument("--drop-boundaries", default="0", metavar="P",
        help="for text without sentence ends: learn a share P of TEXT, 0 to 1, a second time "
        "without punctuation and sentence ends, with the templates unpunctuated added; models "
        "adapted from this one do the same (default 0)")
    parser.add_argument("--memory", metavar="SIZE",
        help="memory that training may take, such as 2GB: text and events that do not fit are kept "
        "in files, in the folder that TMPDIR names, and the model is the same (a crf's "
        "but for rounding); without it all is held in memory, some 60 bytes a word; for ca04, "
        "extended and others without templates of casing, which best has")
    add_cluster(parser)
    add_repair(parser)
    add_threads(parser)


def add_adapt(parser: ArgumentParser) -> None:
    """Add the options of ``adapt``."""
    parser.add_argument("model", metavar="BACKGROUND",
        help="model file that `train` wrote, other than a 1gram")
    parser.add_argument("text", nargs="+", metavar="TEXT", help="adaptation text")
    add_output(parser)
    parser.add_argument("--sigma2", metavar="X",
        help="variance of the Gaussian prior around the background, greater than 0: small stays "
        "near it, large follows the new text; auto (default) searches the best; "
        f"{BY_TEMPLATE} gives each template of a memm or crf two of its own, of inherited and of "
        "new features, searched all at once by the gradient of held-out text's log-likelihood: "
        "worth it where TEXT is short")
    for name, of in (("--sigma2-m", "inherited from the background"), ("--sigma2-a", "new")):
        parser.add_argument(name, metavar="X",
            help=f"instead of --sigma2: variance of the features that are {of}; auto "
            "(default where the other is given) searches the best")
    parser.add_argument("--alpha", metavar="X",
        help="rate of the exponential prior around the background, greater than 0: large stays "
        "near it; auto (default) searches the best")
    add_solver(parser, "an exponential one, which leaves many weights as they are", "newton")
    parser.add_argument("--cutoff", default=_NEW_CUTOFF, metavar="N",
        help="add features seen N times or more in TEXT; 0 adds all (default), none adds none")
    parser.add_argument("--dev", metavar="TEXT",
        help="development text that auto counts errors on and the gain is measured on; "
        "5-fold cross-validation on the adaptation text without it")
    parser.add_argument("--retain", metavar="TEXT",
        help="text like the background's, on which is measured what adaptation forgets; by "
        "default the dev text of the background's data set, if that is here")
    parser.add_argument("--force", action="store_true",
        help="write the adapted model where auto finds no significant gain, too; without it the "
        "file holds the background as it was")
    parser.add_argument("--lint", choices=LINT_CHOICES, default=LINT_CHOICES[0],
        help="lines of TEXT that mislead about case (ALL CAPS, headlines, signatures, quoted "
        "mail, mark-up, repeats): keep (default) counts them, drop leaves them out, refuse ends "
        "with an error")
    parser.add_argument("--rerank", action="store_true",
        help="choose among the ten best recasings of each sentence by features of the whole "
        "sentence, learnt from TEXT by folds; needs --dev, and is left out where it gains nothing "
        "there; the model recases some 80,000 words a second")
    parser.add_argument("--adapter", action="store_true",
        help="write only what changed, a small file that is read with BACKGROUND beside it")
    add_json(parser)
    add_repair(parser)
    add_threads(parser)


def add_evaluate(parser: ArgumentParser) -> None:
    """Add the options of ``evaluate``."""
    parser.add_argument("model", nargs="+", metavar="MODEL",
        help="model files; each is compared with later ones")
    add_places(parser)
    parser.add_argument("--test", required=True, metavar="TEXT", help="test text")
    parser.add_argument("--unpunctuated", type=int, metavar="N",
        help="measure on the text without its punctuation, in lines of N words that end anywhere "
        "(0: a sentence a line); which words are initial goes by the sentences as written")
    parser.add_argument("--spans", choices=SPAN_RULES, default=SPAN_RULES[0],
        help="wipe (default): all words lose their case, as in the paper; keep: but for those of "
        "addresses, handles, hashtags, paths, markup and code, which `recase` leaves as they are "
        "and which count as right")
    add_json(parser)
    add_repair(parser)
    add_threads(parser)


def add_recase(parser: ArgumentParser) -> None:
    """Add the options of ``recase``."""
    parser.add_argument("model", metavar="MODEL", help="model file")
    add_places(parser)
    parser.add_argument("text", nargs="*", metavar="TEXT",
        help="files or addresses of UTF-8 text in any case, .gz and .zst too; standard input if "
        "none, or for -")
    parser.add_argument("-o", "--output", default="-", metavar="FILE",
        help="write there, when all is done, not to standard output")
    parser.add_argument("--layout", choices=list(Layout), default=Layout.AUTO,
        help="auto (default): each line by itself, tokenized or running as its own marks say; "
        "tokenized: spaces part the words; running: as it is printed; wrapped: running, lines "
        "broken to fit a width, so that sentences go on until a blank line")
    parser.add_argument("--hashtags", action="store_true",
        help="recase hashtags; without it they pass untouched, as addresses, handles, paths, "
        "markup and code do")
    parser.add_argument("--policy", choices=list(Policy), default=Policy.LOWER,
        help="which case of TEXT is evidence and stays: lower (default), none; caps, that of "
        "words with a lower-case letter, but for sentences in capitals; title, capitals within "
        "words (NumPy, NATO); trust, all capitals, but for headlines, sentences in capitals and, "
        "in part, the first word of a sentence")
    parser.add_argument("--sentence-start", choices=list(SentenceStart),
        default=SentenceStart.MODEL,
        help="first words of sentences: model (default), as the model says; capital, with one by "
        "rule; inside, a line begins within a sentence, so its first word is like any other")
    parser.add_argument("--glossary", metavar="FILE",
        help="words and phrases that are always written so, a form a line, as in iPhone or New "
        "York; the longest that matches counts, in spans as well where it is the whole of one")
    parser.add_argument("--threshold", type=float, metavar="P",
        help="words whose case has a probability below P, 0 to 1, stay as they came; how many "
        "is said on standard error")
    parser.add_argument("--review", metavar="FILE",
        help="write the least sure lines there, least sure first: probability, place, word and "
        "line, with tabs between; corrected, the last column is text for adapt")
    parser.add_argument("--review-lines", type=int, default=100, metavar="N",
        help="how many (default %(default)s)")
    parser.add_argument("--json", action="store_true",
        help="print an object a line: {text, words: [{start, end, from, to, p}]}, offsets in "
        "characters of the line; p is null, and a key true, where the model did not decide: "
        "span, kept (by --policy), glossary; unsure are words that --threshold left")
    parser.add_argument("--unbuffered", action="store_true",
        help="answer each line before the next is read")
    parser.add_argument("--jobs", type=int, default=1, metavar="N",
        help="processes that share the work (default 1)")
    parser.add_argument("--strict", action="store_true",
        help="refuse bytes that are no UTF-8 text; without it they pass unchanged, and how many "
        "is said on standard error")
    add_threads(parser)


def add_inspect(parser: ArgumentParser) -> None:
    """Add the options of ``inspect``."""
    parser.add_argument("model", nargs="+", metavar="MODEL",
        help="model files, or folders whose model files are listed")
    parser.add_argument("--word", metavar="WORD",
        help="also list the mixed-case forms of a word, such as iphone, that each model has "
        "seen, and how often background and domain write them")
    add_places(parser)
    add_json(parser)


def add_app(parser: ArgumentParser) -> None:
    """Add the options of ``app``: none but Streamlit's, which it hands on."""


def add_serve(parser: ArgumentParser) -> None:
    """Add the options of ``serve``."""
    parser.add_argument("model", nargs="+", metavar="MODEL",
        help="model files; the first answers where a request names none. A model's name is "
        "that of its file without the ending")
    parser.add_argument("--host", default="127.0.0.1",
        help="address to listen on (default %(default)s: this computer alone; 0.0.0.0 is every "
        "address it has)")
    parser.add_argument("--port", type=int, default=SERVICE_PORT,
        help="port to listen on (default %(default)s); 0 takes a free one")
    parser.add_argument("--max-body", type=float, default=16, metavar="MB",
        help="the largest body (default %(default)s); answered with 413 beyond")
    parser.add_argument("--timeout", type=float, default=30, metavar="S",
        help="seconds for a request, its body and its answer (default %(default)s); 408 or 503 "
        "beyond. A connection without a request is closed then")
    parser.add_argument("--concurrency", type=int, default=64, metavar="N",
        help="requests at a time (default %(default)s); 503 beyond")
    parser.add_argument("--per-client", type=int, default=32, metavar="N",
        help="of these, from one address (default %(default)s); 429 beyond")
    parser.add_argument("--threads", type=int, default=thread_count(), metavar="N",
        help="texts that are recased at the same moment (default %(default)s)")


def add_notebooks(parser: ArgumentParser) -> None:
    """Add the options of ``notebooks``."""
    parser.add_argument("--folder", metavar="FOLDER",
        help="copy the notebooks there and open the copies (default: workbench-notebooks in the "
        "present folder if the package is installed; in a checkout its own, without a copy)")
