# SPDX-License-Identifier: GPL-2.0-or-later
"""Check a timeline: timeline.py FILE FROM TO (milliseconds). Prints exits, arrows, dropped events."""
import json
import sys
from collections import defaultdict

trace = json.load(open(sys.argv[1]))
events = trace["traceEvents"]
lo, hi = float(sys.argv[2]) * 1000, float(sys.argv[3]) * 1000
tracks = {e["tid"]: e["args"]["name"] for e in events if e.get("name") == "thread_name"}
stack, last = defaultdict(list), {}
length, arrows, counted = defaultdict(float), defaultdict(list), defaultdict(list)
exits = 0
for e in events:
    if e["ph"] == "M":
        continue
    assert lo <= e["ts"] <= hi, e
    track = e["tid"]
    if e["ph"] in "BE":
        assert track in tracks and e["ts"] >= last.get(track, 0), e
        last[track] = e["ts"]
    if e["ph"] == "B":
        stack[track].append(e)
        assert len(stack[track]) <= 2, e
    elif e["ph"] == "E":
        b = stack[track].pop()
        if not stack[track] and b["name"] != "timer due":
            length[tracks[track].split()[1]] += e["ts"] - b["ts"]
    elif e["ph"] == "i":
        exits += 1
    elif e["ph"] in "sf":
        arrows[e["id"]].append(e)
    elif e["ph"] == "C" and e["name"].startswith("exits"):
        counted[e["name"]].append(e["args"]["exits"])
assert not any(stack.values()), "slices left open"
for a in arrows.values():
    assert [e["ph"] for e in a] == ["s", "f"] and a[0]["ts"] <= a[1]["ts"], a
for vcpu in {name.split()[1] for name in tracks.values()}:
    # A vCPU is in one state at a time: the slices of its levels add up to the window.
    assert abs(length[vcpu] - (hi - lo)) < 0.5, (vcpu, length[vcpu])
for name, c in counted.items():
    assert c == list(range(1, len(c) + 1)), name
print(exits, len(arrows), trace["otherData"]["dropped"])
