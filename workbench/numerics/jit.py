"""The one way in which loops are compiled."""

from collections.abc import Callable
from typing import Any

from numba import njit

# Kept on disk; threads may run them side by side; sums may be reordered for speed; a division
# by zero gives infinity, as in numpy, instead of a check at every division.
jit: Callable[[Callable], Any] = njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
