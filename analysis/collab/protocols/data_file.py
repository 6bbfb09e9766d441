# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Arrays as a data set that the module reads."""

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Any, Dict

import numpy as np

from .message import as_array


def as_data_set(data: Any) -> str:
    """Name of a data set for the argument dataSet.

    data: a name; arrays (inputs, labels), of which a quarter becomes the test part; or
    {"train": (inputs, labels), "test": (inputs, labels)}. Arrays are written to a file in the
    temporary folder, whose name is a digest of them, so that the same arrays are the same argument.
    """
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data)
    parts = data if isinstance(data, dict) else {"train": data}
    if set(parts) - {"train", "test"} or "train" not in parts:
        raise ValueError("data is a name, arrays (inputs, labels), or a dict of train and test")
    pairs = {part: tuple(as_array(one) for one in pair) for part, pair in parts.items()}
    for part, pair in pairs.items():
        if len(pair) != 2:
            raise ValueError(f"{part} data are two arrays: inputs and labels")
    return f"file:{_written(pairs)}"


def _written(pairs: Dict[str, tuple]) -> Path:
    from ..convert.convert import convert
    from ..convert.options import Options

    digest = hashlib.sha256()
    for part in sorted(pairs):
        for array in pairs[part]:
            digest.update(repr((part, array.shape, array.dtype.str)).encode())
            digest.update(np.ascontiguousarray(array).tobytes())
    folder = Path(tempfile.gettempdir()) / "collab-data"
    folder.mkdir(exist_ok=True)
    file = folder / f"{digest.hexdigest()[:16]}.safetensors"
    if file.exists():
        return file
    with tempfile.TemporaryDirectory() as place:
        sources = {}
        for part, (inputs, labels) in pairs.items():
            sources[part] = Path(place) / f"{part}.npz"
            np.savez(sources[part], features=inputs, labels=labels)
        convert(sources["train"], Options(name="arrays", test=sources.get("test")), file)
    return file
