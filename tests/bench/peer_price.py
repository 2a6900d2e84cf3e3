#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The same block of ops priced by hvsim and by llvm-mca -mcpu=pwr9, in one run.

llvm-mca rejects hrfid and knows no serialisation, so the block holds what both know. Its time is the difference between
many iterations and one, so that starting the program isn't counted. Nothing passes or fails."""
import os, re, shutil, subprocess, sys, tempfile, time

MCA = next((m for m in ("llvm-mca", "llvm-mca-14") if shutil.which(m)), None)
BENCH = os.environ.get("BENCH_BUILD", "build") + "/tests/bench/bench_price"
UNIT = [("mfspr DAR", "mfspr 5, 19"), ("work 1", "add 6, 5, 7"), ("mtspr SPRG0", "mtspr 272, 6"),
        ("work 1", "xor 8, 6, 5"), ("mfspr SRR0", "mfspr 9, 26"), ("mtspr CTR", "mtctr 9"),
        ("lwsync", "lwsync"), ("work 1", "add 10, 9, 8"), ("isync", "isync"), ("mftb", "mfspr 11, 268")]
ROUNDS, REPEATS = 50, 3


def mca_seconds(asm, iterations):
    best = 1e9
    for _ in range(REPEATS):
        start = time.perf_counter()
        subprocess.run([MCA, "-mtriple=powerpc64le", "-mcpu=pwr9", f"-iterations={iterations}", asm],
                       stdout=subprocess.DEVNULL, check=True)
        best = min(best, time.perf_counter() - start)
    return best


def main():
    if not MCA or not os.path.exists(BENCH):
        print("llvm-mca (package llvm) or bench_price is missing: no comparison")
        return
    with tempfile.TemporaryDirectory() as folder:
        listing, asm = os.path.join(folder, "block.txt"), os.path.join(folder, "block.s")
        with open(listing, "w") as f:
            f.writelines(op + "\n" for _ in range(ROUNDS) for op, _ in UNIT)
        with open(asm, "w") as f:
            f.writelines("\t" + text + "\n" for _ in range(ROUNDS) for _, text in UNIT)
        out = subprocess.run([BENCH, listing], stdout=subprocess.PIPE, text=True, check=True).stdout
        ours = float(re.search(r"([\d.]+) ns a pass", out).group(1)) / 1e9
        theirs = (mca_seconds(asm, 101) - mca_seconds(asm, 1)) / 100
    n = ROUNDS * len(UNIT)
    print(f"{n} ops known to both: hvsim {ours * 1e6:.1f} us, {MCA} {theirs * 1e6:.1f} us: "
          f"{theirs / ours:.0f} times faster")


sys.exit(main())
