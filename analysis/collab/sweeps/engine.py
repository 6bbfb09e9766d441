# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Snakemake at work on the points of one or more sweeps."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Optional

from .folder import STOP, write_json
from .texts import SweepError

_FOLDER = Path(__file__).resolve().parent / "engine"


def find_profile(name: Optional[str]) -> Optional[Path]:
    """The folder of a profile of Snakemake, one of ours by its name; None for none."""
    if name is None:
        return None
    own = sorted(path.parent.name for path in _FOLDER.glob("*/config.yaml"))
    folder = _FOLDER / name if name in own else Path(name)
    if not any(folder.glob("config*.yaml")):  # Snakemake 8 prefers config.v8+.yaml
        allowed = ", ".join(own)
        raise SweepError(
            f"--profile was given '{name}'; allowed: {allowed}, or a folder with config.yaml"
        )
    return folder.resolve()


class Engine:
    """Snakemake, in a session of its own so that Ctrl-C reaches it through us only."""

    def __init__(
        self, todo: list, locks: list, jobs: Optional[int], profile: Optional[Path]
    ):
        """todo: (SweepFolder, digests of points that one job runs) of each job; Snakemake works in the first folder.
        locks: the open files that keep other calls out for as long as it runs."""
        folder = todo[0][0]
        self._stop = folder.path / STOP
        self._stop.unlink(missing_ok=True)
        write_json(folder.path / "engine.json", _call(todo))
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder.path / ".snakemake" / "cache")}
        try:
            with (folder.path / "engine.log").open("wb") as log:
                self._process = subprocess.Popen(
                    _command(jobs, profile),
                    cwd=folder.path,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                    pass_fds=locks,
                )
        except FileNotFoundError:
            raise SweepError("snakemake is not installed; ./collab doctor tells how") from None

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_):
        if self.is_running():
            self.kill()
        self._process.wait()

    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def finish(self) -> None:
        """Lets running points finish, and starts no other."""
        with contextlib.suppress(OSError):  # on a full disk: jobs see that themselves
            self._stop.touch()
        self._process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Ends the running points too."""
        if self.is_running():
            os.killpg(self._process.pid, signal.SIGINT)


def _call(todo: list) -> dict:
    """What the Snakefile reads. Paths go from where Snakemake works: what is above may have any name."""
    above = todo[0][0].path.parent
    return {
        "package": str(Path(__file__).resolve().parents[2]),
        "python": sys.executable,
        "jobs": {
            os.path.join("..", os.path.relpath(folder.mark(digests[-1]), above)): digests
            for folder, digests in todo
        },
    }


def _command(jobs: Optional[int], profile: Optional[Path]) -> list:
    command = ["snakemake", "--snakefile", _FOLDER / "Snakefile", "--directory", "."]
    # Folder and points have locks of their own, which end with the processes that hold them.
    command += ["--nolock", "--drop-metadata", "--ignore-incomplete", "--nocolor"]
    # Marks of points stay when others of the same job fail.
    command += ["--keep-incomplete", "--keep-going", "--rerun-triggers", "mtime", "--scheduler", "greedy"]
    if not profile:
        return [*command, "--cores", str(jobs)]
    command += ["--profile", profile]
    return [*command, "--jobs", str(jobs)] if jobs else command
