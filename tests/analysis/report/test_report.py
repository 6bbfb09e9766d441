# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow nightly-all
"""Tests of reports: their data and the HTML around them, without a browser."""

import html.parser
import json
import os
import re
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from folder_test_case import NIGHTLY, FolderTestCase, change_run

import numpy as np
import pandas as pd
from collab.cli.report import main
from collab.runs.collection import collect
from collab.runs.errors import RunError
from collab.report import animation_data
from collab.report.charts import CHARTS
from collab.report.data_table import MOST_ROWS, data_table, every_few
from collab.report.page import build_page, to_json
from collab.report.run_page import run_data
from collab.report.sweep_page import sweep_data
from collab.report.write import write_report
from synthetic_run import DEVICES, ENERGY_J, PHASES, ROUND_S, ROUNDS, accuracy, write_run

CHART_LIBRARY = "/*!\n * Chart.js v3.9.1\n */\nwindow.Chart = class {}; // </script>\n"


class ReportTestCase(FolderTestCase):
    """Gives each test an empty folder, and something in the place of Chart.js."""

    def setUp(self):
        super().setUp()
        library = self.folder / "chart.js"
        library.write_text(CHART_LIBRARY)
        environment = mock.patch.dict(os.environ, {"COLLAB_CHART_JS": str(library)})
        environment.start()
        self.addCleanup(environment.stop)

    def edit(self, path, name, change):
        """Replaces the text of a table by what change makes of it."""
        file = path / f"{name}.csv"
        file.write_text(change(file.read_text()))

    def write_sweep(self, seeds=3):
        return write_sweep(self.folder / "sweep", seeds)


def write_sweep(path, seeds):
    """Writes a sweep over trust and maxOutage; returns its folder."""
    for outage in (0.2, 0.6):
        for trust in ("dynamic", "naive"):
            for run in range(1, seeds + 1):
                bonus = 0.1 * outage + 0.01 * run
                write_run(path / f"{trust}-{outage}-{run}", trust, run, bonus, maxOutage=outage)
    return path


def first_line(text):
    return text.splitlines()[0] + "\n"


def chart(data, name):
    return next(entry for entry in data["charts"] if entry["id"] == name)


def series(data, name, line):
    return next(entry for entry in chart(data, name)["series"] if entry["name"] == line)


def table(data, name):
    return next(entry for entry in data["tables"] if entry["name"] == name)


def column(data, name, heading):
    return next(entry for entry in table(data, name)["columns"] if entry["name"] == heading)


class RunDataTest(ReportTestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.data = run_data(write_run(Path(folder) / "a"))

    def test_a_whole_run_lacks_nothing(self):
        self.assertEqual(self.data["notes"], [])
        self.assertEqual([entry["id"] for entry in self.data["charts"]], list(CHARTS))
        names = [entry["name"] for entry in self.data["tables"]]
        self.assertEqual(names, ["rounds", "energy", "latency", "messages", "trust"])

    def test_learning_over_all_four_axes(self):
        line = series(self.data, "learning", "regular devices, mean")
        expected = [np.mean([accuracy(n, d) for d in (0, 1, 3)]) for n in range(ROUNDS)]
        np.testing.assert_allclose(line["y"]["accuracy_reference"], expected)
        self.assertEqual(line["x"]["rounds"], [1, 2, 3, 4])
        self.assertEqual(line["x"]["time"], [ROUND_S * (n + 1) for n in range(ROUNDS)])
        joules = sum(ENERGY_J.values())
        np.testing.assert_allclose(line["x"]["energy"], [joules * (n + 1) for n in range(ROUNDS)])
        self.assertEqual(line["x"]["bytes"], [0, 0, 1.6, 3.2])
        spread = np.std([accuracy(0, d) for d in (0, 1, 3)])
        self.assertAlmostEqual(line["high"]["accuracy_reference"][0], expected[0] + spread)
        low = series(self.data, "learning", "low-quality devices, mean")
        self.assertAlmostEqual(low["y"]["accuracy_reference"][3], accuracy(3, 2))

    def test_energy_by_kind_and_device(self):
        bars = chart(self.data, "energy")
        self.assertEqual(bars["x"][0]["labels"], ["0", "1", "2*", "3"])
        sums = {entry["name"]: entry["y"]["bar"] for entry in bars["series"]}
        self.assertEqual(sums["computing"], [ENERGY_J["compute"] * ROUNDS] * DEVICES)
        self.assertNotIn("receiving from server", sums)  # none was spent

    def test_delay_ends_below_one_by_what_was_lost(self):
        (line,) = chart(self.data, "delay")["series"]
        self.assertAlmostEqual(line["y"]["share"][-1], 22 / 24)
        np.testing.assert_allclose(line["x"]["delay"], 0.1)

    def test_attempts_count_each_message_once(self):
        path = write_run(self.folder / "b")
        # Of 8 messages, 7 to 3 receivers and one to a single receiver, that one took twice as many
        lines = (path / "messages.csv").read_text().splitlines(keepends=True)
        lines[1] = lines[1].replace("1600,2,0,2,", "1600,2,0,4,")
        (path / "messages.csv").write_text("".join(lines[:2] + lines[4:]))
        (line,) = chart(run_data(path), "attempts")["series"]
        self.assertEqual((line["x"]["attempts"], line["y"]["share"]), ([1, 1, 2], [0, 7 / 8, 1]))

    def test_times_can_be_whole_numbers(self):
        path = write_run(self.folder / "b")
        table = pd.read_csv(path / "messages.csv")
        table = table.assign(queued_s=1, start_s=2, end_s=3)
        table.to_csv(path / "messages.csv", index=False)
        data = json.loads(to_json(run_data(path)))
        self.assertEqual(set(chart(data, "delay")["series"][0]["x"]["delay"]), {2})

    def test_latency_has_waiting_last(self):
        bars = chart(self.data, "latency")["series"]
        self.assertEqual(bars[-1]["name"], "waiting, receiving")
        total = np.sum([entry["y"]["bar"] for entry in bars], axis=0)
        np.testing.assert_allclose(total, ROUND_S)

    def test_animation_knows_devices_batteries_and_links(self):
        animation = self.data["animation"]
        self.assertEqual(animation["end"], ROUND_S * ROUNDS)
        self.assertEqual(animation["devices"]["x"], [0, 10, 20, 30])
        battery = animation["tracks"][0][0]
        self.assertEqual(set(battery["capacity"]), {1000})
        spent = [sum(ENERGY_J.values()) * n for n in range(ROUNDS + 1)]
        self.assertEqual(battery["spent"], spent)
        self.assertEqual(battery["left"], [1000 - joules for joules in spent])
        measures = {entry["key"]: entry for entry in animation["links"]}
        self.assertEqual(list(measures), ["trust", "delay", "lost"])
        (lost,) = measures["lost"]["frames"]
        links = dict(zip(zip(lost["from"], lost["to"]), lost["value"]))
        self.assertEqual((links[1, 0], links[0, 1]), (1, 0))
        # The first device has weighed its peers after predict, exchange and trust
        self.assertEqual([frame["time"] for frame in measures["trust"]["frames"]], [23.5, 33.5])

    def test_a_server_is_no_device(self):
        path = write_run(self.folder / "b")
        self.edit(path, "messages", lambda text: text + "".join(
            f"1,1,1.1,{sender},{receiver},update,0,1,800,1,0,1,0.1,1,\n"
            for sender, receiver in ((9, 0), (1, 9))))  # fmt: skip
        data = run_data(path)
        self.assertEqual(data["notes"], [])
        self.assertEqual(dict(data["summary"])["devices"], "4; low quality: 2")
        for heading in ("energy, round, device [J]", "sent, round, device [kB]"):
            self.assertEqual(dict(data["results"])[heading], dict(self.data["results"])[heading])
        devices = data["animation"]["devices"]
        self.assertEqual(devices["id"], [0, 1, 2, 3, 9])
        self.assertEqual(devices["listed"], [True] * 4 + [False])
        self.assertEqual((devices["x"], devices["y"]), ([0, 10, 20, 30, 15], [0, 0, 0, 0, 6]))
        self.assertTrue(devices["inMeters"])

    def test_links_show_outage_if_the_run_tells_it(self):
        path = write_run(self.folder / "b")
        (path / "links.csv").write_text("device,peer,outage\n0,1,0.25\n1,0,0.5\n")
        data = run_data(path)
        measure = data["animation"]["links"][0]
        self.assertEqual((measure["key"], measure["frames"][0]["value"]), ("outage", [0.25, 0.5]))
        self.assertEqual(table(data, "links")["total"], 2)

    def test_parameters_that_were_changed_are_marked(self):
        path = write_run(self.folder / "b", rounds=4)
        defaults = {"devices": 10, "trust": "dynamic", "rounds": 4}
        attributes = {"ns3::collab::D2dPhy::Bandwidth": "5e6"}
        change_run(path, defaults=defaults, attributes=attributes, run=3)
        rows = {row["name"]: row for row in run_data(path)["parameters"]}
        changed = [name for name, row in rows.items() if row["changed"]]
        self.assertEqual(changed, ["devices", *attributes, "RngRun"])
        self.assertEqual((rows["devices"]["value"], rows["devices"]["default"]), ("4", "10"))

    def test_radios_and_hints_are_told(self):
        path = write_run(self.folder / "b")
        radio = {"channel": 0, "nodes": "0-3", "tx_power_dbm": 20.5, "duplex": "Half"}
        change_run(path, radios=[radio, "broken"], hints=["links are long", 3])
        data = run_data(path)
        self.assertEqual(dict(data["summary"])["radios of nodes 0-3, channel 0"],
                         "tx_power_dbm 20.5, duplex Half")  # fmt: skip
        self.assertIn("Links are long.", data["notes"])

    def test_meanings_of_columns_are_those_of_the_run(self):
        path = write_run(self.folder / "b")
        lines = ["table,column,type,unit,meaning"]
        header = (path / "energy.csv").read_text().splitlines()[0]
        for name in header.split(","):
            lines.append(f"energy,{name},real,{'J' if name == 'tx_j' else ''},of {name}")
        (path / "columns.csv").write_text("\n".join(lines) + "\n")
        meanings = dict(table(run_data(path), "energy")["meanings"])
        self.assertEqual((meanings["tx_j"], meanings["round"]), ("of tx_j [J]", "of round"))

    def test_results_leave_out_what_nothing_was_spent_on(self):
        results = dict(self.data["results"])
        self.assertAlmostEqual(results["accuracy X* regular"], 0.7 + 0.04 / 3)
        self.assertIn("d2s_tx total [J]", results)
        self.assertNotIn("d2s_rx total [J]", results)


class DataTableTest(unittest.TestCase):
    def test_sums_and_means_are_of_all_rows(self):
        count = MOST_ROWS + 5
        frame = pd.DataFrame({"round": range(count), "bytes": 2, "weight": np.arange(count)})
        made = data_table(frame, "messages", "caption")
        numbers, sizes, weights = made["columns"]
        self.assertEqual((made["total"], len(numbers["values"])), (count, MOST_ROWS))
        self.assertEqual((numbers["values"][0], numbers["values"][-1]), (0, count - 1))
        self.assertEqual((numbers["sum"], numbers["mean"]), (None, None))
        self.assertEqual((sizes["sum"], weights["mean"]), (2 * count, (count - 1) / 2))

    def test_every_few_is_even(self):
        self.assertEqual(list(every_few(3, 5)), [0, 1, 2])
        self.assertEqual(list(every_few(9, 3)), [0, 4, 8])

    def test_missing_values_become_null(self):
        frame = pd.DataFrame({"a": [1.5, np.nan, np.inf], "b": ["x", None, "y"]})
        first, second = data_table(frame, "t", "")["columns"]
        self.assertEqual(json.loads(to_json(first["values"])), [1.5, None, None])
        self.assertEqual(second["values"], ["x", "", "y"])


class DamagedRunTest(ReportTestCase):
    def damage(self, **edits):
        """Data and notes of a run whose tables were edited; None takes a table away."""
        path = write_run(self.folder / "a")
        self.addCleanup(shutil.rmtree, path, ignore_errors=True)
        for name, change in edits.items():
            if change is None:
                (path / f"{name}.csv").unlink()
            else:
                self.edit(path, name, change)
        return self.data_of(path)

    def data_of(self, path):
        data = run_data(path)
        build_page(data)
        return data, "\n".join(data["notes"])

    def test_no_run(self):
        for source in (self.folder / "absent", self.folder):
            with self.assertRaisesRegex(RunError, "is not a run"):
                write_report(source)

    def test_damaged_metadata_is_told_in_one_line(self):
        path = write_run(self.folder / "a")
        (path / "run.json").write_text("{")
        self.assert_refused(r"^collab report: .*run\.json: ", main, path)
        self.assertFalse((path / "report.html").exists())

    def test_cut_table_keeps_its_whole_lines(self):
        data, notes = self.damage(energy=lambda text: text[:-3])
        self.assertIn("energy.csv: the last line is cut", notes)
        self.assertEqual(table(data, "energy")["total"], ROUNDS * DEVICES - 1)

    def test_missing_and_empty_tables(self):
        _, notes = self.damage(messages=None, trust=first_line, latency=lambda text: "")
        for note in ("messages.csv is missing", "There is no chart of delay", "no trust weights",
                     "no chart of latency", "There is no chart of attempts"):  # fmt: skip
            self.assertIn(note, notes)

    def test_every_single_table_can_be_missing_or_garbage(self):
        damages = (("gone", None), ("bytes", b"\xff\xfe\x00\n"), ("other", b"a,b\n1,2\n"),
                   ("rows", b'x,"\n1\n'))  # fmt: skip
        for place, name in enumerate(("rounds", "energy", "latency", "messages", "trust")):
            for damage, text in damages if NIGHTLY else [damages[place % len(damages)]]:
                with self.subTest(table=name, damage=damage):
                    path = write_run(self.folder / f"{name}-{damage}")
                    file = path / f"{name}.csv"
                    file.unlink() if text is None else file.write_bytes(text)
                    self.assertIn(f"{name}.csv", self.data_of(path)[1])

    def test_run_without_any_table(self):
        path = write_run(self.folder / "a")
        for file in path.glob("*.csv"):
            file.unlink()
        _, notes = self.data_of(path)
        self.assertIn("no round has ended", notes)
        self.assertIn("There is no animation", notes)

    def test_run_that_has_just_begun(self):
        path = write_run(self.folder / "a.partial")
        for file in path.glob("*.csv"):
            file.write_text("")
        self.assertIn("has not finished", self.data_of(path)[1])

    def test_local_run_says_that_it_has_no_messages(self):
        _, notes = self.data_of(write_run(self.folder / "a", "local"))
        self.assertIn("no links by messages: there were none", notes)
        self.assertIn("Tables without a row: messages, trust.", notes)

    def test_messages_that_were_not_recorded_are_not_said_to_be_none(self):
        data, notes = self.damage(messages=first_line)
        self.assertIn("no links by messages: the run has no record of them", notes)
        bars = {bar["name"]: bar["y"]["bar"] for bar in chart(data, "latency")["series"]}
        self.assertEqual(bars["sending and waiting"], [0, 0, PHASES["exchange"], PHASES["exchange"]])
        self.assertNotIn("sending", bars)

    def test_values_that_are_no_numbers(self):
        _, notes = self.damage(
            rounds=lambda text: text.replace("0.5,0.5,", "nan,inf,").replace("\n1,2,", "\n1,x,"),
            messages=lambda text: text.replace("1600", "many"))  # fmt: skip
        self.assertIn("'x' in row 7 is no number", notes)
        self.assertIn("rounds: 1 rows without a number are left out.", notes)
        self.assertIn("'many' in row 1 is no number", notes)

    def test_rows_that_are_there_twice(self):
        _, notes = self.damage(rounds=lambda text: text + text.splitlines()[3] + "\n")
        self.assertIn("rounds: 1 rows that repeat others are left out.", notes)

    def test_devices_without_positions(self):
        path = write_run(self.folder / "a")
        change_run(path, devices=[{"device": 0}, {"device": 1}])
        data = run_data(path)
        self.assertIn("lacks positions", "\n".join(data["notes"]))
        self.assertEqual(data["animation"]["devices"]["id"], [0, 1, 2, 3])
        self.assertFalse(data["animation"]["devices"]["inMeters"])

    def test_long_runs_are_thinned_with_a_note(self):
        path = write_run(self.folder / "a")
        with mock.patch.object(animation_data, "MOST_ROWS", 10):
            data = run_data(path)
        self.assertEqual(len(data["animation"]["messages"]["start"]), 10)
        self.assertIn("shows 10 of the 24 messages", data["notes"][0])
        # Of 8 broadcasts to 3 receivers each, one of which lost 2 parts of 2 messages
        sums = {name: column(data, "messages", name)["sum"] for name in (
            "bytes", "fragments", "attempts", "airtime_s", "lost_fragments")}  # fmt: skip
        self.assertEqual([sums["bytes"], sums["fragments"], sums["attempts"]], [8 * 1600, 16, 16])
        self.assertAlmostEqual(sums["airtime_s"], 0.8)
        self.assertEqual((sums["lost_fragments"], column(data, "messages", "bytes")["mean"]), (4, 1600))


class SweepDataTest(ReportTestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.data = sweep_data(write_sweep(Path(folder) / "sweep", 3), Path(folder) / "r.html")

    def test_bands_over_seeds(self):
        line = series(self.data, "learning", "trust=dynamic, maxOutage=0.2")
        means = [np.mean([accuracy(3, d) for d in (0, 1, 3)]) + 0.02 + 0.01 * r for r in (1, 2, 3)]
        self.assertAlmostEqual(line["y"]["accuracy_reference"][3], np.mean(means))
        half = line["high"]["accuracy_reference"][3] - line["y"]["accuracy_reference"][3]
        self.assertAlmostEqual(half, 4.303 * 0.01 / 3**0.5)
        self.assertEqual(self.data["notes"], [])

    def test_explorer_has_every_point(self):
        data = self.data["explorer"]
        names = {entry["name"]: entry for entry in data["parameters"]}
        self.assertEqual(list(names), ["trust", "maxOutage"])
        self.assertEqual(names["maxOutage"]["order"], ["0.2", "0.6"])
        self.assertEqual(names["trust"]["values"], ["dynamic"] * 6 + ["naive"] * 6)
        final = next(e for e in data["outcomes"] if e["name"] == "accuracy X* regular")
        self.assertEqual(len(final["values"]), 12)
        self.assertEqual(data["quantiles"][:2], [12.706, 4.303])

    def test_means_table(self):
        self.assertEqual(table(self.data, "means")["total"], 4)
        self.assertEqual(column(self.data, "means", "runs")["values"], [3] * 4)
        half = column(self.data, "means", "± accuracy X* regular")["values"]
        np.testing.assert_allclose(half, 4.303 * 0.01 / 3**0.5)

    def test_means_are_over_the_runs_that_have_a_number(self):
        folder = self.write_sweep()
        self.edit(folder / "naive-0.2-3", "rounds", lambda text: "".join(
            re.sub(r"^(\d+,[013],[^,]*,[^,]*,\d),[^,]*", r"\1,nan", line)
            for line in text.splitlines(keepends=True)))  # fmt: skip
        data = sweep_data(folder, self.folder / "r.html")
        name = "accuracy X* regular"
        self.assertEqual(column(data, "means", f"runs with {name}")["values"], [3, 3, 2, 3])
        self.assertIn(f"Some runs have no {name}", table(data, "means")["caption"])
        final = np.mean([accuracy(ROUNDS - 1, d) for d in (0, 1, 3)]) + 0.02 + 0.015
        self.assertAlmostEqual(column(data, "means", name)["values"][2], final)
        half = column(data, "means", f"± {name}")["values"][2]
        self.assertAlmostEqual(half, 12.706 * 0.005)
        headings = [entry["name"] for entry in table(data, "means")["columns"]]
        self.assertEqual([head for head in headings if head.startswith("runs ")], [f"runs with {name}"])

    def test_links_only_to_reports_that_exist(self):
        folder = self.write_sweep(1)
        write_report(folder / "naive-0.6-1")
        data = sweep_data(folder, folder / "report.html")
        links = table(data, "runs")["links"]
        self.assertEqual([link for link in links if link], ["naive-0.6-1/report.html"])
        data = sweep_data(folder, self.folder / "elsewhere" / "r.html")
        self.assertIn("../sweep/naive-0.6-1/report.html", table(data, "runs")["links"])

    def test_attributes_vary_too(self):
        for value in ("1e6", "5e6"):
            path = write_run(self.folder / "sweep" / value)
            change_run(path, attributes={"ns3::Radio::Bandwidth": value})
        write_run(self.folder / "sweep/default")
        (entry,) = sweep_data(self.folder / "sweep", Path("r"))["explorer"]["parameters"]
        self.assertEqual(entry["order"], ["1e6", "5e6", "default"])

    def test_scenarios_are_no_seeds_of_one_another(self):
        for run, scenario in ((1, "prediction-consensus"), (1, "federated"), (2, "federated")):
            change_run(write_run(self.folder / f"sweep/{scenario}-{run}", run=run), scenario=scenario)
        data = sweep_data(self.folder / "sweep", Path("r"))
        self.assertEqual(table(data, "means")["total"], 2)
        self.assertEqual(table(data, "runs")["total"], 3)

    def test_parameters_are_those_of_all_scenarios(self):
        for scenario, parameters in (("prediction-consensus", {"trust": "dynamic"}),
                                     ("federated", {"server": 1, "mu": 0.5}),
                                     ("federated", {"server": 2, "mu": 0.5})):  # fmt: skip
            path = write_run(self.folder / f"sweep/{scenario}-{parameters.get('server')}")
            defaults = {"devices": 4 if "mu" in parameters else 10, "mu": 0.1}
            change_run(path, scenario=scenario, parameters={"devices": DEVICES, **parameters},
                        defaults=defaults)  # fmt: skip
        data = sweep_data(self.folder / "sweep", Path("r"))
        self.assertEqual(data["title"], "federated, prediction-consensus: sweep")
        rows = {row["name"]: row for row in data["parameters"]}
        self.assertEqual(set(rows), {"scenario", "devices", "trust", "server", "mu"})
        self.assertEqual([rows[name]["of"] for name in ("devices", "trust", "server", "mu")],
                         [None, "prediction-consensus", "federated", "federated"])  # fmt: skip
        self.assertEqual(rows["devices"]["default"], "4 (federated), 10 (prediction-consensus)")
        self.assertEqual((rows["devices"]["value"], rows["devices"]["changed"]), ("4", True))
        self.assertEqual((rows["mu"]["value"], rows["mu"]["default"]), ("0.5", "0.1"))
        for name, values in (("scenario", "federated, prediction-consensus"), ("server", "1, 2")):
            self.assertEqual((rows[name]["kind"], rows[name]["value"]), ("varied", values))

    def test_what_is_left_out_is_said(self):
        folder = self.write_sweep(1)
        write_run(folder / "failed/abc-1", "naive", 1)
        write_run(folder / "d.partial", "naive", 9)
        write_run(folder / "again", "naive", 1, maxOutage=0.6)
        change_run(write_run(folder / "other", "naive", 1, maxOutage=0.6), versions={"collab": "0"})
        damaged = write_run(folder / "bad", "naive", 5)
        (damaged / "run.json").write_text("{")
        self.edit(write_run(folder / "cut", "naive", 6), "energy", lambda text: text[:-3])
        data = sweep_data(folder, Path("r.html"))
        notes = "\n".join(data["notes"])
        for note in ("1 runs failed: abc-1", "d.partial is left out: it has not finished",
                     "bad is left out", "cut is left out", "other is left out: again is the same point",
                     "there twice and count once: 1, such as again and naive-0.6-1"):  # fmt: skip
            self.assertIn(note, notes)
        self.assertEqual(table(data, "runs")["total"], 4)

    def test_runs_of_older_calls_count_and_are_told(self):
        folder = self.write_sweep(1)
        points = {"naive-0.2-1": {}, "naive-0.6-1": {}, "dynamic-0.2-1": {}}
        (folder / "sweep.json").write_text(json.dumps({"points": points}))
        data = sweep_data(folder, self.folder / "r.html")
        self.assertEqual(data["notes"], ["runs of older calls of the sweep, which count: 1."])
        self.assertEqual(table(data, "runs")["total"], 4)

    def test_a_database_says_what_its_folder_says(self):
        folder = self.write_sweep(2)
        database = self.folder / "results.sqlite"
        collect([folder], database)
        self.assertEqual(write_report(database), self.folder / "results.html")
        mine = sweep_data(database, self.folder / "r.html")
        of_folder = sweep_data(folder, self.folder / "r.html")
        for part in ("tiles", "charts", "explorer", "tables", "notes"):
            self.assertEqual(to_json(mine[part]), to_json(of_folder[part]))

    def test_no_finished_run(self):
        write_run(self.folder / "sweep/a.partial")
        with self.assertRaisesRegex(RunError, "no run in it has finished"):
            write_report(self.folder / "sweep")


class _Outline(html.parser.HTMLParser):
    """Elements and scripts of a page."""

    def __init__(self):
        super().__init__()
        self.elements, self.scripts, self.inside = [], [], None

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.inside = dict(attrs).get("type", "code")
            self.scripts.append([self.inside, ""])

    def handle_endtag(self, tag):
        if tag == "script":
            self.inside = None

    def handle_data(self, data):
        if self.inside:
            self.scripts[-1][1] += data


class PageTest(ReportTestCase):
    HOSTILE = "</script><script>alert(1)</script><!--<b>\u2028'\"$title&amp;"

    def outline(self, path):
        outline = _Outline()
        outline.feed(path.read_text(encoding="utf-8"))
        return outline

    def test_is_one_file_without_addresses_of_others(self):
        file = write_report(write_run(self.folder / "a"))
        self.assertEqual(file, self.folder / "a/report.html")
        for tag, attributes in self.outline(file).elements:
            for name in ("src", "href"):
                self.assertRegex(attributes.get(name) or "#", r"^(#|data:,$)", tag)
        self.assertNotIn("@import", file.read_text())
        self.assertNotIn("url(", file.read_text())

    def test_policy_allows_no_network(self):
        elements = self.outline(write_report(write_run(self.folder / "a"))).elements
        policy = next(a["content"] for t, a in elements if a.get("http-equiv"))
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertNotIn("http", policy)

    def test_hostile_texts_stay_texts(self):
        path = write_run(self.folder / "a", trust=self.HOSTILE)
        change_run(path, scenario=self.HOSTILE, attributes={self.HOSTILE: self.HOSTILE})
        self.edit(path, "messages", lambda text: text.replace("outage", "</script><b>"))
        clean = self.outline(write_report(write_run(self.folder / "b")))
        outline = self.outline(write_report(path))
        tags = lambda made: [tag for tag, _ in made.elements]
        self.assertEqual(tags(outline), tags(clean))
        (data,) = (text for kind, text in outline.scripts if kind == "application/json")
        self.assertNotIn("<", data)
        self.assertTrue(json.loads(data)["title"].startswith(self.HOSTILE))

    def test_same_run_same_bytes(self):
        path = write_run(self.folder / "a")
        first = write_report(path).read_bytes()
        self.assertNotIn(str(self.folder).encode(), first)
        seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"  # another than here
        file = self.folder / "out/r.html"
        self.run_collab("report", path, "--out", file, folder="/", PYTHONHASHSEED=seed)
        self.assertEqual(file.read_bytes(), first)

    def test_file_of_before_stays_if_the_disk_is_full(self):
        path = write_run(self.folder / "a")
        file = write_report(path)
        before = file.read_bytes()
        with mock.patch.object(Path, "write_text", side_effect=OSError(28, "No space left")):
            self.assert_refused("No space left", main, path)
        self.assertEqual(file.read_bytes(), before)
        self.assertEqual(list(path.glob("*.partial")), [])

    def test_out_that_is_no_file(self):
        os.mkfifo(self.folder / "pipe")
        for out in (self.folder, self.folder / "pipe"):
            with self.assertRaisesRegex(RunError, "which is no file"):
                write_report(write_run(self.folder / f"run-of-{out.name}"), out)

    def test_sweep_by_name(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        write_run(self.folder / "runs/sweeps/outage/0123")
        self.assertEqual(write_report("outage"), Path("runs/sweeps/outage/report.html"))

    def test_charting_library_missing_or_old(self):
        path = str(write_run(self.folder / "a"))
        (self.folder / "old.js").write_text("/*! Chart.js v2.9.4 */")
        (self.folder / "other.js").write_text("let other;")
        for name, message in (("absent.js", "is not a file"), ("old.js", "is version 2 of"),
                              ("other.js", "is no Chart.js")):  # fmt: skip
            os.environ["COLLAB_CHART_JS"] = str(self.folder / name)
            code, _, errors = self.run_command(main, path)
            self.assertEqual(code, 1)
            self.assertIn(message, errors)
