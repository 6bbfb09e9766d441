# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Writes run folders whose every number follows from a formula, for the tests."""

import csv
import json
import sqlite3
from contextlib import closing
from pathlib import Path

DEVICES = 4
ROUNDS = 4
FIRST_COLLABORATIVE_ROUND = 2
LOW_QUALITY = 2
ROUND_S = 10.0
PHASES = {"predict": 1.0, "exchange": 2.0, "trust": 0.5, "train": 5.0}  # seconds, of 10 in a round
# A round and device, in the order of energy.csv
ENERGY_J = {
    "tx": 1.0,
    "rx": 0.5,
    "idle": 0.25,
    "sleep": 0.125,
    "compute": 3.0,
    "d2s_tx": 0.75,
    "d2s_rx": 0.0,
}
MESSAGE_BYTES = 1600


def write_run(path, trust="dynamic", run=1, bonus=0.0, **parameters):
    """Writes a run folder; bonus is added to every accuracy. Returns its path."""
    path = Path(path)
    path.mkdir(parents=True)
    (path / "run.json").write_text(json.dumps(_metadata(trust, run, parameters)), encoding="utf-8")
    trusts = trust != "local"
    tables = {
        "rounds": _rounds(trusts, bonus),
        "energy": _energy(),
        "latency": _latency(trusts),
        "messages": _messages() if trusts else [],
        "trust": _trust(trust) if trusts else [],
    }
    for name, rows in tables.items():
        write_table(path, name, _HEADERS[name], rows)
    write_table(path, "columns", "table,column,type,unit,meaning", _columns())
    return path


def write_table(path, name, header, rows):
    """Writes a table of a run folder."""
    lines = [header, *(",".join(map(str, row)) for row in rows)]
    (path / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_death(path, device=3):
    """Lets a device go off in the middle of round 2, whose joules it has spent by half."""
    for name in ("rounds", "energy"):
        file = path / f"{name}.csv"
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith((f"2,{device},", f"3,{device},"))]
        file.write_text("".join(kept), encoding="utf-8")
    spent = [2.5 * joules for joules in ENERGY_J.values()]
    row = (2, device, 2.5 * ROUND_S, *spent, sum(spent), 0)
    with (path / "energy.csv").open("a", encoding="utf-8") as text:
        text.write(",".join(map(str, row)) + "\n")
    return path


def write_closing(path):
    """Adds what newer runs have: bytes in energy, and an account of each device at the end.

    That is a round later. Devices that are on have slept since the last round, which is not counted, and
    sent a message more, which is.
    """
    with (path / "energy.csv").open(encoding="utf-8", newline="") as text:
        header, *rows = csv.reader(text)
    sent = {(number, device): sent for number, device, *_, sent in _rounds(True, 0)}
    rows = [[*row[:-2], sent[int(row[0]), int(row[1])], *row[-2:]] for row in rows]
    last = {row[1]: row for row in rows}
    sleep, tx = header.index("sleep_j"), header.index("tx_j")
    for number, device, _, *rest in list(last.values()):
        row = [number, device, ROUND_S * (ROUNDS + 1), *rest]
        if int(number) == ROUNDS - 1:
            row[0] = ROUNDS
            row[sleep] = float(row[sleep]) + ENERGY_J["sleep"]
            row[tx] = float(row[tx]) + ENERGY_J["tx"]
            row[-3] += MESSAGE_BYTES
        rows.append(row)
    write_table(path, "energy", ",".join([*header[:-2], "bytes_sent", *header[-2:]]), rows)
    with (path / "columns.csv").open("a", encoding="utf-8") as text:
        text.write("energy,bytes_sent,integer,B,of energy\n")
    return path


def write_committee(path):
    """Adds a committee to a run: devices 0 and 2 in even rounds, 1 in odd ones, 3 in all.

    The others train, the device with the least number is malicious, and all that train are
    aggregated. The accuracy and loss on the global test set rise and fall by round.
    """
    member = {0: (1, 0), 1: (0, 1), 2: (1, 0), 3: (1, 1)}
    rows = [(n, device, "agreed") for n, device in _every_round_and_device()
            if member[device][n % 2]]  # fmt: skip
    write_table(path, "committee", "round,device,outcome", rows)
    rows = [(*row, 2 if member[row[1]][row[0] % 2] else 1, 2.0 - row[0]) for row in
            _rounds(True, 0)]  # fmt: skip
    write_table(path, "rounds", _HEADERS["rounds"] + ",role,loss_global", rows)
    rows = ((n, n % 2, 1 - n % 2, n % 2, 1 + n % 2, 3 - n % 2, 1 + n % 2) for n in range(ROUNDS))
    write_table(path, "adversaries", "round,malicious_training,malicious_committee,"
                "malicious_aggregated,training,committee,aggregated", rows)  # fmt: skip
    rows = ((device, int(device == 0), device, 4 - device, device, 0.2 * device)
            for device in range(DEVICES))  # fmt: skip
    write_table(path, "clients", "device,malicious,training,committee,aggregated,accuracy", rows)


def write_bound(path):
    """Adds errors 1 / (n + 1), a bound of twice that, and constant gaps."""
    rows = ((n, 1 / (n + 1), 2 / (n + 1), 2, 0.5, 0.4, 0.6) for n in range(ROUNDS))
    write_table(path, "bound", "round,error,bound,least_ratio,gap,phi_min,phi_max", rows)


def write_consensus(path):
    """Adds what the researcher sees of a consensus: halves every round, device 2 counts least."""
    rows = ((n, 0.5**n, 0.5**n, 1, 1, 2, 1.5, 0.5**n, 0.5**n, 0.6**n) for n in range(ROUNDS))
    write_table(path, "consensus", "round,class_disagreement_mean,class_disagreement_max,"
                "distance_mean,distance_max,difference_max,trace,uniform_distance,row_difference,"
                "bound", rows)  # fmt: skip
    sums = (1.1, 1.1, 0.7, 1.1)
    rows = ((n, device, sums[device], sums[device] / 4) for n, device in _every_round_and_device())
    write_table(path, "influence", "round,device,column_sum,importance", rows)


def write_shapes(path):
    """Adds samples, straight lines whose slope is the round, and regions of two classes."""
    rows = ((device, x, -x, x % 2, x % 2) for device in range(DEVICES) for x in (-1, 0, 1))
    write_table(path, "samples", "device,x1,x2,y,truth", rows)
    rows = ((n, device, x, n * x) for n, device in _every_round_and_device() for x in (-2, 0, 2))
    write_table(path, "curves", "round,device,x1,y", rows)
    grid = [(x1, x2) for x1 in (-1, 0, 1) for x2 in (-1, 0, 1)]
    rows = ((n, device, *x, int(x[0] > 0), 0.9) for n, device in _every_round_and_device()
            for x in grid)  # fmt: skip
    write_table(path, "boundaries", "round,device,x1,x2,class,probability", rows)


def write_beliefs(path, right_from=2, rate=0.5, predicted=0.5, liars=()):
    """Adds what belief consensus measures, of users that learn at a rate, liars backwards.

    No user errs from a round on, and nobody doubts a round later; the excess MSE halves every round;
    networks gain 0.1 of accuracy. The beliefs are Gaussians that are twice as sure every round.
    """
    metadata = json.loads((path / "run.json").read_text(encoding="utf-8"))
    for device in metadata["devices"]:
        device["malicious"] = device["device"] in liars
    (path / "run.json").write_text(json.dumps(metadata), encoding="utf-8")
    with (path / "rounds.csv").open(encoding="utf-8", newline="") as text:
        header, *rows = csv.reader(text)
    slopes = {device: -rate if device in liars else rate for device in range(DEVICES)}
    rows = [[*row, slopes[int(row[1])] * int(row[0]), int(row[1])] for row in rows]
    write_table(path, "rounds", ",".join([*header, "log_ratio", "messages_refused"]), rows)
    header = "round,time_s,metric,users,mean,least,greatest"
    write_table(path, "network", header, _network(right_from, rate))
    rows = [("bound", -1, 3, 1000, "instant", ""), ("K", -1, 1, 0.25, "nat/instant", ""),
            ("learnable", -1, 3, 1, "", "")]  # fmt: skip
    rates = {0: 2 * predicted, 1: predicted, 3: 0}
    rows += [("predicted_rate", -1, psi, value, "nat/instant", "") for psi, value in rates.items()]
    write_table(path, "theory", "quantity,user,other,value,unit,meaning", rows)
    rows = [(n, device, name, value, ROUND_S * n) for n, device in _every_round_and_device()
            for name, value in _gaussian(n, device).items()]  # fmt: skip
    write_table(path, "beliefs", "round,device,parameter,value,time_s", rows)
    return path


def _network(right_from, rate):
    for n in range(ROUNDS):
        metrics = {
            "error": (0.25, 0, 1) if n < right_from else (0, 0, 0),
            "confident": (0.75, 0, 1) if n <= right_from else (1, 1, 1),
            "belief_true": (0.5, 0.4, 0.6),
            "log_ratio": (rate * n,) * 3,
            "excess_mse": (0.5**n, 0.5**n / 2, 2 * 0.5**n),
            "accuracy": (0.1 * n,) * 3,
            "accuracy_reference": (0.1 * n,) * 3,
            "accuracy_unseen": (0.05 * n,) * 3,
            "nll": (2 - 0.1 * n,) * 3,
            "ece": (0.1,) * 3,
        }
        for name, values in metrics.items():
            yield (n, ROUND_S * (n + 1), name, DEVICES, *values)


def _gaussian(n, device):
    """A belief about three parameters: the variances 4 and 1 of the last two halve every round."""
    means = {f"mean_{d}": 0.1 * d + device for d in range(3)}
    variances = {0: 1.0, 1: 4 * 0.5**n, 2: 0.5**n}
    return {**means, **{f"covariance_{d}_{e}": variances[d] if d == e else 0.0
                        for d in range(3) for e in range(d + 1)}}  # fmt: skip


def write_agreement(path, offset=0):
    """Adds two draws whose ratio of means is alpha_after - alpha_before + offset + draw."""
    rows = [(draw, before, after, after - before + offset + draw, 10 * after, after)
            for draw in (0, 1) for before in (1, 10) for after in (1, 10)]  # fmt: skip
    header = "round,alpha_before,alpha_after,ratio_of_means,sum,mean_ratio"
    write_table(path, "agreement", header, rows)
    return path


def write_discovery(path, reward=1.0, share=0.25, method="learned"):
    """Adds a graph, its learning, what devices hold, labels found and joules by part, of one pass.

    Device n is a neighbor of n - 1, which gave it what it lacks of label 1; device 0 has no edge.
    Each has 40 of one label first, and share of that of label 1 then. Rewards are reward times n,
    and 1 / 10 of that while learning.
    """
    metadata = json.loads((path / "run.json").read_text(encoding="utf-8"))
    metadata["display"] = {"method": "method", "order": ["learned", "none", "optimum"]}
    settings = {"method": method, "thresholdShare": 1, "thresholdSlack": 0.8, "iterations": 100}
    metadata["parameters"].update(settings)
    (path / "run.json").write_text(json.dumps(metadata), encoding="utf-8")
    rows = [(0, n, n - 1, 1 - 0.1 * n, 0.5, n + 1, 10, 10 - n, 5, 0, 0.1, reward * n, 40)
            for n in range(DEVICES)]  # fmt: skip
    rows[0] = (0, 0, -1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 40)
    write_table(path, "graph", "round,device,peer,success,probability,trusted,granted,received,"
                "given,taken_back,diversity,local_reward,samples", rows)  # fmt: skip
    rows = [(0, iteration, 40, 0.5, 0.1, 0.9, 0.1 * reward * iteration, 0, 0)
            for iteration in range(0, 100, 10)]  # fmt: skip
    write_table(path, "discovery", "round,iteration,devices_iterations,grant_rate,diversity,"
                "success,local_reward,global_reward,reward", rows)  # fmt: skip
    given = int(40 * share)
    rows = [(passes, n, label, samples) for passes in (0, 1) for n in range(DEVICES)
            for label, samples in enumerate((40 - passes * given, passes * given))]  # fmt: skip
    write_table(path, "holdings", "passes,device,label,samples", rows)
    rows = [(n, 0.5 + 0.1 * n) for n in range(DEVICES)]
    write_table(path, "labeling", "device,accuracy", rows)
    spent = {"setup": 0.25, "discovery": 0.5, "exchange": 0.125, "training": 2.0}
    rows = [(n, part, 0, 1, joules, joules, 1, 0, 0, 0, 0, 0) for n in range(DEVICES)
            for part, joules in spent.items()]  # fmt: skip
    write_table(path, "phase_energy", "device,part,start_s,end_s,tx_j,rx_j,idle_j,sleep_j,"
                "compute_j,d2s_tx_j,d2s_rx_j,source_j", rows)  # fmt: skip
    return path


def write_embeddings(path, gap=4.0):
    """Adds embeddings of two samples of a label, a unit apart; label n is at gap n (n + 1) / 2."""
    places = [(gap * n * (n + 1) / 2, side) for n in range(3) for side in (0, 1)]
    rows = [(sample, sample // 2, component, value) for sample, place in enumerate(places)
            for component, value in enumerate(place)]  # fmt: skip
    write_table(path, "embeddings", "sample,label,component,value", rows)
    return path


def convert_to_sqlite(path):
    """Puts the tables of a run folder in the file that the other recorder writes."""
    with closing(sqlite3.connect(path / "run.sqlite")) as database, database:
        types = {(table, column): kind for table, column, kind, *_ in _columns()}
        for file in sorted(path.glob("*.csv")):
            with file.open(encoding="utf-8", newline="") as text:
                header, *rows = csv.reader(text)
            columns = [f'"{c}" {types.get((file.stem, c), "text")}' for c in header]
            database.execute(f'CREATE TABLE "{file.stem}" ({", ".join(columns)})')
            places = ", ".join("?" * len(header))
            database.executemany(f'INSERT INTO "{file.stem}" VALUES ({places})', rows)
            file.unlink()
    return path


_HEADERS = {
    "rounds": "round,device,start_s,end_s,collaborative,accuracy_reference,"
    "balanced_accuracy_reference,accuracy_local,accuracy_global,local_loss,distillation_loss,"
    "heard,stale,excluded,energy_j,bytes_sent",
    "energy": "round,device,time_s,tx_j,rx_j,idle_j,sleep_j,compute_j,d2s_tx_j,d2s_rx_j,source_j,"
    "remaining_j",
    "latency": "round,device,phase,start_s,end_s",
    "messages": "queued_s,start_s,end_s,sender,receiver,kind,round,sequence,bytes,fragments,"
    "lost_fragments,attempts,airtime_s,delivered,reason",
    "trust": "round,device,peer,weight,age_rounds",
}


_TEXT = {"phase", "kind", "reason"}
_UNITS = {"s": "s", "j": "J"}


def _columns():
    for table, header in _HEADERS.items():
        for column in header.split(","):
            unit = _UNITS.get(column.rpartition("_")[2], "")
            yield table, column, "text" if column in _TEXT else "real", unit, f"of {table}"


def accuracy(round_number, device):
    """The accuracy on X* without bonus: rises by 0.1 a round, low quality is 0.2 worse."""
    return 0.4 + 0.1 * round_number + 0.01 * device - (0.2 if device == LOW_QUALITY else 0.0)


def _metadata(trust, run, parameters):
    return {
        "schema": 1,
        "scenario": "prediction-consensus",
        "parameters": {"devices": DEVICES, "trust": trust, **parameters},
        "seed": 1,
        "run": run,
        "versions": {"collab": "0.1.0", "ns3": "3.37", "torch": "1.13.1"},
        "devices": [
            {
                "device": device,
                "low_quality": device == LOW_QUALITY,
                "model": "mlp" if device < DEVICES / 2 else "linear",
                "train_samples": 600,
                "class_samples": f"{100 * device} 600",
                "x_m": 10.0 * device,
                "y_m": 0.0,
            }
            for device in range(DEVICES)
        ],
    }


def _collaborative_rounds():
    return range(FIRST_COLLABORATIVE_ROUND, ROUNDS)


def _every_round_and_device():
    return ((number, device) for number in range(ROUNDS) for device in range(DEVICES))


def _rounds(trusts, bonus):
    for number, device in _every_round_and_device():
        exchanged = max(0, number + 1 - FIRST_COLLABORATIVE_ROUND) if trusts else 0
        measured = accuracy(number, device) + bonus
        yield (
            number,
            device,
            ROUND_S * number,
            ROUND_S * (number + 1),
            int(trusts and number >= FIRST_COLLABORATIVE_ROUND),
            measured,
            measured,
            measured - 0.05,
            measured - 0.1,
            *(1.0, 0.5, DEVICES - 1, 0, 0),
            sum(ENERGY_J.values()) * (number + 1),
            MESSAGE_BYTES * exchanged,
        )


def _energy():
    for number, device in _every_round_and_device():
        spent = [joules * (number + 1) for joules in ENERGY_J.values()]
        yield (number, device, ROUND_S * (number + 1), *spent, sum(spent), 1000 - sum(spent))


def _latency(trusts):
    for number, device in _every_round_and_device():
        time = ROUND_S * number
        for phase, seconds in PHASES.items():
            if phase == "train" or (trusts and number >= FIRST_COLLABORATIVE_ROUND):
                yield (number, device, phase, time, time + seconds)
                time += seconds


def _messages():
    """Device 0 never hears device 1."""
    for number in _collaborative_rounds():
        start = ROUND_S * number + 1.0
        for sender in range(DEVICES):
            for receiver in range(DEVICES):
                if sender != receiver:
                    lost = (sender, receiver) == (1, 0)
                    yield (
                        *(start, start, start + 0.1, sender, receiver, "prediction", number),
                        *(number, MESSAGE_BYTES, 2, 2 if lost else 0, 2, 0.1),
                        *((0, "outage") if lost else (1, "")),
                    )


def _trust(trust):
    for number in _collaborative_rounds():
        for device in range(DEVICES):
            for peer in range(DEVICES):
                doubtful = trust == "dynamic" and peer == LOW_QUALITY
                weight = 0.16 if doubtful else (0.28 if trust == "dynamic" else 0.25)
                yield (number, device, peer, weight, number - 2 if (device, peer) == (0, 1) else 0)
