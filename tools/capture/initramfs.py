# SPDX-License-Identifier: GPL-2.0-or-later
"""First file systems for the kernels that tools/capture-path and tools/capture-nested boot."""
import lzma
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
END = ("TRAILER!!!", 0, b"", (0, 0))
CONSOLE = [("dev", 0o40755, b"", (0, 0)), ("dev/console", 0o20600, b"", (5, 1))]


class Missing(Exception):
    """Something this machine lacks; the text says what."""


def archive(members):
    """A newc archive of (name, mode, data, device), as the kernel unpacks it."""
    out = []
    for number, (name, mode, data, device) in enumerate([*members, END], 1):
        raw = name.encode() + b"\0"
        fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(raw), 0)
        head = b"070701" + b"".join(b"%08x" % f for f in fields) + raw
        out += [head, b"\0" * (-len(head) % 4), data, b"\0" * (-len(data) % 4)]
    return b"".join(out)


def plain(name, data, mode=0o100644):
    return (name, mode, data, (0, 0))


def read(path):
    with open(path, "rb") as f:
        return f.read()


def module(kernel, name):
    """A module of a kernel from tools/fetch-kernels, as an archive's member."""
    for suffix, reader in (("", open), (".xz", lzma.open)):
        path = os.path.join(kernel, name + suffix)
        if os.path.exists(path):
            with reader(path, "rb") as f:
                return plain(name, f.read())
    raise Missing(f"{kernel} has no {name}: use a folder from tools/fetch-kernels")


def compile_static(source, program):
    """The program made of a source of this folder, for ppc64el, as an archive's /init."""
    command = ["powerpc64le-linux-gnu-gcc", "-static", "-O1", "-pthread", "-o", program,
               os.path.join(HERE, source)]
    try:
        subprocess.run(command, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise Missing("needs powerpc64le-linux-gnu-gcc and libc6-dev-ppc64el-cross") from None
    return plain("init", read(program), 0o100755)
