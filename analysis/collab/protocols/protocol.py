# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The base class of protocols: what a device can do and await in a round."""

import inspect
import math
from typing import Any, Awaitable, Callable, Dict, Iterable, List, Optional, Tuple

from .extension import extension
from .learner import Learner
from .message import Message, Refused, kinds_of
from .parameter import Parameter, Table, declared
from .wait import Wait

_FOREVER = math.inf


class Protocol:
    """A protocol of devices that learn together; each device has an instance.

    A subclass has `async def round(self)`, which reads like the algorithm of a paper, and if need be
    `setup(self, device, data)`, called once before the simulation. In the class it declares messages
    (collab.message), parameters (collab.parameter), tables (collab.table) and metrics, and says:

        metrics      {name: "meaning [unit]"} of report(); by default those that its source reports
        measure      the metric that tells how good devices are; by default the first one
        data_set     name of the data set whose samples devices hold; None for no samples
        has_learner  whether devices have a learner of the module, self.learner
        shares_start whether the models of all devices begin with the same weights
    """

    metrics: Any = None
    measure: Optional[str] = None
    data_set: Optional[str] = None
    has_learner = False
    shares_start = True

    #: what the protocol knows of its device: number, neighbors, position, energy(), now, ...
    device: Any
    #: samples of the device (train, test, reference, global_test), each with inputs and labels
    data: Any
    #: generator of NumPy of this device, seeded by the run
    rng: Any
    #: the device's learner, if has_learner
    learner: Any = None

    def setup(self, device, data) -> None:
        """Prepares the device, before the simulation; device is self.device, data self.data."""

    async def round(self) -> None:
        """One round of the device."""
        raise NotImplementedError(f"{type(self).__name__} has no async def round(self)")

    def resume(self) -> None:
        """Called at a device that is back after it was off, before it begins its round anew."""

    def torch_generator(self):
        """A generator of PyTorch of this device, seeded by the run; the same one every time."""
        if self._torch_generator is None:
            import torch

            self._torch_generator = torch.Generator()
            self._torch_generator.manual_seed(int(self.rng.integers(2**63)))
        return self._torch_generator

    # What to await

    def sleep(self, seconds: float) -> Awaitable[None]:
        """Waits for some simulated time."""
        return Wait(self.device.sleep(seconds))

    def compute(
        self,
        phase: str,
        work: Callable[[], Any],
        flops: Optional[float] = None,
        seconds: Optional[float] = None,
        light: bool = False,
    ) -> Awaitable[Any]:
        """Computes on the device, which takes simulated time and energy; gives what work() returns.

        phase: its name in the table latency; empty for the present one; flops: floating-point
        operations, which decide how long it takes (see count_flops()); seconds: or how long it takes;
        light: whether work() is so little that handing it to a thread of the host would take longer.
        work() runs on a thread of the host beside the simulation: it must not change what another
        device's does too, and must not draw from generators that all share.
        """
        if (flops is None) == (seconds is None):
            raise TypeError("compute() takes flops or seconds")
        if flops is None:
            flops = seconds * self.device.flops_per_second
        return Wait(self.device.compute(phase, int(round(flops)), work, light))

    async def train(
        self,
        phase: str,
        work: Callable[[], Any],
        flops: Optional[float] = None,
        seconds: Optional[float] = None,
    ) -> Any:
        """Computes as compute() does, and if work() returns a loss takes note of one that is not
        finite: training that has diverged."""
        result = await self.compute(phase, work, flops, seconds)
        if isinstance(result, float):
            self.device.note_trained(math.isfinite(result))
        return result

    def hear(
        self, kind: type, timeout: float, from_: Optional[Iterable[int]] = None
    ) -> Awaitable[Dict[int, Message]]:
        """Waits until each of some devices has sent a message of a kind in this round, or for so
        many seconds; gives the messages by their senders, ascending.

        from_: devices to wait for; by default the neighbors. Messages that came before count.
        """
        senders = self.device.neighbors if from_ is None else [int(one) for one in from_]
        return Wait(self.device.hear(self._layout(kind).kind, senders, timeout))

    async def next(
        self, kind: type, timeout: float = _FOREVER
    ) -> Optional[Tuple[int, Message]]:
        """Waits for the next message of a kind, of any round; gives sender and message, or None if
        none comes in so many seconds. The kind is declared by message(queued=True, ...)."""
        if not kind._queued:
            raise TypeError("next() waits for messages that are declared with queued=True")
        waiting = self._queues.setdefault(kind, [])
        if await self.until(lambda: waiting, timeout):
            return waiting.pop(0)
        return None

    def until(
        self, condition: Callable[[], Any], timeout: float = _FOREVER
    ) -> Awaitable[bool]:
        """Waits until something is so, for so many seconds at most; gives whether it is. It is asked
        whenever a message has come, and by check()."""
        return Wait(self.device.wait_until(lambda: bool(condition()), timeout))

    def deliver(
        self, receiver: int, message: Message, priority: int = 0, lifetime: float = _FOREVER
    ) -> Awaitable[bool]:
        """Sends a message until it is acknowledged, again after a while if the radio has given up;
        gives whether it is acknowledged."""
        how = self._sending("", priority, lifetime, 0, None)
        return Wait(self.device.deliver(receiver, self._pack(message), how))

    async def first(self, *awaitables: Awaitable) -> Tuple[int, Any]:
        """Waits for the first of several, which begin at once; gives its place and what it gives.
        The others do not go on."""
        last, results = await Wait(self.device.some([_coroutine(one) for one in awaitables], 1))
        return last, results[last]

    async def all(self, *awaitables: Awaitable) -> List[Any]:
        """Waits for all of several, which begin at once; gives what they give."""
        if not awaitables:
            return []
        made = [_coroutine(one) for one in awaitables]
        return (await Wait(self.device.some(made, len(made))))[1]

    # What to do

    def broadcast(self, message: Message, policy: str = "", priority: int = 0,
                  lifetime: float = _FOREVER, max_attempts: int = 0,
                  round: Optional[int] = None) -> int:  # fmt: skip
        """Sends a message to all devices in range, by one transmission; gives its number.

        policy: best-effort, reliable (ARQ), partial or partial-reliable (rows of a message with
        units that arrive alone); by default as the argument loss says. priority: messages of a higher
        one leave the queue first; lifetime: seconds after which it is cancelled; max_attempts:
        transmissions of a part with ARQ; round: that it belongs to, by default the present one.
        """
        how = self._sending(policy, priority, lifetime, max_attempts, round)
        return self.device.broadcast(self._pack(message), how)

    def multicast(self, receivers: Iterable[int], message: Message, policy: str = "",
                  priority: int = 0, lifetime: float = _FOREVER, max_attempts: int = 0,
                  round: Optional[int] = None) -> int:  # fmt: skip
        """Sends a message to some devices, by one transmission where the network can."""
        how = self._sending(policy, priority, lifetime, max_attempts, round)
        return self.device.multicast([int(one) for one in receivers], self._pack(message), how)

    def send(self, receiver: int, message: Message, policy: str = "", priority: int = 0,
             lifetime: float = _FOREVER, max_attempts: int = 0,
             round: Optional[int] = None) -> int:  # fmt: skip
        """Sends a message to one device, and goes on; see deliver()."""
        how = self._sending(policy, priority, lifetime, max_attempts, round)
        return self.device.send(int(receiver), self._pack(message), how)

    def phase(self, name: str) -> None:
        """Ends the present phase of the round, and begins another, for the table latency."""
        self.device.enter_phase(name)

    def report(self, **metrics: float) -> None:
        """Says what was measured in the round; what it does not say is NaN. What the learner has
        measured is given as **scores."""
        metrics = {name: value for name, value in metrics.items() if name not in _NO_METRICS}
        unknown = sorted(set(metrics) - self._metric_names)
        if unknown:
            raise TypeError(
                f"report() was given {', '.join(unknown)};"
                f" the metrics are {', '.join(sorted(self._metric_names)) or 'none'}"
            )
        self.device.report({name: float(value) for name, value in metrics.items()})

    def write(self, table: str, **cells: Any) -> None:
        """Writes a row of a table that the class declares."""
        number, names = self._tables[table]
        if set(cells) != set(names):
            raise TypeError(f"a row of {table} has the cells {', '.join(names)}")
        head = [self.device.round, self.device.number]
        self._write_row(number, head + [cells[name] for name in names])

    def spawn(self, coroutine: Awaitable) -> None:
        """Lets something go on beside the rounds, until the device goes off."""
        self.device.spawn(_coroutine(coroutine))

    def check(self) -> None:
        """Lets those go on who have waited by until() for what is so now."""
        self.device.check_waits()

    def stop(self) -> None:
        """Ends before all rounds are done: the protocol cannot go on."""
        self.device.stop()

    def wire_size(self, message: Message) -> int:
        """Bytes of a message on the wire, without the header of the transport (23 bytes)."""
        return self._pack(message).size

    def wire_bytes(self, message: Message) -> bytes:
        """These bytes."""
        return self._pack(message).bytes()

    # What the simulation calls

    def _attach(self, device, data, rng, values: Dict[str, Any]) -> None:
        """Makes it the protocol of a device."""
        kind = type(self)
        self.device, self.data, self.rng = device, data, rng
        self._torch_generator: Any = None
        self._layouts: Dict[type, Any] = {}
        self._queues: Dict[type, list] = {}
        self._metric_names = set(device.metrics)
        self._tables = {
            name: (number, list(one.columns))
            for number, (name, one) in enumerate(declared(kind, Table).items())
        }
        for name in declared(kind, Parameter):
            setattr(self, name, values[name])
        if self.has_learner:
            self.learner = Learner(device)
        self.setup(device, data)

    def _start(self) -> None:
        """Takes part in its messages, at the start of the simulation."""
        serving = {
            method._serves: getattr(self, name)
            for name, method in inspect.getmembers(type(self), inspect.isfunction)
            if hasattr(method, "_serves")
        }
        for kind in kinds_of(type(self)).values():
            layout = self._layout(kind)
            handler = serving.get(kind)
            if handler is None and kind._queued:
                handler = self._queue(kind)
            self.device.register(layout, kind, _guarded(handler) if handler else None)

    def _begin_round(self):
        made = self.round()
        if not inspect.iscoroutine(made):
            raise TypeError(f"{type(self).__name__}.round is no coroutine; write async def round")
        return made

    def _queue(self, kind: type) -> Callable:
        waiting = self._queues.setdefault(kind, [])
        return lambda sender, message: waiting.append((sender, message))

    def _layout(self, kind: type):
        """A kind of messages as this device knows it."""
        if kind not in self._layouts:
            if not (isinstance(kind, type) and issubclass(kind, Message)):
                raise TypeError(f"{kind!r} is no kind of messages; declare it by collab.message()")
            names = {one: attribute for attribute, one in kinds_of(type(self)).items()}
            if kind not in names:
                raise TypeError(f"{kind.__name__} is no message of {type(self).__name__}")
            fields = [(one.name, one.type, one.shape(self)) for one in kind._fields]
            made = extension().Layout(names[kind].replace("_", "-"), kind._kind, kind._has_units, fields)
            self._layouts[kind] = made
        return self._layouts[kind]

    def _pack(self, message: Message):
        return message._pack(self._layout(type(message)))

    @staticmethod
    def _sending(policy, priority, lifetime, max_attempts, round):
        return extension().Sending(policy, priority, lifetime, max_attempts, round)


_NO_METRICS = ("local_loss", "steps", "is_finite")  # of what learner.train() gives


async def _awaited(awaitable):
    return await awaitable


def _coroutine(awaitable):
    """A coroutine of something to await."""
    return awaitable if inspect.iscoroutine(awaitable) else _awaited(awaitable)


def _guarded(handler: Callable) -> Callable:
    """What serves a message: gives why it is refused, or None."""

    def serve(sender, round, units, units_sent, message):
        message.round, message.units, message.units_sent = round, units, units_sent
        try:
            handler(sender, message)
        except Refused as refused:
            return str(refused) or "refused by the protocol"
        return None

    return serve
