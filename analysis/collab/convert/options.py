# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What a user says about the data that is converted."""

from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Tuple


@dataclass
class Options:
    """The options of the command; empty where nothing was said."""

    name: str = ""
    features: str = ""  # name of an array
    label: str = ""  # column or array
    targets: Tuple[str, ...] = ()  # columns, or one array
    users: str = ""  # column or array
    split: str = ""  # column that says train or test
    ignore: Tuple[str, ...] = ()  # columns
    codes: bool = False  # categories as numbers, not one-hot
    skip_incomplete: bool = False
    test: Optional[Path] = None  # source of the test part
    table: Optional[Path] = None  # that names images
    image: str = "image"  # its column
    resize: Tuple[int, ...] = ()  # height, width
    gray: bool = False
    order: str = ""  # axes of an array, such as hwcn
    tokens: int = 0  # size of the vocabulary
    first_label: int = 0
    standardize: str = ""
    least: Tuple[str, float] = ("", 0.0)  # array, and what samples to keep have at least
    words: int = 50000
    vectors: Optional[Path] = None

    def metadata(self, source: Path) -> Dict[str, str]:
        """What the file says about itself."""
        told = {"name": self.name or source.name.partition(".")[0]}
        if self.standardize:
            told["standardize"] = self.standardize
        if self.tokens:
            told.update(kind="tokens", vocabulary=str(self.tokens))
        return told

    def sources(self, source: Path) -> List[Tuple[Path, bool]]:
        """The sources, and whether each is the test part."""
        return [(source, False), *([(self.test, True)] if self.test else [])]
