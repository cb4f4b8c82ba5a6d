"""Plays W1 here and on programs that people would otherwise take, in one sitting, and prints a table: compare.py [--rounds N] [--turns N,N,…].

Each peer has a virtual environment of its own with the versions of its `requirements.txt`, from PyPI. In every round all of them take turns, so that a
slow minute of the machine falls on each; the table has medians of the rounds, and ratios to our own row. `tests/benches/README.md` says what is
measured.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
OURS = "Twicetold"
# A peer and what it is called with besides the number of turns and a folder.
PEERS = [("eventsourcing", []), ("langgraph", ["full"]), ("langgraph", ["delta"]), ("autogen", [])]
# A round of a peer takes half a minute with 800 turns; ten are a fault.
SECONDS_MAX = 300


def benchmark():
    command = ["cargo", "bench", "-p", "twicetold-cast", "--bench", "w1", "--locked", "--no-run", "--message-format", "json"]
    built = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = [json.loads(line) for line in built.splitlines()]
    return next(line["executable"] for line in found if line.get("executable") and line["target"]["name"] == "w1")


def python(peer):
    script, requirements = ROOT / "tests/src/set_up.py", HERE / peer / "requirements.txt"
    made = subprocess.run([sys.executable, script, ROOT / "target/tmp" / f"peer-{peer}", requirements], stdout=subprocess.PIPE, text=True)
    if made.returncode != 0:
        sys.exit(f"{peer} cannot be set up; the line above says why")
    return made.stdout.strip()


def lines(command):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, timeout=SECONDS_MAX)
    if done.returncode != 0:
        sys.exit(f"{command[1]} ended with {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--turns", default="50,200,800")
    arguments = arguments.parse_args()
    ours, pythons = benchmark(), {peer: python(peer) for peer, _ in PEERS}
    # A real disk wherever the build has one: in memory a flush is free.
    folder, rows = ROOT / "target/tmp/peers", {}
    for number in range(1, arguments.rounds + 1):
        for turns in map(int, arguments.turns.split(",")):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            commands = [[ours, "--lines", "--rounds", "1", "--turns", turns, "--folder", folder / "ours"]]
            commands += [[pythons[peer], HERE / peer / "play.py", turns, folder, *more] for peer, more in PEERS]
            for command in commands:
                for line in lines(command):
                    rows.setdefault((turns, line["what"]), []).append(line)
        print(f"round {number} of {arguments.rounds} played", file=sys.stderr)
    shutil.rmtree(folder, ignore_errors=True)

    def median(key, name):
        found = [line[name] for line in rows[key] if line.get(name) is not None]
        return statistics.median(found) if found else None

    print("| turns | what | wall of a turn | CPU of a turn | … against ours | bytes of a turn | … against ours |")
    print("|---|---|---|---|---|---|---|")
    for key in rows:
        turns, what = key
        wall, cpu, stored = (median(key, name) for name in ("wall", "cpu", "bytes"))
        plays = ":" not in what
        against = f"{cpu / median((turns, OURS), 'cpu'):.2f}" if plays else ""
        bytes_against = f"{stored / median((turns, OURS), 'bytes'):.1f}" if stored else ""
        stored = f"{stored:,.0f}" if stored else ""
        print(f"| {turns} | {what} | {wall:.3f} ms | {cpu:.3f} ms | {against} | {stored} | {bytes_against} |")
    print("\n" + "; ".join(sorted({line["version"] for found in rows.values() for line in found})))


main()
