# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Kinds of messages: the fields decide how many bytes one has on the wire."""

import re
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from .extension import extension

_FIELD = re.compile(r"(\w+)(?:\[([^\[\]]*)\])?")
_ANY = -1


class Field:
    """One field of a message: a number, or an array of them."""

    def __init__(self, name: str, text: str):
        found = _FIELD.fullmatch(text.replace(" ", ""))
        if not found:
            raise ValueError(f"field {name} is '{text}'; expected such as float32 or float32[*,10]")
        self.name = name
        self.type = found[1]
        if self.type not in _TYPES:
            raise ValueError(f"field {name} has type '{self.type}'; allowed: {', '.join(_TYPES)}")
        self.lengths = [_length(name, one) for one in found[2].split(",")] if found[2] else []

    def shape(self, owner: Any) -> List[int]:
        """Lengths of the dimensions, those that have names by the attributes of a protocol."""
        return [_named(self.name, one, owner) for one in self.lengths]

    def take(self, value: Any) -> np.ndarray:
        """A value as an array of the field's type and number of dimensions.

        Raises ValueError for a number that the type cannot hold.
        """
        array = as_array(value)
        if array.ndim != len(self.lengths):
            dimensions = len(self.lengths)
            raise ValueError(f"{self.name} has {array.ndim} dimensions, expected {dimensions}")
        wanted = np.dtype(self.type)
        if array.dtype == wanted:
            return array
        with np.errstate(all="ignore"):  # what becomes infinite is refused by who receives it
            cast = array.astype(wanted)
        if wanted.kind in "iub" and not np.array_equal(cast, array):
            raise ValueError(f"{self.name} has numbers that are none of type {self.type}")
        return cast


class Message:
    """A message: its fields are attributes. Arrays are copies that nobody can change."""

    _fields: List[Field] = []
    _kind: Optional[int] = None
    _has_units = False
    _queued = False

    def __init__(self, **values):
        missing = [one.name for one in self._fields if one.name not in values]
        unknown = sorted(set(values) - {one.name for one in self._fields})
        if missing or unknown:
            raise TypeError(
                f"{type(self).__name__} has the fields"
                f" {', '.join(one.name for one in self._fields)};"
                f" missing: {', '.join(missing) or 'none'}, unknown: {', '.join(unknown) or 'none'}"
            )
        make = extension().Block
        self._blocks = [make(one.take(values[one.name])) for one in self._fields]
        self._packed: Any = None
        for one, block in zip(self._fields, self._blocks):
            view = block.view(one.type)
            setattr(self, one.name, view if one.lengths else view.item())

    def __repr__(self) -> str:
        values = (f"{one.name}={getattr(self, one.name)!r}" for one in self._fields)
        return f"{type(self).__name__}({', '.join(values)})"

    @classmethod
    def _received(cls, values: Tuple) -> "Message":
        """A message that has arrived."""
        message = cls.__new__(cls)
        message._blocks = message._packed = None
        for field, value in zip(cls._fields, values):
            setattr(message, field.name, value)
        return message

    def _pack(self, layout):
        """The message as the network carries it, made once."""
        if self._blocks is None:  # one that has arrived goes on to others
            make = extension().Block
            self._blocks = [make(one.take(getattr(self, one.name))) for one in self._fields]
        if self._packed is None:
            self._packed = extension().Packed(layout, self._blocks)
        return self._packed


def message(
    *, kind: Optional[int] = None, units: bool = False, queued: bool = False, **fields: str
) -> Any:
    """Declares a kind of messages of a protocol, in its class:

        labels = collab.message(values="float32[*,10]", samples="uint32")

    A field is a number (bool, int8 to int64, uint8 to uint64, float16 to float64) or an array of
    them with the lengths of its dimensions: a number, * for any (4 bytes tell it), or the name of
    an attribute that the protocol has after setup(), which all devices know and nobody sends. On
    the wire, numbers are little-endian. kind: its number, for messages of a protocol in C++; units:
    whether the rows of the one field can arrive without the others, such as datapoints; queued:
    whether next() waits for them one by one, and not hear() for those of a round.
    """
    attributes = {
        "_fields": [Field(name, text) for name, text in fields.items()],
        "_kind": kind,
        "_has_units": units,
        "_queued": queued,
        "__doc__": ", ".join(f"{name}: {text}" for name, text in fields.items()) or "empty",
    }
    return type("Message", (Message,), attributes)


def on(kind: type) -> Callable:
    """Makes a method of a protocol serve messages of a kind whenever they come:

        @collab.on(question)
        def answer(self, sender, message): ...
    """

    def mark(method):
        method._serves = kind
        return method

    return mark


class Refused(Exception):
    """Raised by a method that serves messages: this one cannot be believed. It is traced and counted
    as messages are that have a wrong shape."""


def as_array(value: Any) -> np.ndarray:
    """An array of NumPy from what has one: lists, tensors of PyTorch, numbers."""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
    return np.asarray(value)


_TYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64",
)  # fmt: skip


def _length(name: str, text: str):
    if text == "*":
        return _ANY
    if text.isdecimal():
        return int(text)
    if text.isidentifier():
        return text
    raise ValueError(f"field {name} has a dimension '{text}'; expected a number, * or a name")


def _named(name: str, length, owner) -> int:
    if isinstance(length, int):
        return length
    value = getattr(owner, length, None)
    if not isinstance(value, (int, np.integer)):
        raise ValueError(
            f"field {name} has {length} elements, which {type(owner).__name__} does not say:"
            f" set self.{length} in setup()"
        )
    return int(value)


def kinds_of(protocol: type) -> Dict[str, type]:
    """The kinds of messages that a protocol declares, by the names of its attributes."""
    found = {}
    for base in reversed(protocol.__mro__):
        for name, value in vars(base).items():
            if isinstance(value, type) and issubclass(value, Message):
                found[name] = value
    return found
