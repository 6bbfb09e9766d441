# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Writes a data set as one safetensors file, piece by piece: nothing is held but labels."""

import contextlib
import json
import shutil
import tempfile
from pathlib import Path
from typing import Dict, List, Optional

import numpy as np

from .errors import bad_data, writing

# What tensors may be of in the file
_TYPES = {"uint8": "U8", "int32": "I32", "int64": "I64", "float16": "F16", "float32": "F32"}
TEST = "test_"  # what the names of a test part's tensors begin with


class TensorWriter:
    """A safetensors file that grows; it appears under its name when it is complete."""

    def __init__(self, path: Path):
        self._path = Path(path)
        self._spools: Dict[str, tuple] = {}  # file, dtype and shape of a row of each tensor

    def append(self, name: str, rows: np.ndarray) -> None:
        """Appends rows to a tensor."""
        rows = np.ascontiguousarray(rows)
        spool, dtype, shape = self._spools.get(name) or self._begin(name, rows)
        if rows.dtype != dtype or rows.shape[1:] != shape:
            raise bad_data(
                self._path,
                f"tensor {name}: found rows of shape {rows.shape[1:]} of {rows.dtype}, expected"
                f" all like the first, {shape} of {dtype}",
            )
        with writing(self._path):
            spool.write(rows.data if rows.size else b"")

    def finish(self, metadata: Dict[str, str]) -> None:
        """Writes header and tensors."""
        header, offset = {"__metadata__": metadata}, 0
        for name, (spool, dtype, shape) in self._spools.items():
            end = offset + spool.tell()
            rows = spool.tell() // max(int(np.prod(shape, dtype=int)) * dtype.itemsize, 1)
            header[name] = {
                "dtype": _TYPES[dtype.name],
                "shape": [rows, *shape],
                "data_offsets": [offset, end],
            }
            offset = end
        text = json.dumps(header, ensure_ascii=False).encode()
        text += b" " * (-len(text) % 8)
        unfinished = Path(f"{self._path}.part")
        try:
            with writing(self._path):
                with open(unfinished, "wb") as file:
                    file.write(len(text).to_bytes(8, "little") + text)
                    for spool, _, _ in self._spools.values():
                        spool.seek(0)
                        shutil.copyfileobj(spool, file, 1 << 20)
                unfinished.replace(self._path)
        finally:
            unfinished.unlink(missing_ok=True)

    def close(self) -> None:
        """Forgets what was appended."""
        for spool, _, _ in self._spools.values():
            with contextlib.suppress(OSError):  # of a full disk: closing writes what is left
                spool.close()

    def _begin(self, name: str, rows: np.ndarray) -> tuple:
        with writing(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            spool = tempfile.TemporaryFile(dir=self._path.parent)
        self._spools[name] = (spool, rows.dtype, rows.shape[1:])
        return self._spools[name]


class DataSetWriter:
    """A data set file that grows by batches of samples, of either part."""

    def __init__(self, path: Path, metadata: Dict[str, str], sources: Dict[str, Path],
                 first_label: int = 0):  # fmt: skip
        """sources: where the samples of each part come from, for messages; first_label: label in the
        source of class 0, if labels are whole numbers."""
        self._sources = sources
        self._metadata = {"format": "collab data set 1", **metadata}
        self._first_label = first_label
        self._tensors = TensorWriter(path)
        self._answers: Dict[str, List[np.ndarray]] = {}  # labels and users as they are, by tensor
        self.samples = {"": 0, TEST: 0}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._tensors.close()

    def add(
        self,
        features: np.ndarray,
        labels: Optional[np.ndarray] = None,
        targets: Optional[np.ndarray] = None,
        users: Optional[np.ndarray] = None,
        test: bool = False,
    ) -> None:
        """Appends samples with labels or targets, and perhaps with who they come from."""
        part = TEST if test else ""
        if len(features) == 0:
            return
        self._tensors.append(part + "features", self._checked(part, "features", features))
        if targets is not None:
            targets = self._checked(part, "targets", np.asarray(targets, dtype=np.float32))
            self._tensors.append(part + "targets", targets.reshape(len(targets), -1))
        for name, values in (("labels", labels), ("users", users)):
            if values is not None:
                values = np.ravel(self._checked(part, name, np.asarray(values)))
                self._answers.setdefault(part + name, []).append(values)
        for name, values in (("labels", labels), ("targets", targets), ("users", users)):
            if values is not None and len(values) != len(features):
                raise bad_data(
                    self._sources[part],
                    f"found {len(values)} {name}, expected one for each of {len(features)} samples",
                )
        if (labels is None) == (targets is None):
            raise bad_data(self._sources[part], "expected either labels or targets")
        self.samples[part] += len(features)

    def add_table(self, name: str, rows: np.ndarray) -> None:
        """Appends rows to a tensor that has nothing to do with samples."""
        self._tensors.append(name, rows)

    def describe(self, told: Dict[str, object]) -> None:
        """What the file says about itself beside what it says already; lists in JSON."""
        for key, value in told.items():
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            self._metadata.setdefault(key, text)

    def finish(self) -> None:
        """Writes the file."""
        if not self.samples[""]:
            raise bad_data(self._sources[""], "found no samples of the training part")
        self._code("labels", "class_names", self._code_labels)
        self._code("users", "user_names", _code_in_order)
        self._tensors.finish(self._metadata)

    def _checked(self, part: str, name: str, values: np.ndarray) -> np.ndarray:
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            place = np.argwhere(~np.isfinite(values))[0]
            raise bad_data(
                self._sources[part],
                f"{name}: found {values[tuple(place)]} in sample {self.samples[part] + place[0]}"
                f", expected finite numbers (samples of the {'test' if part else 'training'} part"
                " count from 0)",
            )
        return values

    def _code(self, name: str, names: str, code) -> None:
        """Turns labels or users of both parts into numbers."""
        parts = [part + name for part in ("", TEST) if part + name in self._answers]
        if not parts:
            return
        arrays = [np.concatenate(self._answers[part]) for part in parts]
        numbers, told = code(np.concatenate(arrays))
        if names not in self._metadata and told:
            self._metadata[names] = json.dumps(told, ensure_ascii=False)
        begin = 0
        for part, array in zip(parts, arrays):
            self._tensors.append(part, numbers[begin : begin + len(array)].astype(np.int32))
            begin += len(array)

    def _code_labels(self, labels: np.ndarray) -> tuple:
        """Whole numbers from first_label stay in their order, with gaps; others are numbered."""
        whole = _whole(labels)
        if whole is not None and whole.min() >= self._first_label:
            return whole - self._first_label, None
        if whole is not None and self._first_label != 0:
            raise bad_data(
                self._sources[""], f"found label {whole.min()}, expected {self._first_label} or more"
            )
        values = whole if whole is not None else labels.astype(str)
        names, numbers = np.unique(values, return_inverse=True)
        return numbers, [str(name) for name in names]


def _whole(values: np.ndarray) -> Optional[np.ndarray]:
    """The same as whole numbers; none if some are not."""
    try:
        numbers = values.astype(np.float64)
    except (TypeError, ValueError):
        return None
    good = np.isfinite(numbers).all() and (numbers == np.floor(numbers)).all()
    return numbers.astype(np.int64) if good else None


def _code_in_order(values: np.ndarray) -> tuple:
    """Numbers by first appearance, and the names."""
    texts = [str(value) for value in values.tolist()]
    places = {name: place for place, name in enumerate(dict.fromkeys(texts))}
    return np.array([places[text] for text in texts], dtype=np.int64), list(places)
