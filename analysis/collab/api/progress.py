# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Bars that show how far a run or a sweep is, if tqdm is installed."""

import contextlib
import sys
import warnings
from typing import Callable, Iterator, Optional


@contextlib.contextmanager
def bar(total: Optional[int], name: str, unit: str, shown: Optional[bool]) -> Iterator[Callable]:
    """Shows a bar; gives what is to be told how much is done.

    shown: None for a bar where somebody sees it: in a terminal and in a notebook.
    """
    made = _make(total, name, unit) if (_is_seen() if shown is None else shown) else None
    if made is None:
        yield lambda done: None
        return

    def tell(done: int) -> None:
        made.update(done - made.n)

    try:
        yield tell
    finally:
        made.close()


def _make(total: Optional[int], name: str, unit: str):
    try:
        with warnings.catch_warnings():  # of a notebook without widgets
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm

            return tqdm(total=total, desc=name, unit=unit)
    except ImportError:
        return None


def _is_seen() -> bool:
    return sys.stderr.isatty() or "ipykernel" in sys.modules
