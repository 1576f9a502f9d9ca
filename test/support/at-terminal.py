"""Runs a command on a pseudo-terminal: standard input is what is typed, standard output what the screen gets.

at-terminal.py COLUMNS ROWS COMMAND...; a line "COLUMNS ROWS" on descriptor 3 resizes, "hang up" takes the terminal away.
Where the output of the old size ends, `ESC ]resized COLUMNS ROWS BEL` stands in it.
Ends with the command's exit code, 128 + n for signal n. When this program ends, the command is hung up on.
"""
import fcntl
import os
import pty
import select
import struct
import sys
import termios

TYPED, SIZES, CHUNK = 0, 3, 65536


def resize(columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


child, terminal = pty.fork()
if child == 0:
    os.close(SIZES)
    # The size must be there before the command looks.
    os.read(TYPED, 1)
    os.execvp(sys.argv[3], sys.argv[3:])
resize(int(sys.argv[1]), int(sys.argv[2]))
os.write(terminal, b"\n")

listening = [terminal, TYPED, SIZES]
while True:
    ready, _, _ = select.select(listening, [], [])
    if SIZES in ready:
        lines = os.read(SIZES, CHUNK).decode().splitlines()
        if lines and lines[-1] == "hang up":
            os.close(terminal)
            break
        if lines:
            columns, rows = map(int, lines[-1].split())
            while select.select([terminal], [], [], 0)[0]:
                try:
                    os.write(1, os.read(terminal, CHUNK))
                except OSError:
                    break
            resize(columns, rows)
            os.write(1, b"\x1b]resized %d %d\x07" % (columns, rows))
            continue
        else:
            listening.remove(SIZES)
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
