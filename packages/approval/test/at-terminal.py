"""Runs a program in a terminal of its own: types something before it asks, then answers, and prints what was shown.

Usage: at-terminal.py AHEAD ANSWERS PROGRAM [ARGUMENT ...]. Each answer, one a line of ANSWERS, waits for its question;
CODE in it stands for the code that is shown.
"""

import os
import pty
import re
import signal
import sys

ahead, answers, program = sys.argv[1], sys.argv[2].split("\n"), sys.argv[3:]
child, terminal = pty.fork()
if child == 0:
    os.execvp(program[0], program)

shown = b""


def until(pattern, times=1):
    global shown
    while len(re.findall(pattern, shown)) < times:
        try:
            more = os.read(terminal, 4096)
        except OSError:
            more = b""
        if not more:
            return False
        shown += more
    return True


if until(rb"ready\r?\n"):
    os.write(terminal, ahead.encode())
    # The terminal shows what is typed once it holds it.
    if until(rb"ready\r?\n" + re.escape(ahead.encode()).replace(b"\\\n", rb"\r?\n")):
        os.kill(child, signal.SIGUSR2)
    for count, answer in enumerate(answers, 1):
        if until(rb"To approve, type \w{4}; to deny, type n: ", count):
            code = re.findall(rb"To approve, type (\w{4});", shown)[-1]
            os.write(terminal, answer.encode().replace(b"CODE", code) + b"\n")
    until(rb"answered: \w+\r?\n")
os.close(terminal)
os.waitpid(child, 0)
sys.stdout.buffer.write(shown)
