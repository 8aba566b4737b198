"""record.py one|two OUT COMMAND [++ COMMAND]: runs programs and stamps their lines as a container runtime does.

one: stdout and stderr of all are one pipe; two: two pipes, and a reader each. A line gets the time at which its reader
has it. OUT: a line for each, with nanoseconds from the first line, stream and text.
"""

import os
import subprocess
import sys
import threading
import time

how, out, commands = sys.argv[1], sys.argv[2], " ".join(sys.argv[3:]).split(" ++ ")
lines = []
lock = threading.Lock()


def read(fd, name):
    with os.fdopen(fd, "rb", 32768) as pipe:
        for line in pipe:
            at = time.monotonic_ns()
            with lock:
                lines.append((at, name, line))


err, err_end = os.pipe()
readers = [threading.Thread(target=read, args=(err, b"stderr"))]
out_end = err_end
if how == "two":
    std, out_end = os.pipe()
    readers.append(threading.Thread(target=read, args=(std, b"stdout")))
programs = [subprocess.Popen(one, shell=True, stdout=out_end, stderr=err_end) for one in commands]
for end in {err_end, out_end}:
    os.close(end)
for reader in readers:
    reader.start()
for program in programs:
    program.wait()
for reader in readers:
    reader.join()
lines.sort(key=lambda line: line[0])
with open(out, "wb") as file:
    for at, name, line in lines:
        file.write(b"%d %s %s" % (at - lines[0][0], name, line))
