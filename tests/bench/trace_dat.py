#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Make a trace.dat of kvm_hv turns: trace_dat.py MEGABYTES OUT (needs trace-cmd, no tracefs).

What a recording needs of a kernel is written here: the formats of the two tracepoints with the fields
their text shows, and pages of the ring buffer (events/header_page and header_event say how they are laid
out). `trace-cmd restore` joins them. The turns follow each other as in traces/real/nestedv2-idle-2vcpu:
a ceded exit that doesn't block, and every eighth time a turn that didn't enter."""
import os, struct, subprocess, sys, tempfile

PAGE, HEAD = 4096, 16
HEADER_PAGE = """\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;
\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;
\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;
\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;
"""
HEADER_EVENT = """# compressed entry header
\ttype_len    :    5 bits
\ttime_delta  :   27 bits
\tarray       :   32 bits

\tpadding     : type == 29
\ttime_extend : type == 30
\ttime_stamp : type == 31
\tdata max type_len  == 28
"""
COMMON = """format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

"""
ENTER, EXIT = 301, 302
EVENTS = {
    "kvm_guest_enter": (ENTER, [("int", "vcpu_id", 8, 4), ("unsigned long", "pc", 16, 8),
                                ("unsigned long", "pexcp", 24, 8), ("__u8", "ceded", 32, 1)],
                        '"VCPU %d: pc=0x%lx pexcp=0x%lx ceded=%d", REC->vcpu_id, REC->pc, REC->pexcp, REC->ceded'),
    "kvm_guest_exit": (EXIT, [("int", "vcpu_id", 8, 4), ("int", "trap", 12, 4), ("unsigned long", "pc", 16, 8),
                              ("unsigned long", "msr", 24, 8), ("__u8", "ceded", 32, 1)],
                       '"VCPU %d: trap=%s pc=0x%lx msr=0x%lx, ceded=%d", REC->vcpu_id, __print_symbolic(REC->trap, '
                       '{ 0x980, "HV_DECREMENTER" }, { 0xc00, "SYSCALL" }), REC->pc, REC->msr, REC->ceded'),
}
BYTES = 40  # of an event: both are as long


def tracing_folder(top):
    def put(name, text):
        os.makedirs(os.path.dirname(os.path.join(top, name)), exist_ok=True)
        with open(os.path.join(top, name), "w") as f:
            f.write(text)
    put("events/header_page", HEADER_PAGE)
    put("events/header_event", HEADER_EVENT)
    # trace-cmd wants an event of ftrace's own; it isn't used.
    put("events/ftrace/print/format", f"name: print\nID: 5\n{COMMON}\nprint fmt: \"\"\n")
    for name, (number, fields, text) in EVENTS.items():
        lines = "".join(f"\tfield:{kind} {field};\toffset:{at};\tsize:{size};\tsigned:{int(kind == 'int')};\n"
                        for kind, field, at, size in fields)
        put(f"events/kvm_hv/{name}/format", f"name: {name}\nID: {number}\n{COMMON}{lines}\nprint fmt: {text}\n")
    put("printk_formats", "")
    put("saved_cmdlines", "150 qemu-system-ppc\n")
    put("trace_clock", "[local]\n")
    put("kallsyms", "c000000000000000 T _stext\n")


def event(kind, delta, body):
    return struct.pack("<I", delta << 5 | BYTES // 4) + struct.pack("<HBBi", kind, 0, 0, 150) + body


def turns():
    """The events of eight turns with the time of each since the one before, ns."""
    pc, msr = 0xc0000000000dfc84, 0x800000000280a033
    for i in range(8):
        spin = i < 7
        yield event(ENTER, 29000, struct.pack("<iIQQB7x", 0, 0, pc, 0x4000, 0)), 29000
        yield event(EXIT, 220000 if spin else 9000,
                    struct.pack("<iiQQB7x", 0, 0 if spin else 0x980, pc, msr, spin)), 220000 if spin else 9000


def main():
    target, out = int(sys.argv[1]) * 1000000, sys.argv[2]
    round_of = list(turns())
    with tempfile.TemporaryDirectory() as top:
        tracing_folder(top)
        cpu = os.path.join(top, "cpu0")
        with open(cpu, "wb") as f:
            now = 71 * 10 ** 9
            data, first, done, i = [], None, 0, 0
            while done < target:
                raw, delta = round_of[i % len(round_of)]
                now += delta
                if first is None:  # the first event of a page has the page's time
                    first, raw = now, struct.pack("<I", BYTES // 4) + raw[4:]
                data.append(raw)
                i += 1
                if (len(data) + 1) * len(raw) > PAGE - HEAD:
                    body = b"".join(data)
                    f.write(struct.pack("<QQ", first, len(body)) + body.ljust(PAGE - HEAD, b"\0"))
                    done += PAGE
                    data, first = [], None
        partial = os.path.join(top, "partial.dat")
        quiet = dict(check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["trace-cmd", "restore", "-c", "-t", top, "-k", os.path.join(top, "kallsyms"), "-o", partial],
                       **quiet)
        subprocess.run(["trace-cmd", "restore", "-i", partial, "-o", out, cpu], **quiet)


main()
