"""Targets that are given anything at all: by hypothesis in the tests, by atheris for hours.

A target has a strategy, which makes inputs, and a check, which raises if one is handled badly.
``TARGETS`` has all of them by name; a test of ``house`` gives each the same inputs on every run.
For as long as one likes, with inputs chosen by the code that they reach (atheris runs on Linux,
with Python 3.11 to 3.13):

    ./run python -m pip install -r tests/fuzz/requirements.txt
    ./run python tests/fuzz_for_hours.py readers -max_total_time=600

Options after the target's name are libFuzzer's. It stops at the first finding, prints it, and
becomes a test.
"""

from fuzz import links, models, options, texts

TARGETS = texts.TARGETS | models.TARGETS | links.TARGETS | options.TARGETS
