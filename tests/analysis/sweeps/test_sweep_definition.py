# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of sweep files: what points they stand for, and what their points are called."""

import os
import re
import shutil
import textwrap
import unittest
from pathlib import Path

from folder_test_case import ROOT, FolderTestCase

from collab.sweeps import Point, SweepError, expand, load_sweeps
from collab.cli.main import main
from collab.sweeps.definition import find_sweep_file, override, scales_of
from collab.sweeps.engine import find_profile
from collab.sweeps.estimate import TimeEstimate, duration, estimate_text
from collab.sweeps.program import Executable, check_program
from collab.sweeps.texts import canonical, read_yaml

HEAD = "schema: 1\nscenario: stand-in\n"
SCENARIOS = ROOT / "scenarios"


class SweepFileTestCase(FolderTestCase):
    """Gives each test an empty folder for its files."""

    def write(self, text, name="sweep.yaml"):
        """Writes a file and returns its path."""
        file = self.folder / name
        file.write_text(textwrap.dedent(text), encoding="utf-8")
        return file

    def load(self, text, name="sweep.yaml"):
        """The sweep of a file with this text."""
        return load_sweeps("sweep", self.write(text, name))[0]

    def points(self, text):
        """The points of a sweep with this text below its head, as (arguments, seed, run)."""
        sweep = self.load(HEAD + textwrap.dedent(text))
        return [(p.arguments, p.seed, p.run) for p in expand(sweep).values()]

    def assert_error(self, text, pattern):
        """A sweep with this text is refused with a line that matches."""
        with self.assertRaisesRegex(SweepError, pattern) as raised:
            expand(self.load(text))
        self.assertNotIn("\n", str(raised.exception))


class PointsTest(SweepFileTestCase):
    def test_without_axes_it_is_one_point(self):
        self.assertEqual(self.points("arguments: {rate: 2}"), [({"rate": "2"}, 1, 1)])

    def test_changes_of_a_baseline_are_made_alone(self):
        points = self.points("axes: {alone: [{a: 1, b: x}, {a: 2}, {b: y}]}")
        self.assertEqual([given for given, _, _ in points],
                         [{"a": "1", "b": "x"}, {"a": "2", "b": "x"}, {"a": "1", "b": "y"}])  # fmt: skip

    def test_grid_times_zip_times_list_times_seeds(self):
        points = self.points(
            """
            arguments: {rounds: 3}
            axes:
              grid:
                trust: [dynamic, naive]
              zip:
                a: [1, 2, 3]
                b: [x, y, z]
              list:
                - {c: 0.1, d: p}
                - {c: 0.2, d: q}
            seeds: {RngSeed: [7, 9], RngRun: 1..2}
            """
        )
        self.assertEqual(len(points), 2 * 3 * 2 * 2 * 2)
        common = {"rounds": "3", "trust": "dynamic"}
        first = {**common, "a": "1", "b": "x", "c": "0.1", "d": "p"}
        self.assertEqual(points[:5], [
            (first, 7, 1), (first, 7, 2), (first, 9, 1), (first, 9, 2),
            ({**first, "c": "0.2", "d": "q"}, 7, 1),
        ])  # fmt: skip
        self.assertEqual(points[8][0]["a"], "2")
        self.assertEqual(points[24][0]["trust"], "naive")
        pairs = {(arguments["a"], arguments["b"]) for arguments, _, _ in points}
        self.assertEqual(pairs, {("1", "x"), ("2", "y"), ("3", "z")})

    def test_values_of_a_zip_may_repeat_but_not_its_rows(self):
        points = self.points("axes: {zip: {a: [1, 2], b: [3, 3]}}")
        self.assertEqual([arguments for arguments, _, _ in points],
                         [{"a": "1", "b": "3"}, {"a": "2", "b": "3"}])  # fmt: skip
        self.assert_error(HEAD + "axes: {zip: {a: [1, 2, 1], b: [3, 3, 3]}}", "zip: a: 1, b: 3 is there twice")

    def test_the_example_of_the_documentation(self):
        page = (ROOT / "contrib-module/doc/collab-sweeps.rst").read_text()
        block = page.split(".. sourcecode:: yaml\n\n")[1].split("\n\n")[0].splitlines()
        text = "\n".join(line for line in block if "include:" not in line)
        self.assertEqual(len(expand(self.load(textwrap.dedent(text)))), 120)

    def test_several_zips_are_combined(self):
        points = self.points("axes: {zip: [{a: [1, 2], b: [3, 4]}, {c: [5, 6]}]}")
        self.assertEqual([tuple(arguments.values()) for arguments, _, _ in points],
                         [("1", "3", "5"), ("1", "3", "6"), ("2", "4", "5"), ("2", "4", "6")])  # fmt: skip

    def test_seeds(self):
        runs = [run for _, _, run in self.points("seeds: [1..3, 7]")]
        self.assertEqual(runs, [1, 2, 3, 7])
        self.assertEqual(self.points("seeds: 5"), [({}, 1, 5)])

    def test_numbers_have_one_spelling_unless_quoted(self):
        for text in ("5e6", "5.0e+6", "5000000", "+5000000.", "05000000"):
            self.assertEqual(canonical(text), "5000000")
        self.assertEqual(
            [canonical(text) for text in (".50", "1e-7", "True", "-0.0", "2,9", "1e999", "0x10")],
            ["0.5", "1e-07", "true", "0", "2,9", "1e999", "0x10"],
        )
        points = self.points("""arguments: {a: 1.10, b: "1.10", c: off, d: 1:30}""")
        self.assertEqual(points[0][0], {"a": "1.1", "b": "1.10", "c": "off", "d": "1:30"})


class DigestTest(SweepFileTestCase):
    def test_golden_values(self):
        # SHA-256 of {"arguments":{"maxOutage":"0.4","trust":"naive"},"rngRun":3,"rngSeed":1,
        # "scenario":"prediction-consensus","schema":1}
        point = Point("prediction-consensus", {"trust": "naive", "maxOutage": "0.4"}, 1, 3)
        self.assertEqual(point.digest, "8416ac620a42dcc2")
        self.assertEqual(Point("stand-in", {}, 1, 1).digest, "a19f354710fd099b")

    def test_each_part_of_a_point_is_in_its_name(self):
        point = Point("a", {"b": "1"}, 1, 1)
        others = [
            Point("b", {"b": "1"}, 1, 1),
            Point("a", {"b": "2"}, 1, 1),
            Point("a", {"c": "1"}, 1, 1),
            Point("a", {"b": "1"}, 2, 1),
            Point("a", {"b": "1"}, 1, 2),
        ]
        self.assertEqual(len({point.digest, *(other.digest for other in others)}), 6)

    def test_names_are_of_the_contents_of_files(self):
        names = []
        for contents in ("0,1", "1,0", "0,1"):
            self.write(contents, "losses.csv")
            names += expand(self.load(HEAD + "arguments: {a: losses.csv}"))
        self.assertEqual(names[0], names[2])
        self.assertNotEqual(names[0], names[1])
        (self.folder / "losses.csv").unlink()
        plain = expand(self.load(HEAD + "arguments: {a: losses.csv}"))
        self.assertNotIn(names[0], plain)  # a name that stands for no file

    def test_files_are_found_wherever_values_name_them(self):
        (self.folder / "sets").mkdir()
        for arguments, *files in (
            ('{dataSet: "file:pets.bin"}', "pets.bin"),
            ('{model: "script:net.pt"}', "net.pt"),
            ('{dataDir: sets, dataSet: "file:pets.bin"}', "sets/pets.bin"),
            ('{dataDir: sets, model: "script:net.pt"}', "net.pt"),
            (f'{{dataSet: "file:{self.folder}/pets.bin"}}', "pets.bin"),
            ('{ns3::collab::D2dChannel::OutageModel: "ns3::Matrix[FileName=out.csv]"}', "out.csv"),
            ('{m: "ns3::Both[Seed=1|First=a.csv|Second=b[File=c.csv]]"}', "a.csv", "c.csv"),
        ):
            for file in files:
                names = set()
                for contents in ("0,1", "1,0"):
                    self.write(contents, file)
                    names.update(expand(self.load(f"{HEAD}arguments: {arguments}")))
                self.assertEqual(len(names), 2, arguments)

    def test_names_are_of_the_files_of_a_known_data_set(self):
        def names_of(folder, data="sets"):
            text = f"{HEAD}arguments: {{dataDir: {data}, dataSet: mnist}}"
            return set(expand(self.load(text, f"{folder}/sweep.yaml")))

        for folder, contents in (("a", "0,1"), ("b", "1,0"), ("c", "0,1")):
            (self.folder / folder / "sets").mkdir(parents=True)
            self.write(contents, f"{folder}/sets/images")
            self.write(folder, f"{folder}/sets/.hidden")
        self.assertEqual(names_of("a"), names_of("c"))
        self.assertNotEqual(names_of("a"), names_of("b"))
        self.assertEqual(names_of("a", "nothing"), names_of("b", "nothing"))
        (self.folder / "c/sets/images").rename(self.folder / "c/sets/labels")
        self.assertNotEqual(names_of("a"), names_of("c"))

    def test_names_are_not_of_other_files_beside_a_file_of_data(self):
        names = set()
        (self.folder / "sets").mkdir()
        self.write("0,1", "sets/pets.bin")
        for other in ("a", "b"):
            self.write(other, "sets/other.bin")
            names.update(expand(self.load(HEAD + 'arguments: {dataDir: sets, dataSet: "file:pets.bin"}')))
        self.assertEqual(len(names), 1)

    def test_neither_order_nor_spelling_nor_kind_of_axis_changes_names(self):
        grid = expand(self.load(HEAD + "arguments: {b: 1}\naxes: {grid: {a: [0.50, 1e3]}}"))
        rows = expand(self.load(HEAD + "axes: {list: [{b: 1.0, a: 1000}, {b: '1', a: 0.5}]}"))
        self.assertEqual(set(grid), set(rows))

    def test_adding_values_and_seeds_renames_nothing(self):
        few = expand(self.load(HEAD + "axes: {grid: {a: [1, 3]}}\nseeds: 1..2"))
        more = expand(self.load(HEAD + "axes: {grid: {a: [1, 2, 3]}}\nseeds: 1..3"))
        self.assertEqual((len(few), len(more)), (4, 9))
        self.assertLess(set(few), set(more))


class IncludeTest(SweepFileTestCase):
    def setUp(self):
        super().setUp()
        self.write(HEAD + "arguments: {a: 1, b: 2}\naxes: {grid: {c: [1, 2], d: [3, 4]}}\nseeds: 1..4",
                   "base.yaml")  # fmt: skip

    def test_own_values_replace_included_ones_by_name(self):
        sweep = self.load(
            """
            schema: 1
            include: base.yaml
            arguments: {b: 5, e: 6}
            axes: {grid: {d: [7], f: [8, 9]}}
            """
        )
        self.assertEqual(sweep.arguments, {"a": "1", "b": "5", "e": "6"})
        self.assertEqual(sweep.grid, {"c": ["1", "2"], "d": ["7"], "f": ["8", "9"]})
        self.assertEqual((sweep.scenario, sweep.runs), ("stand-in", [1, 2, 3, 4]))

    def test_an_axis_can_become_an_argument_and_the_other_way_round(self):
        sweep = self.load(
            "schema: 1\ninclude: base.yaml\narguments: {c: 9}\naxes: {zip: {a: [5, 6]}}"
        )
        self.assertEqual(sweep.arguments, {"b": "2", "c": "9"})
        self.assertEqual(sweep.grid, {"d": ["3", "4"]})
        self.assertEqual(sweep.zips, [{"a": ["5", "6"]}])

    def test_later_includes_go_over_earlier_ones(self):
        (self.folder / "parts").mkdir()
        self.write("schema: 1\narguments: {a: 7}\nseeds: 9", "parts/small.yaml")
        sweep = self.load("schema: 1\ninclude: [base.yaml, parts/small.yaml]")
        self.assertEqual((sweep.arguments, sweep.runs), ({"a": "7", "b": "2"}, [9]))

    def test_zips_and_lists_are_replaced_as_a_whole(self):
        self.write("schema: 1\ninclude: base.yaml\naxes: {zip: {x: [1], y: [2]}, list: [{z: 3}]}",
                   "middle.yaml")  # fmt: skip
        sweep = self.load("schema: 1\ninclude: middle.yaml\naxes: {zip: {x: [5, 6]}}")
        self.assertEqual((sweep.zips, sweep.rows), ([{"x": ["5", "6"]}], [{"z": "3"}]))

    def test_mistakes(self):
        self.assert_error("schema: 1\ninclude: none.yaml", "none.yaml: No such file")
        self.write("schema: 1\ninclude: sweep.yaml", "other.yaml")
        self.assert_error("schema: 1\ninclude: other.yaml", "include of sweep.yaml, which includes")


class OverrideTest(SweepFileTestCase):
    def setUp(self):
        super().setUp()
        axes = "{grid: {b: [1, 2]}, zip: {c: [1, 2], d: [3, 4]}}"
        self.sweep = self.load(f"{HEAD}arguments: {{a: 1}}\naxes: {axes}")

    def test_arguments_and_axes_get_one_value(self):
        sweep = override(self.sweep, {"b": "5", "a": "x/y"})
        self.assertEqual(sweep.name, f"{self.sweep.name},a=x_y,b=5")
        self.assertEqual(sweep.arguments, {"a": "x/y", "b": "5"})
        self.assertEqual(sweep.axes(), ["c", "d"])
        self.assertEqual(self.sweep.axes(), ["b", "c", "d"])
        self.assertIs(override(self.sweep, {}), self.sweep)

    def test_mistakes(self):
        for settings, pattern in (
            ({"RngRun": "1"}, "--set: 'RngRun' is set by the sweep itself; use seeds"),
            ({"c": "1"}, "--set: 'c' goes with others"),
        ):
            with self.assertRaisesRegex(SweepError, pattern):
                override(self.sweep, settings)


class MistakesTest(SweepFileTestCase):
    def test_form(self):
        for text, pattern in (
            ("", "must be written as NAME: VALUE"),
            ("- a", "must be written as NAME: VALUE"),
            ("schema: 1\nscenario: [", "line 2: expected the node content"),
            ("schema: 1", "scenario is not given"),
            ("scenario: a", "schema is not given; allowed: 1"),
            ("schema: 0\nscenario: a", "schema is 0; allowed: 1"),
            (HEAD + "axis: {}", "key 'axis' is unknown; did you mean 'axes'"),
            (HEAD + "axes: {gird: {}}", "kind of axes 'gird' is unknown; did you mean 'grid'"),
            (HEAD + "arguments: {a: 1, b: 1, a: 2}", "line 3: 'a' is given twice"),
            (HEAD + "arguments: {a: [1]}", "arguments: a: a value is empty or is no single"),
            (HEAD + "arguments: {a: }", "arguments: a: a value is empty"),
            (HEAD + "axes: {grid: {a: 1}}", "grid: a must be a list"),
            (HEAD + "axes: {zip: {a: [1, 2], b: [1]}}", "a has 2, b has 1 values; .* equally many"),
            (HEAD + "axes: {list: [{a: 1}, {b: 1}]}", "list: not in every entry: a, b"),
            (HEAD + "axes: {alone: [{a: 1}]}", "alone has 1 entries; allowed: a baseline and its changes"),
            (HEAD + "axes: {alone: [{a: 1}, {b: 1}]}", "alone: argument 'b' is unknown; .*allowed: a"),
            (HEAD + "axes: {alone: [{a: 1}, {a: 2}], list: [{b: 1}]}", "both list and alone; allowed: one"),
            (HEAD + "arguments: {a: 1}\naxes: {grid: {a: [1]}}", "'a' is given twice, as argument"),
            (HEAD + "arguments: {threads: 1}", "'threads' is set by the sweep itself; use --jobs"),
            (HEAD + "axes: {grid: {RngRun: [1]}}", "'RngRun' is set by the sweep itself; use seeds"),
            (HEAD + "seeds: -1", "seeds: RngRun is '-1'; allowed: whole numbers, or ranges"),
            (HEAD + "seeds: {RngSeed: 0..2}", "seeds: RngSeed is 0; allowed: 1 to 4294944442"),
            (HEAD + "seeds: {Run: 1}", "key 'Run' is unknown; did you mean 'RngRun'"),
            (HEAD + "arguments: &a {b: *a}", "an alias stands for what it is in"),
        ):
            with self.subTest(text=text):
                self.assert_error(text, pattern)

    def test_no_point_and_a_point_twice(self):
        for text, pattern in (
            ("axes: {grid: {a: []}}", "grid: a has no value, so the sweep has no point"),
            ("axes: {list: []}", "list has no entry, so the sweep has no point"),
            ("seeds: []", "RngRun has no number, so the sweep has no point"),
            ("seeds: 3..1", "RngRun has no number, so the sweep has no point"),
            ("axes: {grid: {a: [1, 1.0]}}", "grid: a has 1 twice"),
            ("seeds: [1..3, 2]", "run 2 is a point twice"),
            ("axes: {list: [{a: 1}, {a: 1}]}", "a=1 run 1 is a point twice"),
        ):
            with self.subTest(text=text):
                self.assert_error(HEAD + text, pattern)

    def test_unreadable_files(self):
        (self.folder / "binary.yaml").write_bytes(b"\xff\xfe\x00")
        with self.assertRaisesRegex(SweepError, "binary.yaml: is no text in UTF-8"):
            load_sweeps("binary", self.folder / "binary.yaml")

    def test_names_of_sweeps(self):
        with self.assertRaisesRegex(SweepError, "did you mean 'prediction-consensus/demo'"):
            find_sweep_file("prediction-consensus/dmo", SCENARIOS / "sweeps")
        with self.assertRaisesRegex(SweepError, "unknown"):
            find_sweep_file("prediction-consensus/parts/smoke", SCENARIOS / "sweeps")
        with self.assertRaisesRegex(SweepError, "there is no such file"):
            find_sweep_file("somewhere/mine.yaml", SCENARIOS / "sweeps")


class ScaleTest(SweepFileTestCase):
    """Scales and parts of one file."""

    def named(self, text, scale="standard"):
        """{name: [(scenario, arguments, runs)]} of the sweeps of a file at a scale."""
        sweeps = load_sweeps("sweep", self.write(text), scale)
        return {
            sweep.name: [(p.scenario, p.arguments, p.run) for p in expand(sweep).values()]
            for sweep in sweeps
        }

    def test_a_scale_goes_over_all_that_the_file_says(self):
        text = """
            schema: 1
            scenario: stand-in
            arguments: {a: 1, b: 2}
            axes: {grid: {c: [3, 4]}}
            scales:
              smoke: {arguments: {a: 5, c: 6}, seeds: 7}
              paper: {axes: {grid: {c: [8]}}}
            """
        self.assertEqual(
            self.named(text),
            {"sweep": [("stand-in", {"a": "1", "b": "2", "c": c}, 1) for c in ("3", "4")]},
        )
        self.assertEqual(
            self.named(text, "smoke"),
            {"sweep-smoke": [("stand-in", {"a": "5", "b": "2", "c": "6"}, 7)]},
        )
        self.assertEqual(
            self.named(text, "paper"),
            {"sweep-paper": [("stand-in", {"a": "1", "b": "2", "c": "8"}, 1)]},
        )
        self.assertEqual(scales_of(self.write(text)), ["smoke", "standard", "paper"])

    def test_scales_of_included_files_are_below_those_of_the_file_and_above_the_rest(self):
        self.write("""
            schema: 1
            arguments: {a: 1, b: 1}
            scales: {smoke: {arguments: {a: 2, b: 2}}}
            """, "below.yaml")  # fmt: skip
        text = HEAD + "include: below.yaml\narguments: {a: 3, c: 3}\n"
        expected = {"a": "2", "b": "2", "c": "3"}
        self.assertEqual(self.named(text, "smoke"), {"sweep-smoke": [("stand-in", expected, 1)]})
        text += "scales: {smoke: {arguments: {b: 4}}}"
        expected["b"] = "4"
        self.assertEqual(self.named(text, "smoke"), {"sweep-smoke": [("stand-in", expected, 1)]})

    def test_what_a_scale_includes(self):
        self.write("schema: 1\narguments: {a: 2}\nseeds: 5", "small.yaml")
        text = HEAD + "arguments: {a: 1}\nscales: {smoke: {include: small.yaml}}"
        self.assertEqual(self.named(text, "smoke"), {"sweep-smoke": [("stand-in", {"a": "2"}, 5)]})

    def test_a_scale_that_changes_nothing_has_the_same_runs(self):
        text = HEAD + "arguments: {a: 1}\nscales: {paper: {}}"
        self.assertEqual(self.named(text, "paper"), self.named(text))

    PARTS = textwrap.dedent("""
        schema: 1
        arguments: {a: 1}
        scales: {smoke: {arguments: {b: 5}}}
        parts:
          - scenario: one
          - {name: two, scenario: two, arguments: {b: 2}, scales: {paper: {seeds: 3}}}
        """)

    def test_parts_are_sweeps_of_their_own(self):
        self.assertEqual(self.named(self.PARTS), {
            "sweep": [("one", {"a": "1"}, 1)], "sweep-two": [("two", {"a": "1", "b": "2"}, 1)],
        })  # fmt: skip
        self.assertEqual(self.named(self.PARTS, "smoke"), {
            "sweep-smoke": [("one", {"a": "1", "b": "5"}, 1)],
            "sweep-two-smoke": [("two", {"a": "1", "b": "5"}, 1)],
        })  # fmt: skip

    def test_a_part_is_left_out_of_a_scale_that_it_lacks(self):
        expected = {"sweep-two-paper": [("two", {"a": "1", "b": "2"}, 3)]}
        self.assertEqual(self.named(self.PARTS, "paper"), expected)

    METHODS = textwrap.dedent("""
        schema: 1
        arguments: {a: 1, rounds: 9}
        parts:
          - {name: one, scenario: one, arguments: {b: 2}}
          - name: two
            scenario: two
            names: {rounds: instants, loss: [up, down], steps: []}
            scales: {smoke: {arguments: {c: 3}}}
        """)

    def test_parts_that_are_included_get_what_the_file_says(self):
        self.write(self.METHODS, "methods.yaml")
        text = """
            schema: 1
            include: methods.yaml
            arguments: {b: 4, steps: 5}
            axes: {grid: {loss: [0, 1]}}
            scales: {smoke: {arguments: {rounds: 1, c: 6}}}
            parts: [{name: one, seeds: 7}]
            """
        self.assertEqual(self.named(text), {
            "sweep-one": [
                ("one", {"a": "1", "rounds": "9", "b": "4", "steps": "5", "loss": loss}, 7)
                for loss in "01"
            ],
            "sweep-two": [
                ("two", {"a": "1", "instants": "9", "b": "4", "up": loss, "down": loss}, 1)
                for loss in "01"
            ],
        })  # fmt: skip
        smoke = self.named(text, "smoke")["sweep-two-smoke"]
        self.assertEqual(smoke[0][1], {
            "a": "1", "instants": "1", "b": "4", "c": "6", "up": "0", "down": "0",
        })  # fmt: skip

    def test_a_part_without_a_name_for_an_axis_is_left_out(self):
        self.write(self.METHODS, "methods.yaml")
        text = "{schema: 1, include: methods.yaml, axes: {AXES}}"
        for axes in ("grid: {steps: [1, 2]}", "zip: {steps: [1, 2], a: [3, 4]}",
                     "list: [{steps: 1, a: 3}, {steps: 2, a: 4}]"):  # fmt: skip
            with self.subTest(axes=axes):
                named = self.named(text.replace("AXES", axes))
                self.assertEqual(list(named), ["sweep-one"])
        text = HEAD + "names: {a: []}\naxes: {grid: {a: [1]}}"
        self.assert_error(text, "no part has a name for every axis")

    def test_other_values_of_what_a_scenario_calls_differently(self):
        text = "names: {rounds: instants, loss: [up, down], steps: []}\naxes: {grid: {rounds: [1, 2]}}"
        sweep = override(self.load(HEAD + text), {"rounds": "3", "loss": "0", "steps": "4"})
        self.assertEqual(sweep.name, "sweep,loss=0,rounds=3,steps=4")
        expected = [{"instants": "3", "up": "0", "down": "0"}]
        self.assertEqual([point.arguments for point in expand(sweep).values()], expected)

    def test_mistakes(self):
        self.write(self.PARTS, "parts.yaml")
        self.write(HEAD, "whole.yaml")
        for text, pattern in (
            (HEAD + "scales: {large: {}}", "scale 'large' is unknown; allowed: smoke, paper"),
            (HEAD + "scales: {standard: {}}", "scale 'standard' is unknown; allowed: smoke, paper"),
            (HEAD + "scales: {smoke: {argument: {}}}", "key of scale smoke 'argument' is unknown"),
            (HEAD + "scales: {smoke: {scenario: a}}", "key of scale smoke 'scenario' is unknown"),
            (HEAD + "scales: {smoke: {include: whole.yaml}}", "smoke includes a file with more than a scale"),
            (HEAD + "scales: {smoke: {include: parts.yaml}}", "smoke includes a file with more"),
            (HEAD + "parts: [{include: parts.yaml}]", "part  includes a file with parts"),
            (HEAD + "parts: [{parts: []}]", "key of a part 'parts' is unknown"),
            (HEAD + "parts: [{name: a}, {name: a}]", "the name 'a' is that of two parts"),
            (HEAD + "parts: [{name: a/b}]", "the name of a part must be one word"),
            (HEAD + "parts: {name: a}", "parts must be a list"),
            ("schema: 1\nparts: [{name: a}]", "scenario is not given"),
        ):
            with self.subTest(text=text):
                self.assert_error(text, pattern)
        with self.assertRaisesRegex(SweepError, "scale 'smoke' is unknown; .*allowed: standard"):
            load_sweeps("sweep", self.write(HEAD), "smoke")


class ArgumentsTest(SweepFileTestCase):
    def setUp(self):
        super().setUp()
        self.program = self.folder / "stand-in"
        shutil.copy(Path(__file__).with_name("stand_in.py"), self.program)

    def assert_refused(self, text, pattern):
        with self.assertRaisesRegex(SweepError, pattern):
            check_program(self.load(HEAD + text), Executable(self.program))

    def test_unknown_names(self):
        self.assert_refused("axes: {grid: {truts: [a]}}", "unknown axis 'truts'; .* is 'trust'")
        self.assert_refused("arguments: {round: 1}", "unknown argument 'round'; .* is 'rounds'")
        attribute = "ns3::collab::D2dPhy::"
        self.assert_refused(
            f"axes: {{list: [{{{attribute}BandWidth: 1}}]}}",
            f"unknown axis '{attribute}BandWidth'; .* is '{attribute}Bandwidth'",
        )
        self.assert_refused("arguments: {zzz: 1}", "unknown argument 'zzz'; known are kilobytes, ra")

    def test_known_names(self):
        text = "axes: {grid: {trust: [a], ns3::collab::D2dChannel::NoiseFigure: [3, 4]}}"
        known = check_program(self.load(HEAD + text), Executable(self.program))
        self.assertIn("trust", known.arguments)

    def test_old_name_of_an_attribute_that_the_program_does_not_list(self):
        text = "axes: {grid: {ns3::D2dPhy::Bandwidth: [3, 4]}}"
        self.assertIn("trust", check_program(self.load(HEAD + text), Executable(self.program)).arguments)
        self.assert_refused(text.replace("width", "with"), "unknown axis 'ns3::D2dPhy::Bandwith'; .* is")

    def test_value_that_the_program_refuses(self):
        self.assert_refused("axes: {grid: {rounds: [2, many]}}", "'--rounds=many' is not allowed")

    def test_programs_that_are_none(self):
        with self.assertRaisesRegex(SweepError, "none: No such file"):
            check_program(self.load(HEAD), Executable(self.folder / "none"))
        with self.assertRaisesRegex(SweepError, "does not tell its arguments .*; build it anew"):
            check_program(self.load(HEAD), Executable(Path("/bin/true")))


class ProfileTest(FolderTestCase):
    def test_profiles_of_both_versions_of_snakemake_do_the_same(self):
        folder = find_profile("slurm")
        old, new = (read_yaml(folder / f"config{kind}.yaml") for kind in ("", ".v8+"))
        self.assertEqual(new.pop("executor"), "cluster-generic")
        for key, other in (("", "submit-cmd"), ("-status", "status-cmd"), ("-cancel", "cancel-cmd")):
            self.assertEqual(old.pop(f"cluster{key}"), new.pop(f"cluster-generic-{other}"))
        self.assertEqual(old, new)
        self.assertTrue(os.access(folder / "slurm-status", os.X_OK))

    def test_a_profile_is_a_folder_with_a_file_for_either_version(self):
        with self.assertRaisesRegex(SweepError, "allowed: slurm, or a folder with config.yaml"):
            find_profile(str(self.folder))
        (self.folder / "config.v8+.yaml").touch()
        self.assertEqual(find_profile(str(self.folder)), self.folder)


class EstimateTest(unittest.TestCase):
    def test_slow_values_are_known_before_all_are_tried(self):
        estimate = TimeEstimate(["devices", "trust"])
        self.assertFalse(estimate)
        self.add(estimate, 10, "naive", 10)
        self.add(estimate, 100, "naive", 30)
        # Mean 20, so 100 devices take 1.5 times it; nothing is known of dynamic
        self.assertAlmostEqual(estimate.seconds(self.point(100, "dynamic")), 30)
        self.assertAlmostEqual(estimate.seconds(self.point(1000, "dynamic")), 20)

    def test_says_over_where_the_time_of_some_points_is_unknown(self):
        self.assertEqual(estimate_text([60, 60, 60, 60], 2), "about 2 min")
        self.assertEqual(estimate_text([60, 300], 2), "about 5 min")  # the longest
        self.assertEqual(estimate_text([60, 60, 0], 1), "over 2 min")
        self.assertEqual(estimate_text([60], 1, since=50), "about 10 s")
        self.assertEqual(estimate_text([0, 0], 1), "")

    def add(self, estimate, devices, trust, seconds):
        estimate.add(self.point(devices, trust), seconds)

    @staticmethod
    def point(devices, trust):
        return Point("a", {"devices": str(devices), "trust": trust}, 1, 1)

    def test_durations(self):
        said = [duration(seconds) for seconds in (0.4, 99, 100, 7200, 400000)]
        self.assertEqual(said, ["0 s", "99 s", "2 min", "2 h 00 min", "4 d 15 h"])


class CommandTest(FolderTestCase):
    def test_mistakes_take_one_line(self):
        for words, line in (
            (["sweep"], "collab sweep: the following arguments are required: NAME"),
            (["sweep", "a", "--jobs", "0"], "collab sweep: argument --jobs: was given '0'; allowed"),
            (["sweep", "none"], "collab sweep: sweep 'none' is unknown; "),
            (["reproduce"], "collab reproduce: no name was given; "),
            (["reproduce", "none"], "collab reproduce: reproduction 'none' is unknown; "),
            (
                ["reproduce", "prediction-consensus/demo", "--scale", "smoek"],
                "collab reproduce: --scale 'smoek' is unknown; did you mean 'smoke'",
            ),
        ):
            with self.subTest(words=words):
                self.assert_refused("^" + re.escape(line), main, *words)
