"""Runs a command on a pseudo-terminal: standard input is what is typed, standard output what the screen gets.

Ends with the command's exit code, 128 + n for signal n. When this program ends, the command is hung up on.
"""
import os
import pty
import select
import sys

TYPED, CHUNK = 0, 65536

child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])

listening = [terminal, TYPED]
while True:
    ready, _, _ = select.select(listening, [], [])
    if TYPED in ready:
        typed = os.read(TYPED, CHUNK)
        if typed:
            os.write(terminal, typed)
        else:
            listening.remove(TYPED)
    if terminal in ready:
        try:
            shown = os.read(terminal, CHUNK)
        except OSError:
            # Linux reports the other side's end as an error.
            break
        if not shown:
            break
        os.write(1, shown)

code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
sys.exit(code if code >= 0 else 128 - code)
