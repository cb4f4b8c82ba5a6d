"""Measures the pages of `twicetold serve` in Chromium: pages.py PROGRAM CHROMIUM LONG [ROUNDS].

LONG is a data folder with one long campaign. Prints a table: how long its page takes to open and how much memory it takes, how long
after its commit an event is on an open page, and by how much 50 open pages slow play. Reads memory from /proc.
"""

import json
import os
import re
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import sync_playwright

PAGES = 50
CAMPAIGNS = 4
SEED = "1"
# Writes down when each number is on the page: when the frame after its arrival begins.
WATCH = """
window.shown = {};
new MutationObserver(() => requestAnimationFrame(() => {
  for (const line of document.querySelectorAll("#story [id^=n]")) shown[line.id.slice(1)] ??= Date.now();
})).observe(document.getElementById("told"), { childList: true, subtree: true });
"""


class Serving:
    """The server of a folder, until it is closed."""

    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "serve", "--port", "0", "--data", folder], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        parts = urlsplit(self.address)
        self.at, self.token = parts.netloc, parse_qs(parts.query)["token"][0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Pages:
    """Open pages of a campaign, as the server has them: streams that are read as fast as they come. A process of its own reads them, at the
    lowest priority: what browsers cost is measured elsewhere, and they are mostly on other machines."""

    def __init__(self, serving, campaign, count):
        reader, writer = os.pipe()
        self.child = os.fork()
        if self.child == 0:
            os.close(reader)
            os.nice(19)
            read_pages(serving, campaign, count, writer)
            os._exit(0)
        os.close(writer)
        self.said = os.fdopen(reader)
        # All are open.
        self.said.readline()

    def bytes_read(self):
        """Waits until all streams have ended, as they do with the campaign."""
        with self.said as said:
            read = int(said.read())
        os.waitpid(self.child, 0)
        return read


def read_pages(serving, campaign, count, out):
    """Opens the pages of the campaign, says so, and reads them to their end; then it says how many bytes came."""
    host, _, port = serving.at.partition(":")
    ask = f"GET /campaigns/{campaign}/events?from=0 HTTP/1.1\r\nHost: {serving.at}\r\nCookie: twicetold-{port}={serving.token}\r\n\r\n"
    selector, buffer, read, quiet, is_silent = selectors.DefaultSelector(), bytearray(1 << 20), 0, set(), True
    for _ in range(count):
        stream = socket.create_connection((host, int(port)))
        stream.sendall(ask.encode())
        stream.setblocking(False)
        selector.register(stream, selectors.EVENT_READ)
        quiet.add(stream)
    while selector.get_map():
        for key, _ in selector.select(60) or sys.exit("no page says anything for a minute"):
            data = key.fileobj.recv_into(buffer)
            read += data
            quiet.discard(key.fileobj)
            if is_silent and not quiet:
                is_silent = False
                os.write(out, b"open\n")
            # The connection is kept for more requests; the story of the stream is over.
            if not data or b"event: over" in buffer[max(0, data - 200) : data]:
                selector.unregister(key.fileobj)
                key.fileobj.close()
    os.write(out, str(read).encode())


def memory(name):
    """Megabytes of the processes below this one whose program is called so, memory that is shared counted by its share."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found, more, total = set(), {os.getpid()}, 0
    while more:
        found |= more
        more = {child for child, parent in parents.items() if parent in more} - found
    for pid in found:
        try:
            if name in Path(f"/proc/{pid}/cmdline").read_text().split("\0")[0]:
                total += int(re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M).group(1))
        except OSError:
            continue
    return total / 1024


def row(what, measured, target, met):
    print(f"| {what} | {measured} | {target} | {'yes' if met else '**no**'} |", flush=True)


def enter(page, serving):
    """With the token; the page that takes it leads to the list of campaigns."""
    page.goto(serving.address)
    page.wait_for_selector("main.list")


def opened(playwright, program, chromium, folder, campaign, rounds):
    """How long the page of a long campaign takes to open, and how much memory it takes."""
    with Serving(program, folder) as serving:
        for name, query in (("the page", ""), ("the page with all turns", "?turns=all")):
            times, first, grown, heap = [], [], [], []
            for _ in range(rounds):
                browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                page = browser.new_page(viewport={"width": 1280, "height": 900})
                enter(page, serving)
                page.goto("about:blank")
                before = memory("chrom")
                began = time.monotonic()
                page.goto(f"http://{serving.at}/campaigns/{campaign}{query}", wait_until="load")
                page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
                times.append(time.monotonic() - began)
                first.append(page.evaluate("performance.getEntriesByType('navigation')[0].responseEnd") / 1000)
                grown.append(memory("chrom") - before)
                session = page.context.new_cdp_session(page)
                session.send("Performance.enable")
                metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
                heap.append(metrics["JSHeapUsedSize"] / 2**20)
                nodes = page.evaluate("document.getElementsByTagName('*').length")
                turns = page.evaluate("document.querySelectorAll('#story .turn').length")
                browser.close()
            took, took_memory = statistics.median(times), statistics.median(grown)
            row(f"{name} ({turns} turns, {nodes} elements) opens", f"{took:.2f} s, {statistics.median(first):.2f} s of it until it has come", "1 s", took < 1)
            row(f"{name} takes of the browser", f"{took_memory:.0f} MB, {statistics.median(heap):.1f} MB of it the script's", "200 MB", took_memory < 200)
        print(f"| the server then | {memory('twicetold'):.0f} MB | | |")


def live(playwright, program, chromium):
    """How long after its commit an event is on the page, while a campaign is played as fast as it goes."""
    with tempfile.TemporaryDirectory() as folder, Serving(program, folder) as serving:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        enter(page, serving)
        committed, campaign = {}, []
        begun = threading.Event()
        playing = subprocess.Popen([program, "run", "--json", "--seed", SEED, "--data", folder], stdout=subprocess.PIPE, text=True)

        def read():
            for line in playing.stdout:
                told = json.loads(line)
                if "number" in told:
                    committed[str(told["number"])] = time.time() * 1000
                    campaign.append(told["campaign"])
                    begun.set()

        reader = threading.Thread(target=read)
        reader.start()
        begun.wait()
        page.goto(f"http://{serving.at}/campaigns/{campaign[0]}")
        page.evaluate(WATCH)
        there = page.evaluate("[...document.querySelectorAll('#story [id^=n]')].map(line => line.id.slice(1))")
        page.wait_for_selector("#newest:text-is('The end')", timeout=120_000)
        reader.join()
        shown = page.evaluate("shown")
        browser.close()
    late = sorted(shown[number] - committed[number] for number in shown if number in committed and number not in there)
    middle, most = statistics.median(late), late[int(len(late) * 0.95)]
    row(f"{len(late)} events on an open page after their commit", f"{middle:.0f} ms, 95 % within {most:.0f} ms", "200 ms", most < 200)


def played(program, folder, serving, count):
    """Plays some campaigns, each with so many pages that are open before most of it is played; seconds, those of the players' own CPU, and
    bytes that pages read."""
    took, own, read = 0.0, 0.0, 0
    for seed in range(CAMPAIGNS):
        known = set(Path(folder).glob("campaigns/*.redb"))
        playing = subprocess.Popen([program, "run", "--quiet", "--seed", str(seed), "--data", folder], stdout=subprocess.DEVNULL)
        while not (fresh := set(Path(folder).glob("campaigns/*.redb")) - known):
            pass
        # It stands still until all pages are open, with and without pages.
        playing.send_signal(signal.SIGSTOP)
        pages = Pages(serving, fresh.pop().stem, count) if count else None
        began = time.monotonic()
        playing.send_signal(signal.SIGCONT)
        _, status, used = os.wait4(playing.pid, 0)
        took += time.monotonic() - began
        playing.returncode = os.waitstatus_to_exitcode(status)
        own += used.ru_utime + used.ru_stime
        read += pages.bytes_read() if pages else 0
    return took, own, read


def slowed(program, rounds):
    """By how much open pages slow play: campaigns with and without them take turns."""
    walls, owns, plain = [], [], []
    with tempfile.TemporaryDirectory() as folder, Serving(program, folder) as serving:
        for _ in range(rounds):
            alone, own, _ = played(program, folder, serving, 0)
            beside, own_beside, read = played(program, folder, serving, PAGES)
            plain.append(alone)
            walls.append(beside / alone)
            owns.append(own_beside / own)
    for what, ratios in (("play", walls), ("its own CPU time", owns)):
        middle = statistics.median(ratios)
        spread = f"{rounds} rounds, ratios {min(ratios):.2f} to {max(ratios):.2f}"
        row(f"{PAGES} open pages beside {CAMPAIGNS} campaigns: {what}", f"{middle * 100 - 100:+.0f} % ({spread})", "5 %", middle < 1.05)
    print(f"| {CAMPAIGNS} campaigns without pages; read by each page | {min(plain):.2f} to {max(plain):.2f} s; {read / 2**20 / PAGES:.1f} MB | | |")


def main():
    program, chromium, folder, *rest = sys.argv[1:]
    campaign = next(Path(folder).glob("campaigns/*.redb")).stem
    rounds = int(rest[0]) if rest else 5
    print("| what | measured | at most | met |\n|---|---|---|---|")
    with sync_playwright() as playwright:
        opened(playwright, program, chromium, folder, campaign, rounds)
        live(playwright, program, chromium)
    slowed(program, rounds)


main()
