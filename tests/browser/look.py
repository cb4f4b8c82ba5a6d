"""Uses the pages of `twicetold serve`, and a report, in Chromium as people do who have only a keyboard, and looks at each with axe-core.

look.py CHROMIUM PROGRAM DATA REPORT LOOKS [FOLDER]: the program and the data folder that it serves, the file of a report, what to look at it in (`390-dark`: width
and scheme of colours; several with commas; `all`), and where screenshots go, if they are wanted.
Prints one JSON object: how many pages were looked at, how often a key was pressed, which flows were gone through, and everything that is wrong.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, expect, sync_playwright

SIZES = {1280: 900, 390: 844}
# The last stop of a page and some more.
TABS_MAX = 1500
# Answers of a person until a campaign must have ended.
ANSWERS_MAX = 60
# Frames until a page that was loaded listens to its server: ten seconds.
FRAMES_MAX = 600


class Visitor:
    """A browser of one width and one scheme of colours."""

    def __init__(self, browser, width, scheme, out, folder):
        self.out, self.folder, self.scheme, self.width = out, folder, scheme, width
        # Kinds of turns that were looked at, and what the console may say while the server is away.
        self.seen, self.excuses = set(), ()
        context = browser.new_context(viewport={"width": width, "height": SIZES[width]}, color_scheme=scheme, reduced_motion="reduce")
        context.set_default_timeout(60_000)
        self.page = None
        context.on("page", self.opened)
        context.on("request", self.asked)
        context.on("console", lambda message: self.said(message.text))
        context.on("weberror", lambda error: self.wrong(f"a script fails: {error.error}"))
        self.context = context
        self.page = context.new_page()

    def opened(self, page):
        self.page = page

    def asked(self, request):
        to = urlsplit(request.url)
        if to.scheme not in ("file", "data") and to.netloc != self.out["host"]:
            self.wrong(f"it asks for {request.url}")

    def said(self, text):
        if not any(excuse in text for excuse in self.excuses):
            self.wrong(f"the console says {text!r}")

    def wrong(self, what):
        place = urlsplit(self.page.url).path if self.page else "-"
        self.out["wrong"].append(f"{self.width} {self.scheme} {place}: {what}")

    def look(self, name):
        """What axe-core has to say of the page, and whether something is wider than the screen."""
        self.out["looked"] += 1
        found = Axe().run(self.page).response
        for violation in found["violations"]:
            for node in violation["nodes"][:5]:
                said = [one["message"] for one in node["any"] + node["all"] + node["none"]]
                self.wrong(f"{name}: {violation['id']}: {node['target']} {said[:2]}")
        over = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if over > 0:
            self.wrong(f"{name}: {over} pixels wider than the screen")
        for inner in ("#act", "#side"):
            cut = self.page.evaluate("wanted => { const box = document.querySelector(wanted); return box ? box.scrollWidth - box.clientWidth : 0; }", inner)
            if cut > 0:
                self.wrong(f"{name}: {cut} pixels of {inner} are cut off at the right")
        if self.folder:
            self.page.screenshot(path=self.folder / f"{name}-{self.width}-{self.scheme}.png")

    def press(self, key):
        self.out["keys"] += 1
        self.page.keyboard.press(key)

    def reach(self, selector):
        """Tab after Tab from where the focus is, until what is meant has it."""
        self.page.wait_for_selector(selector, state="attached")
        for _ in range(TABS_MAX):
            if self.page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
                shown = "getComputedStyle(document.activeElement).outlineStyle !== 'none'"
                if not self.page.evaluate(shown):
                    self.wrong(f"nothing shows that {selector} has the focus")
                return
            self.press("Tab")
        raise SystemExit(f"{self.page.url}: the keyboard does not reach {selector}")

    def type(self, selector, text):
        self.reach(selector)
        self.out["keys"] += len(text)
        self.page.keyboard.type(text)

    def enter(self, selector, until=None):
        """Enter on something; waits for an address that ends so."""
        self.reach(selector)
        before = self.page.url
        self.press("Enter")
        if until:
            self.page.wait_for_url(until)
        return before


def unfold(visitor, details):
    """A form that is open from the start stays open."""
    if not visitor.page.query_selector(f"{details}[open]"):
        visitor.enter(f"{details} > summary")


def watched(visitor, address):
    """Starts a campaign and watches it to its end."""
    page = visitor.page
    page.goto(address)
    page.wait_for_selector("#start")
    visitor.look("campaigns")
    unfold(visitor, "#start")
    visitor.reach("#start [name=campaign]")
    page.keyboard.type("The Borrowed")
    visitor.type("#start [name=seed]", "7")
    visitor.look("start")
    visitor.enter("#start form button", "**/campaigns/*")
    page.wait_for_selector("#newest:text-is('The end')")
    if not page.query_selector("#story .turn"):
        visitor.wrong("no story is there at the end")
    visitor.look("campaign")
    return page.url


def led(visitor, campaign):
    """Follows the links to places on the page, from its beginning and from its end."""
    page = visitor.page
    page.goto(campaign)
    for link in [one.get_attribute("href") for one in page.query_selector_all("nav[aria-label] a[href^='#']")]:
        visitor.enter(f"nav[aria-label] a[href='{link}']", f"**{link}")
        # Some frames later the page has been laid out.
        page.evaluate("async () => { for (let frame = 0; frame < 10; frame += 1) await new Promise(requestAnimationFrame); }")
        top = page.evaluate("wanted => document.querySelector(wanted).getBoundingClientRect().top", link)
        if not -1 <= top < SIZES[visitor.width]:
            visitor.wrong(f"{link} leads to a place that is {top} pixels below the top of the screen")


def scrubbed(visitor, campaign):
    """Moves the moment by keys, and steps through it."""
    page = visitor.page
    page.goto(campaign)
    last = int(page.get_attribute("#at", "max"))
    visitor.reach("#at")
    visitor.press("Home")
    page.wait_for_url("**?at=0")
    expect(page.locator("#at")).not_to_have_value(str(last))
    visitor.look("first-moment")
    for _ in range(3):
        before = page.url
        visitor.enter("#later")
        page.wait_for_url(lambda url, before=before: url != before)
    visitor.reach("#at")
    before, moment = page.url, page.input_value("#at")
    visitor.press("PageUp")
    page.wait_for_url(lambda url: url != before)
    expect(page.locator("#moment")).not_to_contain_text(f"#{moment} ")
    shown = int(page.input_value("#at"))
    if not 0 < shown < last:
        visitor.wrong(f"the moment is {shown} of {last}")
    # An entry is one step for an arrow too, there and back.
    visitor.press("ArrowLeft")
    expect(page.locator("#at")).not_to_have_value(str(shown))
    visitor.look("moment")
    visitor.enter("#play")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    expect(page.locator("#at")).to_have_value(str(shown))
    visitor.reach("#play")
    visitor.press("Enter")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    visitor.enter("#newest", campaign)


def asked_why(visitor, campaign):
    """Goes from an effect to its cause, and from a piece of the prompt to what is behind it."""
    page = visitor.page
    page.goto(campaign)
    visitor.enter("a.cause", "**/why/*")
    visitor.look("why")
    visitor.enter("a[rel=next]", "**/why/*")
    page.wait_for_selector("h1")
    # A message of a model has a prompt.
    page.goto(campaign)
    visitor.enter("#story .turn .turn-number a, #story .turn .said a, #story .turn a[href*='/why/']", "**/why/*")
    for details in page.query_selector_all("main details"):
        details.evaluate("details => details.open = true")
    visitor.look("why-a-message")


def forked(visitor, campaign):
    """Makes a branch of a moment, and compares both."""
    page = visitor.page
    page.goto(campaign + "?at=60")
    visitor.enter("#fork > summary")
    visitor.type("#fork [name=seed]", "9")
    visitor.look("fork")
    visitor.enter("#fork form button", lambda url: "?" not in url and not url.endswith(urlsplit(campaign).path))
    branch = page.url
    visitor.enter(".actions form[action$='/resume'] > button")
    page.wait_for_selector("#newest:text-is('The end')")
    visitor.enter("nav a[href$='/branches']", "**/branches")
    visitor.look("branches")
    visitor.enter("a[href^='/compare']", "**/compare*")
    visitor.look("compare")
    return branch


def taken(visitor, address, seed, seat, name):
    """Starts a campaign with a person in a seat."""
    page = visitor.page
    page.goto(address)
    page.wait_for_selector("#start")
    unfold(visitor, "#start")
    visitor.reach("#start [name=campaign]")
    page.keyboard.type("The Borrowed")
    visitor.type("#start [name=seed]", seed)
    visitor.reach("#start [name=seat]")
    page.keyboard.type(seat)
    visitor.type("#start [name=name]", name)
    visitor.enter("#start form button", "**/seats/**")


def answered(visitor, turn, character):
    """Answers once, by a character, a move or words. Waits until the next thing is to be done here or elsewhere."""
    page = visitor.page
    moves = page.query_selector_all("#act .moves details")
    makes = page.query_selector("#act [name='character.name']")
    kind = "character" if makes else "words and moves" if moves else "words"
    if kind not in visitor.seen:
        visitor.seen.add(kind)
        visitor.look("seat-" + kind.replace(" ", "-"))
    call = page.get_attribute("#act [name=call]", "value")
    plain = "#act > .moves > details:not(:has(form select, form input:not([type=hidden])))"
    if makes:
        visitor.type("[name='character.name']", character)
        visitor.reach("[name='character.class']")
        visitor.type("[name='character.background']", "Picked locks for the wrong people.")
        visitor.enter("form:has([name='character.name']) button")
    elif turn % 2 and page.query_selector(plain):
        visitor.enter(f"{plain} > summary")
        visitor.enter(f"{plain}[open] button")
    else:
        visitor.type("#words", f"I look at thing number {turn} and take it to the landing stage.")
        visitor.enter("#act .say button")
    page.wait_for_selector(f"#act .say [name=call][value='{call}']", state="detached")
    at_end(page)
    if makes and character not in page.inner_text("#told"):
        expect(page.locator("#told")).to_contain_text(f"plays {character}")


def at_end(page):
    """Whoever has answered sees what was said last, and not the beginning."""
    page.wait_for_function("() => document.getElementById('told').getBoundingClientRect().bottom <= innerHeight + 1")


def has(page, selector):
    """Is something there? On a page that is being left nothing is."""
    try:
        return page.query_selector(selector) is not None
    except Error:
        return False


def played_on(visitor, pages):
    """Answers on whichever page is asked until the campaign is over; the answers that it took."""
    for turn in range(ANSWERS_MAX):
        asked = None
        while not asked:
            for page in pages:
                if has(page, "main[data-over]"):
                    return turn
                if has(page, "#act .say"):
                    asked = page
        visitor.page = asked
        asked.bring_to_front()
        answered(visitor, turn, ("Ada Finch", "Ben Alder")[pages.index(asked)])
    visitor.wrong("the campaign does not end")
    return ANSWERS_MAX


def written_on(visitor):
    """Writes while something new comes: no key is lost, and words that were not sent outlive a page that is loaded anew."""
    page, streams = visitor.page, []
    page.route("**/events?*", lambda route: streams.append(route))
    page.goto(page.url)
    visitor.type("#words", "I ")
    for _ in range(FRAMES_MAX):
        if streams:
            break
        page.evaluate("() => new Promise(requestAnimationFrame)")
    act = page.inner_html("#act") + "<p id='fresh'></p>"
    more = {"next": page.get_attribute("main", "data-next"), "story": "", "side": page.inner_html("#side"), "act": act}
    streams[0].fulfill(content_type="text/event-stream", body=f"event: more\ndata: {json.dumps(more)}\n\n")
    page.wait_for_selector("#fresh", state="attached")
    visitor.page.keyboard.type("wait. ")
    expect(page.locator("#words")).to_have_value("I wait. ")
    page.unroute("**/events?*")
    page.goto(page.url)
    expect(page.locator("#words")).to_have_value("I wait. ")


def seat_played(visitor, address):
    """Takes a seat from the first turn on, and plays it by words and moves until the encounter is resolved."""
    taken(visitor, address, "2", "Player 2", "Ada")
    visitor.page.wait_for_selector("#words")
    written_on(visitor)
    visitor.out["turns"] = played_on(visitor, [visitor.page])
    # Also when the page is loaded only after the campaign is over with the answer.
    visitor.page.goto(visitor.page.url)
    at_end(visitor.page)
    visitor.look("seat-over")
    visitor.enter(".masthead a[href^='/campaigns/']", "**/campaigns/*")
    ended = visitor.page.inner_text("#now")
    if "resolved: " not in ended or "unresolved" in ended:
        visitor.wrong(f"the encounter is not resolved: {ended}")


def two_played(visitor, address):
    """Plays two seats at once: the second one by the link that the campaign's page has for it."""
    taken(visitor, address, "8", "Player 1", "Ada")
    first = visitor.page
    visitor.enter(".masthead a[href^='/campaigns/']", "**/campaigns/*")
    visitor.enter("#seats > summary")
    with visitor.context.expect_page() as opened:
        visitor.enter("#seats a[href*='player-2']")
    visitor.page = second = opened.value
    second.wait_for_selector("form[action$='/sit']")
    visitor.type("form[action$='/sit'] [name=name]", "Ben")
    visitor.enter("form[action$='/sit'] button")
    second.wait_for_selector("#act .leave", state="attached")
    visitor.page = first
    first.bring_to_front()
    first.go_back()
    first.wait_for_selector("#act")
    played_on(visitor, [first, second])
    for page, name in ((first, "Ada Finch"), (second, "Ben Alder")):
        if f"plays {name}" not in page.inner_text("#told"):
            visitor.wrong(f"{name} is not in the story")
    second.close()
    visitor.page = first


def killed(visitor, serving):
    """The server is killed under an open page, and started anew: the page says what to do, goes on, and the campaign is resumed on it."""
    taken(visitor, serving.address, "5", "Player 2", "Ada")
    page = visitor.page
    page.wait_for_selector("#act .say")
    answered(visitor, 0, "Ada Finch")
    visitor.enter(".masthead a[href^='/campaigns/']", "**/campaigns/*")
    page.wait_for_selector("#newest:text-is('Live')")
    visitor.excuses = ("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET", "401", "403")
    serving.kill()
    expect(page.locator("#trouble")).to_contain_text("The connection to the server is lost")
    serving.start()
    expect(page.locator("#trouble")).to_contain_text("The server was started anew")
    visitor.look("started-anew")
    other = visitor.context.new_page()
    other.goto(serving.address)
    other.wait_for_selector("#start")
    other.close()
    visitor.page = page
    page.bring_to_front()
    page.wait_for_selector(".actions form[action$='/resume']")
    visitor.excuses = ()
    unfold(visitor, "#seats")
    visitor.reach("#seats [name=seat]")
    page.keyboard.type("Player 2")
    visitor.type("#seats [name=name]", "Ada")
    visitor.enter("#seats form button", "**/seats/**")
    played_on(visitor, [page])
    if "plays Ada Finch" not in page.inner_text("#told"):
        visitor.wrong("the campaign did not go on")


def reported(visitor, report):
    """A report, from the disk."""
    page = visitor.page
    page.goto(f"file://{report}")
    visitor.look("report")
    visitor.reach("details > summary")
    visitor.press("Enter")
    for details in page.query_selector_all("details"):
        details.evaluate("details => details.open = true")
    visitor.look("report-unfolded")


class Serving:
    """The server of a folder, until it is closed."""

    def __init__(self, program, folder):
        self.command, self.port = [program, "serve", "--data", folder, "--port"], "0"
        # Nothing of whoever runs this decides what is seen.
        self.environment = {"PATH": os.environ["PATH"], "HOME": folder}
        self.start()

    def start(self):
        self.process = subprocess.Popen([*self.command, self.port], env=self.environment, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        self.host = urlsplit(self.address).netloc
        self.port = self.host.rpartition(":")[2]

    def kill(self):
        self.process.kill()
        self.process.wait()


def main():
    chromium, program, data, report, looks, *rest = sys.argv[1:]
    known = [f"{width}-{scheme}" for width in SIZES for scheme in ("light", "dark")]
    looks = known if looks == "all" else looks.split(",")
    if not set(looks) <= set(known):
        raise SystemExit(f"looks are {', '.join(known)} or all")
    folder = Path(rest[0]) if rest else None
    serving = Serving(program, data)
    out = {"host": serving.host, "looked": 0, "keys": 0, "flows": [], "wrong": []}
    try:
        look(chromium, serving, Path(report).resolve(), looks, folder, out)
    finally:
        serving.kill()
        print(json.dumps(out))


def look(chromium, serving, report, looks, folder, out):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for one in looks:
            width, scheme = one.split("-")
            visitor = Visitor(browser, int(width), scheme, out, folder)
            campaign = watched(visitor, serving.address)
            for flow in (led, scrubbed, asked_why, forked):
                flow(visitor, campaign)
            for flow in (seat_played, two_played):
                flow(visitor, serving.address)
            reported(visitor, report)
            killed(visitor, serving)
            visitor.context.close()
            out["flows"].append(one)
        browser.close()


main()
