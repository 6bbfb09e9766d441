#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Converts RadioML 2016.10A from its Python pickle into an HDF5 file.

    analysis/radioml_to_hdf5.py RML2016.10a_dict.pkl data/radioml-2016.10a/RML2016.10a.h5

The pickle is a dictionary from (modulation, signal-to-noise ratio in dB) to an array of 1000 x 2 x
128 numbers, in-phase above quadrature. The HDF5 file holds samples (N x 1 x 2 x 128, float32),
labels (N, uint8: place of the modulation in the alphabet), snr (N, int8, dB) and modulations (their
names). Rows are ordered by modulation, then by SNR.

A pickle can run any code when it is read. This reader admits nothing but arrays of numpy.
"""

import argparse
import pickle
import sys
from pathlib import Path

import numpy as np

SAMPLE_SHAPE = (2, 128)
ADMITTED = {
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy.core.multiarray", "scalar"),
    ("_codecs", "encode"),
}


class ConversionError(Exception):
    """What is wrong with a file, in one line."""


class ArrayUnpickler(pickle.Unpickler):
    """Reads arrays of numpy in plain containers, and refuses all else."""

    def find_class(self, module, name):
        if (module, name) not in ADMITTED:
            raise pickle.UnpicklingError(f"{module}.{name} is not admitted")
        return super().find_class(module, name)


def read_pickle(path):
    """Returns the dictionary of a RadioML file, checked."""
    try:
        with open(path, "rb") as file:
            # The file was written by Python 2, whose strings are bytes.
            content = ArrayUnpickler(file, encoding="latin1").load()
    except OSError as error:
        raise ConversionError(f"{path}: {error.strerror}") from error
    except Exception as error:  # a damaged pickle raises nearly anything
        raise ConversionError(f"{path}: found no pickle of arrays: {error}") from error
    if not isinstance(content, dict) or not content:
        raise ConversionError(f"{path}: found no dictionary, expected (modulation, SNR) -> array")
    for key, value in content.items():
        named = (
            isinstance(key, tuple)
            and len(key) == 2
            and isinstance(key[0], str)
            and isinstance(key[1], (int, np.integer))
        )
        if not named or not -128 <= key[1] <= 127:
            raise ConversionError(f"{path}: found key {key!r}, expected (modulation, SNR in dB)")
        shaped = isinstance(value, np.ndarray) and value.ndim == 3
        if not shaped or value.shape[1:] != SAMPLE_SHAPE or value.dtype.kind != "f":
            raise ConversionError(f"{path}: {key}: expected numbers of shape N x 2 x 128")
        if not np.isfinite(value).all():
            raise ConversionError(f"{path}: {key}: found a number that is not finite")
    return content


def convert(source, target):
    """Writes the HDF5 file; nothing is left of it if that fails. Returns the number of samples."""
    import h5py

    content = read_pickle(source)
    modulations = sorted({modulation for modulation, _ in content})
    keys = sorted(content)
    sizes = [len(content[key]) for key in keys]
    labels = np.repeat([modulations.index(key[0]) for key in keys], sizes).astype(np.uint8)
    snr = np.repeat([key[1] for key in keys], sizes).astype(np.int8)
    samples = np.concatenate([content[key] for key in keys]).astype(np.float32)
    partial = Path(f"{target}.part")
    try:
        with h5py.File(partial, "w") as file:
            file.create_dataset("samples", data=samples[:, np.newaxis])
            file.create_dataset("labels", data=labels)
            file.create_dataset("snr", data=snr)
            file.create_dataset("modulations", data=[name.encode() for name in modulations])
        partial.replace(target)
    except OSError as error:
        raise ConversionError(f"{target}: cannot be written: {error}") from error
    finally:
        partial.unlink(missing_ok=True)
    return len(labels)


def main(arguments=None):
    """Runs the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", help="the pickle, RML2016.10a_dict.pkl")
    parser.add_argument("target", help="the HDF5 file to write, RML2016.10a.h5")
    options = parser.parse_args(arguments)
    try:
        count = convert(options.source, options.target)
    except ImportError:
        print("radioml_to_hdf5: needs h5py (Debian package python3-h5py)", file=sys.stderr)
        return 1
    except ConversionError as error:
        print(f"radioml_to_hdf5: {error}", file=sys.stderr)
        return 2
    print(f"{options.target}: {count} samples")
    return 0


if __name__ == "__main__":
    sys.exit(main())
