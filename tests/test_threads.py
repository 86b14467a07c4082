"""Loops shared among cores give what one loop gives."""

import pytest

from workbench.numerics.threads import even_slices, run_in_threads


@pytest.mark.parametrize("n", [0, 1, 7, 1000])
@pytest.mark.parametrize("pieces", [1, 2, 3])
def test_slices_differ_by_one_at_most(n, pieces):
    lengths = [part.stop - part.start for part in even_slices(n, pieces)]
    assert sum(lengths) == n
    assert max(lengths) - min(lengths) <= 1


@pytest.mark.parametrize("n", [1, 5])
def test_results_come_in_the_order_of_the_arguments(n):
    assert run_in_threads(lambda a, b: a - b, range(n), range(0, 2 * n, 2)) == [
        -i for i in range(n)
    ]


@pytest.mark.parametrize("n", [1, 5])
def test_an_exception_reaches_the_caller(n):
    with pytest.raises(ZeroDivisionError):
        run_in_threads(lambda a: 1 // a, [0] * n)
