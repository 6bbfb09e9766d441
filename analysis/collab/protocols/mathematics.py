# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The module's mathematics of learning together, as functions on arrays: what they cost is what
C++ costs."""

import os
import tempfile
import time
from typing import Any, Callable, Iterable, List, Optional, Sequence, Tuple

import numpy as np

from .extension import extension
from .message import as_array


def mean(vectors: Iterable[Any], weights: Optional[Sequence[float]] = None) -> np.ndarray:
    """The mean of arrays of one shape, weighted if weights are given, such as numbers of samples."""
    return aggregate(vectors, "mean", weights)


def aggregate(
    vectors: Iterable[Any], rule: str = "mean", weights: Optional[Sequence[float]] = None
) -> np.ndarray:
    """Aggregates arrays of one shape by a rule of the module, such as median, trimmed-mean:k=1,
    krum:f=1 or geometric-median; aggregation_rules() lists their names.

    Raises ValueError if there are too few for the rule, or a number is not finite.
    """
    return extension().aggregate(_floats(vectors), rule, _numbers(weights))


def aggregation_rules() -> List[str]:
    """Names of the rules that aggregate() knows."""
    return extension().aggregation_rules()


def forge(
    attack: str,
    own: Any = None,
    honest: Iterable[Any] = (),
    count: int = 0,
    byzantine: int = 0,
    seed: int = 0,
) -> np.ndarray:
    """What an attacker sends, such as by sign-flip, alie or ipm; attacks() lists their names.

    own: its honest update; honest: those that it has seen; count: updates that the rule will get;
    byzantine: how many of these are forged; seed: of what is random.
    """
    mine = None if own is None else _float(own)
    return extension().forge(attack, mine, _floats(honest), count, byzantine, seed)


def attacks() -> List[str]:
    """Names of the attacks that forge() knows."""
    return extension().attacks()


def compress(values: Any, compressor: str, seed: int = 0) -> np.ndarray:
    """A vector in few bytes, such as by float16, int8:block=256 or top-k:fraction=0.01, for a field
    uint8[*] of a message; compressors() lists their names."""
    return extension().compress(_float(values), compressor, seed)


def decompress(encoded: Any, dimension: int) -> np.ndarray:
    """The vector of so many elements that compress() has encoded.

    Raises Refused if the bytes are not exactly one, as those of another device may be.
    """
    from .message import Refused

    try:
        return extension().decompress(np.ascontiguousarray(encoded, np.uint8), dimension)
    except RuntimeError as error:
        raise Refused(str(error)) from None


def compressors() -> List[str]:
    """Names of what compress() knows."""
    return extension().compressors()


def trust_weights(
    own: Any, predictions: Sequence[Any], offset: float = 1.0
) -> Tuple[np.ndarray, np.ndarray]:
    """Weights of agents in prediction consensus (Fan et al., NeurIPS 2023, eq. (6)), and the
    affinities that they are of, which do not add up to 1.

    own: class probabilities of the agent that judges, samples x classes; predictions: of all agents,
    its own among them; offset: confidence is 1 / (entropy + offset), 1 in the authors' code.
    """
    mine = _float(own)
    confidence = extension().confidence(mine, offset)
    affinities = [extension().affinity(mine, one, confidence) for one in _floats(predictions)]
    return np.array(extension().normalize_trust(affinities)), np.array(affinities)


def mix(weights: Sequence[float], predictions: Sequence[Any]) -> np.ndarray:
    """Pseudo-labels of prediction consensus, eq. (1): predictions of agents by their weights."""
    return extension().mix(_numbers(weights), _floats(predictions))


def trust_flops(samples: int, classes: int, agents: int) -> int:
    """Operations of trust_weights() and mix()."""
    return extension().trust_flops(samples, classes, agents)


def partition_dirichlet(
    labels: Any, devices: int, alpha: float, seed: int, minimum: int = 1
) -> List[np.ndarray]:
    """Places of the samples of each device: every class is dealt out in proportions drawn from a
    symmetric Dirichlet distribution."""
    labels = np.ascontiguousarray(as_array(labels), np.int64)
    parts = extension().partition_dirichlet(
        labels.tolist(), int(labels.max()) + 1, devices, alpha, minimum, seed
    )
    return [np.array(part, np.int64) for part in parts]


def count_flops(model: Any, sample_shape: Sequence[int], outputs: int) -> Tuple[int, int]:
    """Operations of a forward pass and of a training step of one sample, counted layer by layer.

    model: as the argument model has it, such as mlp:100-50, or a module of PyTorch that TorchScript
    can have; sample_shape: of a sample, such as (1, 28, 28); outputs: classes, or numbers it gives.
    """
    if isinstance(model, str):
        _, forward, training = extension().count_model(model, list(sample_shape), outputs)
        return forward, training
    import torch

    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "model.pt")
        torch.jit.script(model).save(file)
        return count_flops(f"script:{file}", sample_shape, outputs)


def measure(work: Callable[[], Any], repeats: int = 5) -> float:
    """How many seconds work() takes on this host, the median of some calls: for what nobody can
    count, as compute(..., seconds=factor * measure(work)). Results then depend on the host."""
    taken = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return float(np.median(taken))


def _float(value: Any) -> np.ndarray:
    return np.ascontiguousarray(as_array(value), np.float32)


def _floats(values: Iterable[Any]) -> List[np.ndarray]:
    return [_float(one) for one in values]


def _numbers(values: Optional[Sequence[float]]) -> Optional[List[float]]:
    return None if values is None else [float(one) for one in values]
