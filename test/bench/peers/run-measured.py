"""run-measured.py REPORT COMMAND...: runs a command and writes what it and its children took to a JSON file."""

import json
import os
import subprocess
import sys
import time

report, *command = sys.argv[1:]
started = time.monotonic()
child = subprocess.Popen(command)
_, status, usage = os.wait4(child.pid, 0)
with open(report, "w") as file:
    json.dump(
        {
            "exitCode": os.waitstatus_to_exitcode(status),
            "cpuSeconds": usage.ru_utime + usage.ru_stime,
            "wallSeconds": time.monotonic() - started,
            "memoryMb": usage.ru_maxrss / 1024,
        },
        file,
    )
