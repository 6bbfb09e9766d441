# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Where devices are over time."""

import numpy as np
import pandas as pd

from ..runs.run import Run


def ways(run: Run) -> pd.DataFrame:
    """The ways of devices that move, a row a point (columns of the table positions).

    Between two points a device moves straight. The table has no row of a device that stands still,
    so a point is added where it was last seen to stand.
    """
    rows = run.positions.dropna(subset=["time_s", "x_m", "y_m"])
    rows = rows.sort_values(["device", "time_s"], kind="stable")
    moved = rows.groupby("device")["time_s"].transform("size") > 1
    rows = rows[moved]
    gaps = rows.groupby("device")["time_s"].diff()
    interval = gaps[gaps > 0].median()  # most devices move most of the time
    stood = rows.groupby("device").shift()  # where they were before
    stood = stood.assign(device=rows["device"], time_s=rows["time_s"] - interval)
    stood = stood[gaps > 1.5 * interval]
    joined = pd.concat([rows, stood]).sort_values(["device", "time_s"], kind="stable")
    return joined[list(run.positions.columns)].reset_index(drop=True)


def places_at(points: pd.DataFrame, time: float) -> pd.DataFrame:
    """Where devices are that ways() has: x_m and y_m by device."""
    found = {
        device: [np.interp(time, way["time_s"], way[axis]) for axis in ("x_m", "y_m")]
        for device, way in points.groupby("device")
    }
    return pd.DataFrame.from_dict(found, orient="index", columns=["x_m", "y_m"])
