# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what a user at a terminal sees and is asked, on a pseudo-terminal."""

import fcntl
import importlib.util
import os
import pty
import struct
import subprocess
import sys
import termios
import unittest

from folder_test_case import ROOT

ANALYSIS = ROOT / "analysis"

BAR = """
from collab.api.progress import bar
with bar(3, "mine", "round", None) as tell:
    tell(1)
    tell(3)
"""
# Of a user who is not root, on a system with sudo and apt-get
QUESTION = """
import os, shutil
os.geteuid = lambda: 1000
shutil.which = lambda name: name
from collab.setup import packages
print(packages._privileged())
"""


def on_terminal(code, answer=""):
    """What a program prints on a terminal, where an answer is typed."""
    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))  # has a size
    process = subprocess.Popen([sys.executable, "-c", code], stdin=terminal, stdout=terminal,
                               stderr=terminal, env={**os.environ, "PYTHONPATH": str(ANALYSIS)})  # fmt: skip
    os.close(terminal)
    os.write(master, answer.encode())
    text = b""
    try:
        while part := os.read(master, 4096):
            text += part
    except OSError:  # how Linux says that nobody is left at the other end
        pass
    os.close(master)
    process.wait()
    return text.decode()


def elsewhere(code):
    """What a program prints without a terminal: its output, and its errors."""
    result = subprocess.run([sys.executable, "-c", code], stdin=subprocess.DEVNULL, text=True,
                            capture_output=True, check=False,
                            env={**os.environ, "PYTHONPATH": str(ANALYSIS)})  # fmt: skip
    return result.stdout, result.stderr


class TerminalTest(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("tqdm"), "python3-tqdm draws the bar")
    def test_a_bar_on_a_terminal_only(self):
        shown = on_terminal(BAR)
        self.assertIn("mine: ", shown)
        self.assertRegex(shown.splitlines()[-1], r"100%.* 3/3 \[")
        self.assertEqual(elsewhere(BAR), ("", ""))

    def test_the_question_before_sudo(self):
        for answer, done in (("\n", "['sudo']"), ("y\n", "['sudo']"), ("n\n", "None"),
                             ("what\n", "None"), ("\x04", "None")):  # fmt: skip
            with self.subTest(answer=answer):
                shown = on_terminal(QUESTION, answer)
                self.assertIn("collab: install them by sudo apt-get? [Y/n] ", shown)
                self.assertEqual(shown.split()[-1], done)
        self.assertEqual(elsewhere(QUESTION), ("['sudo', '-n']\n", ""))
