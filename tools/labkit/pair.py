# SPDX-License-Identifier: Apache-2.0
"""Two guests, possibly with different kernels, joined by a cable."""
import dataclasses
import socket
import threading

from . import guest
from .say import LabError, NamedChannel, UsageError, progress, use_channel, warn

GRACE = 30  # seconds for the peer's command after the other has ended


class Wire:
    """A cable between two machines. Each owns one end while it runs."""

    def __init__(self):
        self.ends = socket.socketpair()

    def close(self):
        for end in self.ends:
            end.close()


def check(*names):
    """Rejects kernels that cannot be at an end of a cable."""
    if set(names) & set(guest.kernelnames.UMLS):
        raise UsageError('user-mode Linux does not support cables between guests: choose another kernel')


def run(settings, command, kernel, line):
    """Runs a command in one guest and a shell command line in its peer; returns both guests."""
    check(settings.kernel, kernel)
    memory = settings.memory or guest.fitting_memory(guests=2)
    wire = Wire()
    ends = [dataclasses.replace(settings, memory=memory, wire=wire.ends[0], end='0'),
            dataclasses.replace(settings, memory=memory, wire=wire.ends[1], end='1', kernel=kernel)]
    # Downloads and error messages come before either guest boots.
    first, second = guest.prepare(ends[0], command), guest.prepare(ends[1], ['bash', '-c', line])

    def run_peer():
        named = NamedChannel('peer', descriptor=2)
        use_channel(named)
        try:
            guest.boot(second)
        except LabError as e:
            warn(f'error: {e}')
        finally:
            named.flush()

    thread = threading.Thread(target=run_peer)
    thread.start()
    try:
        guest.boot(first)
        thread.join(GRACE)
        if thread.is_alive() and second.watch:
            progress(f"the peer's command did not end within {GRACE} s after the other: ending it")
            second.watch.interrupt('TERM')
    finally:
        thread.join()
        wire.close()
    progress(f'exit codes: {first.code}, peer {second.code}')
    return first, second
