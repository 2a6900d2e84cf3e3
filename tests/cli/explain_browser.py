# SPDX-License-Identifier: GPL-2.0-or-later
"""Step through an explain page in headless Chromium: explain_browser.py PAGE [SCREENSHOT-PREFIX]

Speaks the WebDriver protocol (W3C) to chromedriver, with nothing but Python's library.
"""
import base64
import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request

page = os.path.abspath(sys.argv[1])
driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
port = None
for line in driver.stdout:
    m = re.search(r"started successfully on port (\d+)", line)
    if m:
        port = int(m[1])
        break
assert port, "chromedriver did not start"
base = f"http://127.0.0.1:{port}/session"
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def call(method, path, body=None):
    data = json.dumps(body or {}).encode() if method == "POST" else None
    req = urllib.request.Request(base + path, data, {"Content-Type": "application/json"}, method=method)
    try:
        return json.load(opener.open(req, timeout=60))["value"]
    except urllib.error.HTTPError as e:
        raise AssertionError(e.read().decode()) from None


try:
    session = "/" + call("POST", "", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--window-size=1000,900"]}}}})["sessionId"]

    def js(script):
        return call("POST", session + "/execute/sync", {"script": "return " + script, "args": []})

    def key(code):
        keys = [{"type": t, "value": code} for t in ("keyDown", "keyUp")]
        call("POST", session + "/actions", {"actions": [{"type": "key", "id": "k", "actions": keys}]})

    def click(css):
        element = list(call("POST", session + "/element", {"using": "css selector", "value": css}).values())[0]
        call("POST", f"{session}/element/{element}/click")

    def shot(name):
        if len(sys.argv) > 2:
            with open(sys.argv[2] + name, "wb") as f:
                f.write(base64.b64decode(call("GET", session + "/screenshot")))

    HOME, END, LEFT, RIGHT, PGUP, PGDN = "\ue011", "\ue010", "\ue012", "\ue014", "\ue00e", "\ue00f"
    call("POST", session + "/url", {"url": "file://" + page})
    stops = js("stops.length")
    assert js("at") == 0 and stops > 50
    where = js("$('where').textContent")
    assert where.startswith("Step 1 of "), where
    for n in range(1, 8):
        key(RIGHT)
        assert js("at") == n
    assert js("$('where').textContent") != where
    key(LEFT)
    assert js("at") == 6
    key(END)
    assert js("at") == stops - 1
    key(RIGHT)
    assert js("at") == stops - 1, "the end is the end"
    key(HOME)
    key(PGDN)
    assert js("stops[at][0]") == 1
    key(PGUP)
    assert js("stops[at][0]") == 0
    click("#next")
    assert js("at") == 1
    # the step that has the exit's note at its last op
    js("go(stops.findIndex(p => data.steps[p[0]].notes.length && "
       "p[1] === data.steps[p[0]].ops.length - 1 && p[1] >= 0))")
    assert js("data.steps[stops[at][0]].notes[0]") in js("$('notes').textContent")
    shot("wide.png")
    # every op is reachable by the button alone, and each shows its cycles
    key(HOME)
    for _ in range(stops - 1):
        js("$('next').click()")
    assert js("at") == stops - 1
    # a phone
    call("POST", session + "/chromium/send_command",
         {"cmd": "Emulation.setDeviceMetricsOverride",
          "params": {"width": 360, "height": 640, "deviceScaleFactor": 2, "mobile": True}})
    js("go(stops.findIndex(p => data.steps[p[0]].ops.length > 40) + 30)")
    assert js("innerWidth") == 360
    assert js("document.documentElement.scrollWidth") <= 360, "it scrolls sideways"
    assert js("Math.min(...[...document.querySelectorAll('nav button')].map(b => b.offsetHeight))") >= 44
    shot("phone.png")
finally:
    driver.terminate()
    driver.wait()
print("stepped through", stops)
