# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""One picture of what the methods reached, what it cost and whom they trusted."""

from ...statistics.curves import is_accuracy, measure_of, name_of
from ..figure import runs_of
from ..outside import legend_beside
from ..style import new_figure, styled
from .accuracy import draw_accuracy
from .costs import draw_mean_energy
from .trust import draw_trust, has_numbers, weight_limits


@styled
def overview_figure(groups):
    """Accuracy against time and energy, energy by kind, and the first method's first W."""
    figure = new_figure(12, 9)
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.1)
    (time, energy), (kinds, trust) = figure.subplots(2, 2)
    column = measure_of(groups)
    name = "Accuracy" if is_accuracy(column) else name_of(column).capitalize()
    title = draw_accuracy(time, groups, "time", column)
    legend_beside(time, title=title)
    time.set_title(f"{name} over simulated time")
    draw_accuracy(energy, groups, "energy", column)
    energy.set_title(f"{name} over energy")
    if draw_mean_energy(kinds, groups):
        kinds.set_title("Where the energy goes")
        kinds.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=4, columnspacing=1.2)
    _draw_first_trust(figure, trust, groups)
    figure.suptitle(_title(runs_of(groups)), fontsize=13, fontweight="bold")
    return figure


def _draw_first_trust(figure, axes, groups):
    for label, (run, *_) in groups.items():
        if run.trust_rounds():
            first = run.trust_rounds()[0]
            mesh = draw_trust(axes, run, first, weight_limits(run, [first]))
            axes.set_title(f"First trust matrix W ({label}, round {first})")
            if not has_numbers(run):
                figure.colorbar(mesh, ax=axes, label="weight", shrink=0.8, extend="max")
            return
    axes.set_axis_off()


def _title(runs):
    """The scenarios, each with the devices of its runs."""
    told = {}
    for run in runs:
        told.setdefault(run.scenario, {})[_devices_of(run)] = None
    parts = [f"{scenario.replace('-', ' ')}: {' or '.join(devices)}" for scenario, devices in told.items()]
    title = "; ".join(parts)
    return title[:1].upper() + title[1:]


def _devices_of(run):
    text = f"{len(run.devices)} devices"
    for devices, what in ((run.low_quality, "of low quality"), (run.malicious, "malicious")):
        text += f", {len(devices)} of them {what}" if len(devices) else ""
    return text
