# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Short names for methods that differ in many settings, and the table of these settings."""

from collections import Counter
from typing import Dict

import pandas as pd

from ..runs.groups import Groups, labels_of, setting, short_names, swept_names

_LONGEST = 32  # characters of a name that needs no shortening
_LONGEST_LIST = 48  # of a name that lists values
_LONGEST_VALUE = 40


def short_labels(groups: Groups) -> Dict[str, str]:
    """A name for each label of groups: itself, if all labels are short or not those of group_runs().

    Otherwise it is the method, with what differs among the groups of the same method: NAME=VALUE, or
    values alone where that would be long too, or else a number.
    """
    first = {label: runs[0] for label, runs in groups.items()}
    full = labels_of(first.values())
    as_made = all(full[id(run)] == label for label, run in first.items())
    if not as_made or max(map(len, groups), default=0) <= _LONGEST:
        return {label: label for label in groups}
    methods = {label: labels_of(first.values(), [])[id(run)] for label, run in first.items()}
    alike: Dict[str, list] = {}
    for label, method in methods.items():
        alike.setdefault(method, []).append(label)
    return {label: name for method, labels in alike.items()
            for label, name in zip(labels, _names(method, [first[one] for one in labels]))}  # fmt: skip


def settings_table(groups: Groups, names: Dict[str, str], width: int) -> str:
    """What differs among groups, a column a name, in lines of at most that many characters."""
    first = {names[label]: runs[0] for label, runs in groups.items()}
    swept = swept_names(list(first.values()))
    swept = [name for name in swept if any(name not in run.display.parameters for run in first.values())]
    rows = {short: {name: _value(run, setting_) for name, run in first.items()}
            for setting_, short in short_names(swept).items()}  # fmt: skip
    table = pd.DataFrame.from_dict(rows, orient="index")
    table = table.T if len(first) > len(rows) else table
    with pd.option_context("display.max_colwidth", None):
        return table.to_string(line_width=width)


def _names(method, runs):
    """Names of runs of one method."""
    if len(runs) == 1:
        return [method]
    short = short_names(swept_names(runs))
    for form, longest in (("{}={}", _LONGEST), ("{1}", _LONGEST_LIST)):
        names = [", ".join([method, *(form.format(text, setting(run, name)) for name, text in short.items()
                                      if name not in run.display.parameters)]) for run in runs]  # fmt: skip
        if max(map(len, names)) <= longest and max(Counter(names).values()) == 1:
            return names
    return [f"{method} ({number})" for number in range(1, len(runs) + 1)]


def _value(run, name):
    value = setting(run, name)
    text = "-" if value is None else str(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 3]}..."
