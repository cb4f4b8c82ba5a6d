"""Puts packages into a virtual environment and prints its Python: set_up.py FOLDER REQUIREMENTS.

The folder is made once for each state of the requirements. This is the only part of the tests that asks a package registry for anything.
Ends with 0 and the path, or with 3 and one line that says what is missing.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

UNAVAILABLE = 3


def missing(what):
    print(what, file=sys.stderr)
    sys.exit(UNAVAILABLE)


def run(command, what):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        missing(f"{what}: {error}")
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()
        missing(f"{what}: {said[-1] if said else 'it says nothing'}")


def main():
    folder, requirements = (Path(argument).resolve() for argument in sys.argv[1:])
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = folder / "requirements.txt"
    if not done.exists() or done.read_bytes() != requirements.read_bytes():
        # What was left half done, or done for other versions, is made anew.
        shutil.rmtree(folder, ignore_errors=True)
        run([sys.executable, "-m", "venv", str(folder)], "no virtual environment can be made")
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        pip += ["--retries", "0", "--timeout", "20", "--requirement", str(requirements)]
        run(pip, "the packages cannot be installed")
        shutil.copyfile(requirements, done)
    print(python)


main()
