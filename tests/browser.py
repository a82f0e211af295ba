#!/usr/bin/python3
"""tests/browser.py REPORT.html: opens a report in headless Chromium, on a desk and on a phone, light and dark.

One line per check, `ok NAME` or `not ok NAME`; exit code 1 if one fails, 2 without Chromium and its driver
(scripts/install-deps browser).
"""

import json
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]

# What sticks out of the window; what lies in a box that scrolls by itself may.
OVERFLOWING = """
return Array.from(document.querySelectorAll("body *")).filter((e) => {
  if (e.closest(".scroll") || e.closest("details:not([open])") || e.closest("svg")) return false;
  const box = e.getBoundingClientRect();
  return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1);
}).map((e) => e.tagName + "." + e.className).slice(0, 5);"""

# Labels of charts that are cut off at the edge of their chart.
CUT_LABELS = """
const cut = [];
for (const svg of document.querySelectorAll("svg.chart")) {
  if (svg.getBoundingClientRect().width === 0) continue;
  const view = svg.viewBox.baseVal;
  for (const text of svg.querySelectorAll("text")) {
    const box = text.getBBox();
    if (box.x < -1 || box.y < -1 || box.x + box.width > view.width + 1 || box.y + box.height > view.height + 3)
      cut.push(svg.getAttribute("aria-label") + ": " + text.textContent);
  }
}
return cut.slice(0, 5);"""

# Text that nobody can read.
TINY = """
const tiny = [];
for (const e of document.querySelectorAll("p, td, th, dd, dt, li, figcaption, h1, h2, h3, button, svg.chart text")) {
  const box = e.getBoundingClientRect();
  if (box.width === 0) continue;
  const svg = e.closest("svg");
  const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
  if (parseFloat(getComputedStyle(e).fontSize) * scale < 10) tiny.push(e.textContent.slice(0, 40));
}
return tiny.slice(0, 5);"""

INK = """
const canvas = document.querySelector("#player canvas");
const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
let seen = 0;
for (let i = 3; i < data.length; i += 4) seen += data[i] > 0;
return seen;"""


class Browser:
    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        self.session = ""
        self.session = "/session/" + self.open_session()

    def open_session(self):
        wanted = {"goog:chromeOptions": {"args": FLAGS}, "goog:loggingPrefs": {"browser": "ALL"}}
        for _ in range(100):
            try:
                return self.call("/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
            except urllib.error.HTTPError as error:
                raise RuntimeError(json.loads(error.read())["value"]["message"].splitlines()[0]) from error
            except OSError:
                time.sleep(0.1)  # it is still starting
        raise RuntimeError("chromedriver does not answer")

    def call(self, path, body):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{self.session}{path}", method="POST",
                                         data=json.dumps(body).encode(), headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())["value"]

    def devtools(self, command, **parameters):
        return self.call("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def script(self, text):
        return self.call("/execute/sync", {"script": text, "args": []})

    def open(self, url, width, height, scheme):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                      mobile=width < 600)
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("/url", {"url": url})

    def errors(self):
        return [e["message"] for e in self.call("/se/log", {"type": "browser"}) if e["level"] == "SEVERE"]

    def close(self):
        """The browser first: without its driver it would go on for ever."""
        if self.session:
            request = urllib.request.Request(f"http://127.0.0.1:{self.port}{self.session}", method="DELETE")
            urllib.request.urlopen(request, timeout=60).close()
        self.driver.terminate()
        self.driver.wait()


PASSED, FAILED = [], []


def check(name, wrong):
    """`wrong` is what was seen and should not be; empty is good."""
    print(f"{'not ok' if wrong else 'ok'} {name}")
    (FAILED if wrong else PASSED).append(name)
    if wrong:
        print(f"    {wrong}")


def player_position(browser):
    return float(browser.script('return document.getElementById("player").dataset.at'))


def check_player(browser, where):
    click = 'document.querySelector("#player %s").click()'
    drawn = browser.script(INK)
    check(f"player_draws_{where}", "" if drawn > 2000 else f"only {drawn} pixels are drawn")
    before = player_position(browser)
    browser.script(click % ".play")
    time.sleep(0.8)
    played = player_position(browser)
    check(f"player_plays_{where}", "" if played > before else f"stays at {played}")
    browser.script(click % ".play")
    paused = player_position(browser)
    time.sleep(0.3)
    check(f"player_pauses_{where}", "" if player_position(browser) == paused else "goes on")
    browser.script('const s = document.querySelector("#player input"); s.value = 900; s.dispatchEvent(new Event("input"))')
    check(f"player_scrubs_{where}", "" if abs(player_position(browser) - 0.9) < 0.01 else player_position(browser))
    browser.script(click % "[data-scene=scene3]")
    time.sleep(0.3)
    check(f"player_changes_scene_{where}", "" if browser.script(INK) > 2000 else "nothing is drawn")


def check_page(browser, url, width, height, scheme):
    where = f"{width}_{scheme}"
    browser.open(url, width, height, scheme)
    check(f"no_overflow_{where}", browser.script(OVERFLOWING))
    wide = browser.script("return document.documentElement.scrollWidth - innerWidth")
    check(f"no_sideways_scrolling_{where}", f"{wide} pixels" if wide > 0 else "")
    check(f"no_cut_labels_{where}", browser.script(CUT_LABELS))
    check(f"no_tiny_text_{where}", browser.script(TINY))
    check_player(browser, where)
    check(f"no_request_{where}", browser.script('return performance.getEntriesByType("resource").map((e) => e.name)'
                                                '.filter((n) => !n.startsWith("data:"))'))
    check(f"no_console_error_{where}", browser.errors())


def main():
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1]).is_file():
        print("browser: usage: tests/browser.py REPORT.html", file=sys.stderr)
        return 2
    if not shutil.which("chromedriver"):
        print("browser: no chromedriver; `scripts/install-deps browser` installs it", file=sys.stderr)
        return 2
    try:
        browser = Browser()
    except RuntimeError as error:
        print(f"browser: {error}", file=sys.stderr)
        return 2
    try:
        url = pathlib.Path(sys.argv[1]).resolve().as_uri()
        check_page(browser, url, 1280, 900, "light")
        check_page(browser, url, 390, 844, "dark")
    finally:
        browser.close()
    print(f"{len(PASSED)} passed, {len(FAILED)} failed, 0 skipped")
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
