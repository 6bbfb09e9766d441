# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Generators that a whole process shares: set by the run where that is safe, else warned of."""

import contextlib
import random
import sys
import warnings
from typing import Any, Dict, Iterator

import numpy as np


@contextlib.contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Seeds the process-wide generators of random, NumPy and PyTorch for a device's setup(), in
    which models draw their first weights from them, and puts them back."""
    before = _states()
    random.seed(seed)
    np.random.seed(seed % 2**32)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)
    yield
    _restore(before)


@contextlib.contextmanager
def watched() -> Iterator[None]:
    """Warns of a protocol that draws from them in its rounds: threads do so in any order."""
    before = _states()
    yield
    after = _states()
    drawn = [name for name, state in before.items() if not _equal(state, after[name])]
    if drawn:
        warnings.warn(
            f"the protocol's rounds have drawn from the generator of {', '.join(drawn)} that all"
            " threads share, so that results depend on their number: use self.rng, and"
            " self.torch_generator()",
            stacklevel=4,
        )


def _states() -> Dict[str, Any]:
    states: Dict[str, Any] = {"random": random.getstate(), "numpy": np.random.get_state()}
    if "torch" in sys.modules:
        states["torch"] = sys.modules["torch"].get_rng_state()
    return states


def _restore(states: Dict[str, Any]) -> None:
    random.setstate(states["random"])
    np.random.set_state(states["numpy"])
    if "torch" in states:
        sys.modules["torch"].set_rng_state(states["torch"])


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_equal, one, other))
    return bool(np.all(np.asarray(one) == np.asarray(other)))
