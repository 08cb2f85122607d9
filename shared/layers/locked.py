"""Runs a command while no other one runs under the same lock: `sam build --parallel` asks for all layers at once.

python3.13 -m layers.locked FILE COMMAND...
"""

import fcntl
import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    path, command = Path(sys.argv[1]), sys.argv[2:]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        sys.exit(subprocess.run(command, check=False).returncode)  # noqa: S603 - the Makefile's own words
