#!/bin/sh
# Prints the path of Lambda's Python, the real one: a version manager's shim works in one shell and not in another.
show='import sys; print(sys.executable)'
python3.13 -c "$show" 2>/dev/null && exit
version=$(pyenv latest 3.13 2>/dev/null) && PYENV_VERSION=$version python3.13 -c "$show" 2>/dev/null && exit
echo "python3.13 is not on PATH: layers are built and tested with the Python that Lambda runs. Install Python 3.13" \
  "and put the folder of its python3.13 on PATH." >&2
exit 1
