# SPDX-License-Identifier: GPL-2.0-or-later
"""The hold model of bench_evq.c in Python: a bare heapq, and SimPy when it is installed."""
import heapq
import random
import sys
import time

REPEATS = 3


def steps():
    draw = random.Random(1)
    return [draw.expovariate(1.0) for _ in range(16384)]


def hold_heapq(n, pairs, step):
    queue = [(step[i % len(step)], i, i) for i in range(n)]
    heapq.heapify(queue)
    start = time.process_time()
    for seq in range(n, n + pairs):
        now, _, owner = queue[0]
        heapq.heapreplace(queue, (now + step[seq % len(step)], seq, owner))
    return time.process_time() - start


def hold_simpy(n, pairs, step):
    import simpy

    env = simpy.Environment()

    def owner(i):
        while True:
            yield env.timeout(step[i % len(step)])
            i += 1

    for i in range(n):
        env.process(owner(i * 7))
    for _ in range(2 * n):  # the processes start, each with its first timeout
        env.step()
    start = time.process_time()
    for _ in range(pairs):
        env.step()
    return time.process_time() - start


def main():
    step = steps()
    runs = [("heapq", hold_heapq)]
    try:
        import simpy

        runs.append(("SimPy " + simpy.__version__, hold_simpy))
    except ImportError:
        print("SimPy is not installed: left out", file=sys.stderr)
    print("The same in Python %s: million pairs a second" % sys.version.split()[0])
    print(" pending" + "".join("%16s" % name for name, _ in runs))
    for n in (10, 64, 1000, 100000):
        rates = []
        for _, run in runs:
            pairs = 100000
            rates.append(pairs / min(run(n, pairs, step) for _ in range(REPEATS)) / 1e6)
        print("%8d" % n + "".join("%16.2f" % rate for rate in rates))


main()
