# SPDX-License-Identifier: Apache-2.0
"""Programs of tools/reproductions that crash the kernel, each in a separate guest that is expected to die."""
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
# The first oops ends the guest, and a write beyond memory is detected when the memory is freed.
KERNEL_OPTIONS = ('oops=panic', 'slub_debug=FZPU')


@dataclass(frozen=True)
class Stop:
    """One program, and its effect on kernels."""

    name: str
    line: str  # shell command line in the programs' folder; ends with 0 on a kernel without the defect
    sign: str  # a regular expression for the line of the kernel's log that shows the defect
    kernels: tuple  # kernels with the defect
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
    """Runs programs on one kernel, prints their outcomes, and returns the unexpected ones."""
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
    """Returns the outcome from an exit code and a kernel's log, and whether it was expected."""
    hit = re.search(f'.*({stop.sign}.*)', log)
    if kernel in stop.kernels:
        if hit:
            return Outcome(True, f'as expected: {hit[1].strip()}')
        return Outcome(False, f'fixed? The program ended with exit code {code}, and the kernel\'s log does not match {stop.sign!r}')
    if hit:
        return Outcome(False, f'has the defect unexpectedly: {hit[1].strip()}')
    return Outcome(code == 0, f'does not have the defect, exit code {code}')
