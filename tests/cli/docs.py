#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Run what documents show, and compare: docs.py HVSIM [--update] DOC...

In a document, a block ```console holds commands after "$ " and what they print; a block whose
fence says FILE (```json idea.json) is written to that file first; a block ```diff is applied with
patch. All of a document runs in order in one scratch folder, which has copies of models/, scenarios/,
traces/ and docs/explain.html and is the data folder of hvsim. --update writes what was printed into the
documents. Prints TAP.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

hvsim = os.path.abspath(sys.argv[1])
update = "--update" in sys.argv
docs = [a for a in sys.argv[2:] if a != "--update"]
root = os.environ.get("HVSIM_DATA") or os.getcwd()
count = 0


def tap(ok, name, detail=""):
    global count
    count += 1
    print(f"{'ok' if ok else 'not ok'} {count} - {name}")
    if not ok:
        print("".join(f"# {line}\n" for line in detail.splitlines()[:40]), end="")


def run(command, folder):
    env = dict(os.environ, HVSIM_DATA=folder, LC_ALL="C.UTF-8", COLUMNS="80",
               PATH=os.path.join(folder, ".bin") + ":" + os.environ["PATH"])
    r = subprocess.run(["sh", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    return r.stdout


def console(doc, line, body, folder):
    """Run a block's commands; returns the block as it should be."""
    new, rest = [], body
    while rest:
        command = [rest.pop(0)]
        assert command[0].startswith("$ "), f"{doc}:{line}: a console block begins with '$ '"
        while command[-1].endswith("\\"):
            command.append(rest.pop(0))
        want = []
        while rest and not rest[0].startswith("$ "):
            want.append(rest.pop(0))
        shown = "\n".join(command)
        got = run(shown[2:], folder).splitlines()
        if not update:
            tap(got == want, f"{doc}:{line}: {shown[2:].splitlines()[0]}",
                "it printed\n" + "\n".join(got) + "\nnot\n" + "\n".join(want))
        new += command + got
        line += len(command) + len(want)
    return new


def block(doc, line, info, body, folder):
    words = info.split()
    if words == ["console"]:
        return console(doc, line, body, folder)
    text = "\n".join(body) + "\n"
    if words == ["diff"]:
        r = subprocess.run(["patch", "-p1", "--no-backup-if-mismatch"], cwd=folder, input=text, text=True,
                           capture_output=True)
        tap(r.returncode == 0, f"{doc}:{line}: the change applies", r.stdout + r.stderr)
    elif len(words) == 2:
        path = os.path.join(folder, words[1])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "w", encoding="utf-8").write(text)
    return body


def walk(doc):
    folder = tempfile.mkdtemp()
    try:
        for d in ("models", "scenarios", "traces"):
            shutil.copytree(os.path.join(root, d), os.path.join(folder, d))
        os.mkdir(os.path.join(folder, "docs"))
        shutil.copy(os.path.join(root, "docs", "explain.html"), os.path.join(folder, "docs"))
        os.mkdir(os.path.join(folder, ".bin"))
        os.symlink(hvsim, os.path.join(folder, ".bin", "hvsim"))
        lines, out, i = open(os.path.join(root, doc), encoding="utf-8").read().splitlines(), [], 0
        while i < len(lines):
            out.append(lines[i])
            m = re.match(r"```(\S.*)$", lines[i])
            i += 1
            if not m:
                continue
            end = lines.index("```", i)
            out += block(doc, i + 1, m[1], lines[i:end], folder) + ["```"]
            i = end + 1
        if update:
            open(os.path.join(root, doc), "w", encoding="utf-8").write("\n".join(out) + "\n")
    finally:
        shutil.rmtree(folder)


for d in docs:
    walk(d)
print(f"1..{count}")
