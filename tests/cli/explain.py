# SPDX-License-Identifier: GPL-2.0-or-later
"""Check an explain page: explain.py PAGE. Its data are read as a browser would read them."""
import json
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
assert not re.search(r'(src|href)\s*=|@import|url\(|https?://', page), "the page needs something else"
assert page.count("<script") == 2 and "@DATA@" not in page
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
time = 0
for s in data["steps"]:
    assert s["start"] == time, s["state"]  # one after the other, without a gap
    time += s["cycles"]
    at = 0
    for o in s["ops"]:
        # cycles of an op are what it waited for and its dispatch; ops follow each other
        assert sum(o["by"]) == o["cycles"] and o["start"] == at, o
        at += o["cycles"]
    assert at == s["price"] <= s["cycles"], s["path"]
assert data["steps"][0]["level"] == data["steps"][-1]["level"], "from the guest to the guest"
print(len(data["steps"]), sum(len(s["ops"]) for s in data["steps"]))
