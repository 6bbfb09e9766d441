# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: bridge
"""What a round in Python can await and do."""

import unittest

from protocol_test_case import Number, ProtocolTestCase

import numpy as np

import collab


class AwaitTest(ProtocolTestCase):
    def test_time_goes_by_while_a_round_waits(self):
        class Sleeper(collab.Protocol):
            metrics = ["before", "after"]

            async def round(self):
                before = self.device.now
                await self.sleep(1.5)
                self.report(before=before, after=self.device.now)

        frame = self.simulate(Sleeper).frame()
        self.assertEqual(frame.before.tolist(), [0] * 3 + [1.5] * 3)
        self.assertEqual(frame.after.tolist(), [1.5] * 3 + [3] * 3)
        self.assertEqual(frame.end_s.tolist(), frame.after.tolist())

    def test_a_computation_takes_time_and_energy_and_gives_its_result(self):
        class Computer(collab.Protocol):
            metrics = ["result", "flops"]

            async def round(self):
                result = await self.compute("think", lambda: 6 * 7, seconds=0.25)
                await self.compute("", lambda: None, flops=self.device.flops_per_second)
                self.report(result=result, flops=self.device.flops_per_second)

        run = self.simulate(Computer, rounds=1)
        self.assertEqual(run.frame().result.tolist(), [42] * 3)
        self.assertAlmostEqual(run.frame().end_s[0], 1.25, 6)
        self.assertEqual(run.frame("latency").phase.unique().tolist(), ["think"])
        self.assertTrue((run.frame("energy").compute_j > 0).all())

    def test_the_first_of_several_ends_the_others(self):
        closed = []

        class Racer(collab.Protocol):
            metrics = ["winner", "time"]

            async def lap(self, seconds):
                try:
                    await self.sleep(seconds)
                    return seconds
                finally:
                    closed.append(seconds)

            async def round(self):
                place, value = await self.first(self.lap(3), self.lap(1), self.sleep(2))
                assert value == 1
                assert await self.all(self.lap(0.5), self.lap(0.25)) == [0.5, 0.25]
                self.report(winner=place, time=self.device.now)

        run = self.simulate(Racer, devices=2, rounds=1)
        self.assertEqual(run.frame().winner.tolist(), [1, 1])
        self.assertEqual(run.frame().time.tolist(), [1.5, 1.5])
        self.assertEqual(sorted(closed), [0.25] * 2 + [0.5] * 2 + [1] * 2 + [3] * 2)

    def test_requests_are_answered_and_answers_waited_for(self):
        class Asker(collab.Protocol):
            question = collab.message(x="int32")
            answer = collab.message(queued=True, y="float64[2]")
            replies = collab.table("an answer", peer=(int, "who"), sum=(float, "of it"))
            metrics = ["is_there"]

            @collab.on(question)
            def serve(self, sender, message):
                self.spawn(self.deliver(sender, self.answer(y=[message.x, 1])))

            async def round(self):
                peer = self.device.neighbors[0]
                is_there = await self.deliver(peer, self.question(x=self.device.number))
                answer = await self.next(self.answer, timeout=5)
                if answer:  # or the other has done its rounds
                    self.write("replies", peer=answer[0], sum=answer[1].y.sum())
                self.report(is_there=is_there)

        run = self.simulate(Asker, loss="reliable")
        self.assertEqual(run.frame().is_there.tolist(), [1] * 6)
        table = run.frame("replies")
        self.assertEqual(sorted(table["sum"][table["round"] == 0]), [1, 2, 3])
        self.assertEqual(list(table.columns), ["round", "device", "peer", "sum"])

    def test_what_never_comes_is_given_up(self):
        class Waiter(Number):
            silence = collab.message(queued=True)
            metrics = ["missed", "is_so", "heard"]

            async def round(self):
                missed = await self.next(self.silence, timeout=1) is None
                is_so = await self.until(lambda: self.device.now > 1e9, timeout=0.5)
                heard = await self.hear(self.number, timeout=0.25)
                self.report(missed=missed, is_so=is_so, heard=len(heard))

        frame = self.simulate(Waiter, rounds=1).frame()
        self.assertEqual(frame.missed.tolist() + frame.is_so.tolist(), [1] * 3 + [0] * 3)
        self.assertEqual(frame.end_s.tolist(), [1.75] * 3)
        self.assertEqual(frame.messages_expected.tolist(), [2] * 3)

    def test_a_device_can_end_before_all_rounds_and_wake_who_waits(self):
        class Stopping(Number):
            is_over = False

            async def later(self):
                await self.sleep(0.5)
                self.is_over = True
                self.check()

            async def round(self):
                if self.device.number == 1 and self.device.round == 1:
                    self.stop()
                self.spawn(self.later())
                self.report(heard=await self.until(lambda: self.is_over))

        frame = self.simulate(Stopping, rounds=2).frame()
        self.assertEqual(sorted(frame.device), [0, 0, 1, 2, 2])
        self.assertEqual(sorted(frame.end_s), [0.5] * 5)

    def test_something_goes_on_beside_the_rounds(self):
        class Beating(collab.Protocol):
            metrics = ["beats"]
            beats = 0

            def setup(self, device, data):
                self.spawned = False

            async def beat(self):
                while True:
                    await self.sleep(0.1)
                    self.beats += 1

            async def round(self):
                if self.device.round == 0:
                    self.spawn(self.beat())
                await self.sleep(1.05)
                self.report(beats=self.beats)

        frame = self.simulate(Beating, rounds=2).frame()
        self.assertEqual(frame.beats.tolist(), [10] * 3 + [20] * 3)


class _Hasty(Number):
    async def round(self):
        self.broadcast(self.number(value=1), lifetime=-1)


class MessageTest(ProtocolTestCase):
    def test_the_fields_decide_the_size_on_the_wire(self):
        class Sizes(collab.Protocol):
            rows = collab.message(kind=77, values="float32[*,10]", count="uint16")
            known = collab.message(values="float16[n]")
            metrics: list = []

            def setup(self, device, data):
                self.n = 5

            async def round(self):
                rows = self.rows(values=np.zeros((3, 10)), count=513)
                assert self.wire_size(rows) == 4 + 3 * 10 * 4 + 2
                assert self.wire_bytes(rows)[-2:] == b"\x01\x02"
                self.broadcast(rows)
                self.broadcast(self.known(values=np.ones(5)))
                await self.sleep(1)

        table = self.simulate(Sizes, rounds=1).frame("messages")
        header = 23
        self.assertEqual(sorted(set(table.bytes)), [header + 10, header + 126])
        self.assertEqual(sorted(set(table.kind)), ["known", "rows"])

    def test_both_payload_modes_give_the_same_tables(self):
        class Arrays(collab.Protocol):
            batch = collab.message(x="int8[*]", y="float32[2,*]", z="bool", w="uint64")
            metrics = ["sum"]

            async def round(self):
                me = self.device.number
                self.broadcast(self.batch(x=range(me), y=np.full((2, me), 0.5), z=me > 1, w=2**60))
                heard = await self.hear(self.batch, timeout=1)
                assert all(m.w == 2**60 and m.z == (who > 1) for who, m in heard.items())
                self.report(sum=sum(m.x.sum() + m.y.sum() for m in heard.values()))

        run = self.simulate(Arrays, "pointers", rounds=1)
        self.assertEqual(run.frame().sort_values("device")["sum"].tolist(), [1 + 3, 3, 1])
        self.simulate(Arrays, "bytes", rounds=1, **{"ns3::collab::Transport::PayloadMode": "Bytes"})
        one, other = self.digests("pointers"), self.digests("bytes")
        self.assertEqual([name for name in one if one[name] != other[name]], ["run.json"])

    def test_messages_reach_whom_they_are_for_within_their_lifetime(self):
        class Choosing(Number):
            late = collab.message(queued=True, x="uint8[*]")

            async def round(self):
                if self.device.number == 0:
                    self.multicast([2], self.number(value=5))
                    large = self.late(x=np.zeros(60000))
                    self.send(1, large)
                    self.send(2, large, lifetime=1e-3)  # the other one is on air for longer
                heard = await self.hear(self.number, timeout=1)
                self.report(heard=len(heard))

        run = self.simulate(Choosing, rounds=1)
        self.assertEqual(run.frame().sort_values("device").heard.tolist(), [0, 0, 1])
        late = run.frame("messages").query("kind == 'late'").set_index("receiver")
        self.assertEqual(late.delivered.to_dict(), {1: 1, 2: 0})
        with self.assertRaisesRegex(collab.ProtocolError, "a time of -1 s"):
            self.simulate(_Hasty, "hasty")

    def test_nobody_can_change_what_others_have(self):
        test = self

        class Careful(Number):
            async def round(self):
                mine = np.array([1.0, 2.0])
                message = self.pair(values=mine)
                self.broadcast(message)
                mine[:] = 9  # too late for the message
                heard = await self.hear(self.pair, timeout=1)
                for other in heard.values():
                    test.assertEqual(other.values.tolist(), [1, 2])
                    with test.assertRaises(ValueError):
                        other.values[0] = 5
                self.report(heard=len(heard))

            pair = collab.message(values="float64[2]")

        self.assertEqual(self.simulate(Careful, rounds=1).frame().heard.tolist(), [2] * 3)

    def test_what_is_not_finite_is_refused_and_counted(self):
        class Diverged(Number):
            async def round(self):
                value = float("nan") if self.device.number == 0 else 1.0
                self.broadcast(self.number(value=value))
                heard = await self.hear(self.number, timeout=1)
                self.report(heard=len(heard))

        frame = self.simulate(Diverged, rounds=1).frame().sort_values("device")
        self.assertEqual(frame.heard.tolist(), [2, 1, 1])
        self.assertEqual(frame.messages_refused.tolist(), [0, 1, 1])

    def test_a_handler_refuses_what_it_does_not_believe(self):
        class Strict(Number):
            @collab.on(Number.number)
            def take(self, sender, message):
                if message.value == 0:
                    raise collab.Refused("nothing")

            async def round(self):
                self.broadcast(self.number(value=self.device.number))
                await self.sleep(1)

        frame = self.simulate(Strict, rounds=1).frame().sort_values("device")
        self.assertEqual(frame.messages_refused.tolist(), [0, 1, 1])

    def test_rows_with_units_arrive_without_the_others(self):
        taken = []

        class Points(collab.Protocol):
            points = collab.message(units=True, rows="float32[*,8]")
            metrics: list = []

            @collab.on(points)
            def take(self, sender, message):
                taken.append((len(message.rows), message.units, message.units_sent))
                assert message.rows[:, 0].tolist() == message.units

            async def round(self):
                rows = np.repeat(np.arange(100.0)[:, None], 8, axis=1)
                self.broadcast(self.points(rows=rows), policy="partial")
                await self.sleep(1)

        self.simulate(Points, devices=4, outage=0.5)
        self.assertTrue(any(0 < count < 100 for count, _, _ in taken))
        self.assertTrue(all(sent == 100 and len(units) == count for count, units, sent in taken))

    def test_mistakes_are_told_where_they_are_made(self):
        for text, pattern in (
            ("float", "has type 'float'"),
            ("float32[a b!]", "dimension 'ab!'"),
            ("float32[3", "expected such as"),
        ):
            with self.assertRaisesRegex(ValueError, pattern):
                collab.message(x=text)
        kind = collab.message(x="uint8", y="float32[*]")
        for values, error, pattern in (
            ({"x": 1}, TypeError, "missing: y"),
            ({"x": 1, "y": [1], "z": 2}, TypeError, "unknown: z"),
            ({"x": 300, "y": [1]}, ValueError, "none of type uint8"),
            ({"x": 0.5, "y": [1]}, ValueError, "none of type uint8"),
            ({"x": 1, "y": 3}, ValueError, "0 dimensions, expected 1"),
        ):
            with self.assertRaisesRegex(error, pattern):
                kind(**values)


if __name__ == "__main__":
    unittest.main()
