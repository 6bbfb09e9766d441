# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: bridge
"""Simulations in the process: arguments, errors, devices that go off, repetition."""

import contextlib
import io
import os
import random
import signal
import subprocess
import sys
import threading
import unittest
import warnings

from protocol_test_case import EXAMPLES, ROOT, Number, ProtocolTestCase

import numpy as np

import collab


class RepetitionTest(ProtocolTestCase):
    def test_the_same_seed_gives_the_same_bytes_and_another_one_others(self):
        class Drawing(Number):
            def setup(self, device, data):
                self.first = random.random() + np.random.rand()

            async def round(self):
                self.broadcast(self.number(value=self.rng.normal() + self.first))
                await self.compute("wait", lambda: None, seconds=self.rng.uniform())
                heard = await self.hear(self.number, timeout=0.1)
                self.report(heard=sum(one.value for one in heard.values()))

        for name, seed, threads in (("a", 7, 1), ("b", 7, 2), ("c", 8, 1)):
            self.simulate(Drawing, name, seed=seed, threads=threads, outage=0.4)
        self.assertEqual(self.digests("a"), self.digests("b"))
        self.assertNotEqual(self.digests("a")["rounds.csv"], self.digests("c")["rounds.csv"])

    def test_nothing_of_a_run_is_left_for_the_next(self):
        self.simulate(Number, "plain")
        attribute = {"ns3::collab::D2dMac::ReceiverSensing": True}
        self.simulate(Number, "set", bandwidth="2MHz", seed=5, **attribute)
        with self.assertRaises(collab.ProtocolError):
            self.simulate(_Failing, "failed")
        self.simulate(Number, "again")
        self.assertEqual(self.digests("plain"), self.digests("again"))

    def test_generators_that_all_threads_share_are_warned_of(self):
        class Careless(Number):
            async def round(self):
                await self.compute("draw", np.random.rand, flops=1)

        with self.assertWarnsRegex(UserWarning, "generator of numpy that all threads share"):
            self.simulate(Careless)

        class Broken(Number):
            def setup(self, device, data):
                raise KeyError("broken")

        state = random.getstate()
        with self.assertRaises(collab.ProtocolError):
            self.simulate(Broken, "broken")
        self.assertEqual(random.getstate(), state)
        before = random.getstate()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.simulate(Number, "quiet")
        self.assertEqual(random.getstate(), before)


class _Failing(Number):
    async def round(self):
        self.phase("thinking")
        await self.sleep(1)
        if self.device.number == 1 and self.device.round == 1:
            raise KeyError("lost")
        self.report(heard=0)


class ErrorTest(ProtocolTestCase):
    def test_arguments_are_checked_before_anything_runs(self):
        for arguments, pattern in (
            ({"devices": 1}, "--devices=1 is not allowed"),
            ({"devcies": 3}, "did you mean --devices"),
            ({"loss": "none"}, "allowed are best-effort, reliable"),
            ({"positions": [(1, 2), (3, 4)]}, "of 3 devices"),
            ({"positions": "1,a;2,3;4,5"}, "numbers as x,y"),
            ({"mobility": "ns3::Nothing"}, "a mobility model of ns-3"),
            ({"transport": "sctp"}, "allowed are udp, tcp"),
            ({"network": "wifi", "presence": "off:1:1-2"}, "--presence"),
        ):
            with self.subTest(arguments), self.assertRaisesRegex(collab.ArgumentError, pattern):
                self.simulate(Number, **arguments)
            self.assertFalse((self.folder / "run").exists())

    def test_an_exception_ends_the_run_and_says_where(self):
        with self.assertRaisesRegex(
            collab.ProtocolError, 'device 1, round 1, phase "thinking": KeyError'
        ) as caught:
            self.simulate(_Failing)
        self.assertIsInstance(caught.exception.__cause__, KeyError)
        frames = caught.exception.__cause__.__traceback__
        names = []
        while frames:
            names.append(frames.tb_frame.f_code.co_name)
            frames = frames.tb_next
        self.assertIn("round", names)
        left = collab.load_run(self.folder / "run.partial")
        self.assertFalse(left.finished)
        self.assertGreaterEqual(len(left.rounds), 3)

    def test_an_exception_of_a_computation_comes_up_at_its_await(self):
        class Dividing(Number):
            async def round(self):
                try:
                    await self.compute("divide", lambda: 1 / 0, flops=1)
                except ZeroDivisionError:
                    self.report(heard=-1)

        self.assertEqual(self.simulate(Dividing).frame().heard.tolist(), [-1] * 6)

        class Uncaught(Number):
            async def round(self):
                await self.compute("divide", lambda: 1 / 0, flops=1)

        with self.assertRaisesRegex(collab.ProtocolError, 'round 0, phase "divide": ZeroDivision'):
            self.simulate(Uncaught, "uncaught")

    def test_mistakes_in_a_protocol_name_what_is_allowed(self):
        class NoCoroutine(Number):
            def round(self):
                pass

        class WrongAwait(Number):
            async def round(self):
                import asyncio

                await asyncio.sleep(1)

        class Unknown(Number):
            async def round(self):
                self.report(harm=1)

        class Foreign(Number):
            async def round(self):
                self.broadcast(collab.message(x="uint8")(x=1))

        class Nameless(Number):
            sized = collab.message(x="float32[length]")

        for kind, pattern in (
            (NoCoroutine, "write async def round"),
            (WrongAwait, "a round cannot await|no running event loop"),
            (Unknown, "given harm; the metrics are heard"),
            (Foreign, "is no message of Foreign"),
            (Nameless, "set self.length in setup"),
        ):
            with self.subTest(kind.__name__), self.assertRaisesRegex(
                collab.ProtocolError, pattern
            ):
                self.simulate(kind, kind.__name__)

    def test_an_interrupt_leaves_readable_tables(self):
        class Endless(Number):
            async def round(self):
                if self.device.round == 30 and self.device.number == 0:
                    os.kill(os.getpid(), signal.SIGINT)
                await self.sleep(1)
                self.report(heard=1)

        with self.assertRaises(KeyboardInterrupt):
            self.simulate(Endless, rounds=100000)
        left = collab.load_run(self.folder / "run.partial")
        self.assertGreaterEqual(left.rounds["round"].max(), 28)
        self.simulate(Number, "after")

    def test_a_device_is_of_no_use_after_the_simulation(self):
        protocol = self.simulate(Number).protocols[0]
        with self.assertRaisesRegex(RuntimeError, "the simulation of this device is over"):
            protocol.broadcast(protocol.number(value=1))

    def test_a_simulation_within_a_simulation_is_refused(self):
        test = self

        class Nested(Number):
            async def round(self):
                test.simulate(Number, "inner")

        with self.assertRaisesRegex(collab.ProtocolError, "ns-3 has one at a time"):
            self.simulate(Nested)


class MetricsTest(ProtocolTestCase):
    def test_metrics_are_those_that_the_source_reports(self):
        class Telling(collab.Protocol):
            async def round(self):
                self.tell()

            def tell(self):
                self.report(one=1, **{"two": 2} if self.device.round < 0 else {})

        self.assertEqual(self.simulate(Telling).frame().one.tolist(), [1] * 6)
        scope = {"collab": collab}
        exec("class Made(collab.Protocol):\n async def round(self): self.report(one=1)", scope)
        with self.assertRaisesRegex(TypeError, "say metrics"):
            self.simulate(scope["Made"], "made")
        scope["Made"].metrics = ["one"]
        self.assertEqual(self.simulate(scope["Made"], "made").frame().one.tolist(), [1] * 6)


class DeviceTest(ProtocolTestCase):
    def test_devices_that_go_off_are_closed_where_they_wait_and_can_come_back(self):
        log = []

        class Crashing(Number):
            def resume(self):
                log.append(("back", self.device.number, self.device.now))

            async def round(self):
                try:
                    await self.sleep(10)
                except GeneratorExit:
                    log.append(("off", self.device.number, self.device.now))
                    raise
                self.report(heard=0)

        run = self.simulate(Crashing, presence="off:1:3-8")
        self.assertEqual(log, [("off", 1, 3), ("back", 1, 8)])
        frame = run.frame()
        self.assertEqual(frame[frame.device == 1].end_s.tolist(), [18, 28])

    def test_links_and_presence_are_those_of_files(self):
        class Slow(Number):
            async def round(self):
                await self.sleep(1)
                await super().round()

        links, presence = self.folder / "links.csv", self.folder / "presence.csv"
        links.write_text("time,from,to,gain\n0,0,1,-60\n0,0,2,-60\n0,1,2,-60\n3.5,0,2,\n")
        presence.write_text("time,device,on\n0.5,1,0\n6.5,1,1\n")
        run = self.simulate(Slow, rounds=6, links=f"file:{links}", presence=f"file:{presence}")
        heard = {(row.device, row["round"]): row.heard for _, row in run.frame().iterrows()}
        self.assertEqual(heard[0, 0], 1)  # device 1 is off
        self.assertEqual(heard[0, 5], 1)  # device 1 is back, and 2 out of range
        self.assertEqual(heard[2, 5], 1)
        self.assertLess(sum(device == 1 for device, _ in heard), 6)
        with self.assertRaisesRegex(collab.ArgumentError, "there is no row of device 3"):
            self.simulate(Slow, "more", devices=4, links=f"file:{links}")

    def test_a_device_knows_the_charge_that_the_table_has(self):
        class Metering(Number):
            metrics = {"left": "charge [J]"}

            async def round(self):
                self.broadcast(self.number(value=1))
                await self.compute("burn", lambda: None, seconds=0.1)
                self.report(left=self.device.energy())

        run = self.simulate(Metering, battery=50)
        energy = run.frame("energy")
        for _, row in run.frame().iterrows():
            rows = energy[(energy.device == row.device) & (energy["round"] == row["round"])]
            self.assertEqual(rows.remaining_j.iloc[0], row.left)

    def test_links_are_those_that_the_radio_measures(self):
        class Asking(Number):
            metrics = ["rss", "outage"]

            async def round(self):
                await self.sleep(1)
                rss, outage = self.device.link_quality(self.device.neighbors[0])
                self.report(rss=rss, outage=outage)

        frame = self.simulate(Asking, devices=2, outage=0.3, rounds=1).frame()
        for outage in frame.outage:
            self.assertAlmostEqual(outage, 0.3, 6)
        self.assertTrue((frame.rss > 0).all())

    def test_an_empty_battery_ends_a_device(self):
        class Spending(Number):
            async def round(self):
                await self.compute("burn", lambda: None, seconds=100)
                self.report(heard=self.device.energy())

        run = self.simulate(Spending, battery=1, rounds=5)
        self.assertLess(len(run.frame()), 15)

    def test_positions_and_movement_are_those_given(self):
        class Places(Number):
            metrics = ["x", "y"]

            async def round(self):
                await self.sleep(10)
                x, y, _ = self.device.position
                self.report(x=x, y=y)

        places = [(1, 1), (10, 1), (1, 10)]
        frame = self.simulate(Places, rounds=1, positions=places).frame().sort_values("device")
        self.assertEqual(list(zip(frame.x, frame.y)), places)
        walk = "ns3::RandomWalk2dMobilityModel[Mode=Time|Time=1s]"
        moved = self.simulate(Places, "moved", positions=places, mobility=walk)
        self.assertNotEqual(moved.frame().x.tolist(), frame.x.tolist())
        self.simulate(Places, "again", positions=places, mobility=walk)
        self.assertEqual(self.digests("moved"), self.digests("again"))
        walk = {"mobility": "random-walk", "area": 60, "speed": 20, "positionInterval": 0.5}
        ways = self.simulate(Places, "ways", positions=places, **walk).positions
        self.assertEqual(ways.groupby("device")[["x_m", "y_m"]].first().to_numpy().tolist(),
                         [list(place) for place in places])  # fmt: skip
        self.assertGreater(len(ways), 2 * len(places))
        self.assertTrue(ways[["x_m", "y_m"]].stack().between(0, 60).all())

    def test_other_networks_carry_the_same_protocol(self):
        for transport in ("udp", "tcp"):
            given = {"network": "wifi", "transport": transport, "loss": "reliable"}
            run = self.simulate(Number, transport, **given)
            self.assertEqual(run.frame().heard.tolist(), [2] * 6)
            self.assertTrue((run.frame().energy_j > 0).all())


class ProgramTest(ProtocolTestCase):
    def call(self, *words, file=EXAMPLES / "averaging.py"):
        command = [sys.executable, str(file), *words]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "analysis")}
        return subprocess.run(command, capture_output=True, text=True, check=False,
                              env=environment, cwd=self.folder)  # fmt: skip

    def test_a_protocol_is_a_program_as_scenarios_are(self):
        done = self.call("--devices=4", "--rounds=3", "--runDir=out", "--patience=0.2")
        self.assertEqual(done.returncode, 0, done.stderr)
        run = collab.load_run(self.folder / "out")
        self.assertEqual((run.scenario, run.parameters["patience"]), ("averaging", 0.2))
        self.assertEqual(self.call("--devices=0").returncode, 2)
        self.assertIn("averaging: argument", self.call("--devices=0").stderr)
        self.assertIn("patience", self.call("--help").stdout)
        self.assertEqual(self.call("--PrintArguments=json").returncode, 0)

    def test_training_that_has_diverged_is_told(self):
        file = self.folder / "diverging.py"
        file.write_text(
            "import collab\n"
            "class Diverging(collab.Protocol):\n"
            "    metrics = []\n"
            "    async def round(self):\n"
            "        loss = float('nan') if self.device.number == 1 else 0.5\n"
            "        await self.train('train', lambda: loss, flops=1)\n"
            "raise SystemExit(collab.main(Diverging))\n"
        )
        done = self.call("--devices=3", "--rounds=2", "--runDir=out", file=file)
        self.assertIn("training has diverged, models are not finite: device 1 since round 0",
                      done.stdout)  # fmt: skip


if __name__ == "__main__":
    unittest.main()
