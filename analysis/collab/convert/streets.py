# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Made-up path gains of devices that drive through streets with corners.

Streets form a grid (Manhattan). Devices in one street see each other; around a corner signals lose
more. Path loss is that of 3GPP TR 36.885, table A.1.4-1 (WINNER+ B1 Manhattan), shadowing is
log-normal and correlated over the distance that both ends have driven, exp(-d / d_corr).
"""

from dataclasses import dataclass

import numpy as np

HEADINGS = np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])


@dataclass(frozen=True)
class Streets:
    """A town, and who drives in it."""

    devices: int = 20
    seconds: float = 60.0
    step: float = 0.5  # between times [s]
    seed: int = 1
    block: float = 100.0  # distance of parallel streets [m]
    blocks: int = 4  # of them in each direction
    speed: float = 10.0  # of devices [m/s]
    frequency: float = 5.9  # [GHz]
    deviation: float = 3.0  # of shadowing in a street [dB]; a third more around corners
    decorrelation: float = 10.0  # d_corr [m]

    def times(self) -> np.ndarray:
        """Times of the trace [s]."""
        return np.arange(0, self.seconds + self.step / 2, self.step)


def street_gains(town: Streets) -> np.ndarray:
    """Path gains [dB] by time, device and device, the same both ways; -inf of a device to itself."""
    random = np.random.default_rng(town.seed)
    places = drive(town, random)
    moved = np.linalg.norm(np.diff(places, axis=0), axis=2)
    shadows = correlated(moved, town.decorrelation, random)
    gains = np.empty(shadows.shape)
    for k, place in enumerate(places):
        loss, is_seen = path_loss(place, town)
        gains[k] = np.minimum(
            0.0, -loss - town.deviation * np.where(is_seen, 1.0, 4 / 3) * shadows[k]
        )
        np.fill_diagonal(gains[k], -np.inf)
    return gains


def drive(town: Streets, random: np.random.Generator) -> np.ndarray:
    """Places [m] by time, device and coordinate: along streets, with turns at corners by chance."""
    count = town.devices
    place = random.integers(0, town.blocks + 1, (count, 2)) * town.block
    heading = random.integers(0, 4, count)
    left = np.zeros(count)  # to the next corner
    places = [place.copy()]
    for _ in town.times()[1:]:
        for device in range(count):
            distance = town.speed * town.step
            while distance > 0:
                if left[device] == 0:
                    heading[device] = _turn(place[device], heading[device], town, random)
                    left[device] = town.block
                driven = min(distance, left[device])
                place[device] += driven * HEADINGS[heading[device]]
                left[device] -= driven
                distance -= driven
        places.append(place.copy())
    return np.array(places)


def _turn(place, heading: int, town: Streets, random: np.random.Generator) -> int:
    """Straight on or to a side, never back, unless the town ends there."""
    end = town.block * town.blocks
    ahead = [
        way
        for way in ((heading + 3) % 4, heading, (heading + 1) % 4)
        if (place + HEADINGS[way] >= 0).all() and (place + HEADINGS[way] <= end).all()
    ]
    return int(random.choice(ahead)) if ahead else (heading + 2) % 4


def correlated(moved: np.ndarray, decorrelation: float, random: np.random.Generator) -> np.ndarray:
    """Standard normal numbers by time and pair, with correlation exp(-d / decorrelation).

    moved: how far each device has come from one time to the next [m]; d is the sum of both ends'.
    """
    count = moved.shape[1]
    upper = np.triu(np.ones((count, count)), 1)

    def draw():
        numbers = random.standard_normal((count, count)) * upper
        return numbers + numbers.T

    fields = [draw()]
    for distance in moved:
        kept = np.exp(-(distance[:, np.newaxis] + distance[np.newaxis, :]) / decorrelation)
        fields.append(kept * fields[-1] + np.sqrt(1 - kept**2) * draw())
    return np.array(fields)


def path_loss(place: np.ndarray, town: Streets):
    """Path loss [dB] of all pairs, and whether they see each other."""
    along = np.abs(place[:, np.newaxis] - place[np.newaxis, :])  # in x and in y
    same = np.isclose(along, 0)
    lanes = np.isclose(place / town.block, np.round(place / town.block))  # on a street across x, y
    in_street = (same & (lanes[:, np.newaxis] & lanes[np.newaxis, :])).any(axis=2)
    straight = _in_street(along.max(axis=2), town)
    around = np.minimum(
        _around(along[..., 0], along[..., 1], town), _around(along[..., 1], along[..., 0], town)
    )
    return np.where(in_street, straight, np.maximum(around, straight)), in_street


def _in_street(distance: np.ndarray, town: Streets) -> np.ndarray:
    nearest = 3.0  # [m]
    return (
        22.7 * np.log10(np.maximum(distance, nearest)) + 41 + 20 * np.log10(town.frequency / 5.0)
    )


def _around(first: np.ndarray, second: np.ndarray, town: Streets) -> np.ndarray:
    slope = np.maximum(2.8 - 0.0024 * first, 1.84)
    corner = 10 * slope * np.log10(np.maximum(second, 3.0)) + 3 * np.log10(town.frequency / 5.0)
    return _in_street(first, town) + 20 - 12.5 * slope + corner
