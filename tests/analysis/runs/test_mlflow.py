# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of runs in MLflow's file store, read here as MLflow reads it."""

import re
import unittest

from folder_test_case import FolderTestCase, change_run
from synthetic_run import DEVICES, ENERGY_J, ROUND_S, ROUNDS, accuracy, write_run

import yaml

from collab import load_run
from collab.cli.collect import main
from collab.runs.mlflow import write_mlflow


def read_store(folder):
    """What a store has of its runs, {run_id: (meta, {metric: rows}, params, tags)}."""
    experiment = yaml.safe_load((folder / "0/meta.yaml").read_text())
    assert (experiment["experiment_id"], experiment["name"]) == ("0", "Default"), experiment
    runs = {}
    for run in (path for path in (folder / "0").iterdir() if path.is_dir()):
        files = {kind: {file.name: file.read_text() for file in (run / kind).iterdir()}
                 for kind in ("metrics", "params", "tags")}  # fmt: skip
        rows = {name: [tuple(map(float, line.split())) for line in text.splitlines()]
                for name, text in files["metrics"].items()}  # fmt: skip
        runs[run.name] = (yaml.safe_load((run / "meta.yaml").read_text()), rows, files["params"], files["tags"])
    return runs


class StoreTest(FolderTestCase):
    def test_values_are_those_of_the_run(self):
        run = load_run(write_run(self.folder / "run"))
        folder = run.to_mlflow(self.folder / "mlruns")
        ((name, (meta, rows, params, tags)),) = read_store(self.folder / "mlruns").items()
        self.assertEqual(folder, self.folder / "mlruns/0" / name)
        self.assertRegex(name, "^[0-9a-f]{32}$")
        self.assertEqual((meta["run_id"], meta["run_uuid"], meta["status"]), (name, name, 3))
        self.assertEqual((meta["start_time"], meta["end_time"]), (0, 1000 * ROUND_S * ROUNDS))
        self.assertEqual(set(rows), {*run.metrics, "energy_j", "bytes_sent"})
        mean = [sum(accuracy(step, device) for device in range(DEVICES)) / DEVICES for step in range(ROUNDS)]
        for step, row in enumerate(rows["accuracy_reference"]):
            self.assertEqual((row[0], row[2]), (1000 * ROUND_S * (step + 1), step))
            self.assertAlmostEqual(row[1], mean[step])
        self.assertEqual(rows["energy_j"][-1][1], sum(ENERGY_J.values()) * ROUNDS)
        self.assertEqual(params["trust"], run.parameters["trust"])
        self.assertEqual((params["seed"], params["run"]), ("1", "1"))
        self.assertEqual((tags["scenario"], tags["collab"]), (run.scenario, "0.1.0"))

    def test_names_are_those_that_mlflow_takes(self):
        path = change_run(write_run(self.folder / "run"), attributes={"ns3::collab::D2dPhy::Bandwidth": "5e6"})
        load_run(path).to_mlflow(self.folder / "mlruns")
        ((_, _, params, _),) = read_store(self.folder / "mlruns").values()
        self.assertEqual(params["ns3.collab.D2dPhy.Bandwidth"], "5e6")
        self.assertFalse([name for name in params if re.search(r"[^/\w.\- ]", name)])

    def test_what_is_no_number_is_left_out(self):
        known = {"run_id": "ab" * 16, "name": "a: b", "finished": False, "params": {"long": "x" * 7000}, "tags": {}}
        curves = {"a": {0: 1.5, 1: float("nan")}, "b": {0: float("inf"), 1: float("nan")}}
        write_mlflow(self.folder, known, curves, {0: 2.0, 1: 4.0})
        ((meta, rows, params, _),) = read_store(self.folder).values()
        self.assertEqual(rows, {"a": [(2000, 1.5, 0)]})
        self.assertEqual((meta["run_name"], meta["status"], len(params["long"])), ("a: b", 1, 6000))


class CommandTest(FolderTestCase):
    def test_one_run_a_folder(self):
        for number, name in enumerate(("a", "b/c"), start=1):
            write_run(self.folder / "runs" / name, run=number)
        out = self.folder / "mlruns"
        words = (self.folder / "runs", "--mlflow", out)
        self.assertIn(f"{out}: 2 of 2 runs; mlflow ui --backend-store-uri {out}", self.call(main, *words))
        self.assertEqual({meta["run_name"] for meta, *_ in read_store(out).values()}, {"a", "b/c"})
        code, _, errors = self.run_command(main, *words)
        self.assertEqual((code, errors.count("is there already\n")), (2, 2))
        self.assertEqual(len(read_store(out)), 2)


if __name__ == "__main__":
    unittest.main()
