# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Generators that a whole process shares: set by the run where that is safe, else warned of."""

import contextlib
import random
import sys
import warnings
from typing import Any, Dict, Iterator, Set

import numpy as np


@contextlib.contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Seeds the process-wide generators of random, NumPy and PyTorch for a device's setup(), in
    which models draw their first weights from them, and restores them."""
    before = _states()
    random.seed(seed)
    np.random.seed(seed % 2**32)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)
    try:
        yield
    finally:
        drawn = _drawn(before) & {"torch"} - set(before)
        _restore(before)
    if drawn:
        warnings.warn(
            "setup() has imported PyTorch and drawn from its generator, which the run's seed does not"
            " reach: import torch at the top of the file",
            stacklevel=4,
        )


@contextlib.contextmanager
def watched() -> Iterator[None]:
    """Warns of a protocol that draws from them in its rounds: threads do so in any order."""
    before = _states()
    yield
    drawn = _drawn(before)
    if drawn:
        warnings.warn(
            f"the protocol's rounds have drawn from the generator of {', '.join(sorted(drawn))} that"
            " all threads share, and that the run's seed does not reach: use self.rng, and"
            " self.torch_generator()",
            stacklevel=4,
        )


def _states() -> Dict[str, Any]:
    """The states of all that are imported."""
    states: Dict[str, Any] = {"random": random.getstate(), "numpy": np.random.get_state()}
    if "torch" in sys.modules:
        states["torch"] = sys.modules["torch"].get_rng_state()
    return states


def _at_import() -> Any:
    """The state in which PyTorch's generator was when it was imported: another one in each process."""
    torch = sys.modules["torch"]
    generator = torch.Generator()
    generator.manual_seed(torch.initial_seed())
    return generator.get_state()


def _drawn(before: Dict[str, Any]) -> Set[str]:
    """Names of generators that are in another state than before."""
    return {
        name
        for name, state in _states().items()
        if not _equal(state, before[name] if name in before else _at_import())
    }


def _restore(states: Dict[str, Any]) -> None:
    random.setstate(states["random"])
    np.random.set_state(states["numpy"])
    if "torch" in sys.modules:
        sys.modules["torch"].set_rng_state(states["torch"] if "torch" in states else _at_import())


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_equal, one, other))
    return bool(np.all(np.asarray(one) == np.asarray(other)))
