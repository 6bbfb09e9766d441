# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""RadioML 2016.10A: a pickle of a dictionary (modulation, SNR in dB) -> N x 2 x 128 numbers.

A pickle can run any code when it is read. This reader admits nothing but arrays of numpy.
"""

import pickle
from pathlib import Path

import numpy as np

from .errors import bad_data

_SAMPLE_SHAPE = (2, 128)
_ADMITTED = {
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy.core.multiarray", "scalar"),
    ("_codecs", "encode"),
}


class _ArrayUnpickler(pickle.Unpickler):
    """Reads arrays of numpy in plain containers, and refuses all else."""

    def find_class(self, module, name):
        if (module, name) not in _ADMITTED:
            raise pickle.UnpicklingError(f"{module}.{name} is not admitted")
        return super().find_class(module, name)


def read_radioml(path: Path) -> tuple:
    """Arrays features, labels and snr, ordered by modulation, then by SNR; the modulations."""
    content = _read_pickle(path)
    modulations = sorted({modulation for modulation, _ in content})
    keys = sorted(content)
    sizes = [len(content[key]) for key in keys]
    samples = np.concatenate([content[key] for key in keys]).astype(np.float32)
    arrays = {
        "features": samples[:, np.newaxis],
        "labels": np.repeat([modulations.index(key[0]) for key in keys], sizes),
        "snr": np.repeat([key[1] for key in keys], sizes),
    }
    return arrays, modulations


def _read_pickle(path: Path) -> dict:
    try:
        with open(path, "rb") as file:
            # The file was written by Python 2, whose strings are bytes.
            content = _ArrayUnpickler(file, encoding="latin1").load()
    except OSError as error:
        raise bad_data(path, str(error.strerror)) from None
    except Exception as error:  # a damaged pickle raises nearly anything
        raise bad_data(path, f"found no pickle of arrays: {error}") from None
    if not isinstance(content, dict) or not content:
        raise bad_data(path, "found no dictionary, expected (modulation, SNR) -> array")
    for key, value in content.items():
        _check_entry(path, key, value)
    return content


def _check_entry(path: Path, key, value) -> None:
    named = (
        isinstance(key, tuple)
        and len(key) == 2
        and isinstance(key[0], str)
        and isinstance(key[1], (int, np.integer))
    )
    if not named or not -128 <= key[1] <= 127:
        raise bad_data(path, f"found key {key!r}, expected (modulation, SNR in dB)")
    shaped = isinstance(value, np.ndarray) and value.ndim == 3
    if not shaped or value.shape[1:] != _SAMPLE_SHAPE or value.dtype.kind != "f":
        raise bad_data(path, f"{key}: expected numbers of shape N x 2 x 128")
    if not np.isfinite(value).all():
        raise bad_data(path, f"{key}: found a number that is not finite")
