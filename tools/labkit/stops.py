# SPDX-License-Identifier: Apache-2.0
"""Programs of tools/reproductions that stop the kernel, each in a guest of its own that is expected to die."""
import dataclasses
import re
import shlex
from dataclasses import dataclass

from . import guest, packages, places
from .say import UsageError, plain

FOLDER = places.REPOSITORY / 'tools' / 'reproductions'
TWO_ENDS = 'rxe0 10.9.0.1 rxe1 10.9.0.2 veth1'
CHECK_MEMORY = 'for cache in /sys/kernel/slab/kmalloc-*; do echo 1 >$cache/validate; done'
TIMEOUT = 300
# The first oops ends the guest, and what writes behind its own memory is noticed when that is given back.
KERNEL_OPTIONS = ('oops=panic', 'slub_debug=FZPU')


@dataclass(frozen=True)
class Stop:
    """One program and what it does to which kernels."""

    name: str
    line: str  # of shell, in the folder of the programs; it ends with 0 where the kernel bears it
    sign: str  # a regular expression for the line of the kernel's log that shows the defect
    kernels: tuple  # those that have the defect; the others must bear it
    siw: bool = False


STOPS = (
    Stop('free-window', f'python3 free-window.py local {TWO_ENDS}', 'RIP: .*\\[rdma_rxe\\]', ('6.1', '6.12', 'sid')),
    Stop('free-window-sent', f'python3 free-window.py sent {TWO_ENDS}', 'RIP: .*\\[rdma_rxe\\]', ('6.1', '6.12', 'sid')),
    Stop('opcode-index', f'python3 opcode-index.py {TWO_ENDS}', 'RIP: .*\\[rdma_rxe\\]', ('6.1', '6.12', 'sid')),
    Stop('raised-reads', f'python3 raised-reads.py {TWO_ENDS} && {CHECK_MEMORY}', 'BUG kmalloc.*', ('6.1',)),
    Stop('shrunk-receive-queue', f'python3 shrunk-receive-queue.py {TWO_ENDS}', 'RIP: .*\\[rdma_rxe\\]', ('6.1',)),
    Stop('siw-empty-buffer', 'gcc -o /tmp/siw-empty-buffer siw-empty-buffer.c -lrdmacm -libverbs && /tmp/siw-empty-buffer 10.9.1.2',
         'RIP: .*\\[siw\\]', ('6.1', '6.12', 'sid'), siw=True),
)


@dataclass(frozen=True)
class Outcome:
    known: bool
    text: str


def named(names):
    """Returns the programs with these names, or all."""
    known = {stop.name: stop for stop in STOPS}
    if unknown := [name for name in names if name not in known]:
        raise UsageError(f"stops: no program '{unknown[0]}': not one of {' '.join(known)}")
    return [known[name] for name in names] if names else list(STOPS)


def run_all(chosen, kernel, settings):
    """Runs programs on one kernel, says what came of each, and returns what was not known."""
    wrong = []
    for stop in chosen:
        outcome = run(stop, kernel, settings)
        text = f'{kernel}: {stop.name}: {outcome.text}'
        plain(text)
        if not outcome.known:
            wrong.append(text)
    return wrong


def run(stop, kernel, settings):
    """Runs one program on one kernel; returns the outcome."""
    if stop.siw:
        packages.install(packages.missing_libraries(['librdmacm-dev', 'gcc', 'libc6-dev']))
    own = dataclasses.replace(settings, kernel=kernel, siw=stop.siw, kernel_options=KERNEL_OPTIONS, mortal=True)
    done = guest.run(own, ['bash', '-c', f'cd {shlex.quote(str(FOLDER))} && {stop.line}'])
    log = '\n'.join(file.read_text(errors='replace') for name in ('console.log', 'dmesg.txt')
                    if (file := done.results / name).exists())
    return judge(stop, kernel, done.code, log)


def judge(stop, kernel, code, log):
    """Returns what an exit code and a kernel's log say, and whether that was known."""
    hit = re.search(f'.*({stop.sign}.*)', log)
    if kernel in stop.kernels:
        if hit:
            return Outcome(True, f'as known: {hit[1].strip()}')
        return Outcome(False, f'mended? The program ended with exit code {code}, and the kernel\'s log has nothing like {stop.sign!r}')
    if hit:
        return Outcome(False, f'has the defect, which was not known: {hit[1].strip()}')
    return Outcome(code == 0, f'bears it, exit code {code}')
