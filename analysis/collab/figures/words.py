# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What settings and methods are called in figures, where readers do not know the arguments."""

import re

from ..runs.groups import short_name
from ..statistics.curves import is_accuracy

_SETTINGS = {
    "Bandwidth": "bandwidth [Hz]",
    "MaxAttempts": "attempts to send a fragment",
    "RxSensitivity": "receiver sensitivity [dBm]",
    "acceptPercent": "aggregated clients [%]",
    "alpha": "Dirichlet concentration",
    "battery": "battery [J]",
    "committeePercent": "members of the committee [%]",
    "deadline": "deadline [s]",
    "evidencePower": "power of evidence",
    "feddynAlpha": "FedDyn's alpha",
    "globalRate": "global learning rate",
    "lambda": "weight of pseudo-labels, lambda",
    "learningRate": "learning rate",
    "localEpochs": "local epochs",
    "lowQuality": "devices of low quality",
    "lowQualityLambda": "lambda of devices of low quality",
    "maliciousPercent": "malicious devices [%]",
    "maxOutage": "outage probability of the longest link",
    "referenceOrder": "order of X*",
    "referenceSamples": "samples of X*",
    "sgdLearningRate": "learning rate",
    "slowDevices": "slow devices",
}
_RULE = re.compile(r"([a-z]+(?:-[a-z]+)*):([A-Za-z]\w*=.*)")  # krum:f=3
_STUB = re.compile(r"stub:(\d+)")  # stub:16000
_MEMBERS = re.compile(r"(.+), misbehavior=([^,]+)")  # of a committee
_GIVEN = re.compile(r"(\w+)=")
_MLP = re.compile(r"\bmlp\b(?::([\d-]+))?")  # mlp, mlp:100-50
_WHOLE = re.compile(r"(?<= )(\d+)\.0$")
_MISBEHAVIOR = "misbehavior="


def setting_word(name: str) -> str:
    """What a setting is called on an axis, with its unit; others by their names."""
    return _SETTINGS.get(short_name(name), short_name(name))


def settings_words(text: str) -> str:
    """What settings NAME=VALUE are called together."""
    return _GIVEN.sub(lambda match: f"{setting_word(match[1])} ", text)


def method_word(name: str) -> str:
    """What a rule of aggregation, a model or a committee is called: Krum (f = 3), 16 000 weights, CMFL-I, false scores;
    others by their names."""
    members = _MEMBERS.fullmatch(name)
    if members:
        method = method_word(members[1])
        return method if members[2] == "none" else f"{method}, {members[2].replace('-', ' ')}"
    stub = _STUB.fullmatch(name)
    if stub:
        return f"{int(stub[1]):,} weights".replace(",", " ")
    rule = _RULE.fullmatch(name)
    if not rule:
        return name
    word = "-".join(part.capitalize() if "krum" in name else part for part in rule[1].split("-"))
    return f"{word} ({rule[2].replace('=', ' = ').replace(',', ', ')})"


def label_words(label: str) -> str:
    """What a method is called in a title together with its settings: CMFL-I, malicious devices [%] 10; and a model:
    MLP, MLP of 2 units."""
    method, *settings = label.split(", ")
    misbehavior = [part for part in settings if part.startswith(_MISBEHAVIOR)]
    method = method_word(", ".join([method, *misbehavior]))
    words = [method, *(_WHOLE.sub(r"\1", settings_words(part)) for part in settings if part not in misbehavior)]
    if _GIVEN.match(method):  # settings alone
        words[0] = _WHOLE.sub(r"\1", settings_words(method))
    return _MLP.sub(lambda match: f"MLP of {match[1]} units" if match[1] else "MLP", ", ".join(words))


def keep_within_shares(axes, column: str) -> None:
    """Ends an axis of accuracies where they end: intervals may reach below 0 and above 1."""
    if is_accuracy(column):
        bottom, top = axes.get_ylim()
        axes.set_ylim(max(bottom, 0), min(top, 1.01))
