# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Arrays: numpy, MATLAB, HDF5 and PyTorch files."""

import zipfile
from pathlib import Path
from typing import Dict

import numpy as np

from .errors import bad_data, optional, reading
from .options import Options
from .writer import DataSetWriter

SUFFIXES = (".npz", ".npy", ".mat", ".h5", ".hdf5", ".pt", ".pth")

_ROWS = 4096  # converted at once
_CHANNELS = (1, 3, 4)  # of images
_FEATURES = ("features", "samples", "data", "X", "x", "images")
_LABELS = ("labels", "label", "y", "Y", "targets")


def convert_arrays(source: Path, options: Options, writer: DataSetWriter) -> None:
    """Appends the samples of a file of arrays, and of that of the test part."""
    if options.test:
        _require_no_file_of_its_own(options)
    for path, test in options.sources(source):
        add_arrays(path, open_arrays(path), options, writer, test)


def add_arrays(
    path: Path, arrays: Dict, options: Options, writer: DataSetWriter, test: bool
) -> None:
    """Appends samples of arrays that are read row by row."""
    features = _choose(path, arrays, options.features, _FEATURES, "--features")
    _numbers(path, features, "--features")
    order = _axes(path, features, options.order)
    answers = {}
    if options.targets:
        targets = _choose(path, arrays, options.targets[0], (), "--targets")
        answers["targets"] = _numbers(path, targets, "--targets")
    else:
        answers["labels"] = _choose(path, arrays, options.label, _LABELS, "--label")
    if options.users:
        answers["users"] = _choose(path, arrays, options.users, (), "--users")
    answers = {name: _column(np.asarray(values)) for name, values in answers.items()}
    count = features.shape[order[0]] if order else features.shape[0]
    for name, values in answers.items():
        if len(values) != count:
            raise bad_data(path, f"found {len(values)} {name}, expected {count} as of samples")
        if values.ndim > 1 and name != "targets":
            raise bad_data(
                path,
                f"found {name} of shape {values.shape}, expected one a sample; of one-hot rows"
                " give the places of the ones",
            )
    kept = np.ones(count, dtype=bool)
    if options.least[0]:
        levels = _choose(path, arrays, options.least[0], (), "--least")
        kept = np.ravel(np.asarray(_numbers(path, levels, "--least"))) >= options.least[1]
    if order:
        with reading(path):
            features = _ordered(np.asarray(features), order, options.order)
    for begin in range(0, count, _ROWS):
        rows = np.flatnonzero(kept[begin : begin + _ROWS])
        chosen = {
            name: values[begin : begin + _ROWS][rows] for name, values in answers.items()
        }
        with reading(path):
            block = np.asarray(features[begin : begin + _ROWS])[rows]
        block = _compact(path, block, options)
        for name, values in {"features": block, **chosen}.items():
            _require_finite(path, name, values, begin + rows)
        writer.add(block, test=test, **chosen)


def _require_finite(path: Path, name: str, values: np.ndarray, samples: np.ndarray) -> None:
    """Refuses other numbers; samples: where in the source the values are."""
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        place = np.argwhere(~np.isfinite(values))[0]
        raise bad_data(
            path,
            f"{name}: found {values[tuple(place)]} in sample {samples[place[0]]}, expected finite"
            " numbers",
        )


def _require_no_file_of_its_own(options: Options) -> None:
    """Refuses a .npy for what the samples of either part have: both parts would get the same."""
    for option, given in (
        ("--label", options.label),
        ("--targets", (options.targets or [""])[0]),
        ("--users", options.users),
        ("--least", options.least[0]),
    ):
        if given and Path(given).suffix == ".npy":
            raise bad_data(
                Path(given),
                f"given with {option} for the training part and the test part of --test; write"
                " each part to a .npz, and give the name of the array",
            )


def open_arrays(path: Path) -> Dict:
    """The arrays of a file by their names; that of a .npy is called features."""
    with reading(path):
        return _READERS[path.suffix](path)


def _read_numpy(path: Path) -> Dict:
    if path.suffix == ".npz":
        zipfile.ZipFile(path).close()  # numpy takes anything else for a pickle, and leaves it open
    found = np.load(path, mmap_mode="r", allow_pickle=False)
    return found if path.suffix == ".npz" else {"features": found}


def _read_matlab(path: Path) -> Dict:
    io = optional("scipy.io", "a MATLAB file")
    try:
        found = io.loadmat(path)
    except NotImplementedError:  # version 7.3 is HDF5, with its axes reversed
        h5py = optional("h5py", "a MATLAB file of version 7.3")
        with h5py.File(path) as file:
            return {name: np.asarray(value).T for name, value in file.items()}
    except Exception as error:  # a damaged file raises nearly anything
        raise bad_data(path, f"is no MATLAB file: {error}") from None
    return {name: value for name, value in found.items() if not name.startswith("__")}


def _read_hdf5(path: Path) -> Dict:
    h5py = optional("h5py", "an HDF5 file")
    file = h5py.File(path, "r")
    return {name: value for name, value in file.items() if hasattr(value, "shape")}


def _read_torch(path: Path) -> Dict:
    torch = optional("torch", "a PyTorch file")
    try:
        found = torch.load(path, map_location="cpu", weights_only=True)
    except Exception:  # whose text advises to load it anyway
        raise bad_data(path, "is damaged, or holds more than tensors, lists and dicts") from None
    if isinstance(found, torch.Tensor):
        found = [found]
    if isinstance(found, (tuple, list)):
        found = dict(zip(("features", "labels"), found))
    if not isinstance(found, dict) or not all(map(torch.is_tensor, found.values())):
        raise bad_data(path, "expected a tensor, a pair of them, or a dict of tensors by name")
    return {str(name): _from_torch(torch, value) for name, value in found.items()}


def _from_torch(torch, tensor) -> np.ndarray:
    dense = (tensor.to_dense() if tensor.layout != torch.strided else tensor).detach()
    return (dense.float() if dense.dtype == torch.bfloat16 else dense).numpy()


_READERS = {
    ".npz": _read_numpy,
    ".npy": _read_numpy,
    ".mat": _read_matlab,
    ".h5": _read_hdf5,
    ".hdf5": _read_hdf5,
    ".pt": _read_torch,
    ".pth": _read_torch,
}


def _choose(path: Path, arrays: Dict, given: str, usual, option: str):
    """The array that is given, or else the first of the usual names; of a file of its own too."""
    names = list(arrays)  # numpy reads an array to tell whether it is there
    if given and given not in names and Path(given).suffix == ".npy":
        return open_arrays(Path(given))["features"]
    for name in [given] if given else usual:
        if name in names:
            with reading(path, f"array '{name}' cannot be read"):
                return arrays[name]
    told = f"no array '{given}'" if given else f"none of the arrays {', '.join(usual)}"
    raise bad_data(path, f"found {told}; there are {', '.join(names)} (see {option})")


def _numbers(path: Path, array, option: str):
    """The array; refuses one of words, of objects or of a single number."""
    if array.dtype.kind not in "buif":
        raise bad_data(path, f"found an array of type {array.dtype} for {option}, expected numbers")
    if not array.shape:
        raise bad_data(path, f"found a single number for {option}, expected a row per sample")
    return array


def _column(values: np.ndarray) -> np.ndarray:
    """Rows of one number as numbers: MATLAB has nothing but matrices."""
    if values.ndim == 2 and 1 in values.shape:
        return values.ravel()
    return values


def _axes(path: Path, features, order: str):
    """Places of the axes, samples first, then channels, height and width; none if they are so."""
    if not order:
        _require_channels_first(path, features.shape)
        return []
    if sorted(order) != sorted(set(order) & set("nchw")) or "n" not in order:
        raise bad_data(path, f"found --order {order}, expected n and some of c, h and w, once each")
    if len(order) != len(features.shape):
        raise bad_data(path, f"found {len(features.shape)} axes, expected those of --order {order}")
    return [order.index(axis) for axis in "nchw" if axis in order]


def _require_channels_first(path: Path, shape) -> None:
    """Refuses samples whose last axis looks like that of channels, and the first one does not."""
    if len(shape) == 4 and shape[3] in _CHANNELS and shape[1] not in _CHANNELS:
        raise bad_data(
            path,
            f"found samples of shape {shape[1:]}, the last of which looks like channels; expected"
            " --order nhwc if it is, or --order nchw if the first one is",
        )


def _ordered(features: np.ndarray, order, given: str) -> np.ndarray:
    turned = features.transpose(order)
    return turned[:, np.newaxis] if "c" not in given and "h" in given else turned


def _compact(path: Path, block: np.ndarray, options: Options) -> np.ndarray:
    """Bytes and float16 as they are, tokens as whole numbers, all else as float32."""
    block = block[:, np.newaxis] if block.ndim == 1 else block
    if options.tokens:
        wrong = block[(block < 0) | (block >= options.tokens) | (block != np.floor(block))]
        if wrong.size:
            raise bad_data(
                path, f"found token {wrong.flat[0]}, expected 0 to {options.tokens - 1}"
            )
        return block.astype(np.int32)
    return block if block.dtype in (np.uint8, np.float16) else block.astype(np.float32)
