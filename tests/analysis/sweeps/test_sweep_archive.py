# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: slow nightly-all
"""Tests of archives of finished runs, which sweeps on other machines begin with."""

import io
import json
import os
import shutil
import tarfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

from test_sweep_run import SweepTestCase

from collab.sweeps.finished.archive import pack, read
from collab.sweeps.finished.crate import CHECKSUMS, COMMANDS, FILES, METADATA
from collab.sweeps.finished.excerpt import COMPARED, Excerpt, check_columns, read_excerpts
from collab.sweeps.texts import SweepError


class ArchiveTest(SweepTestCase):
    """The sweep small has four points, of which an archive has two."""

    def setUp(self):
        super().setUp()
        self.archive = self.folder / "two.tar.xz"
        two = self.write("axes: {grid: {rate: [0.5, 1]}}")
        self.assertIn(f"{self.archive}: 2 of 2 points written", self.sweep("--pack", self.archive))
        self.assertTrue((self.folder / "two.environment.json").is_file())
        self.assertEqual(len(self.calls()), 2)
        self.two = {digest: self.files(digest) for digest in two}
        shutil.rmtree(self.runs)
        self.points = self.write("axes: {grid: {rate: [0.5, 1, 2, 3]}}")

    def files(self, digest):
        """The contents of a run's files by their paths."""
        run = self.runs / digest
        return {str(file.relative_to(run)): file.read_bytes() for file in run.rglob("*") if file.is_file()}

    def mark(self, digest):
        """What is known of a finished run."""
        return json.loads((self.runs / "points" / f"{digest}.json").read_text())

    def test_only_what_it_lacks_is_run(self):
        output = self.sweep("--unpack", self.archive)
        self.assertIn(f"small: 2 of 4 missing points taken from {self.archive}", output)
        self.assertIn("small: 4 points: 2 done, 2 to run", output)
        self.assertEqual([call.split()[0] for call in self.calls()], ["--rate=2", "--rate=3"])
        self.assert_all_done(self.points)
        for digest, files in self.two.items():
            self.assertEqual(self.files(digest), files)
            mark = self.mark(digest)
            self.assertEqual(mark["taken_from"], str(self.archive))
            self.assertGreater(mark["seconds"], 0)
            self.assertEqual(mark["versions"], self.mark(next(iter(set(self.points) - set(self.two))))["versions"])
        self.assertIn("0 of 0 missing points", self.sweep("--unpack", self.archive))
        self.assertEqual(self.calls(), [])

    def test_runs_of_another_version_are_not_mixed_with_new_ones(self):
        versions = {"collab": "0.1.0", "sources": "cd34", "ns3": "3.37"}
        (self.programs / "versions").write_text(json.dumps(versions))
        refused = self.sweep("--unpack", self.archive, code=2)
        self.assertIn("2 of 4 points were done by another version", refused)
        self.assertEqual(self.calls(), [])
        self.sweep("--allow-other-version")
        self.assertEqual(len(self.calls()), 2)
        self.write("axes: {grid: {rate: [0.5, 1]}}")
        self.assertIn("nothing is left to run", self.sweep())

    def test_it_is_the_same_for_the_same_runs_and_tells_nothing_of_the_machine(self):
        self.sweep("--unpack", self.archive)
        again, host = self.folder / "again.tar.xz", os.uname().nodename
        self.write("axes: {grid: {rate: [0.5, 1]}}")
        self.sweep("--pack", again)
        self.assertEqual(again.read_bytes(), self.archive.read_bytes())
        with tarfile.open(again) as tar:
            for member in tar:
                self.assertEqual((member.mtime, member.uid, member.uname), (0, 0, ""))
                self.assertNotIn(host.encode(), tar.extractfile(member).read())
                if member.name.endswith("point.json"):
                    mark = json.load(tar.extractfile(member))
                    self.assertFalse({"host", "taken_from"} & set(mark), host)

    def test_it_is_a_research_object(self):
        with tarfile.open(self.archive) as tar:
            files = {member.name: tar.extractfile(member).read() for member in tar}
        graph = {one["@id"]: one for one in json.loads(files[METADATA])["@graph"]}
        self.assertEqual(graph[METADATA]["about"], {"@id": "./"})
        root = graph["./"]
        self.assertEqual({one["@id"] for one in root["hasPart"]}, set(files) - {METADATA, CHECKSUMS})
        self.assertEqual(graph[root["license"]["@id"]]["name"], "GNU General Public License v2.0 only")
        self.assertEqual(graph[root["author"]["@id"]]["name"], "ns-3 collab authors")
        self.assertRegex(root["datePublished"], r"^\d{4}-\d\d-\d\d$")
        for part in root["hasPart"]:
            data = files[part["@id"]]
            told = graph[part["@id"]]
            self.assertEqual((told["contentSize"], told["sha256"]), (str(len(data)), sha256(data).hexdigest()))
        for one in root["mentions"]:
            action = graph[one["@id"]]
            program = graph[action["instrument"]["@id"]]
            self.assertEqual((program["softwareVersion"], program["identifier"]), ("0.1.0", "commit 0123456789ab"))
            self.assertIn(action["result"]["@id"], files)
        commands = files[COMMANDS].decode().splitlines()
        self.assertEqual(sorted(commands), sorted(graph[one["@id"]]["description"] for one in root["mentions"]))
        self.assertRegex(commands[0], r"^\./collab run stand-in --rate=\S+ .*--RngSeed=1 --RngRun=1$")
        sums = dict(reversed(line.split("  ")) for line in files[CHECKSUMS].decode().splitlines())
        self.assertEqual(sums, {name: sha256(data).hexdigest() for name, data in files.items() if name != CHECKSUMS})

    def test_the_machine_is_told_beside_it(self):
        told = json.loads((self.folder / "two.environment.json").read_text())
        self.assertEqual(told["archive"], {"name": "two.tar.xz", "sha256": sha256(self.archive.read_bytes()).hexdigest()})
        self.assertEqual([one["collab"] for one in told["made_by"]], ["0.1.0"])
        self.assertEqual(set(told["packed_on"]), {"system", "kernel", "processor", "compiler", "python"})

    def test_what_is_done_is_written_after_a_failure(self):
        self.write("axes: {grid: {weak: [false, true]}}")
        (self.programs / "break").touch()
        self.assertIn("1 failed", self.sweep("--pack", self.archive, code=1))
        with tarfile.open(self.archive) as tar:
            self.assertEqual(len({name.partition("/")[0] for name in tar.getnames()} - set(FILES)), 1)

    def test_it_may_have_some_tables_only(self):
        digest, run = next(iter(self.two)), self.folder / "run"
        run.mkdir()
        columns = "table,column\nrounds,round\nnetwork,metric\nnetwork,mean\nlatency,phase\n"
        network = 'round,metric,mean\n0,error,.25\n0,"a ""b"", c",1\n1,joules,7\n'
        for name, text in (("run.json", "{}"), ("rounds.csv", "1\n"), ("latency.csv", "22\n"),
                           ("network.csv", network), ("columns.csv", columns)):  # fmt: skip
            (run / name).write_text(text)
        sizes = {file.name: file.stat().st_size for file in run.iterdir()}
        folder = SimpleNamespace(read_mark=lambda _: {"files": dict(sizes), "seconds": 1}, run=lambda _: run)
        one = SimpleNamespace(points=[digest], is_done=lambda _: True, folder=folder, say=lambda _: None, name="small")
        some = Excerpt(("metric", "round"), {"metric": ("error", 'a "b", c')})
        pack([one], self.archive, {"rounds": Excerpt(), "network": some})
        content = read(self.archive)[digest]
        mark = json.loads(content.pop(""))
        self.assertEqual(set(content), {"run.json", "rounds.csv", "network.csv", "columns.csv"})
        self.assertEqual(content["columns.csv"].decode(), "table,column\nrounds,round\nnetwork,metric\n")
        self.assertEqual(content["rounds.csv"], b"1\n")
        self.assertEqual(content["network.csv"].decode(), 'round,metric,mean\n0,error,\n0,"a ""b"", c",\n')
        self.assertEqual(mark["files"], {name: len(data) for name, data in content.items()})
        for wrong in (Excerpt(("mena",)), Excerpt((), {"mena": ("1",)})):
            with self.assertRaisesRegex(SweepError, "keeps of network: column 'mena' is unknown; did you mean 'mean'"):
                pack([one], self.archive, {"network": wrong})

    def test_an_excerpt_may_be_of_the_last_rows_of_each_device(self):
        energy = b"round,device,tx_j\n0,0,1\n0,1,2\n1,1,3\n2,1,4\n3,1,5\n3,0,6\n4,0,7\n"
        last = b"round,device,tx_j\n2,1,4\n3,1,5\n3,0,6\n4,0,7\n"
        self.assertEqual(Excerpt(last=2).of(energy, "energy"), last)
        self.assertEqual(Excerpt(("tx_j",), {"round": ("0", "1")}, last=1).of(energy, "energy"),
                         b"round,device,tx_j\n,,1\n,,3\n")  # fmt: skip
        with self.assertRaisesRegex(SweepError, "keeps of server: column 'device' is unknown"):
            Excerpt(last=1).of(b"round\n1\n", "server")

    def test_an_excerpt_may_have_means_over_devices_and_totals_in_the_last_round(self):
        rounds = b"round,device,loss,tx_j\n0,0,9,1\n0,1,9,2\n10,0,9,6\n9,1,9,3\n9,0,9,4\n10,1,9,5\n"
        some = Excerpt(("round", "device"), means=("tx_j",))
        self.assertEqual(some.of(rounds, "rounds"), b"round,device,loss,tx_j\n0,0,,1.5\n0,1,,1.5\n10,0,,6\n9,1,,3.5\n"
                                                    b"9,0,,3.5\n10,1,,5\n")  # fmt: skip
        self.assertTrue(some.has("tx_j"))
        self.assertEqual(replace(some, rows={"round": ("0",)}).of(rounds, "rounds"),
                         b"round,device,loss,tx_j\n0,0,,1\n0,1,,2\n")  # fmt: skip
        given = [{"rounds": {"columns": ["round", "device"], "means": ["tx_j"]}}]
        self.assertEqual(read_excerpts(given, Path("a.yaml")), {"rounds": some})
        self.assertEqual(some.of(b"round,device\n1,0\n", "server"), b"round,device\n1,0\n")
        for table in (b"device\n1\n", b"round\n1\n"):
            with self.assertRaisesRegex(SweepError, "keeps of server: column '(round|device)' is unknown"):
                some.of(table, "server")
        for more in (b"11,1,9,7\n", b"10,2,9,7\n", b"11,0,9,\n11,1,9,7\n"):
            with self.assertRaisesRegex(SweepError, "keeps of rounds: means need a value of tx_j of each device in each"):
                some.of(rounds + more, "rounds")
        with self.assertRaisesRegex(SweepError, "keeps of rounds: column 'tx' is unknown"):
            check_columns({"rounds": replace(some, means=("tx",))}, [("rounds", rounds)])

    def test_what_comparisons_read_may_be_absent(self):
        check_columns(COMPARED, [("rounds", b"round,device\n")])
        with self.assertRaisesRegex(SweepError, "keeps of rounds: column 'start_s' is unknown"):
            check_columns({"rounds": replace(COMPARED["rounds"], may_lack=False)}, [("rounds", b"round,device\n")])

    def test_mistakes(self):
        empty, cut, foreign = (self.folder / f"{name}.tar.xz" for name in ("empty", "cut", "foreign"))
        empty.touch()
        cut.write_bytes(self.archive.read_bytes()[:-100])
        digest = next(iter(self.two))
        for name in (f"{digest}/run/../../../x", f"{digest}/run//x", "x", f"{digest}/x"):
            with self.subTest(name=name), tarfile.open(foreign, "w:xz") as tar:
                member = tarfile.TarInfo(name)
                member.size = 1
                tar.addfile(member, io.BytesIO(b"x"))
            self.assertIn(f"it has {name}", self.sweep("--unpack", foreign, code=2))
        self.assertIn("No such file", self.sweep("--unpack", self.folder / "none.tar.xz", code=2))
        for file in (empty, cut):
            self.assertIn("is no archive of runs, or damaged", self.sweep("--unpack", file, code=2))
        self.assertIn("allowed: a name that ends with .tar.xz", self.sweep("--pack", "runs.zip", code=2))
        self.assertIn("--dry-run changes nothing", self.sweep("--dry-run", "--pack", cut, code=2))
        self.assertEqual((self.calls(), list(self.runs.glob("*/rounds.csv"))), ([], []))
