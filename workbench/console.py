"""What the command line shows: progress on standard error, results on standard output."""

import json
import sys

import pandas as pd
from tqdm import tqdm

_DELAY = 2  # seconds before a bar appears: what is quicker needs none


class Progress:
    """A progress bar; its methods are the callbacks that the package offers."""

    def __init__(self, title):
        self._bar = tqdm(desc=title, file=sys.stderr, delay=_DELAY, leave=False, unit="step")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._bar.close()

    def step(self, step):
        """``on_step`` of a fit."""
        self._bar.set_postfix_str(f"objective {step.objective:,.1f}", refresh=False)
        self._bar.update()

    def tried(self, sigma2, wrong):
        """``on_try`` of a search."""
        self._bar.set_postfix_str(f"sigma2 {sigma2:g}: {wrong:,} wrong", refresh=False)
        self._bar.update()

    def counted(self, done, total):
        """``on_point`` of a sweep."""
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def told(self, name):
        """``on_method`` of a comparison."""
        self._bar.set_description(name)

    def built(self, done, total, text):
        """``on_step`` of a data set that is being built."""
        self._bar.set_postfix_str(text, refresh=False)
        self.counted(done, total)

    def read(self, done, total, n_words):
        """``on_file`` of a reader."""
        self._bar.set_postfix_str(f"{n_words:,} words", refresh=False)
        self.counted(done, total)


def say(line):
    """Tell what was done, on standard error."""
    print(line, file=sys.stderr)


def print_json(value):
    """Print one JSON object."""
    print(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1))


def print_report(report, as_json):
    """Print what ``evaluation.report.report`` made, as JSON or as tables."""
    if as_json:
        print_json(report)
        return
    columns = {
        "error_rate": "error %",
        "error_rate_no_punctuation": "no punctuation %",
        "error_rate_not_initial": "not initial %",
        "surface_error_rate": "surface %",
    }
    models = pd.DataFrame(report["models"]).set_index("name")
    print(f"{report['words']:,} words")
    print((100 * models[list(columns)].astype(float)).rename(columns=columns).round(3).to_string())
    if report["paired"]:
        print()
        print(pd.DataFrame(report["paired"]).to_string(index=False, float_format="{:.2g}".format))
